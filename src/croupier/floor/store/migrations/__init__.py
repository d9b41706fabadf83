"""How a database of an earlier version becomes one of this version; run at every start by `schema.migrate`."""
