"""The compliance matrix: each rule tried at a door of the product, in cases that a lawyer can read."""
