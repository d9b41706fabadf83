"""The entrance: signing in and out, passwords, roles lent, and the people of the house."""
