"""The tables of the first night."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from processor.store.columns import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Change the tables."""
    op.create_table(
        "games",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("folder", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("ruleset", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("secret", sa.Text(), nullable=False),
        sa.Column("first_turn", sa.Integer(), nullable=False),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("not_before", UtcDateTime(), nullable=True),
        sa.Column("note", sa.Text(), nullable=True),
        sa.Column("registered_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
    )
    op.create_table(
        "conversations",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_conversations_game_id")),
        sa.PrimaryKeyConstraint("game_id", "recipient", name=op.f("pk_conversations")),
    )
    op.create_table(
        "seats",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("account", sa.Text(), nullable=True),
        sa.Column("login", sa.Text(), nullable=True),
        sa.Column("shown", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.PrimaryKeyConstraint("game_id", "seat", name=op.f("pk_seats")),
    )
    op.create_table(
        "tracks",
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_tracks_game_id")),
        sa.PrimaryKeyConstraint("game_id", "name", name=op.f("pk_tracks")),
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("track", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("held_from", sa.Text(), nullable=True),
        sa.Column("held_code", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("waived", sa.Text(), server_default="", nullable=False),
        sa.Column("due_at", UtcDateTime(), nullable=False),
        sa.Column("zone", sa.Text(), nullable=False),
        sa.Column("next_at", UtcDateTime(), nullable=True),
        sa.Column("reading_at", UtcDateTime(), nullable=True),
        sa.Column("seed", sa.Text(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("groups", sa.Text(), nullable=False),
        sa.Column("first_position", sa.Integer(), nullable=True),
        sa.Column("failures", sa.Integer(), server_default="0", nullable=False),
        sa.Column("opened_at", UtcDateTime(), nullable=True),
        sa.Column("published_at", UtcDateTime(), nullable=True),
        sa.Column("lease_owner", sa.Text(), nullable=True),
        sa.Column("lease_until", UtcDateTime(), nullable=True),
        sa.Column("fence", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_turns_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
        sa.UniqueConstraint(
            "game_id", "track", "number", "attempt", name=op.f("uq_turns_game_id_track_number_attempt")
        ),
    )
    op.create_index("ix_turns_due", "turns", ["next_at", "id"], unique=False)
    op.create_table(
        "events",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("event_id", sa.Text(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=True),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("data", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_events_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "position", name=op.f("pk_events")),
    )
    op.create_table(
        "locks",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("locked_at", UtcDateTime(), nullable=False),
        sa.Column("reading", sa.Text(), nullable=False),
        sa.Column("overrides", sa.Text(), nullable=False),
        sa.Column("overrides_sha256", sa.Text(), nullable=False),
        sa.Column("lock_tag", sa.Text(), nullable=False),
        sa.Column("manifest_sha256", sa.Text(), nullable=False),
        sa.Column("rules_id", sa.Text(), nullable=False),
        sa.Column("posts_read", sa.Integer(), nullable=False),
        sa.Column("last_position", sa.Integer(), nullable=False),
        sa.Column("entropy", sa.Text(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("tried_sha256", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_locks_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", name=op.f("pk_locks")),
    )
    op.create_table(
        "orders",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("post_id", sa.Text(), nullable=False),
        sa.Column("line", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_orders_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "seat", "position", name=op.f("pk_orders")),
    )
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("track", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("parts", sa.Integer(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("editable", sa.Boolean(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("body_sha256", sa.Text(), nullable=False),
        sa.Column("marker", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("attempts", sa.Integer(), server_default="0", nullable=False),
        sa.Column("unknowns", sa.Integer(), server_default="0", nullable=False),
        sa.Column("not_before", UtcDateTime(), nullable=True),
        sa.Column("sending_since", UtcDateTime(), nullable=True),
        sa.Column("sent_at", UtcDateTime(), nullable=True),
        sa.Column("forum_topic", sa.Text(), nullable=True),
        sa.Column("forum_post_id", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("fence", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_outbox_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_outbox")),
        sa.UniqueConstraint(
            "game_id",
            "track",
            "number",
            "attempt",
            "kind",
            "part",
            "revision",
            name=op.f("uq_outbox_game_id_track_number_attempt_kind_part_revision"),
        ),
    )
    op.create_index("ix_outbox_turn_id", "outbox", ["turn_id"], unique=False)
    op.create_table(
        "posts",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Text(), nullable=False),
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("topic", sa.Text(), nullable=False),
        sa.Column("post_id", sa.Text(), nullable=False),
        sa.Column("private", sa.Boolean(), nullable=False),
        sa.Column("first_seen_at", UtcDateTime(), nullable=False),
        sa.Column("misses", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_posts_game_id")),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_posts_turn_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_posts")),
        sa.UniqueConstraint("game_id", "topic", "post_id", name=op.f("uq_posts_game_id_topic_post_id")),
    )
    op.create_index("ix_posts_turn_id", "posts", ["turn_id"], unique=False)
    op.create_table(
        "questions",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("handle", sa.Text(), nullable=True),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("is_open", sa.Boolean(), nullable=False),
        sa.Column("published", sa.Boolean(), nullable=False),
        sa.Column("answer", sa.Text(), nullable=True),
        sa.Column("answer_source", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_questions_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "question", name=op.f("pk_questions")),
    )
    op.create_table(
        "report_files",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_report_files_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "name", name=op.f("pk_report_files")),
    )
    op.create_table(
        "results",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("resolved_at", UtcDateTime(), nullable=False),
        sa.Column("late_overrides", sa.Text(), nullable=True),
        sa.Column("finished", sa.Boolean(), nullable=False),
        sa.Column("proofs", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_results_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", name=op.f("pk_results")),
    )
    op.create_table(
        "rolls",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("dice_group", sa.Text(), nullable=False),
        sa.Column("label", sa.Text(), nullable=False),
        sa.Column("i", sa.Integer(), nullable=False),
        sa.Column("n", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.Column("true_value", sa.Text(), nullable=False),
        sa.Column("purpose", sa.Text(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_rolls_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "position", name=op.f("pk_rolls")),
    )
    op.create_table(
        "states",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_states_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", name=op.f("pk_states")),
    )
    op.create_table(
        "submissions",
        sa.Column("turn_id", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Text(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("post_id", sa.Text(), nullable=False),
        sa.Column("in_force", sa.Boolean(), nullable=False),
        sa.Column("valid", sa.Boolean(), nullable=False),
        sa.Column("withdrawal", sa.Boolean(), nullable=False),
        sa.Column("standing", sa.Boolean(), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["turn_id"], ["turns.id"], name=op.f("fk_submissions_turn_id")),
        sa.PrimaryKeyConstraint("turn_id", "seat", "position", name=op.f("pk_submissions")),
    )
    op.create_table(
        "post_versions",
        sa.Column("post", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seen_at", UtcDateTime(), nullable=False),
        sa.Column("sha256", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Text(), nullable=True),
        sa.Column("author", sa.Text(), nullable=False),
        sa.Column("created_at", UtcDateTime(), nullable=False),
        sa.Column("precision", sa.Text(), nullable=False),
        sa.Column("ambiguous", sa.Boolean(), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("html", sa.Text(), nullable=True),
        sa.Column("raw", sa.Text(), nullable=True),
        sa.Column("edits", sa.Integer(), nullable=False),
        sa.Column("edited_at", UtcDateTime(), nullable=True),
        sa.Column("visibility", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["post"], ["posts.id"], name=op.f("fk_post_versions_post")),
        sa.PrimaryKeyConstraint("post", "version", name=op.f("pk_post_versions")),
    )
