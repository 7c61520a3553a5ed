"""Runs inside the forum's own virtual environment: fills a fresh FlaskBB, serves it and answers its owner on
stdin.

The first line on stdin is the specification (JSON), each further one a command; each answer is one JSON line
on stdout. The process ends when stdin does, so that no forum outlives whoever started it. It imports nothing
of Turnero, and Turnero imports nothing of it.
"""

# FlaskBB is not in Turnero's environment, so its types aren't either.
# mypy: ignore-errors
# FlaskBB can only be imported once the clock is replaced.
# ruff: noqa: PLC0415

from __future__ import annotations

import json
import sqlite3
import sys
import threading
import time
from datetime import datetime
from pathlib import Path
from typing import Any

import launching

_CONFIG = "forum.cfg"
_DATABASE = "forum.sqlite"
_snapshot = sqlite3.connect(":memory:", check_same_thread=False)
_clock = launching.Clock()


class _MovedDatetime(datetime):
    """In place of `datetime` where FlaskBB asks for the time."""

    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return _clock.move(datetime.now(tz))


def _patch_clock() -> None:
    """Let the owner move the forum's clock: the Date header reads time.time, posts FlaskBB's own function."""
    time.time = _clock.time
    from flaskbb.utils import helpers

    helpers.datetime = _MovedDatetime


_FLOOD = """
from flask import request
RATELIMIT_ENABLED = True
RATELIMIT_DEFAULT = {!r}
RATELIMIT_DEFAULTS_EXEMPT_WHEN = lambda: request.method != "POST"
"""
"""What a host would write into the configuration."""


def _make_app(flood: str | None) -> Any:
    if flood is not None:
        with Path(_CONFIG).open("a", encoding="utf-8") as config:
            config.write(_FLOOD.format(flood))
    from flaskbb.app import create_app

    return create_app(str(Path(_CONFIG).resolve()))


def _user(name: str) -> Any:
    from flaskbb.user.models import User

    return User.get_by(username=name)


def _fill(spec: dict[str, Any]) -> dict[str, Any]:
    from flaskbb.forum.models import Category, Forum, Post, Topic
    from flaskbb.settings.models import Setting
    from flaskbb.utils.populate import create_user

    for account in spec["accounts"]:
        role = "admin" if account["staff"] else "member"
        mail = f"{account['name']}@example.org"
        create_user(username=account["name"], password=account["password"], email=mail, groupname=role)
    Topic.get_by(id=1).delete()  # the welcome that a new forum comes with
    category = Category(title="Foro").save()
    forums = {title: Forum(title=title, category_id=category.id).save() for title in spec["categories"]}
    topics = {}
    for topic in spec["topics"]:
        made = Topic(title=topic["title"], content=topic["text"])
        first = Post(content=topic["text"])
        topics[topic["title"]] = made.save(
            forum=forums[topic["category"]], user=_user(topic["author"]), post=first
        )
    pages = {"POSTS_PER_PAGE": spec["comments_per_page"], "TOPICS_PER_PAGE": spec["topics_per_page"]}
    for key, value in (pages | spec["settings"]).items():
        Setting.get(Setting.key == key).value = value
    from flaskbb.extensions import db

    db.session.commit()
    return {
        "accounts": {account["name"]: account["name"] for account in spec["accounts"]},
        "categories": {title: str(forum.id) for title, forum in forums.items()},
        "topics": {title: str(topic.id) for title, topic in topics.items()},
    }


def _write(topic: int, name: str, text: str) -> str:
    from flaskbb.forum.models import Post, Topic

    post = Post(content=text).save(user=_user(name), topic=Topic.get_by(id=topic))
    return str(post.id)


def _posts() -> list[dict[str, Any]]:
    """All posts, and of private messages the sender's copies: the judge of what was published."""
    from conversations.models import Message
    from flaskbb.extensions import db
    from flaskbb.forum.models import Post
    from sqlalchemy import select

    posts = [
        {
            "id": str(post.id),
            "topic": str(post.topic_id),
            "title": post.topic.title,
            "private": False,
            "author_id": post.username,
            "author": post.username,
            "text": post.content.replace("\r\n", "\n"),
            "edits": int(post.date_modified is not None),
            "removed": bool(post.hidden),
            "action": 0,
            "date": post.date_created.isoformat(),
        }
        for post in db.session.scalars(select(Post).order_by(Post.id)).unique()
    ]
    messages = db.session.scalars(select(Message).order_by(Message.id)).unique()
    return posts + [
        {
            "id": f"c{one.conversation_id}m{one.id}",
            "topic": f"c{one.conversation_id}",
            "title": one.conversation.subject,
            "private": True,
            "author_id": one.user.username,
            "author": one.user.username,
            "text": one.message.replace("\r\n", "\n"),
            "edits": 0,
            "removed": False,
            "action": 0,
            "date": one.date_created.isoformat(),
        }
        for one in messages
        if one.conversation.user_id == one.user_id
    ]


def _take_snapshot() -> None:
    """Keep the forum as it was filled, for `_reset`."""
    with sqlite3.connect(_DATABASE) as database:
        database.backup(_snapshot)


def _reset() -> None:
    """Bring the forum back to how it was filled: posts, what it remembers of them, clock."""
    from flaskbb.extensions import cache, db

    db.session.remove()
    db.engine.dispose()
    with sqlite3.connect(_DATABASE) as database:
        _snapshot.backup(database)
    cache.clear()
    _clock.reset()


def _obey(command: dict[str, Any]) -> dict[str, Any]:
    from flaskbb.extensions import db
    from flaskbb.forum.models import Post, Topic

    match command:
        case {"do": "posts"}:
            return {"posts": _posts()}
        case {"do": "write", "topic": pk, "name": name, "text": text}:
            return {"id": _write(pk, name, text)}
        case {"do": "edit", "post": pk, "text": text}:
            from flaskbb.utils import helpers

            post = Post.get_by(id=pk)
            post.content, post.date_modified, post.modified_by = text, helpers.time_utcnow(), post.username
            post.save()
        case {"do": "reset"}:
            _reset()
        case {"do": "remove", "post": pk}:
            post = Post.get_by(id=pk)
            post.hide(_user(post.username))
        case {"do": "delete", "post": pk}:
            Post.get_by(id=pk).delete()
        case {"do": "close", "topic": pk}:
            Topic.get_by(id=pk).locked = True
            db.session.commit()
        case _:
            return {"error": f"unknown command {command}"}
    return {"ok": True}


def main() -> None:
    """Bind, fill, report the address, serve until stdin ends."""
    spec = json.loads(sys.stdin.readline())
    listener, url = launching.bind(spec["port"])
    _patch_clock()
    from werkzeug.serving import WSGIRequestHandler, make_server

    # The server sends head and body apart; without this each answer waits for the other side's system.
    WSGIRequestHandler.disable_nagle_algorithm = True
    WSGIRequestHandler.log = lambda *_: None
    app = _make_app(spec["settings"].pop("flood", None))
    with app.test_request_context():
        made = _fill(spec)
    _take_snapshot()
    listener.listen()
    host, port = listener.getsockname()
    server = make_server(host, port, app, threaded=True, fd=listener.fileno())

    def obey(command: dict[str, Any]) -> dict[str, Any]:
        with app.test_request_context():
            return _obey(command)

    threading.Thread(target=launching.listen, args=(obey, _clock), daemon=True).start()
    launching.say({"url": url, **made})
    server.serve_forever()


if __name__ == "__main__":
    main()
