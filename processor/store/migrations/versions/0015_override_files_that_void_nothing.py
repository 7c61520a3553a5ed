"""Override files in which nothing voids their turns aren't read again before they change."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.add_column("turns", sa.Column("overrides_stamp", sa.Text(), nullable=True))
