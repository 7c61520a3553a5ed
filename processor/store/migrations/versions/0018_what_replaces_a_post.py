"""What a post says that replaces an older one, which can't be edited any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("outbox", sa.Column("lead", sa.Text(), server_default="", nullable=False))
