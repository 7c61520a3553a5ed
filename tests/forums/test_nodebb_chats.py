"""NodeBB's chats, which are its private messages, over its stand-in (forums.md 5)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from processor.forums.nodebb import NodebbForum
from processor.forums.nodebb_publishing import shorten
from processor.ports import ForumError, IncompletePage, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Published, Refused, Unknown
from tests.support.forum_fixtures import ALICE, BOB, BOT, TITLE, enter
from tests.support.forum_scene import MARKER, post_id
from tests.support.standin import NodebbStandIn

Change = Callable[[dict[str, Any]], object]


@pytest.fixture
def forum(nodebb_standin: NodebbStandIn) -> NodebbStandIn:
    """The small forum of all contracts."""
    return nodebb_standin


@pytest.fixture
def topic(forum: NodebbStandIn) -> str:
    """Its topic."""
    return forum.topics[TITLE]


@pytest.fixture
def bot(forum: NodebbStandIn) -> NodebbForum:
    """Our account in it."""
    opened = enter(forum, BOT)
    assert isinstance(opened, NodebbForum)
    return opened


def changed(change: Change) -> Callable[[bytes], bytes]:
    """Another answer."""

    def mutate(body: bytes) -> bytes:
        answer = json.loads(body)
        change(answer)
        return json.dumps(answer).encode()

    return mutate


def test_a_conversation_s_title_is_the_chat_s_name(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """Named before the text is sent, so that a lost answer can be settled; what NodeBB notes of it is no
    message.
    """
    sent = bot.send_private("alice", "Alfa: asiento Tau", f"uno\n\n{MARKER}")
    assert isinstance(sent, Published)
    (theirs,) = enter(forum, ALICE).read_private()
    assert ("Alfa: asiento Tau", [sent.post_id]) == (theirs.title, [post.id for post in theirs.posts])
    assert ["POST", "PUT", "POST"] == [one.split()[0] for one in forum.requests() if one.split()[0] != "GET"][
        1:4
    ]


def test_a_title_with_signs_of_html_is_found_again(bot: NodebbForum) -> None:
    """NodeBB shows apostrophes, `&` and `/` as HTML has them: after a lost answer nothing is sent twice."""
    title = "L'Empire & Cía. — 3/4 <Tau>"
    assert isinstance(bot.send_private("alice", title, f"uno\n\n{MARKER}"), Published)
    (theirs,) = bot.read_private()
    assert (title, 1) == (theirs.title, len(bot.find_private(title, MARKER)))


def test_a_long_title_keeps_its_ends(bot: NodebbForum) -> None:
    """Fifty characters fit; who is meant stands at the end, and the message is found by the whole title."""
    titles = [f"La larga y muy disputada campaña de las mareas altas — {seat}" for seat in ("Tau", "Épsilon")]
    assert all(len(shorten(title)) <= 50 for title in titles)
    assert "El valle — Tau" == shorten(" El  valle — Tau")
    assert 2 == len({shorten(title) for title in titles})
    assert all(isinstance(bot.send_private("alice", title, f"x\n\n{MARKER}"), Published) for title in titles)
    assert [1, 1] == [len(bot.find_private(title, MARKER)) for title in titles]


@pytest.mark.parametrize("where", ["open", "name"])
@pytest.mark.parametrize("kind", ["drop-before-store", "store-then-drop", "error-after", "flood"])
def test_a_chat_that_was_not_opened_well_holds_no_text(
    forum: NodebbStandIn, bot: NodebbForum, where: str, kind: str
) -> None:
    """Before the text leaves it is certainly not stored: another try is safe, and an empty chat is none."""
    bot.open()
    forum.fail(kind, where)
    refused = bot.send_private("alice", "título", f"uno\n\n{MARKER}")
    assert isinstance(refused, Refused)
    assert (refused.retry_after or 0) > 0
    assert () == bot.read_private()
    assert isinstance(bot.send_private("alice", "título", f"uno\n\n{MARKER}"), Published)
    assert 1 == len(bot.find_private("título", MARKER))
    assert 1 == len(enter(forum, ALICE).read_private())


def test_a_chat_whose_message_was_refused_is_used_again(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """Players don't get an empty chat for each time that we come too early."""
    forum.fail("flood", "private", times=3)
    for _ in range(3):
        refused = bot.send_private("alice", "título", "texto")
        assert isinstance(refused, Refused)
        assert 10.0 == refused.retry_after
    assert isinstance(bot.send_private("alice", "título", "texto"), Published)
    assert isinstance(bot.send_private("alice", "título", "otro"), Published)
    assert 2 == sum(one == "POST /api/v3/chats" for one in forum.requests())


def test_a_wait_without_a_number_is_that_of_new_accounts(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """Of chats NodeBB only says that there were too many messages."""
    forum.views.flood = lambda call: forum.views._refuse(400, "Too many messages")  # type: ignore[method-assign]
    forum.fail("flood", "private")
    assert Refused("Too many messages", 120.0) == bot.send_private("alice", "título", "texto")


def test_a_message_is_shorter_than_a_post(forum: NodebbStandIn, bot: NodebbForum, topic: str) -> None:
    """A thousand characters by default, which is less where the forum says so."""
    text = "x" * 981
    assert isinstance(bot.post(topic, text), Published)
    refused = bot.send_private("alice", "título", text)
    assert Refused(msg("sent/too-long", size=981, most=980)) == refused
    assert isinstance(bot.send_private("alice", "título", text[1:]), Published)
    forum.views.most_chat = 100
    other = enter(forum, BOT)
    assert Refused(msg("sent/length", size=101, least=1, most=100)) == other.send_private(
        "bob", "título", "x" * 101
    )


def test_own_messages_can_be_edited(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """Receipts are mended in their place; others' messages aren't ours to edit."""
    sent = bot.send_private("alice", "título", f"uno\n\n{MARKER}")
    made = post_id(sent)
    assert Published(made) == bot.edit(made, f"dos\n\n{MARKER}")
    (found,) = bot.find_private("título", MARKER)
    assert (made, f"dos\n\n{MARKER}") == (found.post_id, found.text)
    (theirs,) = enter(forum, ALICE).read_private()
    assert theirs.posts[0].edited_at is not None
    assert isinstance(enter(forum, ALICE).edit(made, "nada"), Refused)


def test_a_long_chat_is_read_whole(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """Fifty messages come with one answer; the answers overlap, and the newest is looked at again."""
    sent = bot.send_private("alice", "título", "texto 0")
    assert isinstance(sent, Published)
    chat = (sent.topic or "").removeprefix("c")
    for count in (49, 50, 51, 99, 100, 148):
        while sum(post["topic"] == chat and not post["action"] for post in forum.posts()) < count:
            forum.write_post(chat, "alice", "hola")
        (reading,) = bot.read_private()
        assert list(range(1, count + 1)) == [post.number for post in reading.posts]
        assert count == len({post.id for post in reading.posts})


def test_a_long_chat_is_read_on_from_where_it_was_left(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """By its newest messages, which are two requests whatever its length; what is new has its place."""
    sent = bot.send_private("alice", "título", "texto 0")
    assert isinstance(sent, Published)
    topic = sent.topic or ""
    for n in range(1, 160):
        forum.write_post(topic[1:], "alice", f"texto {n}")
    (whole,) = bot.read_private()
    forum.write_post(topic[1:], "alice", "mover E3")
    before = len(forum.requests())
    (on,) = bot.read_private({topic: whole.last})
    assert ["chats", "messages", topic[1:]] == [
        one.split("?")[0].rsplit("/", 1)[1] for one in forum.requests()[before:]
    ]
    assert (161, "mover E3") == (on.last, bot.raw_text(on.posts[-1].id, topic))
    assert [post for post in whole.posts if (post.number or 0) >= on.first] == list(on.posts[:-1])
    (far,) = bot.read_private({topic: 5})
    assert far.first <= 5
    assert 161 == far.last
    (anew,) = enter(forum, BOT).read_private({topic: whole.last})  # without memory: all of it
    assert (1, 161) == (anew.first, anew.last)


def test_a_long_chat_that_lost_a_message_is_not_read_on(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """All behind it have moved: read as a whole it is right again."""
    sent = bot.send_private("alice", "título", "texto 0")
    assert isinstance(sent, Published)
    topic = sent.topic or ""
    made = [forum.write_post(topic[1:], "alice", f"texto {n}") for n in range(1, 60)]
    (whole,) = bot.read_private()
    forum.delete_post(made[-3])
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_private({topic: whole.last})
    (again,) = bot.read_private()
    assert 59 == again.last
    forum.delete_post(made[-1])
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_private({topic: again.last})


def test_a_chat_that_changes_while_it_is_read_is_read_again(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """Messages are counted from the newest: one more moves all, and nothing may fall between two answers."""
    sent = bot.send_private("alice", "título", "texto 0")
    assert isinstance(sent, Published)
    chat = (sent.topic or "").removeprefix("c")
    for n in range(120):
        forum.write_post(chat, "alice", f"hola {n}")
    forum.fail("stale", "messages", at=2)
    (reading,) = bot.read_private()
    assert 121 == len(reading.posts)
    forum.fail("stale", "messages", times=1, at=2)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_private({sent.topic or "": 121})


def test_an_edit_while_a_long_chat_is_read_is_not_overlooked(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """It moves nothing, so the newest messages are looked at once more in the end."""
    sent = bot.send_private("alice", "título", "texto 0")
    assert isinstance(sent, Published)
    chat = (sent.topic or "").removeprefix("c")
    last = [forum.write_post(chat, "alice", f"hola {n}") for n in range(60)][-1]

    def edit(body: bytes) -> bytes:
        forum.edit_post(last, "mover E4")
        return body

    forum.fail("mutate", "messages", mutate=edit)
    (reading,) = bot.read_private()
    assert "mover E4" in (reading.posts[-1].html or "")


@pytest.mark.parametrize("change", [{"roomId": "77"}, {"messageId": None}])
def test_a_success_that_names_another_chat_is_unknown(
    forum: NodebbStandIn, bot: NodebbForum, change: dict[str, object]
) -> None:
    """Settled by reading back, and found there."""
    forum.fail("mutate", "private", mutate=changed(lambda answer: answer["response"].update(change)))
    assert isinstance(bot.send_private("alice", "título", f"uno\n\n{MARKER}"), Unknown)
    assert 1 == len(bot.find_private("título", MARKER))


def test_a_chat_of_three_says_so(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """Whoever reads along is among those who take part, and nothing secret goes there."""
    sent = bot.send_private("alice", "título", "texto")
    assert isinstance(sent, Published)
    forum.state.topics[int((sent.topic or "c0")[1:])].members = (2, 3, 4)
    (reading,) = bot.read_private()
    assert ("2", "3", "4") == reading.participants


def test_others_read_no_chat(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """Neither its messages nor their texts as typed."""
    sent = bot.send_private("alice", "título", "texto")
    assert isinstance(sent, Published)
    bob = enter(forum, BOB)
    with pytest.raises(NotATopic, match="forum/forbidden"):
        bob.raw_text(sent.post_id, sent.topic or "")
    assert () == bob.read_private()


def test_a_forum_without_chats_says_so(forum: NodebbStandIn, bot: NodebbForum) -> None:
    """`check --forum` finds out before a game begins."""
    bot.probe_private()
    other = enter(forum, BOT)
    forum.fail("mutate", "config", mutate=changed(lambda answer: answer.update(disableChat=True)))
    with pytest.raises(ForumError, match="forum/no-private"):
        other.probe_private()
