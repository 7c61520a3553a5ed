"""Backup and restore: everything that a host needs to go on, in one file (design.md 5)."""
