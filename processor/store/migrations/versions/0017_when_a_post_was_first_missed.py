"""When a post that is gone was first missed: behind the deadline that withdraws nothing."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from processor.store.columns import UtcDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("posts", sa.Column("missed_at", UtcDateTime(), nullable=True))
