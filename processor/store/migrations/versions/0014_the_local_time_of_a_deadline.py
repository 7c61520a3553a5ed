"""The local time that players were told of a deadline, should the rules of its zone change."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("turns", sa.Column("due_offset", sa.Integer(), nullable=True))
