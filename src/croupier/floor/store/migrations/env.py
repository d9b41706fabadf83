"""Alembic runs this file for each upgrade; the connection, and its transaction, are the caller's."""

from __future__ import annotations

from alembic import context

from croupier.floor.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
