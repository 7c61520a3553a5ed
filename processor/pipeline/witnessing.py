"""Whether the post that published a turn's commitment still is as it was published (reliability.md 1.4)."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from typing import Self

from rules.play.posts import Post, Visibility
from rules.play.sightings import Flaw


@dataclass(frozen=True, slots=True)
class Promise:
    """What was published. post_id: in which post. text: as it was sent, marker included.

    commitment: C in hex. due_at: the turn's deadline, UTC. shared: whether the forum has put other texts of
    ours into the same post, which it may mark as an edit.
    """

    post_id: str
    text: str
    commitment: str
    due_at: datetime
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Seen:
    """The post as it was at the lock. post_id: "" where nothing was published. number: its position, None
    where it wasn't there. shown: hash of what a reader saw of it. flaws: what was wrong with it then.
    """

    post_id: str = ""
    number: int | None = None
    shown: str = ""
    flaws: tuple[Flaw, ...] = ()

    def dump(self) -> str:
        """As JSON."""
        return json.dumps(asdict(self))

    @classmethod
    def load(cls, text: str) -> Self | None:
        """What `dump` wrote; None for "", of turns that were locked by a program that didn't look."""
        if not text:
            return None
        data = json.loads(text)
        return cls(data["post_id"], data["number"], data["shown"], tuple(map(Flaw, data["flaws"])))


def see(promise: Promise, post: Post | None, raw: str | None, before: Seen | None = None) -> Seen:
    """The post as it is. post: None where it isn't in the topic. raw: its text as typed, None where the forum
    doesn't give it or nobody asked: then it is enough that readers see C in it. before: how it was at the
    lock.
    """
    if post is None or post.visibility is not Visibility.VISIBLE:
        return Seen(promise.post_id, flaws=(Flaw.GONE,))
    if raw is not None:
        same = _holds(raw, promise.text)
    else:
        same = looks_same(post, before) or promise.commitment in _shown(post)
    return Seen(promise.post_id, post.number, fingerprint(post), tuple(_flaws(promise, post, same=same)))


def looks_same(post: Post | None, before: Seen | None) -> bool:
    """Whether readers see what they saw at the lock, where the post had the right text: so it still has."""
    if post is None or before is None or Flaw.CHANGED in before.flaws:
        return False
    return (before.post_id, before.shown) == (post.id, fingerprint(post))


def fingerprint(post: Post) -> str:
    """Hash of what a reader sees of a post, in hex."""
    return sha256(_shown(post).encode()).hexdigest()


def _flaws(promise: Promise, post: Post, *, same: bool) -> Iterable[Flaw]:
    if not same:
        yield Flaw.CHANGED
    elif not promise.shared and (post.edits or post.edited_at is not None):
        yield Flaw.EDITED
    if post.created_at > promise.due_at:  # with minutes only, the deadline's own minute counts as in time
        yield Flaw.LATE


def _shown(post: Post) -> str:
    return post.html or post.raw or ""


def _holds(raw: str, text: str) -> bool:
    """Whether a post's text holds ours, however the forum has trimmed lines; others may stand beside it."""
    return "\n".join(_trim(text)) in "\n".join(_trim(raw))


def _trim(text: str) -> list[str]:
    return [line.rstrip() for line in text.replace("\r\n", "\n").strip().split("\n")]
