"""Every version of every post that was read, as evidence (reliability.md F19-F21)."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
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
    """A post as it was stored last. row: its row's id. fingerprint: of its newest version.

    saves: fingerprint of each version, and when it was seen. shown: whether it was read from a page.
    """

    row: int
    turn_id: int
    post_id: str
    version: int
    fingerprint: str
    misses: int
    number: int | None
    saves: frozenset[tuple[str, datetime]]
    shown: bool = True

    def holds(self, mark: str, seen_at: datetime | None) -> bool:
        """Whether a version is stored. seen_at: as `Post.seen_at`, None for a version that was read now."""
        return mark == self.fingerprint if seen_at is None else (mark, seen_at) in self.saves

    def followed_by(self, mark: str, seen: datetime) -> KnownPost:
        """With one more version."""
        return replace(self, version=self.version + 1, fingerprint=mark, saves=self.saves | {(mark, seen)})


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
        select(
            posts,
            post_versions.c.version,
            post_versions.c.sha256,
            post_versions.c.number,
            post_versions.c.seen_at,
            post_versions.c.html.is_not(None).label("shown"),
        )
        .join(post_versions, post_versions.c.post == posts.c.id)
        .where(posts.c.game_id == game_id, posts.c.topic == reading.topic, mine)
        .order_by(post_versions.c.version)
    )
    found: dict[str, KnownPost] = {}
    for row in rows:
        before = found[row.post_id].saves if row.post_id in found else frozenset()
        found[row.post_id] = _known(row, before | {(row.sha256, row.seen_at)})
    return found


def _known(row: Row[Any], saves: frozenset[tuple[str, datetime]]) -> KnownPost:
    return KnownPost(
        row.id, row.turn_id, row.post_id, row.version, row.sha256, row.misses, row.number, saves, row.shown
    )


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
    _store_posts(connection, game_id, turn_id, reading, wanted, known)
    if misses:
        mine = [one for one in known.values() if one.turn_id == turn_id]
        _count_misses(connection, reading, [one for one in mine if reading.proves_absence or not one.shown])


def store_new(
    connection: Connection, game_id: str, turn_id: int, reading: Reading, wanted: Collection[Post]
) -> None:
    """Store those of a reading's posts that aren't known at all; what is known stays as it is."""
    known = find_known(connection, game_id, turn_id, reading)
    new = [post for post in wanted if post.id not in known]
    _store_posts(connection, game_id, turn_id, reading, new, known)


def _store_posts(
    connection: Connection,
    game_id: str,
    turn_id: int,
    reading: Reading,
    wanted: Collection[Post],
    known: Mapping[str, KnownPost],
) -> None:
    """Store posts that are new and versions that are; as many statements for a thousand as for one."""
    first = {post.id: post for post in reversed(list(wanted)) if post.id not in known}
    rows = _add_posts(connection, game_id, turn_id, reading, list(reversed(first.values())))
    latest = {**known, **{post.id: _unseen(rows[post.id], turn_id, post) for post in first.values()}}
    versions: list[dict[str, Any]] = []
    for post in wanted:
        before, mark = latest[post.id], fingerprint(post)
        if before.holds(mark, post.seen_at):
            continue
        seen = post.seen_at or reading.server_time
        latest[post.id] = before.followed_by(mark, seen)
        versions.append(_version_values(before.row, before.version + 1, post, mark, seen))
    if versions:
        connection.execute(insert(post_versions), versions)


def _unseen(row: int, turn_id: int, post: Post) -> KnownPost:
    return KnownPost(row, turn_id, post.id, 0, "", 0, post.number, frozenset())


def _add_posts(
    connection: Connection, game_id: str, turn_id: int, reading: Reading, new: Collection[Post]
) -> dict[str, int]:
    """Rows of posts that weren't known, by the forum's id."""
    if not new:
        return {}
    same = {"game_id": game_id, "turn_id": turn_id, "topic": reading.topic}
    added = [
        {
            **same,
            "post_id": post.id,
            "private": post.private,
            "first_seen_at": post.seen_at or reading.server_time,
        }
        for post in new
    ]
    connection.execute(insert(posts), added)
    mine = [posts.c[name] == value for name, value in same.items()]
    return {
        row.post_id: row.id for row in connection.execute(select(posts.c.post_id, posts.c.id).where(*mine))
    }


def _version_values(row: int, version: int, post: Post, mark: str, seen: datetime) -> dict[str, Any]:
    return {
        "post": row,
        "version": version,
        "seen_at": seen,
        "sha256": mark,
        "author_id": post.author_id,
        "author": post.author,
        "created_at": post.created_at,
        "precision": post.precision,
        "ambiguous": post.ambiguous,
        "url": post.url,
        "number": post.number,
        "html": post.html,
        "raw": post.raw,
        "edits": post.edits,
        "edited_at": post.edited_at,
        "visibility": post.visibility,
    }


def _count_misses(connection: Connection, reading: Reading, known: Iterable[KnownPost]) -> None:
    there = {post.id for post in reading.posts}
    # Who carries posts may take a file away at any time: when the forum lost the post isn't known then.
    noticed = reading.server_time if reading.until is None else None
    changed: dict[int, list[int]] = {}
    for one in known:
        if one.number is not None and one.number < reading.first:
            continue  # before the stretch that was read
        misses = 0 if one.post_id in there else one.misses + 1
        if misses != one.misses:
            changed.setdefault(misses, []).append(one.row)
    for misses, rows in changed.items():
        values: dict[str, Any] = {"misses": misses}
        if misses <= 1:
            values["missed_at"] = noticed if misses else None
        connection.execute(update(posts).where(posts.c.id.in_(rows)).values(**values))


def find_doubtful(connection: Connection, turn_id: int) -> int:
    """Number of the turn's posts that were missing in a reading, but not often enough to count as deleted."""
    some = (posts.c.turn_id == turn_id, posts.c.misses > 0, posts.c.misses < MISSES)
    return len(connection.execute(select(posts.c.id).where(*some)).all())


def load_versions(connection: Connection, turn_id: int) -> tuple[PostVersion, ...]:
    """Every stored version of the posts first seen in a turn, ascending by time, id and version."""
    return tuple(_version(row) for row in _list_versions(connection, turn_id))


def list_fingerprints(connection: Connection, turn_id: int) -> list[tuple[str, int, str, str]]:
    """Of every stored version: the post's id, its number, its fingerprint as stored, and as it comes out."""
    rows = _list_versions(connection, turn_id)
    return [(row.post_id, row.version, row.sha256, fingerprint(_post(row))) for row in rows]


def _list_versions(connection: Connection, turn_id: int) -> list[Row[Any]]:
    rows = connection.execute(
        select(
            post_versions,
            posts.c.topic,
            posts.c.post_id,
            posts.c.private,
            posts.c.first_seen_at,
            posts.c.misses,
            posts.c.missed_at,
        )
        .join(posts, post_versions.c.post == posts.c.id)
        .where(posts.c.turn_id == turn_id)
    ).all()
    return sorted(rows, key=lambda row: (row.created_at, len(row.post_id), row.post_id, row.version))


def _version(row: Row[Any]) -> PostVersion:
    gone = row.misses >= MISSES
    return PostVersion(_post(row), row.seen_at, row.first_seen_at, gone, row.missed_at if gone else None)


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
