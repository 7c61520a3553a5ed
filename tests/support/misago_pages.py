"""What Misago's interface answers, re-created in our own words: posts, pages of threads, lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark", {"breaks": True, "html": False, "langPrefix": "language-"})
_MARKDOWN.enable("strikethrough")
_TAG = re.compile(r'\[(/?)(quote|spoiler)(?:="?([^"\]]*)"?)?\]')


def render(text: str) -> str:
    """Turn a post's text into HTML much as Misago does: Markdown, with blocks for quotes and spoilers."""
    made, at = [], 0
    for first, last in _find_blocks(text):
        made.append(_MARKDOWN.render(text[at : first.start()]))
        made.append(_show_block(first[2], first[3] or "", render(text[first.end() : last.start()])))
        at = last.end()
    return "\n".join(part for one in (*made, _MARKDOWN.render(text[at:])) if (part := one.strip()))


def _find_blocks(text: str) -> Iterator[tuple[re.Match[str], re.Match[str]]]:
    """Where blocks begin and end, those within others left to these."""
    begun: list[re.Match[str]] = []
    for tag in _TAG.finditer(text):
        if not tag[1]:
            begun.append(tag)
        elif begun and begun[-1][2] == tag[2]:
            first = begun.pop()
            if not begun:
                yield first, tag


def _show_block(kind: str, name: str, inner: str) -> str:
    body = f'<blockquote class="{kind}-body" data-block="{kind}">\n{inner}\n</blockquote>\n'
    if kind == "quote":
        head = f'<div class="quote-heading" data-noquote="1">{name or "Quoted message:"}</div>\n'
        return f'<aside class="quote-block">\n{head}{body}</aside>'
    button = '<button class="spoiler-reveal" type="button">Reveal spoiler</button>'
    over = f'<div class="spoiler-overlay" data-noquote="1">{button}</div>\n'
    return f'<aside class="spoiler-block">\n{body}{over}</aside>'


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post. poster: None where the account is gone. html: None where it isn't shown. files: that it has
    taken, None for none.
    """

    id: int
    poster: int | None
    name: str
    posted_on: datetime
    html: str | None
    edits: int = 0
    edited_on: datetime | None = None
    hidden: bool = False
    unapproved: bool = False
    event: str | None = None
    files: list[dict[str, Any]] | None = None


def show_post(post: ShownPost, index: str) -> dict[str, Any]:
    """A post as it stands in a page, and as it is answered to whoever wrote it. index: its own address."""
    return {
        "id": post.id,
        "poster": None if post.poster is None else {"id": post.poster, "username": post.name},
        "poster_name": post.name,
        "content": post.html,
        "attachments": post.files,
        "posted_on": _instant(post.posted_on),
        "updated_on": _instant(post.edited_on or post.posted_on),
        "hidden_on": _instant(post.posted_on),  # whether it is hidden or not
        "edits": post.edits,
        "last_editor_name": post.name if post.edits else None,
        "is_unapproved": post.unapproved,
        "is_hidden": post.hidden,
        "is_event": post.event is not None,
        "event_type": post.event,
        "api": {"index": index},
    }


@dataclass(frozen=True, slots=True)
class Part:
    """A page of a thread: each but the last ends with the post with which the next one begins."""

    page: int
    pages: int
    count: int
    stride: int

    @property
    def end(self) -> int:
        """How many posts are shown up to its last one."""
        return self.count if self.is_last else self.before + self.stride + 1

    @property
    def before(self) -> int:
        """Posts in front of it."""
        return (self.page - 1) * self.stride

    @property
    def is_last(self) -> bool:
        """Whether none follows."""
        return self.page == self.pages


def find_part(page: int, count: int, stride: int, orphans: int = 0) -> Part | None:
    """A page by its number, None where there is none.

    stride: by how many posts each page goes on. orphans: posts that the last one takes rather than leave them
    to one of their own.
    """
    pages = max(1, -(-(count - orphans) // stride))
    return Part(page, pages, count, stride) if 1 <= page <= pages else None


def show_thread(
    number: int,
    title: str,
    posts: Sequence[dict[str, Any]],
    part: Part,
    *,
    closed: bool,
    may_reply: bool,
    participants: Sequence[tuple[int, str]] | None = None,
) -> dict[str, Any]:
    """A page of a thread with its posts, and the forum's own lines between them."""
    thread: dict[str, Any] = {
        "id": number,
        "title": title,
        "is_closed": closed,
        "acl": {"can_reply": may_reply},
        "post_set": {
            "results": posts,
            "page": part.page,
            "pages": part.pages,
            "count": part.count,
            "before": part.before,
            "more": part.count - part.end + (not part.is_last),
            "next": None if part.is_last else part.page + 1,
        },
    }
    if participants is not None:
        thread["participants"] = [{"id": one, "username": name} for one, name in participants]
    return thread


def _instant(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S.%f}Z"
