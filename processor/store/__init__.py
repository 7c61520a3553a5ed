"""Tables and queries (SQLAlchemy Core) and their migrations."""
