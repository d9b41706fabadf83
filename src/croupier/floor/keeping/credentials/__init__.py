"""With what somebody enters: the session of who signed in, the ticket for a table, and the second factor."""
