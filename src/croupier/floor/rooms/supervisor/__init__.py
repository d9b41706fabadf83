"""The supervisor's room: what a command would do before it is given, and rounds put right."""
