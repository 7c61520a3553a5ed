"""Private messages of phpBB, which knows no conversations, over its stand-in."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from jobs.demo.spirit_server import Account
from processor.ports import ForumError, IncompletePage
from rules.engine.messages import msg
from rules.play.posts import Outcome, Published, Refused, Unknown
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOB, BOT, SCENE, enter
from tests.support.forum_scene import MARKER
from tests.support.phpbb_words import say
from tests.support.standin import PhpbbStandIn

TEXT = f"Informe\n\n{MARKER}"


@pytest.fixture(params=["es", "en"])
def forum(request: pytest.FixtureRequest, phpbb_standin: PhpbbStandIn) -> PhpbbStandIn:
    """A board in Spanish, and one in English: no outcome may depend on it."""
    phpbb_standin.views.language = request.param
    return phpbb_standin


def sent(outcome: Outcome) -> Published:
    """What was published."""
    assert isinstance(outcome, Published), outcome
    return outcome


def test_messages_of_two_people_under_a_subject_are_a_conversation(forum: PhpbbStandIn) -> None:
    """Whatever answering puts before it, from whichever folder; another subject is another conversation."""
    bot, alice = enter(forum, BOT), enter(forum, ALICE)
    first = sent(bot.send_private("alice", "Alfa: Tau", "uno"))
    assert first.topic is not None
    assert first.topic.startswith(f"c{forum.accounts[ALICE.name]}-")
    (theirs,) = alice.read_private()
    answer = sent(alice.post(theirs.topic, "dos"))
    bot.post(first.topic, "tres")
    other = sent(alice.send_private(BOT.name, "Otra cosa", "hola"))
    (newest, reading) = bot.read_private()
    assert ("Otra cosa", [other.post_id]) == (newest.title, [post.id for post in newest.posts])
    assert (first.topic, "Alfa: Tau", ["uno", "dos", "tres"]) == (
        reading.topic,
        reading.title,
        [post.raw for post in reading.posts],
    )
    assert [first.post_id, answer.post_id] == [post.id for post in reading.posts[:2]]
    assert [1, 2, 3] == [post.number for post in reading.posts]
    assert "Re: Alfa: Tau" not in {one.title for one in alice.read_private()}


def test_times_of_private_messages_are_exact(forum: PhpbbStandIn) -> None:
    """Their pages say "yesterday"; what one quotes says the second."""
    forum.set_clock(datetime(2026, 12, 6, 18, 59, 50, tzinfo=UTC))
    sent(enter(forum, ALICE).send_private(BOT.name, "Órdenes", "mover"))
    written = datetime.fromisoformat(forum.posts()[-1]["date"])
    forum.shift_clock(3600)
    (reading,) = enter(forum, BOT).read_private()
    assert written == reading.posts[0].created_at
    assert 0 < written.second


def test_a_message_to_several_is_no_conversation_of_two(phpbb_standin: PhpbbStandIn) -> None:
    """Whoever else can read it takes part, so that nothing secret goes there."""
    state = phpbb_standin.state
    members = tuple(int(phpbb_standin.accounts[one.name]) for one in (ALICE, BOB, BOT))
    shared = state.add_topic("Alfa: Tau", members)
    state.add_post(shared.id, state.by_name(ALICE.name), "para los dos")
    bot = enter(phpbb_standin, BOT)
    mine = sent(bot.send_private("alice", "Alfa: Tau", "sólo para ti"))
    readings = {one.topic: one for one in bot.read_private()}
    (other,) = (one for topic, one in readings.items() if topic != mine.topic)
    assert tuple(str(one) for one in sorted(members)) == other.participants
    assert 2 == len(readings[mine.topic or ""].participants)
    assert Refused(msg("sent/company", count=2)) == bot.post(other.topic, "secreto")


def test_messages_that_are_kept_are_not_asked_for_again(forum: PhpbbStandIn) -> None:
    """A message that was read can't change: only the folders are looked at, each time."""
    bot, alice = enter(forum, BOT), enter(forum, ALICE)
    for n in range(3):
        alice.send_private(BOT.name, "Órdenes", f"texto {n}")
    first = bot.read_private()
    before = len(forum.requests())
    again = bot.read_private()
    assert [one.posts for one in first] == [one.posts for one in again]
    assert 3 == len(first[0].posts)
    assert [] == [what for what in forum.requests()[before:] if "folder=" not in what]


def test_messages_thrown_away_by_a_full_folder_keep_the_conversation(forum: PhpbbStandIn) -> None:
    """PhpBB deletes the oldest of those sent: what is left is the same conversation, read whole."""
    bot = enter(forum, BOT)
    first = sent(bot.send_private("alice", "Alfa: Tau", "uno"))
    second = sent(bot.post(first.topic or "", "dos"))
    forum.delete_post(first.post_id.removeprefix("m"))
    (reading,) = bot.read_private({first.topic or "": 2})
    assert (first.topic, [second.post_id]) == (reading.topic, [post.id for post in reading.posts])


def test_messages_that_wait_outside_of_a_full_folder_stop_the_reading(forum: PhpbbStandIn) -> None:
    """Orders may be among them."""
    forum.views.held = 2
    with pytest.raises(IncompletePage, match=say(forum.views.language, "held", count=2)):
        enter(forum, BOT).read_private()


def test_messages_from_accounts_that_are_gone_are_left_out(forum: PhpbbStandIn) -> None:
    """PhpBB gives no text of theirs, and they are no seat's."""
    enter(forum, ALICE).send_private(BOT.name, "Órdenes", "mover")
    enter(forum, BOB).send_private(BOT.name, "Órdenes", "mover")
    forum.views.gone = {int(forum.accounts[ALICE.name])}
    (reading,) = enter(forum, BOT).read_private()
    assert forum.accounts[BOB.name] == reading.posts[0].author_id


def test_a_name_with_a_space_is_a_name() -> None:
    """Accounts of phpBB often have two words."""
    two = Account("María Luz", "Passw0rd-maria")
    with PhpbbStandIn((*ACCOUNTS, two), **SCENE) as forum:
        made = sent(enter(forum, BOT).send_private("maría luz", "Alfa: Tau", "hola"))
        (reading,) = enter(forum, two).read_private()
    assert made.post_id == reading.posts[0].id


def test_nobody_edits_a_private_message(forum: PhpbbStandIn) -> None:
    """It is refused without a request."""
    bot = enter(forum, BOT)
    made = sent(bot.send_private("alice", "Alfa: Tau", "uno"))
    before = len(forum.requests())
    refused = bot.edit(made.post_id, "dos")
    assert isinstance(refused, Refused)
    assert (None, before) == (refused.retry_after, len(forum.requests()))


def test_a_message_that_the_forum_confuses_with_another_is_unknown(phpbb_standin: PhpbbStandIn) -> None:
    """What phpBB calls the new message has to be ours and have the text that was sent."""
    bot = enter(phpbb_standin, BOT)
    older = sent(bot.send_private("alice", "Alfa: Tau", "uno")).post_id.removeprefix("m").encode()
    phpbb_standin.fail(
        "mutate", "private", mutate=lambda page: re.sub(rb"&amp;p=\d+", b"&amp;p=" + older, page)
    )
    outcome = bot.send_private("alice", "Alfa: Tau", "dos")
    assert Unknown(msg("sent/other-post", post=f"m{older.decode()}")) == outcome


@pytest.mark.parametrize("to", [b"[3]", b'[2]" value="to" /><input type="hidden" name="address_list[u][3]'])
def test_a_secret_goes_to_nobody_else(phpbb_standin: PhpbbStandIn, to: bytes) -> None:
    """A form that is addressed to another account, or to one more, isn't sent."""
    bot = enter(phpbb_standin, BOT)
    made = sent(bot.send_private("alice", "Alfa: Tau", "uno"))
    phpbb_standin.fail("mutate", "form", mutate=lambda page: page.replace(b"[2]", to))
    refused = bot.post(made.topic or "", "secreto")
    assert Refused(msg("sent/no-recipient")) == refused
    assert 2 == len(phpbb_standin.posts())


@pytest.mark.parametrize("removed", [False, True], ids=["one more", "one fewer"])
def test_a_folder_that_changes_while_it_is_read_is_read_again(
    phpbb_standin: PhpbbStandIn, removed: bool
) -> None:
    """A message that comes meanwhile pushes the others onto the next page, one that goes pulls them up."""
    alice = enter(phpbb_standin, ALICE)
    ids = [sent(alice.send_private(BOT.name, "Órdenes", f"texto {n}")).post_id for n in range(3)]
    bot = enter(phpbb_standin, BOT)
    bot.open()

    def change(page: bytes) -> bytes:
        if removed:
            phpbb_standin.delete_post(ids[2].removeprefix("m"))
        else:
            ids.append(sent(alice.send_private(BOT.name, "Órdenes", "una más")).post_id)
        return page

    for spoilt in (None, None, change):  # both folders of what was sent come first, and are empty
        phpbb_standin.fail("mutate", "list", mutate=spoilt)
    (reading,) = bot.read_private()
    assert (ids[:2] if removed else ids) == [post.id for post in reading.posts]


@pytest.mark.parametrize(
    ("where", "part", "by", "code"),
    [
        ("letter", b"mode=viewprofile&amp;u=2", b"mode=viewprofile", "page/other-author"),
        ("letter", b"mode=viewprofile&amp;u=2", b"mode=viewprofile&amp;u=3", "page/other-author"),
        ("letter", b'id="post-', b'id="post-9', "forum/other-topic"),
        ("raw", b" time=", b" made=", "page/no-quote"),
        ("raw", b"[quote=", b"[cita=", "page/no-quote"),
        ("raw", b" user_id=2", b" user_id=3", "page/other-author"),
    ],
)
def test_what_pages_say_of_a_message_has_to_agree(
    phpbb_standin: PhpbbStandIn, where: str, part: bytes, by: bytes, code: str
) -> None:
    """Whose it is, which one it is, when it was sent: half of it is nothing."""
    enter(phpbb_standin, ALICE).send_private(BOT.name, "Órdenes", "mover")
    bot = enter(phpbb_standin, BOT)
    bot.open()
    phpbb_standin.fail("mutate", where, times=9, mutate=lambda page: page.replace(part, by))
    with pytest.raises(ForumError, match=code):
        bot.read_private()


def test_a_message_from_the_future_is_refused(phpbb_standin: PhpbbStandIn) -> None:
    """Nothing is known of when its orders came."""
    enter(phpbb_standin, ALICE).send_private(BOT.name, "Órdenes", "mover")
    bot = enter(phpbb_standin, BOT)
    phpbb_standin.fail("mutate", "raw", mutate=lambda page: page.replace(b" time=1", b" time=2"))
    with pytest.raises(IncompletePage, match="page/wrong-zone"):
        bot.read_private()
