"""When the seats without orders were reminded."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from processor.store.columns import UtcDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("turns", sa.Column("reminded_at", UtcDateTime(), nullable=True))
