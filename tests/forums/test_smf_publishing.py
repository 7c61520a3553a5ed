"""How SMF takes posts and private messages, on its stand-in; see `test_smf_contract`."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from processor.ports import IncompletePage, Missing, NotATopic
from rules.engine.messages import msg
from rules.play.posts import Published, Queued, Refused, Unknown, Visibility
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOB, BOT, SCENE, TITLE, Adapter, enter
from tests.support.forum_scene import MARKER, Meanwhile, post_id
from tests.support.smf_views import FLOOD
from tests.support.standin import SmfStandIn

NIGHT = datetime(2026, 12, 5, 22, 30, tzinfo=UTC)
TODAY = b"Today</strong> at"
TOKEN = re.compile(rb'value="[0-9a-f]{32}"')
TEXT = f"Informe\n\n{MARKER}"


@pytest.fixture(name="forum")
def _forum(smf_standin: SmfStandIn) -> SmfStandIn:
    return smf_standin


@pytest.fixture
def topic(forum: SmfStandIn) -> str:
    """The topic's id."""
    return forum.topics[TITLE]


@pytest.fixture
def meanwhile() -> Meanwhile:
    """What others do before we send."""
    return Meanwhile()


@pytest.fixture
def bot(forum: SmfStandIn, meanwhile: Meanwhile) -> Adapter:
    """Our account, logged in."""
    opened = enter(forum, BOT, checkpoint=meanwhile)
    opened.open()
    return opened


# Publishing


def test_the_same_text_again_is_a_second_post(topic: str, bot: Adapter) -> None:
    """SMF takes an identical reply again, so only reading back keeps a report from standing twice."""
    ids = [post_id(bot.post(topic, TEXT)) for _ in range(2)]
    assert ids == [found.post_id for found in bot.find_marker(topic, MARKER)]


def test_new_replies_give_the_form_back(
    forum: SmfStandIn, topic: str, bot: Adapter, meanwhile: Meanwhile
) -> None:
    """Somebody wrote meanwhile: nothing was stored, and a moment later it goes through."""
    meanwhile.action = lambda: forum.write_post(topic, "alice", "yo antes")
    refused = bot.post(topic, TEXT)
    assert isinstance(refused, Refused)
    assert ("new reply" in str(refused.reason), 5.0) == (True, refused.retry_after)
    assert ["Hola.", "yo antes"] == [post["text"] for post in forum.posts()]
    assert isinstance(bot.post(topic, TEXT), Published)


def test_a_post_too_soon_is_refused_with_the_wait(topic: str) -> None:
    """Five seconds between two posts, in the forum's words; the adapter keeps the distance by itself."""
    with SmfStandIn(ACCOUNTS, **SCENE, rate_limits=True) as forum:
        forum.set_clock(NIGHT)
        bot = enter(forum, BOT)
        assert isinstance(bot.post(topic, "uno"), Published)
        assert Refused(FLOOD, 5.0) == bot.post(topic, "dos")
        forum.shift_clock(6)
        assert isinstance(bot.post(topic, "tres"), Published)
        waited: list[float] = []
        polite = enter(forum, ALICE, min_interval=6.0, clock=lambda: 100.0, sleep=waited.append)
        for text in ("uno", "dos"):
            polite.post(topic, text)
        assert [6.0] == waited


def test_a_post_that_waits_for_a_moderator_is_queued(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """Its author sees it, nobody else does, and it isn't found until it is let through."""
    forum.views.queued = {BOT.name}
    assert Queued() == bot.post(topic, TEXT)
    ours, theirs = (enter(forum, one).read_topic(topic).posts for one in (BOT, ALICE))
    assert ([Visibility.VISIBLE, Visibility.UNAPPROVED], 1) == ([p.visibility for p in ours], len(theirs))
    assert () == bot.find_marker(topic, MARKER)
    forum.state.stored[-1].removed = False
    assert 1 == len(bot.find_marker(topic, MARKER))


def test_a_session_that_ended_meanwhile_is_no_end(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """SMF sends the form again with another token: nothing was stored, and the next attempt takes it."""
    forum.fail("mutate", "topic", mutate=lambda page: TOKEN.sub(b'value="%b"' % (b"a" * 32), page))
    refused = bot.post(topic, TEXT)
    assert isinstance(refused, Refused)
    assert ("session timed out" in str(refused.reason), 60.0) == (True, refused.retry_after)
    assert 1 == len(forum.posts())
    assert isinstance(bot.post(topic, TEXT), Published)


def test_a_form_that_arrived_twice_is_in_doubt(
    forum: SmfStandIn, topic: str, bot: Adapter, meanwhile: Meanwhile
) -> None:
    """Somewhere between us the first may have arrived: only reading back can tell."""
    meanwhile.action = forum.views.seqnums.clear
    outcome = bot.post(topic, TEXT)
    assert isinstance(outcome, Unknown)
    assert "already" in str(outcome.reason)


def test_an_answer_without_a_post_is_never_success(
    forum: SmfStandIn, topic: str, bot: Adapter, meanwhile: Meanwhile
) -> None:
    """A redirect to the topic where no new post of ours stands says nothing, whoever else has posted."""
    meanwhile.action = lambda: forum.write_post(topic, "alice", "yo antes")
    forum.fail("redirect", "publish", text=f"{forum.url}/index.php?topic={topic}.new#new")
    assert Unknown(msg("sent/several", count=0, title=None)) == bot.post(topic, TEXT)
    forum.fail("redirect", "publish", text=f"{forum.url}/index.php?board=1.0")
    assert isinstance(bot.post(topic, TEXT), Unknown)


def test_our_post_is_found_before_those_that_came_after_it(
    forum: SmfStandIn, topic: str, bot: Adapter, meanwhile: Meanwhile
) -> None:
    """Others may fill a page or two before we look."""
    meanwhile.at = "http/answered"
    meanwhile.action = lambda: [forum.write_post(topic, "alice", f"mensaje {n}") for n in range(7)]
    assert Published("2", topic) == bot.post(topic, TEXT)


def test_an_edit_of_a_post_whose_topic_is_not_known_is_found(forum: SmfStandIn, topic: str) -> None:
    """After a restart the forum is asked where the post stands."""
    written = post_id(enter(forum, BOT).post(topic, "uno"))
    fresh = enter(forum, BOT)
    assert Published(written) == fresh.edit(written, "dos")
    assert isinstance(fresh.edit("777", "tres"), Refused)
    assert ["Hola.", "dos"] == [post["text"] for post in forum.posts()]


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        ("drop-before-store", 0),
        ("error-before", 0),
        ("login-page", 0),
        ("login-redirect", 0),
        ("maintenance", 0),
        ("store-then-drop", 1),
        ("error-after", 1),
    ],
)
@pytest.mark.parametrize("where", ["publish", "private"])
def test_an_unclear_answer_is_unknown_and_nothing_is_sent_twice(
    forum: SmfStandIn, topic: str, bot: Adapter, kind: str, stored: int, where: str
) -> None:
    """Posts and messages alike: what can't be told is settled by reading back (F10-F13)."""
    forum.fail(kind, where)
    outcome = bot.post(topic, TEXT) if where == "publish" else bot.send_private("alice", "título", TEXT)
    assert isinstance(outcome, Unknown), outcome
    assert stored == len([post for post in forum.posts() if post["text"] == TEXT])
    found = bot.find_marker(topic, MARKER) if where == "publish" else bot.find_private("título", MARKER)
    assert stored == len(found)


# Private messages


def test_answers_under_the_same_subject_are_one_conversation(forum: SmfStandIn, bot: Adapter) -> None:
    """Whoever puts "Re:" before it; whoever changes the subject begins another."""
    alice = enter(forum, ALICE)
    sent = bot.send_private("alice", "Alfa: Tau", "uno")
    assert isinstance(sent, Published)
    (theirs,) = alice.read_private()
    assert [sent.post_id] == [post.id for post in theirs.posts]
    answered = alice.post(theirs.topic, "dos")
    assert isinstance(answered, Published)
    alice.send_private("turnero", "re: RE:  Alfa:  Tau", "tres")
    alice.send_private("turnero", "otra cosa", "cuatro")
    other, talk = bot.read_private()
    assert (sent.topic, "Alfa: Tau", [sent.post_id, answered.post_id], [1, 2, 3]) == (
        talk.topic,
        talk.title,
        [post.id for post in talk.posts[:2]],
        [post.number for post in talk.posts],
    )
    assert ["uno", "dos", "tres"] == [bot.raw_text(post.id, talk.topic) for post in talk.posts]
    assert ("otra cosa", 1) == (other.title, len(other.posts))


def test_a_message_to_several_is_no_secret_conversation(forum: SmfStandIn, bot: Adapter) -> None:
    """Who else got it counts, and nothing is answered there."""
    topic = forum.state.add_topic("Alfa: Tau", (2, 3, 4))
    forum.state.add_post(topic.id, forum.state.by_name("alice"), "para dos")
    bot.send_private("alice", "Alfa: Tau", "uno")
    alone, several = bot.read_private()
    assert [("2", "4"), ("2", "3", "4")] == [alone.participants, several.participants]
    assert Refused(msg("sent/company", count=2)) == bot.post(several.topic, "no")


def test_names_with_spaces_and_names_that_are_nobody_s(forum: SmfStandIn, bot: Adapter) -> None:
    """A name in quotes is one name; a quote in a name would be two."""
    forum.state.accounts[2].name = "alice del sur"
    sent = bot.send_private("alice del sur", "Alfa", "hola")
    assert isinstance(sent, Published)
    assert {"2", "4"} == set((forum.state.topics[int(sent.post_id[1:])].members and ("2", "4")) or ())
    assert Refused(msg("sent/no-name", name='a" "bob')) == bot.send_private('a" "bob', "Alfa", "hola")
    assert Refused("Unable to find member 'nadie'.") == bot.send_private("nadie", "Alfa", "hola")
    assert 2 == len(forum.posts())


def test_boxes_are_read_to_the_first_message_that_is_known(forum: SmfStandIn, bot: Adapter) -> None:
    """A full box costs one request, once it was read; nothing is missed where several pages are new."""
    for n in range(7):
        bot.send_private("alice", f"título {n}", "hola")
    alice = enter(forum, ALICE)
    alice.open()
    before = len(forum.requests())
    assert 7 == len(alice.read_private())
    first = len(forum.requests()) - before
    assert 7 == len(alice.read_private())
    assert (6, 2) == (first, len(forum.requests()) - before - first)
    for n in range(7, 12):
        bot.send_private("alice", f"título {n}", "hola")
    assert [f"título {n}" for n in reversed(range(12))] == [one.title for one in alice.read_private()]


def test_a_box_that_shrinks_while_it_is_read_is_read_again(forum: SmfStandIn, bot: Adapter) -> None:
    """What is thrown away pulls the others past a page that was read already."""
    made = [post_id(bot.send_private("alice", f"título {n}", "hola")) for n in range(5)]
    fresh = enter(forum, BOT)
    fresh.open()

    def shrink(page: bytes) -> bytes:
        forum.state.stored = [post for post in forum.state.stored if post.id != int(made[-1][1:])]
        return page

    forum.fail("mutate", "list", times=2, mutate=shrink)
    assert {f"título {n}" for n in range(4)} == {one.title for one in fresh.read_private()}


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (b'class="post_wrapper"', b'class="x"', "page/pm-view"),
        (b"pm_subject", b"x", "page/pm-view"),
        (b'class="inner"', b'class="x"', "page/no-body"),
        (b'href="#msg', b'href="#m', "page/drift"),
        (b"pm_time", b"x", "page/bad-time"),
        (b"current_page", b"x", "page/no-paginator"),
        (b'id="pmFolder"', b'id="x"', "page/no-list"),
        (b"pmactions;f=sent", b"pmactions;f=inbox", "forum/other-page"),
    ],
)
def test_a_box_of_another_theme_or_view_is_an_error(
    forum: SmfStandIn, bot: Adapter, old: bytes, new: bytes, expected: str
) -> None:
    """One by one or as conversations SMF shows less than it lists: never an empty box."""
    bot.send_private("alice", "Alfa", "hola")
    forum.fail("mutate", "list", times=99, mutate=lambda page: page.replace(old, new))
    with pytest.raises((IncompletePage, NotATopic), match=expected):
        enter(forum, BOT).read_private()


def test_whoever_takes_no_messages_is_told(forum: SmfStandIn, bot: Adapter) -> None:
    """SMF shows the form again, with a report above it and no complaint in it."""
    forum.views.blocked.add("alice")
    assert Refused("User 'alice' has blocked your personal message.") == bot.send_private("alice", "x", "y")
    assert 1 == len(forum.posts())


def test_a_message_that_the_director_sends_meanwhile_is_not_taken_for_ours(
    forum: SmfStandIn, bot: Adapter, meanwhile: Meanwhile
) -> None:
    """Under the same subject, from the same account: the text tells them apart."""

    def send() -> None:
        talk = forum.state.add_topic("Alfa", (2, 4))
        forum.state.add_post(talk.id, forum.state.by_name(BOT.name), "a mano")

    meanwhile.action = send
    sent = post_id(bot.send_private("alice", "Alfa", TEXT))
    assert [f"m{forum.posts()[-1]['id']}", TEXT] == [sent, forum.posts()[-1]["text"]]


def test_a_subject_that_looks_like_an_answer(forum: SmfStandIn, bot: Adapter) -> None:
    """What we send under "Re: …" stands in the conversation without it."""
    sent = bot.send_private("alice", "Re: Alfa", TEXT)
    assert isinstance(sent, Published)
    assert [(sent.topic, "Alfa")] == [(one.topic, one.title) for one in bot.read_private()]


@pytest.mark.parametrize(("times", "wait"), [(0, 60.0), (1, 900.0)])
def test_too_many_messages_in_an_hour(forum: SmfStandIn, bot: Adapter, times: int, wait: float) -> None:
    """SMF allows twenty by default, and says so with the form or when it is sent: it is tried later."""
    forum.views.hourly = times
    refused = bot.send_private("alice", "Alfa", "hola")
    assert isinstance(refused, Refused)
    assert ("too many" in str(refused.reason), wait) == (True, refused.retry_after)
    assert 1 == len(forum.posts())


def test_nobody_edits_a_private_message(forum: SmfStandIn, bot: Adapter) -> None:
    """SMF has no form for it."""
    sent = post_id(bot.send_private("alice", "Alfa", "hola"))
    assert Refused(msg("sent/fixed-letter")) == bot.edit(sent, "adiós")


def test_a_conversation_that_is_not_ours_is_missing(forum: SmfStandIn, bot: Adapter) -> None:
    """By whatever number."""
    sent = bot.send_private("alice", "Alfa", "hola")
    assert isinstance(sent, Published)
    with pytest.raises(Missing):
        enter(forum, BOB).read_topic(sent.topic or "")
