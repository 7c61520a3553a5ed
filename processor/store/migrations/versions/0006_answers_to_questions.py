"""Answers that a turn goes on with, and how long each question is waited for."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from processor.store.columns import UtcDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("questions", sa.Column("asked_at", UtcDateTime(), nullable=True))
    op.add_column("questions", sa.Column("due_at", UtcDateTime(), nullable=True))
    op.create_table(
        "answers",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("after_dice", sa.Boolean(), nullable=False),
        sa.Column("given_at", UtcDateTime(), nullable=False),
        sa.Column("post_id", sa.Text(), nullable=True),
        sa.Column("taken_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_answers_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "question", name=op.f("pk_answers")),
    )
