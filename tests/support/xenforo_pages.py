"""Answers in the dialect of XenForo 2's REST API, written by hand: the fields that it publishes, no more.

The parser's tests and the stand-in forum share them; they are checked against `tests/schemas/xenforo.py`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.support.bbcode_renderer import render_pairs
from tests.support.standin_state import StoredPicture


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post or a message. position: 0-based, of posts. author_id: 0 for a guest's. files: of the post."""

    id: int
    author_id: int
    author: str
    date: datetime
    text: str = ""
    position: int = 0
    edited: datetime | None = None
    state: str = "visible"
    files: Sequence[StoredPicture] = ()


def render(text: str, files: Sequence[StoredPicture] = ()) -> str:
    """Turn a post's text into HTML much as XenForo does. Only the post's own files are shown in it, the
    others are led to.
    """
    own = {str(one.id): one for one in files}

    def show(found: re.Match[str]) -> str:
        one = own.get(found[1])
        if one is None:
            return f'<a href="/attachments/{found[1]}/" target="_blank">View attachment {found[1]}</a>'
        return f'<img src="/attachments/{one.name}.{one.id}/" class="bbImage" alt="{one.name}" />'

    return re.sub(r"\[ATTACH=full\]([0-9]+)\[/ATTACH\]", show, _render_words(text))


def _render_words(text: str) -> str:
    html = render_pairs(re.sub(r"\[USER=[0-9]+\](.*?)\[/USER\]", r"\1", text)).replace("<br>", "<br />")
    head = '<blockquote class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-title">x said:</div>'
    html = html.replace("<blockquote>", head)
    box = "<div class='codebox'><p>Código: Seleccionar todo</p><code>(.*?)</code></div>"
    open_box = '<div class="bbCodeBlock bbCodeBlock--code"><div class="bbCodeBlock-title">Code:</div>'
    open_box += '<div class="bbCodeBlock-content"><pre class="bbCodeCode"><code>'
    close_box = "</code></pre></div></div>"

    def draw(found: re.Match[str]) -> str:
        return f"{open_box}{found[1].replace('<br />', '')}{close_box}"

    html = re.sub(box, draw, html, flags=re.DOTALL)
    return html.replace(":)", '<img src="data:," class="smilie smilie--sprite" alt=":)" />')


def seconds(moment: datetime | None) -> int:
    """A moment in seconds since 1970; 0 for none."""
    return 0 if moment is None else int(moment.timestamp())


def show_person(uid: int, name: str) -> dict[str, Any]:
    """An account."""
    return {"user_id": uid, "username": name, "is_staff": False}


def show_paging(page: int, per_page: int, shown: int, total: int) -> dict[str, int]:
    """Which page it is."""
    pages = max(1, -(-total // per_page))
    return {
        "current_page": page,
        "last_page": pages,
        "per_page": per_page,
        "shown": shown,
        "total": total,
    }


def show_file(picture: StoredPicture) -> dict[str, Any]:
    """A file of a post, or of none yet."""
    return {
        "attachment_id": picture.id,
        "filename": picture.name,
        "file_size": len(picture.content),
        "height": 30,
        "width": 40,
        "thumbnail_url": f"https://foro.example.org/data/attachments/{picture.id}.jpg",
        "direct_url": f"https://foro.example.org/attachments/{picture.name}.{picture.id}/",
        "content_type": "post",
        "content_id": picture.post or 0,
        "attach_date": 1,
        "view_count": 0,
    }


def show_post(post: ShownPost, thread: int) -> dict[str, Any]:
    """A post of a thread."""
    return {
        "post_id": post.id,
        "thread_id": thread,
        "user_id": post.author_id,
        "username": post.author,
        "post_date": seconds(post.date),
        "message": post.text,
        "message_parsed": render(post.text, post.files),
        "message_state": post.state,
        "position": post.position,
        "last_edit_date": seconds(post.edited),
        "can_edit": True,
        "view_url": f"https://foro.example.org/posts/{post.id}/",
        "User": show_person(post.author_id, post.author),
        "attach_count": len(post.files),
        **({"Attachments": [show_file(one) for one in post.files]} if post.files else {}),
    }


def show_thread(
    thread: int,
    title: str,
    posts: Sequence[ShownPost],
    *,
    page: int = 1,
    per_page: int = 20,
    total: int | None = None,
    reply: bool = True,
    pinned: ShownPost | None = None,
) -> dict[str, Any]:
    """A thread with a page of its posts. pinned: comes once more beside them, and highlighted as well."""
    count = len(posts) if total is None else total
    again = [] if pinned is None else [show_post(pinned, thread)]
    return {
        "thread": {
            "thread_id": thread,
            "title": title,
            "username": "gm",
            "user_id": 1,
            "reply_count": count - 1,
            "discussion_state": "visible",
            "discussion_open": reply,
            "can_reply": reply,
            "view_url": f"https://foro.example.org/threads/{thread}/",
        },
        "posts": [show_post(post, thread) for post in posts],
        "pagination": show_paging(page, per_page, len(posts), count),
        **({"pinned_post": again[0], "highlighted_posts": again} if again else {}),
    }


def show_conversation(
    number: int, title: str, people: Mapping[int, str], first: int = 1, count: int = 1, *, reply: bool = True
) -> dict[str, Any]:
    """A conversation. people: who takes part, the one who began it first."""
    (starter, name), *others = people.items()
    return {
        "conversation_id": number,
        "title": title,
        "username": name,
        "user_id": starter,
        "recipients": {str(uid): shown for uid, shown in others} or [],
        "recipient_count": len(people),
        "reply_count": count - 1,
        "first_message_id": first,
        "can_reply": reply,
        "conversation_open": reply,
        "view_url": f"https://foro.example.org/conversations/{number}/",
    }


def show_message(message: ShownPost, conversation: int) -> dict[str, Any]:
    """A message of a conversation."""
    return {
        "message_id": message.id,
        "conversation_id": conversation,
        "user_id": message.author_id,
        "username": message.author,
        "message_date": seconds(message.date),
        "message": message.text,
        "message_parsed": render(message.text),
        "can_edit": True,
        "view_url": f"https://foro.example.org/conversations/messages/{message.id}/",
    }


def refuse(code: str, message: str, params: Mapping[str, object] | None = None) -> dict[str, Any]:
    """Why something was refused."""
    return {"errors": [{"code": code, "message": message, "params": dict(params) if params else []}]}
