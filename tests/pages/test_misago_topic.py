"""Misago's answers, re-created in our own words: pages of threads, lists, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from parsers.markup.dialect import MISAGO
from parsers.markup.html import read_html
from parsers.pages.guard import IncompletePageError, NotATopicPage, PageError
from parsers.pages.json_body import read_json
from parsers.pages.misago import Thread, ThreadList, read_list, read_thread
from parsers.pages.topics import TopicPage
from rules.play.posts import Precision, Visibility
from tests.support.misago_pages import ShownPost, find_part, render, show_post, show_thread

JSON = "application/json"
NOON = datetime(2026, 12, 6, 12, 0, 30, 250_000, tzinfo=UTC)
EVENT = ShownPost(43, 1, "elena", NOON, None, event="closed")
POSTS = (
    ShownPost(41, 2, "ana", NOON, "<p>uno</p>"),
    ShownPost(42, 3, "beto", NOON, "<p>dos</p>", edits=2, edited_on=NOON + timedelta(hours=1)),
    EVENT,
    ShownPost(44, None, "quien-se-fue", NOON, "<p>tres</p>"),
    ShownPost(45, 2, "ana", NOON, "<p>cuatro</p>", hidden=True),
    ShownPost(46, 2, "ana", NOON, "<p>cinco</p>", unapproved=True),
)
"""The second page of a thread whose pages go on by four posts; the third begins with 46."""


def show(*posts: ShownPost, page: int = 2, count: int = 12, orphans: int = 0, **more: Any) -> dict[str, Any]:
    """The page as Misago answers it."""
    part = find_part(page, count, 4, orphans)
    assert part is not None
    shown = [show_post(one, f"/api/threads/12/posts/{one.id}/") for one in posts]
    return show_thread(12, "Las marcas: <ñandúes>", shown, part, closed=False, may_reply=True, **more)


def read(answer: object, *, private: bool = False) -> TopicPage:
    """The same, read."""
    thread = read_json(json.dumps(answer).encode(), JSON, Thread)
    return read_thread(thread, private, lambda post: f"https://foro.example.org/{post}")


@pytest.fixture
def page() -> TopicPage:
    """The page as it is read."""
    return read(show(*POSTS))


def test_a_page_is_read_whole(page: TopicPage) -> None:
    """Where it stands in the thread, whose its posts are, and with which post the next page begins."""
    assert ("12", "Las marcas: <ñandúes>", 2, 3) == (page.topic, page.title, page.page, page.pages)
    assert [("12-41", 5), ("12-42", 6), ("12-44", 7), ("12-45", 8)] == [(p.id, p.number) for p in page.posts]
    assert ["2", "3", None, "2"] == [post.author_id for post in page.posts]
    assert "quien-se-fue" == page.posts[2].author
    assert ("12-46", True, False, ()) == (page.leads_to, page.open, page.private, page.participants)
    assert "https://foro.example.org/12-41" == page.posts[0].url


def test_the_last_page_leads_nowhere() -> None:
    """Its posts are all its own."""
    last = read(show(*POSTS, count=9, orphans=1))
    assert (None, [5, 6, 7, 8, 9]) == (last.leads_to, [post.number for post in last.posts])


def test_times_are_exact_to_the_second(page: TopicPage) -> None:
    """In UTC; an edit's only where there was one."""
    assert {(NOON.replace(microsecond=0), Precision.SECOND)} == {
        (p.created_at, p.precision) for p in page.posts
    }
    assert [None, NOON.replace(hour=13, microsecond=0)] == [post.edited_at for post in page.posts[:2]]
    assert [0, 2] == [post.edits for post in page.posts[:2]]


def test_hidden_and_waiting_posts_are_nobody_s_orders() -> None:
    """A hidden text counts for nothing, even where a moderator is given it."""
    *_, hidden, waiting = read(show(*POSTS, count=9, orphans=1)).posts
    assert (Visibility.REMOVED, None) == (hidden.visibility, hidden.html)
    assert (Visibility.UNAPPROVED, "<p>cinco</p>") == (waiting.visibility, waiting.html)


def test_a_private_thread_has_ids_and_participants_of_its_own() -> None:
    """Its number belongs to the same row, so a letter says what it is."""
    private = read(show(*POSTS, count=9, orphans=1, participants=[(12, "beto"), (2, "ana")]), private=True)
    assert ("p12", ("2", "12"), True) == (private.topic, private.participants, private.private)
    assert "p12-41" == private.posts[0].id
    assert all(post.private for post in private.posts)


def _without(index: int) -> Callable[[dict[str, Any]], object]:
    return lambda page: page["post_set"]["results"].pop(index)


@pytest.mark.parametrize(
    ("spoil", "code"),
    [
        (_without(0), "page/gap"),
        (_without(-1), "page/gap"),
        (lambda page: page["post_set"].update(count=13), "page/gap"),
        (lambda page: page["post_set"].update(next=None), "page/gap"),
        (lambda page: page["post_set"]["results"][1].update(id=41), "page/repeated-post"),
        (lambda page: page["post_set"]["results"][0].update(content=None), "page/no-body"),
        (lambda page: page["post_set"]["results"][0].pop("poster"), "page/other-shape"),
        (lambda page: page["post_set"]["results"][0].pop("is_hidden"), "page/other-shape"),
        (
            lambda page: page["post_set"]["results"][0].update(posted_on="2026-12-06T12:00:30"),
            "page/other-shape",
        ),
        (lambda page: page.pop("post_set"), "page/other-shape"),
        (lambda page: page["acl"].pop("can_reply"), "page/other-shape"),
    ],
)
def test_what_is_missing_refuses_the_page(spoil: Callable[[dict[str, Any]], object], code: str) -> None:
    """Half a page looks like a page with few posts (F15-F17)."""
    answer = show(*POSTS)
    spoil(answer)
    with pytest.raises(IncompletePageError, match=code):
        read(answer)


def test_lines_of_the_forum_alone_are_no_thread() -> None:
    """There is always a first post."""
    with pytest.raises(NotATopicPage, match="page/no-posts"):
        read(show(EVENT, page=1, count=1))


@pytest.mark.parametrize(
    "body", [b"<!doctype html><h1>Sign in</h1>", b'{"detail": "Not found."}', b"[]", b""]
)
def test_anything_else_is_no_thread(body: bytes) -> None:
    """A gate's page, a refusal, nothing at all."""
    with pytest.raises(PageError):
        read_json(body, "text/html" if body[:1] == b"<" else JSON, Thread)


def test_a_list_of_private_threads_goes_on_where_it_says() -> None:
    """Until the part that names no further one."""
    parts = [{"results": [{"id": 7, "title": "Órdenes"}], "next": at} for at in (81, None)]
    first, last = (read_list(read_json(json.dumps(one).encode(), JSON, ThreadList)) for one in parts)
    assert ([("p7", "Órdenes")], True, False) == (
        [(link.topic, link.title) for link in first.topics],
        first.further,
        last.further,
    )


def test_bodies_keep_quotes_code_and_spoilers_apart() -> None:
    """What somebody else wrote is skipped, with who it was of; a button's words are nobody's."""
    text = '[quote="@bob"]uno[/quote]\n\n~~~ordenes\nmover\n~~~\n\n[spoiler]oculto[/spoiler]\n\nfin'
    seen = read_html(render(text), MISAGO)
    assert [("mover", "ordenes", False), ("oculto", None, True), ("fin", None, False)] == [
        (line.text, line.fence, line.spoiler) for line in seen.lines
    ]
    assert ["quote"] == [skip.kind for skip in seen.skipped]
