"""The law surveyed: what there is to choose from, what changed between editions, what is carried out where."""
