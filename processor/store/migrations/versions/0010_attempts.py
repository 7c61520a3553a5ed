"""Attempts at a turn: what they go on with, why there is another one, and what was told of the one before."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("turns", sa.Column("seed_attempt", sa.Integer(), server_default="1", nullable=False))
    op.add_column("turns", sa.Column("orders_of", sa.Integer(), nullable=True))
    op.add_column("turns", sa.Column("redo", sa.Text(), nullable=True))
    op.add_column("turns", sa.Column("carried", sa.Text(), nullable=True))
    op.add_column("results", sa.Column("carried", sa.Text(), nullable=True))
    op.add_column("results", sa.Column("told", sa.Text(), nullable=True))
