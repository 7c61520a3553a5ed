"""Runs inside the forum's own virtual environment: fills a fresh Spirit, serves it and answers its owner on
stdin.

The first line on stdin is the specification (JSON), each further one a command; each answer is one JSON line
on stdout. The process ends when stdin does, so that no forum outlives whoever started it. It imports nothing
of Turnero, and Turnero imports nothing of it.
"""

# Django is not in Turnero's environment, so its types aren't either.
# mypy: ignore-errors
# Django can only be imported once it is configured, and the clock must be replaced before.
# ruff: noqa: PLC0415

from __future__ import annotations

import json
import os
import sqlite3
import sys
import threading
import time
from typing import Any

import launching

_snapshot = sqlite3.connect(":memory:", check_same_thread=False)
_clock = launching.Clock()


def _patch_clock() -> None:
    """Let the owner move the forum's clock: rate limits and the Date header read time.time, posts
    timezone.now.
    """
    time.time = _clock.time
    from django.utils import timezone

    real_now = timezone.now
    timezone.now = lambda: _clock.move(real_now())


def _fill(spec: dict[str, Any]) -> dict[str, Any]:
    from django.contrib.auth import get_user_model
    from djconfig.conf import config
    from djconfig.models import Config
    from spirit.category.models import Category
    from spirit.topic.models import Topic

    users, categories, topics = {}, {}, {}
    for account in spec["accounts"]:
        make = (
            get_user_model().objects.create_superuser
            if account["staff"]
            else get_user_model().objects.create_user
        )
        user = make(account["name"], f"{account['name']}@example.org", account["password"])
        type(user.st).objects.filter(user=user).update(timezone=account["zone"])
        users[account["name"]] = user
    for title in spec["categories"]:
        categories[title] = Category.objects.create(title=title)
    for topic in spec["topics"]:
        author = users[topic["author"]]
        made = Topic.objects.create(title=topic["title"], user=author, category=categories[topic["category"]])
        _write(made, author, topic["text"])
        topics[topic["title"]] = made
    for key in ("comments_per_page", "topics_per_page"):
        Config.objects.create(key=key, value=spec[key])
    config._reload()  # noqa: SLF001 - what Spirit's own settings page does
    groups = {"accounts": users, "categories": categories, "topics": topics}
    return {kind: {name: str(row.pk) for name, row in rows.items()} for kind, rows in groups.items()}


def _write(topic: Any, author: Any, text: str) -> str:
    """Post through the forum's own form, without a request."""
    from spirit.comment.forms import CommentForm
    from spirit.comment.utils import comment_posted

    form = CommentForm(user=author, topic=topic, data={"comment": text})
    if not form.is_valid():
        raise ValueError(f"{topic.title}: {form.errors.as_text()}")
    comment_posted(comment=form.save(), mentions=form.mentions)
    return str(form.instance.pk)


def _edit(post: Any, text: str) -> None:
    """Edit through the forum's own form, without a request."""
    from spirit.comment.forms import CommentForm
    from spirit.comment.models import Comment
    from spirit.comment.utils import post_comment_update, pre_comment_update

    form = CommentForm(data={"comment": text}, instance=post)
    if not form.is_valid():
        raise ValueError(form.errors.as_text())
    pre_comment_update(comment=Comment.objects.get(pk=post.pk))
    post_comment_update(comment=form.save())


def _posts() -> list[dict[str, Any]]:
    """All comments as the database holds them: the judge of what was published."""
    from spirit.comment.models import Comment

    return [
        {
            "id": str(c.pk),
            "topic": str(c.topic_id),
            "title": c.topic.title,
            "private": c.topic.category.is_private,
            "author_id": str(c.user_id),
            "author": c.user.username,
            "text": c.comment.replace("\r\n", "\n"),
            "edits": c.modified_count,
            "removed": c.is_removed,
            "action": c.action,
            "date": c.date.isoformat(),
        }
        for c in Comment.objects.select_related("topic__category", "user").order_by("pk")
    ]


def _take_snapshot() -> None:
    """Keep the forum as it was filled, for `_reset`."""
    from django.db import connection

    connection.ensure_connection()
    connection.connection.backup(_snapshot)


def _reset() -> None:
    """Bring the forum back to how it was filled: posts, sessions, limits and clock."""
    from django.core.cache import caches
    from django.db import connection

    connection.ensure_connection()
    _snapshot.backup(connection.connection)
    for name in ("default", "st_rate_limit"):
        caches[name].clear()
    _clock.reset()


def _show_pictures() -> None:
    """Serve what was uploaded, which elsewhere a web server does before Django."""
    from importlib import import_module

    from django.conf import settings
    from django.urls import re_path
    from django.views.static import serve

    where = rf"^{settings.MEDIA_URL.strip('/')}/(?P<path>.*)$"
    page = re_path(where, serve, {"document_root": settings.MEDIA_ROOT})
    import_module(settings.ROOT_URLCONF).urlpatterns.append(page)


def _obey(command: dict[str, Any]) -> dict[str, Any]:
    from django.contrib.auth import get_user_model
    from spirit.comment.models import Comment
    from spirit.topic.models import Topic

    match command:
        case {"do": "posts"}:
            return {"posts": _posts()}
        case {"do": "write", "topic": pk, "name": name, "text": text}:
            author = get_user_model().objects.get(username=name)
            return {"id": _write(Topic.objects.get(pk=pk), author, text)}
        case {"do": "edit", "post": pk, "text": text}:
            _edit(Comment.objects.get(pk=pk), text)
        case {"do": "reset"}:
            _reset()
        case {"do": "remove", "post": pk}:
            Comment.objects.filter(pk=pk).update(is_removed=True)
        case {"do": "delete", "post": pk}:
            Comment.objects.filter(pk=pk).delete()
        case {"do": "close", "topic": pk}:
            Topic.objects.filter(pk=pk).update(is_closed=True)
        case _:
            return {"error": f"unknown command {command}"}
    return {"ok": True}


def main() -> None:
    """Bind, fill, report the address, serve until stdin ends."""
    spec = json.loads(sys.stdin.readline())
    listener, url = launching.bind(spec["port"])
    os.environ.update(
        DJANGO_SETTINGS_MODULE="forum_settings",
        FORUM_URL=url + "/",
        FORUM_SETTINGS=json.dumps(spec["settings"]),
    )
    sys.path.insert(0, str(spec["project"]))
    _patch_clock()
    import django

    django.setup()
    from django.contrib.staticfiles.handlers import StaticFilesHandler
    from django.core.servers.basehttp import get_internal_wsgi_application

    _show_pictures()
    made = _fill(spec)
    _take_snapshot()
    serve = launching.serve_django(listener, StaticFilesHandler(get_internal_wsgi_application()))
    threading.Thread(target=launching.listen, args=(_obey, _clock), daemon=True).start()
    launching.say({"url": url, **made})
    serve()


if __name__ == "__main__":
    main()
