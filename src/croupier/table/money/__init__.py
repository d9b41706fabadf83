"""Money at a table: chips and colours, what moves when a stake goes down or is decided, and when it is paid."""
