"""Which version of which post counts, by the forum's clock (design.md 2, *Versions* and *Time*)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from processor.pipeline.context import PostVersion
from rules.play.posts import Post, Precision, Visibility


@dataclass(frozen=True, slots=True)
class Candidate:
    """One post of the turn: the version that counts, or why none does.

    post: the version that counts, else the newest that was seen. why: None where it counts, else as in
    `SkippedText`.
    edited_late: whether a later version than the one that counts was seen after the deadline.
    at_the_edge: created in the very minute of the deadline on a forum without seconds.
    accepted: whether it counts, or counts in this version, because the director says so.
    """

    post: Post
    why: str | None = None
    edited_late: bool = False
    at_the_edge: bool = False
    accepted: bool = False

    @property
    def counts(self) -> bool:
        """Whether the post's blocks count."""
        return self.why is None


def choose_versions(
    versions: Sequence[PostVersion],
    deadline: datetime,
    opened_at: datetime | None = None,
    accepted: Collection[str] = (),
) -> tuple[Candidate, ...]:
    """One candidate for each post, in the one sequence of posts and private messages: by time, then id.

    accepted: ids of posts that count whatever the clock says, in the newest version that was there to read.
    """
    posts = (one for one in versions if one.post.visibility is not Visibility.NOTICE)
    by_post = sorted(posts, key=lambda one: (_place(one.post), one.seen_at))
    groups = ((post, tuple(group)) for post, group in groupby(by_post, key=lambda one: one.post.id))
    found = (
        _accept(group, deadline, opened_at) if post in accepted else _choose(group, deadline, opened_at)
        for post, group in groups
    )
    return tuple(sorted(found, key=lambda one: _sequence(one.post)))


def keep_frozen(versions: Sequence[PostVersion], until: datetime | None) -> tuple[PostVersion, ...]:
    """The versions that a turn may be read from once more after its lock.

    What the closing reading had seen, and of posts that it couldn't see yet the first version alone: who
    edits behind the lock changes nothing. until: when the newest of the frozen versions was seen; None: all.
    """
    if until is None:
        return tuple(versions)
    known = {one.post.id for one in versions if one.seen_at <= until}
    kept: list[PostVersion] = []
    for one in sorted(versions, key=lambda version: version.seen_at):
        if one.seen_at <= until or one.post.id not in known:
            kept.append(one)
            known.add(one.post.id)
    return tuple(kept)


def _accept(versions: Sequence[PostVersion], deadline: datetime, opened_at: datetime | None) -> Candidate:
    """The candidate as the director wants it; one that counts as it is stays as it is."""
    chosen = _choose(versions, deadline, opened_at)
    if chosen.counts and not chosen.edited_late:
        return chosen
    shown = [one.post for one in versions if one.post.visibility is not Visibility.REMOVED]
    return Candidate(shown[-1], accepted=True) if shown else chosen


def _choose(versions: Sequence[PostVersion], deadline: datetime, opened_at: datetime | None) -> Candidate:
    newest = versions[-1].post
    if _truncated(newest.created_at) > deadline:
        return Candidate(newest, "late")
    if opened_at is not None and _is_before(newest, opened_at):
        return Candidate(newest, "early")
    if _is_gone(versions[-1], deadline):
        return Candidate(newest, "removed")
    return _choose_in_time(versions, deadline)


def _is_before(post: Post, opened_at: datetime) -> bool:
    """Whether a post is older than the turn; where the forum shows no seconds, its minute may be the same."""
    if post.precision is Precision.MINUTE:
        opened_at = opened_at.replace(second=0, microsecond=0)
    return post.created_at < opened_at


def _is_gone(version: PostVersion, deadline: datetime) -> bool:
    """Whether a post was taken away in time; one that was first missed behind the deadline is kept."""
    since = version.missing_since
    return version.missing and (since is None or since < _closing(version.post, deadline))


def _choose_in_time(versions: Sequence[PostVersion], deadline: datetime) -> Candidate:
    closing = _closing(versions[0].post, deadline)
    before = [one.post for one in versions if one.seen_at < closing]
    after = [one.post for one in versions if one.seen_at >= closing]
    chosen = before[-1] if before else None
    edited_late = False
    for post in after:
        if post.visibility is not Visibility.VISIBLE:
            continue  # removed or put into moderation after the deadline: what counted is kept
        if _edited_in_time(post, deadline) or _shows_at_last(post, chosen):
            chosen = post
        elif chosen is None or _text(post) != _text(chosen):
            edited_late = True
    if chosen is None:
        return Candidate(versions[-1].post, "doubtful" if edited_late else "unapproved")
    if chosen.visibility is not Visibility.VISIBLE:
        return Candidate(chosen, "removed" if chosen.visibility is Visibility.REMOVED else "unapproved")
    edge = chosen.precision is Precision.MINUTE and _same_minute(chosen, deadline)
    return Candidate(chosen, None, edited_late, edge)


def _shows_at_last(post: Post, chosen: Post | None) -> bool:
    """Whether a post is first seen now as it was written: late read, or let through by a moderator."""
    if chosen is None:
        return not _is_edited(post)
    return chosen.visibility is Visibility.UNAPPROVED and _text(post) == _text(chosen)


def _closing(post: Post, deadline: datetime) -> datetime:
    """The first moment behind the deadline's minute, or its second where the forum shows seconds."""
    if post.precision is Precision.MINUTE:
        return deadline.replace(second=0, microsecond=0) + timedelta(minutes=1)
    return deadline.replace(microsecond=0) + timedelta(seconds=1)


def _truncated(at: datetime) -> datetime:
    return at.replace(microsecond=0)


def _same_minute(post: Post, at: datetime) -> bool:
    return post.created_at.replace(second=0, microsecond=0) == at.replace(second=0, microsecond=0)


def _is_edited(post: Post) -> bool:
    return post.edits > 0 or post.edited_at is not None


def _edited_in_time(post: Post, deadline: datetime) -> bool:
    """Whether the forum itself says that the newest edit was in time."""
    return post.edited_at is not None and _truncated(post.edited_at) <= deadline


def _text(post: Post) -> str | None:
    return post.html if post.html is not None else post.raw


def _sequence(post: Post) -> tuple[datetime, tuple[int, str]]:
    return post.created_at, _place(post)


def _place(post: Post) -> tuple[int, str]:
    """Ids as forums count them: numbers by size, others as text."""
    return (int(post.id), post.id) if post.id.isascii() and post.id.isdigit() else (0, post.id)
