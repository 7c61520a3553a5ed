"""All tables. Domain classes are not mapped; `rows.py` gives rows their types.

Portable SQL: text (`Text`) for ids and hashes, text of decimals for 64-bit dice values, JSON as canonical
text, moments as UTC (`UtcDateTime`), booleans as the database has them.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    UniqueConstraint,
)

from processor.store.columns import Text, UtcDateTime

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

games = Table(
    "games",
    metadata,
    Column("id", Text, primary_key=True),
    Column("folder", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("ruleset", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("secret", Text, nullable=False),  # H in hex; shown at the game's end
    Column("first_turn", Integer, nullable=False),
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("not_before", UtcDateTime),
    Column("note", Text),
    Column("registered_at", UtcDateTime, nullable=False),
)

seats = Table(
    "seats",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("account", Text),
    Column("login", Text),
    Column("shown", Text, nullable=False),
    Column("player", Integer, nullable=False, server_default="1"),  # how many accounts have had the seat
)

tracks = Table(
    "tracks",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("topic", Text, nullable=False),
)

turns = Table(
    "turns",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False),
    Column("track", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("status", Text, nullable=False),
    Column("held_from", Text),
    Column("held_code", Text),
    Column("reason", Text),
    Column("waived", Text, nullable=False, server_default=""),  # codes of holds the director has lifted
    Column("due_at", UtcDateTime, nullable=False),
    Column("due_offset", Integer),  # seconds from UTC to the local time that was told; NULL: not known
    Column("planned_at", UtcDateTime),  # the deadline by the schedule alone; NULL: `due_at` still is
    Column("paused_at", UtcDateTime),  # since when the turn's clock stands still; NULL: it runs
    Column("changes", Text),  # schedule entries in effect, as JSON; NULL: none yet
    Column("zone", Text, nullable=False),
    Column("next_at", UtcDateTime),  # when something is to be done; NULL: nothing by itself
    Column("reading_at", UtcDateTime),  # when the posts are to be read again
    Column("seed", Text, nullable=False),  # S in hex; stored before its commitment leaves
    Column("commitment", Text, nullable=False),
    Column("groups", Text, nullable=False),
    Column("seed_attempt", Integer, nullable=False, server_default="1"),  # the attempt that S was made for
    Column("orders_of", Integer),  # the attempt whose posts it goes on with; NULL: it has its own
    Column("proof", Text, nullable=False, server_default="seed"),  # mode of its dice: `seed` or `beacon`
    Column("redo", Text),  # why the turn is played once more, as JSON; NULL: a first attempt
    Column("carried", Text),  # what the seats bring; NULL: what the turn before has left
    Column("first_position", Integer),  # where this turn's reading begins, NULL: at the topic's first post
    Column("failures", Integer, nullable=False, server_default="0"),
    Column("opened_at", UtcDateTime),  # by the forum's clock; NULL: not seen yet
    Column("reminded_at", UtcDateTime),  # when who has no orders was reminded; NULL: that is still to come
    Column("published_at", UtcDateTime),
    Column("canary_at", UtcDateTime),  # when the forum was last tried out ahead of the deadline
    Column("canary", Text),  # what went wrong with that, for the director; NULL: nothing
    Column("overrides_stamp", Text),  # its override file when nothing in that voided it; NULL: to be read
    Column("waits_for", Text),  # the forum that rests while it waits; NULL: it waits for none
    Column("lease_owner", Text),
    Column("lease_until", UtcDateTime),
    Column("fence", Integer, nullable=False, server_default="0"),
    UniqueConstraint("game_id", "track", "number", "attempt"),
)
# What is due is a range of this index; turns with nothing to do (NULL) lie outside of every range.
Index("ix_turns_due", turns.c.next_at, turns.c.id)

states = Table(
    "states",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),  # the state that the turn starts from
    Column("version", Text, nullable=False),
    Column("data", Text, nullable=False),
    Column("sha256", Text, nullable=False),
)

posts = Table(
    "posts",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", ForeignKey("games.id"), nullable=False),
    Column("turn_id", ForeignKey("turns.id"), nullable=False),  # the turn in which it was first seen
    Column("topic", Text, nullable=False),
    Column("post_id", Text, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("first_seen_at", UtcDateTime, nullable=False),
    Column("misses", Integer, nullable=False, server_default="0"),
    Column("missed_at", UtcDateTime),  # when it was first missed; NULL: it is there, or nobody knows
    UniqueConstraint("game_id", "topic", "post_id"),
    Index("ix_posts_turn_id", "turn_id"),
)

reading_marks = Table(
    "reading_marks",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("topic", Text, primary_key=True),
    Column("position", Integer, nullable=False),  # of the newest post read
    Column("post_id", Text, nullable=False),
    Column("whole_at", UtcDateTime, nullable=False),  # when the turn's posts were last read whole
)

post_versions = Table(
    "post_versions",
    metadata,
    Column("post", ForeignKey("posts.id"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("seen_at", UtcDateTime, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("author_id", Text),
    Column("author", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("precision", Text, nullable=False),
    Column("ambiguous", Boolean, nullable=False),
    Column("url", Text, nullable=False),
    Column("number", Integer),
    Column("html", Text),
    Column("raw", Text),
    Column("edits", Integer, nullable=False),
    Column("edited_at", UtcDateTime),
    Column("visibility", Text, nullable=False),
)

locks = Table(
    "locks",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("locked_at", UtcDateTime, nullable=False),
    Column("reading", Text, nullable=False),
    Column("overrides", Text, nullable=False),
    Column("overrides_sha256", Text, nullable=False),
    Column("lock_tag", Text, nullable=False),
    Column("manifest_sha256", Text, nullable=False),
    Column("rules_id", Text, nullable=False),
    Column("posts_read", Integer, nullable=False),
    Column("last_position", Integer, nullable=False),
    Column("entropy", Text, nullable=False),
    Column("key", Text, nullable=False),  # K in hex, fixed at the lock
    Column("tried_sha256", Text),  # override file of the last run that asked a question
    Column("carried", Text, nullable=False, server_default=""),  # what the seats take into the next turn
    Column("promise", Text, nullable=False, server_default=""),  # the commitment's post; "": not looked at
)

submissions = Table(
    "submissions",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("post_id", Text, nullable=False),
    Column("in_force", Boolean, nullable=False),
    Column("valid", Boolean, nullable=False),
    Column("withdrawal", Boolean, nullable=False),
    Column("standing", Boolean, nullable=False),
    Column("ready", Boolean, nullable=False),
)

orders = Table(
    "orders",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("seat", Text, primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("post_id", Text, nullable=False),
    Column("line", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("accepted", Boolean, nullable=False),
    Column("name", Text),  # the declaration, NULL for refused lines
)

results = Table(
    "results",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("resolved_at", UtcDateTime, nullable=False),
    Column("late_overrides", Text),
    Column("carried", Text),  # what the seats take into the next turn; NULL: as it was locked
    Column("told", Text),  # what each reader was told, as JSON; NULL: not kept
    Column("finished", Boolean, nullable=False),  # whether the game ends with this turn
    Column("proofs", Text, nullable=False),
    Column("circumstances", Text, nullable=False, server_default=""),  # what else its texts rest on
)

events = Table(
    "events",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("event_id", Text, nullable=False),
    Column("audience", Text, nullable=False),
    Column("seat", Text),
    Column("number", Integer),
    Column("data", Text, nullable=False),
)

rolls = Table(
    "rolls",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("position", Integer, primary_key=True),
    Column("dice_group", Text, nullable=False),
    Column("label", Text, nullable=False),
    Column("i", Integer, nullable=False),
    Column("n", Text, nullable=False),  # up to 2^64
    Column("value", Text, nullable=False),
    Column("true_value", Text, nullable=False),
    Column("purpose", Text, nullable=False),
    Column("audience", Text, nullable=False),
)

questions = Table(
    "questions",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("question", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("recipient", Text, nullable=False),
    Column("handle", Text),
    Column("data", Text, nullable=False),
    Column("is_open", Boolean, nullable=False),
    Column("published", Boolean, nullable=False),
    Column("answer", Text),
    Column("answer_source", Text),
    Column("asked_at", UtcDateTime),  # when it was put; NULL: it never was
    Column("due_at", UtcDateTime),  # up to when an offer stands; NULL: until somebody answers
)

answers = Table(
    "answers",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("question", Text, primary_key=True),
    Column("value", Text, nullable=False),
    Column("source", Text, nullable=False),
    Column("reason", Text),
    Column("after_dice", Boolean, nullable=False),
    Column("given_at", UtcDateTime, nullable=False),
    Column("post_id", Text),  # where it was written; NULL: a default
    Column("taken_at", UtcDateTime, nullable=False),
)

report_files = Table(
    "report_files",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("name", Text, primary_key=True),
    Column("content", Text, nullable=False),
)

uploads = Table(
    "uploads",
    metadata,
    Column("turn_id", ForeignKey("turns.id"), primary_key=True),
    Column("sha256", Text, primary_key=True),  # of the picture as SVG
    Column("name", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("not_before", UtcDateTime),  # of the next attempt; NULL: there will be none
    Column("reference", Text),  # how a text shows it; NULL: the forum doesn't have it
    Column("handle", Text, nullable=False, server_default=""),  # what goes along with that text
    Column("reason", Text),
)

outbox = Table(
    "outbox",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("turn_id", ForeignKey("turns.id"), nullable=False),
    Column("game_id", Text, nullable=False),
    Column("track", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("kind", Text, nullable=False),
    Column("part", Integer, nullable=False),
    Column("parts", Integer, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("recipient", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("editable", Boolean, nullable=False),
    Column("body", Text, nullable=False),
    Column("body_sha256", Text, nullable=False),
    Column("marker", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False, server_default="0"),
    Column("unknowns", Integer, nullable=False, server_default="0"),
    Column("not_before", UtcDateTime),
    Column("sending_since", UtcDateTime),
    Column("sent_at", UtcDateTime),
    Column("forum_topic", Text),
    Column("forum_post_id", Text),
    Column("reason", Text),
    Column("url", Text),  # where a person has pasted it
    Column("lead", Text, nullable=False, server_default=""),  # what it says above: that it replaces a post
    Column("fence", Integer),
    UniqueConstraint("game_id", "track", "number", "attempt", "kind", "part", "revision"),
    Index("ix_outbox_turn_id", "turn_id"),
)

switches = Table(
    "switches",
    metadata,
    Column("name", Text, primary_key=True),
    Column("since", UtcDateTime, nullable=False),
)

forum_rests = Table(
    "forum_rests",
    metadata,
    Column("url", Text, primary_key=True),
    Column("failures", Integer, nullable=False),
    Column("since", UtcDateTime, nullable=False),  # when it first didn't answer
    Column("until", UtcDateTime, nullable=False),  # when one game asks it again
)

clock_jumps = Table(
    "clock_jumps",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("noticed_at", UtcDateTime, nullable=False),
    Column("earlier", UtcDateTime, nullable=False),  # between these two our clock moved without time passing
    Column("later", UtcDateTime, nullable=False),
)

conversations = Table(
    "conversations",
    metadata,
    Column("game_id", ForeignKey("games.id"), primary_key=True),
    Column("recipient", Text, primary_key=True),
    Column("topic", Text, nullable=False),
)
