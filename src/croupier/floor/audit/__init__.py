"""The books checked: verifying a store, and exports that prove themselves elsewhere."""
