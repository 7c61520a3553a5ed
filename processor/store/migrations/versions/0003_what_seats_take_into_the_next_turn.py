"""What seats take from a locked turn into the next: standing orders, the last block, turns without any."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("locks", sa.Column("carried", sa.Text(), server_default="", nullable=False))
