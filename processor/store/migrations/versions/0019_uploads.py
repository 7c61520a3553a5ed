"""Pictures that a forum keeps for a turn's report, and those that it wouldn't take."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from processor.store.columns import UtcDateTime

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.create_table(
        "uploads",
        sa.Column("turn_id", sa.Integer(), sa.ForeignKey("turns.id"), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("not_before", UtcDateTime(), nullable=True),
        sa.Column("reference", sa.Text(), nullable=True),
        sa.Column("handle", sa.Text(), server_default="", nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("turn_id", "sha256"),
    )
