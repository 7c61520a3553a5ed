"""How the post with the commitment was when a turn was locked."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("locks", sa.Column("promise", sa.Text(), server_default="", nullable=False))
