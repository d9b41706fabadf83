"""The ceremonies of baccarat, document by document."""
