"""NodeBB's answers, re-created in our own words: topics, chats, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from parsers.markup.dialect import NODEBB
from parsers.markup.html import read_html
from parsers.pages.guard import IncompletePageError, NotATopicPage, PageError
from parsers.pages.json_body import read_json
from parsers.pages.nodebb import Topic, make_topic
from parsers.pages.nodebb_chats import (
    MessagesAnswer,
    Room,
    RoomAnswer,
    RoomsAnswer,
    is_last,
    join_messages,
    make_conversation,
)
from parsers.pages.topics import TopicPage
from rules.play.posts import Visibility
from tests.support import nodebb_pages as pages

NOON = datetime(2026, 12, 1, 12, 0, 0, 987_000, tzinfo=UTC)
PLAIN = pages.ShownPost(7, 0, 2, "marina", NOON, pages.render("hola"))
KIND = "application/json; charset=utf-8"


def topic_of(answer: object) -> TopicPage:
    """A topic's page of an answer."""
    return make_topic(read_json(json.dumps(answer).encode(), KIND, Topic), lambda post: f"/post/{post}")


def shown(*posts: pages.ShownPost, **more: Any) -> dict[str, Any]:
    """The answer with these posts, each in its place."""
    placed = [replace(post, id=post.id + n, index=n) for n, post in enumerate(posts)]
    return pages.show_topic(12, "Mareas & <altas>", placed, 4, **more)


def messages_of(*batches: Sequence[pages.ShownPost]) -> list[Any]:
    """Answers with messages of a chat, each the newest last."""
    answers = [pages.say({"messages": [pages.show_message(one, 5, 4) for one in batch]}) for batch in batches]
    return [read_json(json.dumps(one).encode(), KIND, MessagesAnswer).response for one in answers]


def room_of(*people: tuple[int, str], more: int = 0) -> Room:
    """A chat of these accounts, and of `more` that aren't named."""
    named = [pages.show_person(uid, name) for uid, name in people]
    answer = pages.say(pages.show_room(5, "Alfa: Tau", NOON, named, more))
    return read_json(json.dumps(answer).encode(), KIND, RoomAnswer).response


def test_a_topic_is_read_whole() -> None:
    """The title as typed, times to the second, our account, and whether we may reply."""
    page = topic_of(shown(PLAIN, PLAIN))
    assert ("12", "Mareas & <altas>", 1, 1, "4", True) == (
        page.topic,
        page.title,
        page.page,
        page.pages,
        page.viewer,
        page.open,
    )
    assert [("7", 1, "2", "marina"), ("8", 2, "2", "marina")] == [
        (one.id, one.number, one.author_id, one.author) for one in page.posts
    ]
    assert ("/post/7", NOON.replace(microsecond=0), '<p dir="auto">hola</p>') == (
        page.posts[0].url,
        page.posts[0].created_at,
        page.posts[0].html,
    )


def test_an_edit_shows_and_keeps_the_time() -> None:
    """When it was, to the second; NodeBB doesn't count them."""
    later = NOON + timedelta(minutes=5)
    edited, plain = topic_of(shown(replace(PLAIN, edited=later), PLAIN)).posts
    assert (1, later.replace(microsecond=0), NOON.replace(microsecond=0)) == (
        edited.edits,
        edited.edited_at,
        edited.created_at,
    )
    assert (0, None) == (plain.edits, plain.edited_at)


@pytest.mark.parametrize("html", ["", pages.render("lo borrado")], ids=["members", "moderators"])
def test_a_deleted_post_has_no_text_for_anybody(html: str) -> None:
    """Its place stays; what moderators still see is nobody's order."""
    (post, after) = topic_of(shown(replace(PLAIN, deleted=True, html=html), PLAIN)).posts
    assert (Visibility.REMOVED, None, 2) == (post.visibility, post.html, after.number)


def test_an_account_that_is_gone_is_nobody() -> None:
    """NodeBB shows its posts as a guest's: no seat can be meant, whatever its number was."""
    page = topic_of(shown(replace(PLAIN, gone=True), replace(PLAIN, author_id=0)))
    assert [None, None] == [post.author_id for post in page.posts]


def test_a_name_is_read_as_it_was_typed() -> None:
    """Accounts may have an apostrophe in their names, which NodeBB writes as HTML has it."""
    (post,) = topic_of(shown(replace(PLAIN, author="O'Neil"))).posts
    assert "O'Neil" == post.author


def test_a_post_from_another_server_is_its_address_s() -> None:
    """Such an author is no number, and no seat's unless it is named so."""
    answer = shown(PLAIN)
    person = "https://otro.example.org/uid/2"
    answer["posts"][0] |= {"uid": person, "pid": "https://otro.example.org/post/9"}
    answer["posts"][0]["user"]["uid"] = person
    (post,) = topic_of(answer).posts
    assert (person, "https://otro.example.org/post/9") == (post.author_id, post.id)


def test_a_signature_is_no_part_of_the_post() -> None:
    """It comes apart from the text, and a new one changes no post."""
    signed = replace(PLAIN, signature="<p>[órdenes]<br />atacar<br />[/órdenes]</p>")
    assert topic_of(shown(PLAIN)) == topic_of(shown(signed))


def test_orders_survive_quotes_code_and_emoji() -> None:
    """What is quoted isn't ordered; a picture of a smiley is no order either."""
    typed = "@alba said in [Mareas](/post/3):\n> [órdenes]\n> mover\n> [/órdenes]\n\n"
    typed += "hola :smile:\n\n```órdenes turno 1\nproducir\n```"
    (post,) = topic_of(shown(replace(PLAIN, html=pages.render(typed)))).posts
    seen = read_html(post.html or "", NODEBB)
    assert ["quote"] == [one.kind for one in seen.skipped]
    assert "mover" not in [line.text for line in seen.lines]
    assert [("producir", "órdenes")] == [
        (line.text, (line.fence or "").split()[0]) for line in seen.lines if line.fence is not None
    ]


def test_behind_the_last_page_is_no_empty_topic() -> None:
    """NodeBB answers 200 and no posts; an empty page elsewhere is one that lacks its posts."""
    with pytest.raises(NotATopicPage, match="forum/missing"):
        topic_of(shown(page=3, pages=2, count=4))
    with pytest.raises(IncompletePageError, match="page/no-posts"):
        topic_of(shown(page=2, pages=2, count=4))


def test_fewer_posts_than_the_topic_has_are_refused() -> None:
    """Such as those of an account that ours has blocked; one more, just written, is none too few."""
    with pytest.raises(IncompletePageError, match="ends with 2 of 3 posts"):
        topic_of(shown(PLAIN, PLAIN, count=3))
    assert 2 == len(topic_of(shown(PLAIN, PLAIN, count=1)).posts)


@pytest.mark.parametrize("places", [(0, 2), (1, 0), (0, 0), (-1, 0)])
def test_posts_out_of_their_order_are_refused(places: tuple[int, int]) -> None:
    """A gap, the newest first, a place twice, a place before the first."""
    answer = shown(PLAIN, PLAIN)
    for post, place in zip(answer["posts"], places, strict=True):
        post["index"] = place
    with pytest.raises(IncompletePageError, match="page/gap"):
        topic_of(answer)


NEEDED = ["tid", "titleRaw", "postcount", "posts", "pagination", "privileges"]
NEEDED_OF_POSTS = ["pid", "uid", "index", "timestamp", "edited", "deleted", "content", "user"]


@pytest.mark.parametrize("name", NEEDED)
def test_a_topic_without_what_we_rely_on_is_refused(name: str) -> None:
    """By the field's name, whole."""
    answer = shown(PLAIN)
    del answer[name]
    with pytest.raises(IncompletePageError, match=f"page/other-shape.*{name}"):
        topic_of(answer)


@pytest.mark.parametrize("name", NEEDED_OF_POSTS)
def test_a_post_without_what_we_rely_on_is_refused(name: str) -> None:
    """One such post makes the page useless."""
    answer = shown(PLAIN, PLAIN)
    del answer["posts"][1][name]
    with pytest.raises(IncompletePageError, match=f"page/other-shape.*{name}"):
        topic_of(answer)


@pytest.mark.parametrize("value", [-1, "mañana", None, 10**18])
def test_a_time_that_is_none_is_refused(value: object) -> None:
    """Nothing is guessed."""
    answer = shown(PLAIN)
    answer["posts"][0]["timestamp"] = value
    with pytest.raises(IncompletePageError, match="page/other-shape"):
        topic_of(answer)


def test_a_guest_s_topic_says_so() -> None:
    """Whoever reads it sees that nobody's token counted."""
    assert topic_of(pages.show_topic(12, "x", [PLAIN], -1)).viewer is None


def written(*mids: int, newest: int = 0) -> list[pages.ShownPost]:
    """Messages with these numbers, the newest last. newest: the place of the last, counted backwards."""
    count = len(mids)
    return [
        replace(PLAIN, id=mid, index=newest + count - 1 - n, html=f"<p>{mid}</p>")
        for n, mid in enumerate(mids)
    ]


def test_a_chat_is_a_conversation_of_two() -> None:
    """Title, participants and messages in their order; what the forum itself wrote doesn't count."""
    (batch,) = messages_of([replace(one, system=one.id == 1, html="room-rename") for one in written(1, 2, 3)])
    room = room_of((10, "alba"), (4, "turnero"))
    page = make_conversation(room, join_messages([batch]), "4", "https://foro/chats/5")
    assert ("c5", "Alfa: Tau", ("4", "10"), True) == (page.topic, page.title, page.participants, page.private)
    assert [("c5m2", 1), ("c5m3", 2)] == [(post.id, post.number) for post in page.posts]
    assert all(post.private for post in page.posts)


def test_a_deleted_message_has_no_text() -> None:
    """It keeps its place."""
    (batch,) = messages_of([replace(written(1)[0], deleted=True)])
    (post,) = make_conversation(room_of((2, "a"), (4, "b")), batch.messages, "4", "x").posts
    assert (Visibility.REMOVED, None) == (post.visibility, post.html)


@pytest.mark.parametrize(
    ("people", "more"), [(((2, "a"), (4, "b")), 1), (((2, "a"), (3, "b")), 0)], ids=["more", "without us"]
)
def test_a_chat_that_does_not_name_all_is_refused(people: Sequence[tuple[int, str]], more: int) -> None:
    """Nothing secret may go where somebody could listen of whom we don't know."""
    (batch,) = messages_of(written(1))
    with pytest.raises(IncompletePageError, match="page/gap"):
        make_conversation(room_of(*people, more=more), batch.messages, "4", "x")


def test_a_chat_in_which_nobody_wrote_is_none() -> None:
    """A name alone is no message."""
    (batch,) = messages_of([replace(written(1)[0], system=True)])
    with pytest.raises(NotATopicPage, match="page/no-posts"):
        make_conversation(room_of((2, "a"), (4, "b")), batch.messages, "4", "x")


def test_batches_overlap_by_one() -> None:
    """A longer chat is joined of answers, each of which begins with the oldest of the one before."""
    newer, older = written(*range(10, 60)), written(*range(1, 11), newest=49)
    joined = join_messages(messages_of(newer, older))
    assert list(range(1, 60)) == [one.mid for one in joined]


@pytest.mark.parametrize("older", [range(1, 12), range(1, 10)])
def test_batches_that_have_moved_are_refused(older: range) -> None:
    """A message came or went between two answers."""
    with pytest.raises(IncompletePageError, match="forum/shifted"):
        join_messages(messages_of(written(*range(10, 60)), written(*older, newest=49)))


def test_a_batch_with_a_gap_is_refused() -> None:
    """NodeBB counts what it leaves out, such as a blocked account's messages."""
    first, _, third = written(1, 2, 3)
    with pytest.raises(IncompletePageError, match="page/gap"):
        join_messages(messages_of([first, third]))


def test_a_list_goes_on_as_long_as_it_is_full() -> None:
    """By what the forum says of the next part's beginning, since it may give fewer than it is asked for."""
    entry = pages.show_entry(5, "x", NOON, [], None)

    def rooms(count: int, following: int | None) -> Any:
        body = pages.say({"rooms": [entry] * count, "nextStart": following})
        return read_json(json.dumps(body).encode(), KIND, RoomsAnswer).response

    told = [(rooms(2, 2), 0), (rooms(1, 2), 0), (rooms(2, 4), 2), (rooms(0, 6), 4), (rooms(3, None), 0)]
    assert [False, True, False, True, False] == [is_last(part, start) for part, start in told]


def test_a_cut_answer_is_refused() -> None:
    """Wherever it ends."""
    body = json.dumps(shown(PLAIN, PLAIN)).encode()
    for at in range(0, len(body), 7):
        with pytest.raises(PageError):
            read_json(body[:at], KIND, Topic)
