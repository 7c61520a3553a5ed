"""Saved pages of a turn put together: which posts there are, and whether any is missing."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import pairwise

from parsers.pages.saved import SavedPage
from rules.engine.messages import Message, msg
from rules.play.posts import Post


@dataclass(frozen=True, slots=True)
class Joined:
    """The posts of all saves. One that was edited between two saves stands in it once for each, in order.

    problems: what is missing, by the file that shows it. until: up to when the topic is complete, None where
    nothing proves that.
    """

    posts: tuple[Post, ...] = ()
    problems: tuple[tuple[str, Message], ...] = ()
    until: datetime | None = None


def join_pages(pages: Sequence[SavedPage]) -> Joined:
    """Put the pages of one topic together. An older save never takes back what a newer one shows."""
    if not pages:
        return Joined()
    newest = _newest_saves(pages)
    problems = tuple(_find_gaps(newest))
    shown = {post.id for page in newest for post in page.posts}
    posts = tuple(_list_versions(pages, shown))
    return Joined(posts, problems, None if problems else _proven_until(newest))


def _newest_saves(pages: Iterable[SavedPage]) -> tuple[SavedPage, ...]:
    """The newest save of each page, ascending by page; each by itself where pages have no numbers."""
    ordered = sorted(pages, key=lambda one: one.saved_at)
    found = {(one.file if one.page is None else one.page): one for one in ordered}
    return tuple(sorted(found.values(), key=lambda one: (one.page or 0, one.saved_at)))


def _find_gaps(newest: Sequence[SavedPage]) -> Iterable[tuple[str, Message]]:
    numbered = [one for one in newest if one.page is not None]
    if not numbered:
        return
    youngest = max(numbered, key=lambda one: one.saved_at)
    there = {one.page for one in numbered}
    wanted = range(min(one.page or 1 for one in numbered), (youngest.pages or 1) + 1)
    missing = [number for number in wanted if number not in there]
    for number in missing:
        yield youngest.file, msg("folder/page-missing", page=number, pages=youngest.pages or 1)
    if not missing:
        yield from _find_breaks(numbered)


def _find_breaks(numbered: Sequence[SavedPage]) -> Iterable[tuple[str, Message]]:
    """Pages that were saved before posts moved from one to the other don't join."""
    for before, page in pairwise(numbered):
        if (page.posts[0].number or 0) != (before.posts[-1].number or 0) + 1:
            yield before.file, msg("folder/pages-apart", other=page.file)


def _list_versions(pages: Iterable[SavedPage], shown: set[str]) -> Iterable[Post]:
    """Each version of the posts that are still there, by number and by when it was saved."""
    last: dict[str, tuple[object, ...]] = {}
    found: list[Post] = []
    for page in sorted(pages, key=lambda one: one.saved_at):
        for post in page.posts:
            content = (post.html, post.raw, post.edits, post.edited_at, post.visibility)
            if post.id in shown and last.get(post.id) != content:
                found.append(replace(post, seen_at=page.saved_at))
                last[post.id] = content
    return sorted(found, key=lambda one: (one.number or 0, one.created_at, one.id))


def _proven_until(newest: Sequence[SavedPage]) -> datetime | None:
    """When the oldest of the saves was made, if they reach from the topic's beginning to its end."""
    end = newest[-1]
    if end.page is None or end.page != end.pages or newest[0].page != 1:
        return None
    return min(one.saved_at for one in newest)
