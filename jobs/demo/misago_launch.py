"""Runs inside the forum's own virtual environment: fills a fresh Misago, serves it and answers its owner on
stdin.

The first line on stdin is the specification (JSON), each further one a command; each answer is one JSON line
on stdout. The process ends when stdin does, so that no forum outlives whoever started it. It imports nothing
of Turnero, and Turnero imports nothing of it.
"""

# Misago is not in Turnero's environment, so its types aren't either.
# mypy: ignore-errors
# Django can only be imported once it is configured, and the clock must be replaced before.
# ruff: noqa: PLC0415

from __future__ import annotations

import io
import json
import os
import sys
import threading
import time
from types import SimpleNamespace
from typing import Any

import launching

_clock = launching.Clock()
_databases = {"cluster": "", "live": "", "filled": ""}


def _patch_clock() -> None:
    """Let the owner move the forum's clock: the Date header reads time.time, all else timezone.now."""
    time.time = _clock.time
    from django.utils import timezone

    real_now = timezone.now
    timezone.now = lambda: _clock.move(real_now())


def _fill(spec: dict[str, Any]) -> dict[str, Any]:
    from misago.users.test import create_test_superuser, create_test_user

    approval = spec["settings"].pop("approval", False)
    _set_up(spec)
    users = {}
    for account in spec["accounts"]:
        make = create_test_superuser if account["staff"] else create_test_user
        users[account["name"]] = make(account["name"], f"{account['name']}@example.org", account["password"])
    categories = _make_categories(spec["categories"])
    topics = {}
    for topic in spec["topics"]:
        told = {
            "category": categories[topic["category"]].pk,
            "title": topic["title"],
            "post": topic["text"],
            "weight": 0,
            "close": False,
        }
        topics[topic["title"]] = _request("post", "threads/", topic["author"], told)["id"]
    if approval:
        _have_approved()
    return {
        "accounts": {name: str(user.pk) for name, user in users.items()},
        "categories": {title: str(one.pk) for title, one in categories.items()},
        "topics": {title: str(pk) for title, pk in topics.items()},
    }


def _set_up(spec: dict[str, Any]) -> None:
    """Write the forum's settings. A page repeats the last post of the one before."""
    from misago.conf.cache import clear_settings_cache
    from misago.conf.models import Setting

    _allow_haste(not spec["settings"].pop("flood_protection", True))
    _limit_files(spec["settings"].pop("max_attachment_size", None))
    pages = {"posts_per_page": spec["comments_per_page"] + 1, "posts_per_page_orphans": 0}
    lists = {"threads_per_page": spec["topics_per_page"]}
    for key, value in (pages | lists | {"post_length_min": 1} | spec["settings"]).items():
        setting = Setting.objects.get(setting=key)
        setting.value = value
        setting.save()
    clear_settings_cache()


def _allow_haste(allowed: bool) -> None:
    """Whether members may post at any distance, which no setting of Misago's says, but a right."""
    from misago.acl.models import Role

    member = Role.objects.get(special_role="authenticated")
    rights = member.permissions.setdefault("misago.threads.permissions.threads", {})
    rights["can_omit_flood_protection"] = allowed
    member.save()


def _limit_files(kilobytes: int | None) -> None:
    """How big a file of a member may be, 0: members may upload none; a right as well. None: as it comes."""
    from misago.acl.models import Role

    if kilobytes is not None:
        member = Role.objects.get(special_role="authenticated")
        member.permissions["misago.threads.permissions.attachments"]["max_attachment_size"] = kilobytes
        member.save()


def _make_categories(titles: list[str]) -> dict[str, Any]:
    """Categories with the rights of the one that a new forum has, which becomes the first of them."""
    from misago.acl.cache import clear_acl_cache
    from misago.categories.models import Category, RoleCategoryACL

    first = Category.objects.all_categories().get()
    first.set_name(titles[0])
    first.save()
    made = {titles[0]: first}
    for title in titles[1:]:
        one = Category(parent=first.parent)
        one.set_name(title)
        one.insert_at(first.parent, position="last-child", save=True)
        for right in RoleCategoryACL.objects.filter(category=first):
            one.category_role_set.create(role=right.role, category_role=right.category_role)
        made[title] = one
    Category.objects.clear_cache()
    clear_acl_cache()
    return made


def _have_approved() -> None:
    """Let replies and edits of members wait for a moderator."""
    from misago.categories.models import Category

    Category.objects.all_categories().update(require_replies_approval=True, require_edits_approval=True)
    Category.objects.clear_cache()


def _user(name: str) -> Any:
    from django.contrib.auth import get_user_model

    return get_user_model().objects.get_by_username(name)


def _request(method: str, path: str, name: str, told: Any) -> dict[str, Any]:
    """Ask the forum's interface as an account, without a server and without its distance between posts."""
    from django.test import Client

    user = _user(name)
    before = user.last_posted_on
    type(user).objects.filter(pk=user.pk).update(last_posted_on=None)
    client = Client(raise_request_exception=False)
    client.force_login(user)
    answer = getattr(client, method)(f"/api/{path}", json.dumps(told), content_type="application/json")
    type(user).objects.filter(pk=user.pk).update(last_posted_on=before)
    if answer.status_code != 200:
        raise ValueError(f"{path}: {answer.status_code} {answer.content.decode()[:300]}")
    return answer.json()


def _post_path(post: Any) -> str:
    kind = "private-threads" if _letter(post) else "threads"
    return f"{kind}/{post.thread_id}/posts/{post.pk}/"


def _letter(post: Any) -> str:
    """In front of ids of what is private."""
    return "p" if post.category.special_role == "private_threads" else ""


def _posts() -> list[dict[str, Any]]:
    """All posts as the database holds them: the judge of what was published."""
    from misago.threads.models import Post

    return [
        {
            "id": f"{_letter(post)}{post.thread_id}-{post.pk}",
            "topic": f"{_letter(post)}{post.thread_id}",
            "title": post.thread.title,
            "private": bool(_letter(post)),
            "author_id": str(post.poster_id),
            "author": post.poster_name,
            "text": post.original.replace("\r\n", "\n"),
            "edits": post.edits,
            "removed": post.is_hidden,
            "action": int(post.is_event),
            "date": post.posted_on.isoformat(),
        }
        for post in Post.objects.select_related("thread", "category").order_by("pk")
    ]


def _run_apart(*statements: str) -> None:
    """Run statements on the cluster itself, while nobody is connected to the forum's database."""
    import psycopg
    from django.db import connections

    connections.close_all()
    told = {"host": _databases["cluster"], "user": "turnero", "dbname": "postgres"}
    with psycopg.connect(**told, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def _copy(source: str, target: str) -> str:
    return f"CREATE DATABASE {_databases[target]} TEMPLATE {_databases[source]} STRATEGY file_copy"


def _take_snapshot() -> None:
    """Keep the forum as it was filled, for `_reset`."""
    _run_apart(_copy("live", "filled"))


def _reset() -> None:
    """Bring the forum back to how it was filled: posts, sessions, what it remembers, clock."""
    from django.core.cache import cache

    _run_apart(f"DROP DATABASE {_databases['live']} WITH (FORCE)", _copy("filled", "live"))
    cache.clear()
    _clock.reset()


def _synchronize(thread: Any) -> None:
    """Let a thread count its posts anew."""
    thread.synchronize()
    thread.save()


def _obey(command: dict[str, Any]) -> dict[str, Any]:
    from django.core.management import call_command
    from misago.threads import moderation
    from misago.threads.models import Post, Thread

    match command:
        case {"do": "posts"}:
            return {"posts": _posts()}
        case {"do": "write", "topic": pk, "name": name, "text": text}:
            made = _request("post", f"threads/{pk}/posts/", name, {"post": text})
            return {"id": f"{pk}-{made['id']}"}
        case {"do": "edit", "post": pk, "text": text}:
            post = Post.objects.select_related("category", "poster").get(pk=pk)
            _request("put", _post_path(post), post.poster.username, {"post": text})
        case {"do": "reset"}:
            _reset()
        case {"do": "remove", "post": pk}:
            post = Post.objects.get(pk=pk)
            moderation.hide_post(post.poster, post)
            _synchronize(post.thread)
        case {"do": "delete", "post": pk}:
            post = Post.objects.get(pk=pk)
            post.delete()
            _synchronize(post.thread)
        case {"do": "close", "topic": pk}:
            thread = Thread.objects.get(pk=pk)
            moderation.close_thread(SimpleNamespace(user=thread.starter), thread)
        case {"do": "clear"}:
            call_command("clearattachments", stdout=io.StringIO())
        case {"do": "forget", "name": name}:
            _user(name).delete(anonymous_username="Anonymous")
        case _:
            return {"error": f"unknown command {command}"}
    return {"ok": True}


def main() -> None:
    """Bind, fill, report the address, serve until stdin ends."""
    spec = json.loads(sys.stdin.readline())
    listener, url = launching.bind(spec["port"])
    live = spec["database"]
    _databases.update(cluster=spec["cluster"], live=live, filled=f"{live}_filled")
    os.environ.update(
        DJANGO_SETTINGS_MODULE="forum_settings",
        FORUM_URL=url,
        FORUM_CLUSTER=spec["cluster"],
        FORUM_DATABASE=live,
    )
    sys.path.insert(0, str(spec["project"]))
    _patch_clock()
    import django

    django.setup()
    from django.core.servers.basehttp import get_internal_wsgi_application

    made = _fill(spec)
    _take_snapshot()
    serve = launching.serve_django(listener, get_internal_wsgi_application())
    threading.Thread(target=launching.listen, args=(_obey, _clock), daemon=True).start()
    launching.say({"url": url, **made})
    serve()


if __name__ == "__main__":
    main()
