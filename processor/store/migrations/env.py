"""Alembic's entry: the connection comes from the caller, who also holds the transaction and the lock."""

from __future__ import annotations

from alembic import context

from processor.store.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
