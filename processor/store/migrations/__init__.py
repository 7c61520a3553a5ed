"""Migrations of the database; `processor.store.migrate` runs them."""
