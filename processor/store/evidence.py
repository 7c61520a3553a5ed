"""Every version of every post that was read, as evidence (reliability.md F19-F21)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, or_, select, update

from processor.pipeline.context import PostVersion
from processor.store.tables import post_versions, posts
from rules.play.posts import Post, Precision, Reading, Visibility

MISSES = 3
"""A known post that is missing in so many complete readings counts as deleted."""


@dataclass(frozen=True, slots=True)
class KnownPost:
    """A post as it was stored last. row: its row's id. fingerprint: of its newest version."""

    row: int
    turn_id: int
    post_id: str
    version: int
    fingerprint: str
    misses: int
    number: int | None


def fingerprint(post: Post) -> str:
    """What two readings of an unchanged post have in common, in hex.

    The raw text doesn't count: it is fetched for some posts only, and it can't change without the page.
    """
    edited = post.edited_at.isoformat() if post.edited_at else ""
    seen = [
        post.html if post.html is not None else post.raw,
        post.author_id,
        post.visibility,
        post.edits,
        edited,
    ]
    return hashlib.sha256(json.dumps(seen, ensure_ascii=False).encode()).hexdigest()


def find_known(connection: Connection, game_id: str, turn_id: int, reading: Reading) -> dict[str, KnownPost]:
    """The posts of a topic that are stored, by the forum's id: those of the reading and those of the turn."""
    mine = or_(posts.c.turn_id == turn_id, posts.c.post_id.in_([post.id for post in reading.posts]))
    rows = connection.execute(
        select(posts, post_versions.c.version, post_versions.c.sha256, post_versions.c.number)
        .join(post_versions, post_versions.c.post == posts.c.id)
        .where(posts.c.game_id == game_id, posts.c.topic == reading.topic, mine)
        .order_by(post_versions.c.version)
    )
    return {row.post_id: _known(row) for row in rows}


def _known(row: Row[Any]) -> KnownPost:
    return KnownPost(row.id, row.turn_id, row.post_id, row.version, row.sha256, row.misses, row.number)


def store_reading(
    connection: Connection,
    game_id: str,
    turn_id: int,
    reading: Reading,
    wanted: Collection[Post],
    *,
    misses: bool = True,
) -> None:
    """Store what is new in a complete reading, and count what is missing.

    wanted: those of its posts that are kept. Posts first seen now belong to the turn.
    misses: whether to count; what is taken away behind the lock isn't taken back.
    """
    known = find_known(connection, game_id, turn_id, reading)
    for post in wanted:
        _store_post(connection, game_id, turn_id, post, known.get(post.id), reading.server_time)
    if misses:
        _count_misses(connection, reading, [one for one in known.values() if one.turn_id == turn_id])


def store_new(
    connection: Connection, game_id: str, turn_id: int, reading: Reading, wanted: Collection[Post]
) -> None:
    """Store those of a reading's posts that aren't known at all; what is known stays as it is."""
    known = find_known(connection, game_id, turn_id, reading)
    for post in wanted:
        if post.id not in known:
            _store_post(connection, game_id, turn_id, post, None, reading.server_time)


def _store_post(
    connection: Connection, game_id: str, turn_id: int, post: Post, known: KnownPost | None, seen: datetime
) -> None:
    mark = fingerprint(post)
    if known is None:
        values = {"game_id": game_id, "turn_id": turn_id, "topic": post.topic, "post_id": post.id}
        added = insert(posts).values(**values, private=post.private, first_seen_at=seen)
        row = connection.execute(added.returning(posts.c.id)).scalar_one()
        _add_version(connection, row, 1, post, mark, seen)
    elif mark != known.fingerprint:
        _add_version(connection, known.row, known.version + 1, post, mark, seen)


def _add_version(
    connection: Connection, row: int, version: int, post: Post, mark: str, seen: datetime
) -> None:
    connection.execute(
        insert(post_versions).values(
            post=row,
            version=version,
            seen_at=seen,
            sha256=mark,
            author_id=post.author_id,
            author=post.author,
            created_at=post.created_at,
            precision=post.precision,
            ambiguous=post.ambiguous,
            url=post.url,
            number=post.number,
            html=post.html,
            raw=post.raw,
            edits=post.edits,
            edited_at=post.edited_at,
            visibility=post.visibility,
        )
    )


def _count_misses(connection: Connection, reading: Reading, known: Iterable[KnownPost]) -> None:
    there = {post.id for post in reading.posts}
    for one in known:
        if one.number is not None and one.number < reading.first:
            continue  # before the stretch that was read
        misses = 0 if one.post_id in there else one.misses + 1
        if misses != one.misses:
            connection.execute(update(posts).where(posts.c.id == one.row).values(misses=misses))


def find_doubtful(connection: Connection, turn_id: int) -> int:
    """Number of the turn's posts that were missing in a reading, but not often enough to count as deleted."""
    some = (posts.c.turn_id == turn_id, posts.c.misses > 0, posts.c.misses < MISSES)
    return len(connection.execute(select(posts.c.id).where(*some)).all())


def load_versions(connection: Connection, turn_id: int) -> tuple[PostVersion, ...]:
    """Every stored version of the posts first seen in a turn, ascending by time, id and version."""
    rows = connection.execute(
        select(
            post_versions,
            posts.c.topic,
            posts.c.post_id,
            posts.c.private,
            posts.c.first_seen_at,
            posts.c.misses,
        )
        .join(posts, post_versions.c.post == posts.c.id)
        .where(posts.c.turn_id == turn_id)
    ).all()
    ordered = sorted(rows, key=lambda row: (row.created_at, len(row.post_id), row.post_id, row.version))
    return tuple(_version(row) for row in ordered)


def _version(row: Row[Any]) -> PostVersion:
    return PostVersion(_post(row), row.seen_at, row.first_seen_at, row.misses >= MISSES)


def _post(row: Row[Any]) -> Post:
    return Post(
        id=row.post_id,
        topic=row.topic,
        author_id=row.author_id,
        author=row.author,
        created_at=row.created_at,
        precision=Precision(row.precision),
        url=row.url,
        html=row.html,
        raw=row.raw,
        edits=row.edits,
        edited_at=row.edited_at,
        visibility=Visibility(row.visibility),
        private=row.private,
        number=row.number,
        ambiguous=row.ambiguous,
    )


def changed_posts(reading: Reading, known: Mapping[str, KnownPost]) -> tuple[Post, ...]:
    """Posts of a reading that are new or other than stored."""
    return tuple(
        post
        for post in reading.posts
        if post.id not in known or known[post.id].fingerprint != fingerprint(post)
    )
