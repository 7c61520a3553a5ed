"""The clock of a turn: its planned deadline, pauses, and the schedule entries in effect."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from processor.store.columns import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("turns", sa.Column("planned_at", UtcDateTime(), nullable=True))
    op.add_column("turns", sa.Column("paused_at", UtcDateTime(), nullable=True))
    op.add_column("turns", sa.Column("changes", sa.Text(), nullable=True))
