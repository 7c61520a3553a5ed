"""XenForo's answers, re-created in our own words: threads, conversations, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from parsers.markup.bbcode_text import read_bbcode
from parsers.markup.dialect import XENFORO
from parsers.markup.flavours import XENFORO as TYPED
from parsers.markup.html import read_html
from parsers.pages.guard import IncompletePageError, NotATopicPage, PageError
from parsers.pages.json_body import read_json
from parsers.pages.topics import TopicPage
from parsers.pages.xenforo import (
    ConversationAnswer,
    Faults,
    ThreadAnswer,
    find_wait,
    make_conversation,
    make_thread,
    tidy,
)
from tests.support import xenforo_pages as pages

NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
PLAIN = pages.ShownPost(7, 2, "Marina Sol", NOON, "hola")
KIND = "application/json; charset=utf-8"


def link(post: str) -> str:
    """A post's address."""
    return f"/posts/{post}/"


def thread_of(answer: object) -> TopicPage:
    """A thread's page of an answer."""
    return make_thread(read_json(json.dumps(answer).encode(), KIND, ThreadAnswer), link, "4")


def shown(*posts: pages.ShownPost, first: int = 0, **more: Any) -> dict[str, Any]:
    """The answer with these posts, each in its place."""
    placed = [replace(post, id=post.id + n, position=first + n) for n, post in enumerate(posts)]
    return pages.show_thread(12, "Mareas & <altas>", placed, **more)


def letter_of(
    *messages: pages.ShownPost, people: Sequence[tuple[int, str]] = ((2, "Marina Sol"), (4, "turnero"))
) -> dict[str, Any]:
    """The answer with a conversation and these messages."""
    placed = [replace(one, id=one.id + n) for n, one in enumerate(messages)]
    return {
        "conversation": pages.show_conversation(5, "Alfa: Tau", dict(people)),
        "messages": [pages.show_message(one, 5) for one in placed],
        "pagination": pages.show_paging(1, 20, len(placed), len(placed)),
    }


def conversation_of(answer: object) -> TopicPage:
    """A conversation's page of an answer."""
    return make_conversation(read_json(json.dumps(answer).encode(), KIND, ConversationAnswer), link, "4")


def test_a_thread_is_read_whole() -> None:
    """Title, places, authors by number, times in UTC, both texts."""
    page = thread_of(shown(PLAIN, PLAIN))
    assert ("12", "Mareas & <altas>", 1, 1, True) == (
        page.topic,
        page.title,
        page.page,
        page.pages,
        page.open,
    )
    assert [("7", 1, "2", "Marina Sol"), ("8", 2, "2", "Marina Sol")] == [
        (one.id, one.number, one.author_id, one.author) for one in page.posts
    ]
    assert (NOON, "hola", "hola", "/posts/7/") == (
        page.posts[0].created_at,
        page.posts[0].raw,
        page.posts[0].html,
        page.posts[0].url,
    )


def test_an_edit_shows_and_keeps_the_time() -> None:
    """When it was; 0 stands for never."""
    later = NOON + timedelta(minutes=5)
    edited, plain = thread_of(shown(replace(PLAIN, edited=later), PLAIN)).posts
    assert (1, later, NOON) == (edited.edits, edited.edited_at, edited.created_at)
    assert (0, None) == (plain.edits, plain.edited_at)


@pytest.mark.parametrize("state", ["deleted", "moderated", "otherwise"])
def test_what_not_everybody_sees_is_left_out(state: str) -> None:
    """Moderators see deleted posts, authors their own that wait: places are those of the others."""
    hidden = replace(PLAIN, id=30, position=1, state=state)
    first, second = PLAIN, replace(PLAIN, id=31, position=1)
    page = thread_of(pages.show_thread(12, "x", [first, hidden, second], total=2))
    assert [("7", 1), ("31", 2)] == [(post.id, post.number) for post in page.posts]


def test_pinned_and_highlighted_posts_count_once() -> None:
    """They come again beside the page's own posts, on each page."""
    answer = shown(PLAIN, PLAIN, first=20, page=2, total=22, pinned=PLAIN)
    assert "pinned_post" in answer
    assert [21, 22] == [post.number for post in thread_of(answer).posts]


def test_a_guest_or_an_account_that_is_gone_is_nobody() -> None:
    """Their number is 0."""
    assert [None] == [post.author_id for post in thread_of(shown(replace(PLAIN, author_id=0))).posts]


def test_orders_survive_quotes_and_code_in_both_texts() -> None:
    """What is quoted isn't ordered, in the text as typed and in the rendered one."""
    typed = '[QUOTE="alba, post: 3, member: 9"][órdenes]\nmover\n[/órdenes][/QUOTE]\n'
    typed += "[CODE]un ejemplo[/CODE]\n[órdenes turno 1]\nproducir :)\n[/órdenes]"
    (post,) = thread_of(shown(replace(PLAIN, text=typed))).posts
    for seen in (read_html(post.html or "", XENFORO), read_bbcode(post.raw or "", TYPED)):
        assert ["quote"] == [one.kind for one in seen.skipped]
        assert ["un ejemplo"] == [line.text for line in seen.lines if line.fence is not None]
        assert "[órdenes turno 1]" in [line.text for line in seen.lines if line.fence is None]
        assert "mover" not in [line.text for line in seen.lines]


def test_mentions_are_as_typed() -> None:
    """XenForo stores them with the account's number."""
    assert "hola @Marina Sol y @alba" == tidy("hola [USER=2]@Marina Sol[/USER] y [user=9]@alba[/user]\r\n")


def test_a_page_behind_the_last_is_missing() -> None:
    """And one without posts lacks them."""
    with pytest.raises(NotATopicPage, match="forum/missing"):
        thread_of(shown(page=3, per_page=2, total=4))
    with pytest.raises(IncompletePageError, match="page/no-posts"):
        thread_of(shown(page=2, per_page=2, total=4))


@pytest.mark.parametrize(
    ("first", "count", "page", "total"),
    [(0, 2, 1, 3), (3, 1, 2, 6), (4, 3, 2, 6), (1, 2, 1, 2), (3, 2, 2, 6)],
)
def test_pages_that_are_not_full_are_refused(first: int, count: int, page: int, total: int) -> None:
    """Three posts a page: fewer than are told of, more than belong there, from another place."""
    answer = shown(*[PLAIN] * count, first=first, page=page, per_page=3, total=total)
    with pytest.raises(IncompletePageError, match="page/gap"):
        thread_of(answer)


def test_one_more_than_told_of_is_none_too_few() -> None:
    """Written between counting and reading."""
    assert 2 == len(thread_of(shown(PLAIN, PLAIN, total=1)).posts)


@pytest.mark.parametrize("places", [(0, 2), (1, 0), (0, 0)])
def test_posts_out_of_their_order_are_refused(places: tuple[int, int]) -> None:
    """As in a thread that is sorted by votes."""
    answer = shown(PLAIN, PLAIN)
    for post, place in zip(answer["posts"], places, strict=True):
        post["position"] = place
    with pytest.raises(IncompletePageError, match="page/gap"):
        thread_of(answer)


def test_a_post_of_another_thread_is_refused() -> None:
    """Nothing of it may count here."""
    answer = shown(PLAIN)
    answer["posts"][0]["thread_id"] = 77
    with pytest.raises(IncompletePageError, match="page/drift"):
        thread_of(answer)


@pytest.mark.parametrize("name", ["thread", "posts", "pagination"])
def test_a_thread_without_what_we_rely_on_is_refused(name: str) -> None:
    """By the field's name, whole."""
    answer = shown(PLAIN)
    del answer[name]
    with pytest.raises(IncompletePageError, match=f"page/other-shape.*{name}"):
        thread_of(answer)


@pytest.mark.parametrize(
    "name", ["post_id", "thread_id", "user_id", "post_date", "message", "message_state", "position"]
)
def test_a_post_without_what_we_rely_on_is_refused(name: str) -> None:
    """One such post makes the page useless."""
    answer = shown(PLAIN, PLAIN)
    del answer["posts"][1][name]
    with pytest.raises(IncompletePageError, match=f"page/other-shape.*{name}"):
        thread_of(answer)


def test_a_conversation_is_read_whole() -> None:
    """Whoever began it counts among those who take part; ids are of their own kind."""
    page = conversation_of(letter_of(PLAIN, replace(PLAIN, author_id=4)))
    assert ("c5", "Alfa: Tau", ("2", "4"), True) == (page.topic, page.title, page.participants, page.private)
    assert [("c5m7", "2", 1), ("c5m8", "4", 2)] == [(one.id, one.author_id, one.number) for one in page.posts]
    assert all(post.private for post in page.posts)


@pytest.mark.parametrize(
    ("people", "expected"),
    [
        (((4, "turnero"), (2, "a")), ("2", "4")),
        (((4, "turnero"),), ("4",)),
        (((2, "a"),), ("2", "4")),
        (((2, "a"), (10, "b"), (4, "turnero")), ("2", "4", "10")),
    ],
)
def test_who_takes_part_is_told(people: Sequence[tuple[int, str]], expected: tuple[str, ...]) -> None:
    """Ascending; where everybody else has left, PHP writes a list. Whoever reads it takes part."""
    assert expected == conversation_of(letter_of(PLAIN, people=people)).participants


def test_a_message_of_another_conversation_is_refused() -> None:
    """Nothing of it may count here."""
    answer = letter_of(PLAIN)
    answer["messages"][0]["conversation_id"] = 77
    with pytest.raises(IncompletePageError, match="page/drift"):
        conversation_of(answer)


@pytest.mark.parametrize(
    ("code", "params", "wait"),
    [
        ("must_wait_x_seconds_before_performing_this_action", {"count": 7}, 7.0),
        ("must_wait_x_seconds_before_performing_this_action", None, 0.0),
        ("must_wait_x_seconds_before_performing_this_action", {"count": "pronto"}, 0.0),
        ("reply_flooding", {}, 0.0),
        ("please_enter_message_with_no_more_than_x_characters", {"count": 10000}, None),
        ("do_not_have_permission", None, None),
    ],
)
def test_a_wait_is_told_by_its_code(code: str, params: dict[str, object] | None, wait: float | None) -> None:
    """Whatever the language of the words; a length is no time."""
    body = json.dumps(pages.refuse(code, "lo que sea", params)).encode()
    assert wait == find_wait(read_json(body, KIND, Faults))


def test_a_cut_answer_is_refused() -> None:
    """Wherever it ends."""
    body = json.dumps(shown(PLAIN, PLAIN)).encode()
    for at in range(0, len(body), 7):
        with pytest.raises(PageError):
            read_json(body[:at], KIND, ThreadAnswer)
