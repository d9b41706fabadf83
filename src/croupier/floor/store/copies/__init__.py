"""What is kept beside the database, for when it is lost or changed: backups, a second journal, witnesses of heads."""
