"""What a resolved turn's texts rest on besides state, orders and dice, so that they can be made again."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("results", sa.Column("circumstances", sa.Text(), server_default="", nullable=False))
