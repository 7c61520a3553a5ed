"""How many accounts have had a seat, so that nothing private to one is shown to another."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("seats", sa.Column("player", sa.Integer(), server_default="1", nullable=False))
