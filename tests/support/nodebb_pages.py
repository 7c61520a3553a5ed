"""Answers in the dialect of NodeBB 4, written by hand: the fields that its interface publishes, nothing else.

The parser's tests and the stand-in forum share them; they are checked against `tests/schemas/nodebb.py`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from html import escape
from typing import Any

from tests.support.spirit_pages import render_markdown

DELETED = "[[topic:post-is-deleted]]"
DELETED_MESSAGE = "[[modules:chat.message-deleted]]"


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post or a message. index: 0-based; of messages from the newest. account: 0 for one that is gone."""

    id: int
    index: int
    author_id: int
    author: str
    date: datetime
    html: str = ""
    edited: datetime | None = None
    deleted: bool = False
    signature: str = ""
    gone: bool = False
    system: bool = False


def render(text: str) -> str:
    """Turn a text into HTML much as NodeBB does: paragraphs with their direction, emoji as pictures."""
    html = render_markdown(text).replace("<p>", '<p dir="auto">')
    picture = r'<img class="not-responsive emoji emoji--smile" title=":smile:" alt="😄" />'
    return re.sub(r":smile:", picture, html) + "\n"


def millis(moment: datetime | None) -> int:
    """A moment in milliseconds since 1970; 0 for none."""
    return 0 if moment is None else int(moment.timestamp() * 1000)


def iso(moment: datetime | None) -> str:
    """A moment as NodeBB writes it beside its milliseconds."""
    return "" if moment is None else moment.astimezone(UTC).isoformat(timespec="milliseconds")[:-6] + "Z"


def escape_name(name: str) -> str:
    """A name as NodeBB writes it, which is more careful than HTML has to be."""
    return escape(name).replace("/", "&#x2F;").replace("\\", "&#x5C;").replace("`", "&#96;")


def show_person(uid: int, name: str, *, signature: str = "", gone: bool = False) -> dict[str, Any]:
    """An account; one that is gone looks like a guest."""
    name, uid = ("[[global:former-user]]", 0) if gone else (name, uid)
    kept = (letter if letter.isalnum() or letter == "_" else " " for letter in name.lower())
    slug = "-".join("".join(kept).split())
    return {
        "uid": uid,
        "username": escape_name(name),
        "userslug": slug,
        "displayname": escape_name(name),
        "picture": None,
        "signature": signature,
        "banned": False,
    }


def show_post(post: ShownPost, topic: int) -> dict[str, Any]:
    """A post of a topic."""
    person = show_person(post.author_id, post.author, signature=post.signature, gone=post.gone)
    return {
        "pid": post.id,
        "tid": topic,
        "uid": post.author_id,
        "content": DELETED if post.deleted and not post.html else post.html,
        "timestamp": millis(post.date),
        "timestampISO": iso(post.date),
        "edited": millis(post.edited),
        "editedISO": iso(post.edited),
        "deleted": int(post.deleted),
        "index": post.index,
        "user": person,
        "editor": person if post.edited else None,
    }


def show_topic(
    topic: int,
    title: str,
    posts: Sequence[ShownPost],
    viewer: int,
    *,
    page: int = 1,
    pages: int = 1,
    count: int | None = None,
    closed: bool = False,
    reply: bool = True,
) -> dict[str, Any]:
    """A page of a topic. viewer: -1 for a guest. count: posts of the topic, None for those of the page."""
    return {
        "tid": topic,
        "uid": 1,
        "mainPid": 1,
        "title": escape(title),
        "titleRaw": title,
        "slug": f"{topic}/x",
        "postcount": len(posts) if count is None else count,
        "locked": int(closed),
        "deleted": 0,
        "posts": [show_post(post, topic) for post in posts],
        "privileges": {"topics:reply": reply and viewer > 0, "topics:read": True, "uid": viewer},
        "loggedInUser": {"uid": viewer, "username": "" if viewer > 0 else "[[global:guest]]"},
        "pagination": {"currentPage": page, "pageCount": pages},
    }


def show_stored(post: ShownPost, topic: int) -> dict[str, Any]:
    """What sending or editing a post is answered with."""
    kept = ("pid", "tid", "uid", "content", "timestamp", "timestampISO", "user")
    return {**{name: value for name, value in show_post(post, topic).items() if name in kept}, "deleted": 0}


def show_message(message: ShownPost, room: int, viewer: int) -> dict[str, Any]:
    """A message of a chat, whose number it tells as a text."""
    return {
        "messageId": message.id,
        "mid": message.id,
        "roomId": str(room),
        "fromuid": message.author_id,
        "content": DELETED_MESSAGE if message.deleted else message.html,
        "timestamp": millis(message.date),
        "timestampISO": iso(message.date),
        "edited": millis(message.edited),
        "editedISO": iso(message.edited),
        "deleted": int(message.deleted),
        "system": int(message.system),
        "fromUser": show_person(message.author_id, message.author, gone=message.gone),
        "self": int(message.author_id == viewer),
        "newSet": True,
        "index": message.index,
    }


def show_room(
    room: int, name: str, date: datetime, people: Sequence[dict[str, Any]], more: int = 0
) -> dict[str, Any]:
    """A chat. more: participants that are not named."""
    return {
        "roomId": room,
        "roomName": escape_name(name),
        "groupChat": len(people) + more > 2,
        "public": False,
        "userCount": len(people) + more,
        "timestamp": millis(date),
        "users": list(people),
        "isOwner": True,
        "canReply": True,
        "maximumChatMessageLength": 1000,
    }


def show_entry(
    room: int, name: str, date: datetime, people: Sequence[dict[str, Any]], last: ShownPost | None
) -> dict[str, Any]:
    """A chat in the list. people: the others. last: what was written last, None where nothing was."""
    teaser = last and {
        "fromuid": last.author_id,
        "content": last.html[:40],
        "timestamp": millis(last.date),
        "timestampISO": iso(last.date),
    }
    left_out = ("isOwner", "canReply", "maximumChatMessageLength")
    whole = show_room(room, name, date, people, more=1)
    kept = {key: value for key, value in whole.items() if key not in left_out}
    return {**kept, "unread": False, "teaser": teaser}


def say(response: object, code: str = "ok", message: str = "OK") -> dict[str, Any]:
    """An answer of the newer interface (v3)."""
    return {"status": {"code": code, "message": message}, "response": response}
