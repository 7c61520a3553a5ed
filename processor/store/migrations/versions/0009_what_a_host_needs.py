"""Where readings go on, jumps of our clock, and what the forum said when it was tried out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from processor.store.columns import UtcDateTime

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("turns", sa.Column("canary_at", UtcDateTime(), nullable=True))
    op.add_column("turns", sa.Column("canary", sa.Text(), nullable=True))
    op.create_table(
        "reading_marks",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("post_id", sa.Text(), nullable=False),
        sa.Column("whole_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_reading_marks_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "topic", name=op.f("pk_reading_marks")),
    )
    op.create_table(
        "clock_jumps",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("noticed_at", UtcDateTime(), nullable=False),
        sa.Column("earlier", UtcDateTime(), nullable=False),
        sa.Column("later", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_clock_jumps")),
    )
