"""Forums that don't answer are left alone by all of their games."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from processor.store.columns import UtcDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.create_table(
        "forum_rests",
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.Column("until", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("url", name=op.f("pk_forum_rests")),
    )
    op.add_column("turns", sa.Column("waits_for", sa.Text(), nullable=True))
