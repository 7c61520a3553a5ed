"""What only XenForo does, over its stand-in (forums.md 3 and 5)."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from processor.forums.xenforo import XENFORO, XenforoForum
from processor.ports import IncompletePage, LoginFailed, NotATopic, Unreachable
from rules.engine.messages import msg
from rules.play.posts import Precision, Published, Queued, Refused, Unknown
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOB, BOT, GM, SCENE, TITLE, enter
from tests.support.forum_scene import MARKER, post_id
from tests.support.json_answers import Change, changed
from tests.support.standin import XenforoStandIn
from tests.support.xenforo_views import GUEST, SUPER


@pytest.fixture
def forum(xenforo_standin: XenforoStandIn) -> XenforoStandIn:
    """The small forum of all contracts."""
    return xenforo_standin


@pytest.fixture
def topic(forum: XenforoStandIn) -> str:
    """Its thread."""
    return forum.topics[TITLE]


@pytest.fixture
def bot(forum: XenforoStandIn) -> XenforoForum:
    """Our account in it."""
    opened = enter(forum, BOT)
    assert isinstance(opened, XenforoForum)
    return opened


# Whose key it is.


@pytest.mark.parametrize(("key", "why"), [("no key", "key-refused"), (GUEST, "key-other")])
def test_a_key_that_is_nobody_s_is_refused(forum: XenforoStandIn, topic: str, key: str, why: str) -> None:
    """A guest's key would read what guests read."""
    with pytest.raises(LoginFailed, match=f"forum/{why}"):
        enter(forum, type(BOT)(BOT.name, key)).read_topic(topic)


def test_a_key_for_all_accounts_counts_as_the_one_that_is_named(forum: XenforoStandIn, topic: str) -> None:
    """By the header that says as whom; a name that nobody has is refused."""
    bot = enter(forum, type(BOT)(BOT.name, SUPER))
    assert forum.accounts[BOT.name] == bot.open()
    assert isinstance(bot.post(topic, f"uno\n\n{MARKER}"), Published)
    assert "turnero" == forum.posts()[-1]["author"]
    with pytest.raises(LoginFailed, match="forum/no-account: nadie"):
        enter(forum, type(BOT)("nadie", SUPER)).open()


def test_somebody_else_s_key_is_refused(forum: XenforoStandIn) -> None:
    """What we publish would stand there in that name."""
    with pytest.raises(LoginFailed, match="forum/key-other: turnero"):
        enter(forum, type(BOT)(BOT.name, GM.password)).open()


def test_a_revoked_key_is_noticed_in_the_middle(forum: XenforoStandIn, bot: XenforoForum, topic: str) -> None:
    """Reading says so; what was to be sent is certainly not stored."""
    written = post_id(bot.post(topic, "antes"))
    forum.views.revoked = {BOT.password}
    reads: list[Callable[[], object]] = [
        lambda: bot.read_topic(topic),
        bot.read_private,
        lambda: bot.raw_text(written, topic),
        lambda: bot.probe_topic(topic),
    ]
    for read in reads:
        with pytest.raises(LoginFailed, match="forum/key-refused"):
            read()
    assert isinstance(bot.post(topic, "después"), Refused)
    assert isinstance(bot.edit(written, "después"), Refused)
    assert isinstance(bot.send_private("alice", "título", "después"), Refused)
    assert not [post for post in forum.posts() if post["text"] == "después"]


@pytest.mark.parametrize(("viewer", "code"), [(2, "forum/other-account"), (0, "forum/login")])
def test_what_was_made_for_somebody_else_is_refused(
    forum: XenforoStandIn, bot: XenforoForum, topic: str, viewer: int, code: str
) -> None:
    """Each answer says for whom it was made, in a header; a cache before the forum may mix them up."""
    bot.open()
    forum.views.viewer = viewer
    reads: list[Callable[[], object]] = [
        lambda: bot.read_topic(topic),
        bot.read_private,
        lambda: bot.raw_text("1", topic),
    ]
    for read in reads:
        with pytest.raises(LoginFailed, match=code):
            read()


def test_a_key_without_rights_is_told_before_the_game_begins(forum: XenforoStandIn, topic: str) -> None:
    """By the names of the scopes that are missing."""
    forum.views.scopes = ["thread:read", "conversation:read"]
    bot = enter(forum, BOT)
    with pytest.raises(NotATopic, match="thread:write"):
        bot.probe_topic(topic)
    with pytest.raises(NotATopic, match="conversation:write, user:read"):
        bot.probe_private()
    forum.views.scopes += ["thread:write", "conversation:write", "user:read"]
    bot = enter(forum, BOT)
    bot.probe_topic(topic)
    bot.probe_private()


def test_what_a_key_is_for_is_asked_once(forum: XenforoStandIn, bot: XenforoForum) -> None:
    """Whose it is each time, since it may be revoked."""
    for _ in range(3):
        bot.open()
    assert ["GET /api/", *["GET /api/me/"] * 3] == forum.requests()


# Reading.


def test_times_are_exact_to_the_second(forum: XenforoStandIn, bot: XenforoForum, topic: str) -> None:
    """The second in which somebody posted is known."""
    forum.write_post(topic, "alice", "hola")
    assert {Precision.SECOND} == {post.precision for post in bot.read_topic(topic).posts}


def test_posts_come_with_their_texts_as_typed(forum: XenforoStandIn, bot: XenforoForum, topic: str) -> None:
    """So no post is worth a request of its own."""
    forum.write_post(topic, "alice", "[b]mover[/b] E3")
    assert "[b]mover[/b] E3" == bot.read_topic(topic).posts[-1].raw


def test_a_deleted_post_is_gone_for_moderators_too(forum: XenforoStandIn, topic: str) -> None:
    """It keeps no place: those behind it move up, as everybody sees them."""
    first, second, third = (forum.write_post(topic, "alice", f"mensaje {n}") for n in range(3))
    forum.remove_post(first)
    for account in (BOT, GM):
        assert [(second, 2), (third, 3)] == [
            (post.id, post.number) for post in enter(forum, account).read_topic(topic).posts[1:]
        ]


def test_a_deleted_post_has_no_text(forum: XenforoStandIn, topic: str) -> None:
    """A moderator's account is given it by the forum, and doesn't take it."""
    written = forum.write_post(topic, "alice", "mover E3")
    forum.remove_post(written)
    assert enter(forum, GM).raw_text(written, topic) is None


def test_nothing_new_costs_one_request(forum: XenforoStandIn, bot: XenforoForum, topic: str) -> None:
    """Read on from the newest known post."""
    for n in range(9):
        forum.write_post(topic, "alice", f"mensaje {n}")
    newest = bot.read_topic(topic).posts[-1]
    before = len(forum.requests())
    assert newest == bot.read_topic(topic, newest.number, newest.id).posts[-1]
    assert 1 == len(forum.requests()) - before


def read(bot: XenforoForum, topic: str, where: str) -> object:
    """What asks for answers of that kind."""
    if where == "raw":
        return bot.raw_text("1", topic)
    return bot.read_topic(topic) if where == "topic" else bot.read_private()


@pytest.mark.parametrize(
    "kind", ["maintenance", "login-page", "login-redirect", "truncate", "short", "error-before", "limited"]
)
@pytest.mark.parametrize("where", ["topic", "list", "letter", "raw"])
def test_another_answer_is_never_an_empty_thread(
    forum: XenforoStandIn, bot: XenforoForum, topic: str, kind: str, where: str
) -> None:
    """Maintenance, a cut answer, an error: a named refusal, never fewer posts (F8, F9, F14, F15)."""
    assert isinstance(bot.send_private("alice", "título", f"texto\n\n{MARKER}"), Published)
    forum.fail(kind, where, times=99, at=30)
    with pytest.raises((IncompletePage, Unreachable, LoginFailed, NotATopic)):
        read(bot, topic, where)


@pytest.mark.parametrize("where", ["topic", "list", "letter"])
def test_a_cut_at_any_place_is_noticed(
    forum: XenforoStandIn, bot: XenforoForum, topic: str, where: str
) -> None:
    """An answer that ends early is refused wherever it ends (F15)."""
    bot.send_private("alice", "título", "texto")
    for at in range(0, 400, 40):
        forum.fail("truncate", where, times=2, at=at)
        with pytest.raises((IncompletePage, NotATopic)):
            read(bot, topic, where)


def test_a_stale_answer_is_noticed(forum: XenforoStandIn, bot: XenforoForum, topic: str) -> None:
    """A cached answer without the newest known post proves itself old (F18)."""
    forum.write_post(topic, "alice", "dos")
    newest = bot.read_topic(topic).posts[-1]
    forum.fail("stale", "topic", times=9, at=1)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 2, newest.id)


def test_another_page_or_thread_is_noticed(forum: XenforoStandIn, bot: XenforoForum, topic: str) -> None:
    """What was asked for is what is read."""
    for n in range(6):
        forum.write_post(topic, "alice", f"mensaje {n}")
    forum.fail("other-page", "topic", times=9, at=2)
    with pytest.raises(IncompletePage, match="forum/other-page"):
        bot.read_topic(topic)
    forum.state.faults.clear()

    def elsewhere(answer: dict[str, Any]) -> None:
        for one in (answer["thread"], *answer["posts"]):
            one["thread_id"] = 77

    forum.fail("mutate", "topic", times=9, mutate=changed(elsewhere))
    with pytest.raises(NotATopic, match="forum/other-topic"):
        bot.read_topic(topic)


# Publishing.


def test_a_post_that_waits_for_a_moderator_is_none(
    forum: XenforoStandIn, bot: XenforoForum, topic: str
) -> None:
    """It has an id, and its author sees it: nobody else does, so it isn't published yet."""
    forum.views.queued = {BOT.name}
    assert isinstance(bot.post(topic, f"Informe\n\n{MARKER}"), Queued)
    assert () == bot.find_marker(topic, MARKER)
    assert 1 == len(bot.read_topic(topic).posts)
    made = forum.views.let_through()
    assert [made] == [found.post_id for found in bot.find_marker(topic, MARKER)]


def test_who_is_too_early_is_told_to_wait() -> None:
    """By a code and a number; nothing was stored, and later it is taken."""
    with XenforoStandIn(ACCOUNTS, **SCENE, rate_limits=True) as forum:
        bot, topic = enter(forum, BOT), forum.topics[TITLE]
        assert isinstance(bot.post(topic, "uno"), Published)
        for refused in (bot.post(topic, "dos"), bot.send_private("alice", "título", "dos")):
            assert isinstance(refused, Refused)
            assert 9.0 <= (refused.retry_after or 0) <= 10.0
        assert 2 == len(forum.posts())
        forum.shift_clock(10)
        assert isinstance(bot.post(topic, "dos"), Published)


def test_posts_and_messages_keep_one_distance(forum: XenforoStandIn, topic: str) -> None:
    """XenForo may count them together: a letter behind a post isn't refused first."""
    waits: list[float] = []
    bot = enter(forum, BOT, min_interval=XENFORO.min_interval, clock=lambda: sum(waits), sleep=waits.append)
    assert isinstance(bot.post(topic, "uno"), Published)
    assert isinstance(bot.send_private("alice", "título", "dos"), Published)
    assert [10.0] == waits


def test_a_wait_without_a_number_is_the_forum_s_own(
    forum: XenforoStandIn, bot: XenforoForum, topic: str
) -> None:
    """Ten seconds, as XenForo has it to begin with."""
    bot._writer._calls._capabilities = XENFORO  # type: ignore[attr-defined]
    code = "must_wait_x_seconds_before_performing_this_action"
    forum.views.flood = lambda call: forum.views._refuse(403, code, "Espera")  # type: ignore[method-assign]
    forum.fail("flood", "publish")
    assert Refused("Espera", 10.0) == bot.post(topic, "hola")


def test_a_message_that_is_too_long_for_the_forum_is_refused_for_good(
    forum: XenforoStandIn, bot: XenforoForum, topic: str
) -> None:
    """The number in that refusal is no time."""
    forum.views.most = 50
    refused = Refused("Please enter a message with no more than 50 characters.")
    assert [refused, refused] == [
        bot.post(topic, "x" * 51),
        bot.send_private("alice", "título", "x" * 51),
    ]


def test_texts_are_sent_as_forms(forum: XenforoStandIn, bot: XenforoForum, topic: str) -> None:
    """Accents, signs and line ends arrive as they are."""
    text = "ñandú & [b]«órdenes»[/b] = 100 % + uno\n\n€ 😀"
    written = post_id(bot.post(topic, text))
    assert text == bot.raw_text(written, topic) == forum.posts()[-1]["text"]


def test_a_text_with_a_mention_is_not_sent_again(
    forum: XenforoStandIn, bot: XenforoForum, topic: str
) -> None:
    """XenForo stores it with the account's number; what we read is as we sent it."""
    text = f"Falta @alice\n\n{MARKER}"
    written = post_id(bot.post(topic, text))
    assert "[USER=" in json.dumps(forum.views._stored(text))
    assert Published(written) == bot.edit(written, text)
    assert 0 == forum.posts()[-1]["edits"]
    assert [text] == [found.text for found in bot.find_marker(topic, MARKER)]


@pytest.mark.parametrize(
    "change",
    [
        lambda answer: answer["post"].update(thread_id=77),
        lambda answer: answer["post"].update(user_id=2),
        lambda answer: answer["post"].pop("post_id"),
        lambda answer: answer.pop("post"),
    ],
    ids=["another thread", "another author", "no id", "no answer"],
)
def test_a_success_that_names_another_post_is_unknown(
    forum: XenforoStandIn, bot: XenforoForum, topic: str, change: Change
) -> None:
    """Settled by reading back, and found there."""
    forum.fail("mutate", "publish", mutate=changed(change))
    assert isinstance(bot.post(topic, f"Informe\n\n{MARKER}"), Unknown)
    assert 1 == len(bot.find_marker(topic, MARKER))


def test_an_edit_of_another_post_is_unknown(forum: XenforoStandIn, bot: XenforoForum, topic: str) -> None:
    """The id in the answer has to be that of the post."""
    written = post_id(bot.post(topic, "uno"))
    forum.fail("mutate", "edit", mutate=changed(lambda answer: answer["post"].update(post_id=77)))
    assert isinstance(bot.edit(written, "dos"), Unknown)


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        ("drop-before-store", 0),
        ("error-before", 0),
        ("login-redirect", 0),
        ("maintenance", 0),
        ("store-then-drop", 1),
        ("error-after", 1),
    ],
)
@pytest.mark.parametrize("where", ["publish", "private", "answer"])
def test_an_unclear_answer_is_unknown_and_nothing_is_sent_twice(
    forum: XenforoStandIn, bot: XenforoForum, topic: str, kind: str, stored: int, where: str
) -> None:
    """Posts, new conversations and answers alike: what can't be told is settled by reading back (F10-F13)."""
    sent = bot.send_private("alice", "título", "antes")
    assert isinstance(sent, Published)
    forum.fail(kind, where)
    text = f"Informe\n\n{MARKER}"
    match where:
        case "publish":
            outcome = bot.post(topic, text)
        case "private":
            outcome = bot.send_private("bob", "título", text)
        case _:
            outcome = bot.post(sent.topic or "", text)
    assert isinstance(outcome, Unknown), outcome
    assert stored == len([post for post in forum.posts() if post["text"] == text])
    found = bot.find_marker(topic, MARKER) if where == "publish" else bot.find_private("título", MARKER)
    assert stored == len(found)


# Private messages.


def test_own_messages_can_be_edited(forum: XenforoStandIn, bot: XenforoForum) -> None:
    """Receipts are mended in their place; others' messages aren't ours to edit."""
    made = post_id(bot.send_private("alice", "título", f"uno\n\n{MARKER}"))
    assert Published(made) == bot.edit(made, f"dos\n\n{MARKER}")
    (found,) = bot.find_private("título", MARKER)
    assert (made, f"dos\n\n{MARKER}") == (found.post_id, found.text)
    refused = enter(forum, ALICE).edit(made, "nada")
    assert isinstance(refused, Refused)
    assert refused.retry_after is None


def test_a_long_conversation_is_read_by_pages(forum: XenforoStandIn, bot: XenforoForum) -> None:
    """Three messages a page here, and the end is read on from."""
    sent = bot.send_private("alice", "título", "texto 0")
    assert isinstance(sent, Published)
    number = (sent.topic or "").removeprefix("c")
    for n in range(1, 8):
        forum.write_post(number, "alice", f"texto {n}")
    (reading,) = bot.read_private()
    assert [(n, f"texto {n - 1}") for n in range(1, 9)] == [(post.number, post.raw) for post in reading.posts]
    before = len(forum.requests())
    (again,) = bot.read_private({sent.topic or "": 8})
    assert (8, 2) == (again.posts[-1].number, len(forum.requests()) - before)


def test_names_may_have_blanks() -> None:
    """They are looked up, and the message goes to a number."""
    marina = type(BOT)("Marina Sol", "m")
    with XenforoStandIn((BOT, marina), **{**SCENE, "topics": ()}) as forum:
        assert isinstance(enter(forum, BOT).send_private("Marina Sol", "título", "texto"), Published)
        (reading,) = enter(forum, marina).read_private()
        assert ("1", "2") == reading.participants
        refused = enter(forum, BOT).send_private("Marina Sol, turnero", "título", "texto")
        assert Refused(msg("sent/no-name", name="Marina Sol, turnero")) == refused


def test_a_conversation_of_three_says_so(forum: XenforoStandIn, bot: XenforoForum) -> None:
    """Whoever reads along is among those who take part, and nothing secret goes there."""
    sent = bot.send_private("alice", "título", "texto")
    assert isinstance(sent, Published)
    forum.state.topics[int((sent.topic or "c0")[1:])].members = (2, 3, 4)
    (reading,) = bot.read_private()
    assert ("2", "3", "4") == reading.participants


def test_others_read_no_conversation(forum: XenforoStandIn, bot: XenforoForum) -> None:
    """Neither its messages nor their texts as typed."""
    sent = bot.send_private("alice", "título", "texto")
    assert isinstance(sent, Published)
    bob = enter(forum, BOB)
    with pytest.raises(NotATopic, match="forum/forbidden"):
        bob.raw_text(sent.post_id, sent.topic or "")
    assert isinstance(bob.post(sent.topic or "", "hola"), Refused)
    assert () == bob.read_private()
