"""What only SMF does, on its stand-in; what every forum does stands in the other contracts."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest

from processor.forums.http import ForumHttp
from processor.forums.smf import SmfForum
from processor.forums.trouble import ForeignAddress
from processor.ports import ForumError, IncompletePage, LoginFailed, NotATopic, Unreachable
from rules.engine.messages import msg
from rules.play.posts import Precision, Published, Refused
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOB, BOT, GM, QUICK, SCENE, TITLE, Adapter, enter
from tests.support.forum_scene import MARKER, Meanwhile, post_id
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


def enter_in(zone: str | None, forum: SmfStandIn) -> SmfForum:
    """Our account, with the zone that the settings say."""
    return SmfForum(forum.url, BOT.name, BOT.password, zone, ForumHttp(forum.url, limits=QUICK))


# Times


@pytest.mark.parametrize("style", ["en", "es", "iso"])
@pytest.mark.parametrize("ago", [0, 1, 2, 40])
def test_posts_of_any_day_are_read_in_each_format(
    forum: SmfStandIn, topic: str, style: str, ago: int
) -> None:
    """Today, yesterday and dates in full, in three zones, all the same second."""
    forum.set_clock(NIGHT - timedelta(days=ago))
    forum.write_post(topic, "alice", "hola")
    forum.set_clock(NIGHT + timedelta(seconds=7))
    forum.views.styles = {one.name: style for one in ACCOUNTS}
    posts = [enter(forum, one).read_topic(topic).posts[1] for one in (GM, ALICE, BOB)]
    assert [NIGHT - timedelta(days=ago)] * 3 == [post.created_at for post in posts]
    assert {Precision.SECOND} == {post.precision for post in posts}


def test_a_page_made_before_midnight_and_answered_after(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """Its own clock says which day it means; where the theme shows none, words for days have to wait."""
    forum.set_clock(datetime(2026, 12, 5, 23, 59, 58, tzinfo=UTC))
    forum.write_post(topic, "alice", "hola")
    forum.fail("slow", "topic", seconds=0.01, times=99, mutate=_after_midnight(forum))
    written = bot.read_topic(topic).posts[1].created_at
    assert datetime(2026, 12, 5, 23, 59, 58, tzinfo=UTC) == written
    forum.state.faults.clear()
    forum.fail("mutate", "topic", times=99, mutate=lambda page: page.replace(b'<div class="user">', b"<div>"))
    with pytest.raises(IncompletePage, match=r"page/bad-time.*midnight"):
        bot.read_topic(topic)


def _after_midnight(forum: SmfStandIn) -> object:
    def mutate(page: bytes) -> bytes:
        forum.set_clock(datetime(2026, 12, 6, 0, 0, 1, tzinfo=UTC))
        return page

    return mutate


def test_a_format_that_is_not_known_stops_the_reading(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """By the words that the forum shows, and with what to choose."""
    forum.fail(
        "mutate", "topic", times=9, mutate=lambda page: page.replace(b"Today</strong> at", b"Heute um")
    )
    with pytest.raises(IncompletePage, match=r"page/time-format: Heute um"):
        bot.read_topic(topic)


def test_the_zone_must_be_known_and_agree(forum: SmfStandIn) -> None:
    """What the account has chosen counts; the settings may say the same, and have to where it chose none."""
    with pytest.raises(ForumError, match=r"forum/wrong-zone.*UTC.*Europe/Madrid"):
        enter_in("Europe/Madrid", forum).open()
    hidden = lambda page: page.replace(b"timezone", b"other")  # noqa: E731
    forum.fail("mutate", "preferences", times=9, mutate=hidden)
    with pytest.raises(ForumError, match="forum/unknown-zone"):
        enter_in(None, forum).open()
    assert "4" == enter_in("UTC", forum).open()


def test_another_zone_than_believed_is_noticed(forum: SmfStandIn, topic: str) -> None:
    """The page's clock gives it away, whichever way it is wrong."""
    forum.fail("mutate", "preferences", times=9, mutate=lambda page: page.replace(b"UTC", b"Asia/Tokyo"))
    with pytest.raises(IncompletePage, match=r"page/wrong-zone.*Asia/Tokyo"):
        enter_in(None, forum).read_topic(topic)


def test_an_edit_within_ninety_seconds_leaves_no_mark(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """Its text is the new one all the same; later edits tell when they were."""
    forum.set_clock(NIGHT)
    written = forum.write_post(topic, "alice", "mover E3")
    forum.shift_clock(60)
    forum.edit_post(written, "mover E4")
    quick = bot.read_topic(topic).posts[1]
    forum.shift_clock(60)
    forum.edit_post(written, "mover E5")
    late = bot.read_topic(topic).posts[1]
    assert [("mover E4", 0, None), ("mover E5", 1, NIGHT + timedelta(seconds=120))] == [
        (post.html, post.edits, post.edited_at) for post in (quick, late)
    ]


def test_a_quote_s_date_that_changes_is_no_edit(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """SMF writes "today" above a quote one day and the date on the next."""
    forum.set_clock(NIGHT)
    forum.write_post(topic, "alice", "[quote=gamemaster]Hola.[/quote]\nno")
    before = bot.read_topic(topic).posts[1]
    forum.set_clock(NIGHT + timedelta(days=3))
    assert before == bot.read_topic(topic).posts[1]


# Reading


@pytest.mark.parametrize("length", [4, 15, 20, 50])
def test_pages_of_any_length_are_read(length: int) -> None:
    """The account may have chosen how many posts it sees on a page: the numbers tell."""
    with SmfStandIn(ACCOUNTS, topics=SCENE["topics"], comments_per_page=length) as forum:
        topic = forum.topics[TITLE]
        ids = [forum.write_post(topic, "alice", f"mensaje {n}") for n in range(2, 45)]
        bot = enter(forum, BOT)
        assert list(range(1, 45)) == [post.number for post in bot.read_topic(topic).posts]
        known = enter(forum, ALICE)
        assert ids[-1] == known.read_topic(topic, 44).posts[-1].id
        assert 30 >= (known.read_topic(topic, 30).posts[0].number or 0)
        assert 40 in [post.number for post in enter(forum, BOB).read_topic(topic, 40, ids[38]).posts]


def test_a_theme_without_quick_answers_still_takes_posts(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """The form behind the button does as well."""
    button = b'<a class="button button_strip_reply" href="/index.php?action=post;topic=1.0">Reply</a>'
    forum.fail("mutate", "topic", mutate=lambda page: page.replace(b'id="postmodify"', b'id="otro"'))
    refused = bot.post(topic, "uno")
    assert Refused(msg("sent/closed")) == refused
    forum.fail(
        "mutate",
        "topic",
        mutate=lambda page: page.replace(b'id="postmodify"', b'id="otro"').replace(
            b'<div id="moderationbuttons">', b'<div id="moderationbuttons">' + button
        ),
    )
    assert isinstance(bot.post(topic, "uno"), Published)


def test_a_signature_is_no_part_of_the_post(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """A new one doesn't make old posts look edited."""
    bot.post(topic, TEXT)
    before = bot.read_topic(topic).posts
    forum.views.signatures = {"turnero": "[órdenes]<br>atacar<br>[/órdenes]"}
    assert before == bot.read_topic(topic).posts
    assert 1 == len(bot.find_marker(topic, MARKER))


def test_a_smiley_s_text_comes_as_typed(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """What SMF shows as a picture, and code, is asked for as it was typed."""
    text = "[órdenes]\nmover E3 :)\n[/órdenes]\n[code]a  b[/code]"
    written = forum.write_post(topic, "alice", text)
    assert text == bot.raw_text(written, topic)


def test_a_text_that_quotes_is_never_given_in_part(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """SMF takes quotes out of what it offers; our own text comes from the form for edits."""
    quoting = "[quote=gamemaster]Hola.[/quote]\nYo no."
    theirs = forum.write_post(topic, "alice", quoting)
    ours = post_id(bot.post(topic, quoting))
    assert [None, quoting] == [bot.raw_text(one, topic) for one in (theirs, ours)]
    bot.send_private("alice", "Alfa", "hola")
    (letters,) = enter(forum, ALICE).read_private()
    enter(forum, ALICE).post(letters.topic, quoting)
    (reading,) = bot.read_private()
    assert bot.raw_text(reading.posts[1].id, reading.topic) is None


def test_a_reading_of_many_posts_asks_for_each_page_once(forum: SmfStandIn, topic: str) -> None:
    """Only the first, by which the length of pages is learnt, and the looks that prove the rest."""
    for n in range(2, 13):
        forum.write_post(topic, "alice", f"mensaje {n}")
    bot = enter(forum, BOT)
    bot.open()
    before = len(forum.requests())
    bot.read_topic(topic)
    asked = [one.rpartition(".")[2] for one in forum.requests()[before:]]
    assert ["0", "9", "3", "6", "9", "0"] == asked


def test_a_closed_forum_is_no_lost_session(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """SMF offers everybody a form to log in while it is closed; nobody logs in because of it."""
    box = b'<form action="/index.php?action=login2"><div class="login" id="maintenance_mode"></div></form>'
    forum.fail("mutate", "topic", times=9, mutate=lambda _: b"<!DOCTYPE html><html>" + box + b"</html>")
    before = len(forum.requests())
    with pytest.raises(NotATopic, match="page/maintenance"):
        bot.read_topic(topic)
    assert not [one for one in forum.requests()[before:] if "login" in one]


@pytest.mark.parametrize("status", [200, 403, 404])
def test_errors_are_known_with_whatever_status(
    forum: SmfStandIn, topic: str, bot: Adapter, meanwhile: Meanwhile, status: int
) -> None:
    """SMF has sent them with 200 and with others: a topic that isn't there is never an empty one."""
    forum.views.error_status = status
    with pytest.raises(NotATopic, match=r"forum/(missing|forbidden)"):
        bot.read_topic("777")
    meanwhile.action = lambda: forum.close_topic(topic)
    assert Refused("This topic is locked.") == bot.post(topic, "tarde")
    assert 1 == len(forum.posts())


@pytest.mark.parametrize(
    "kind", ["maintenance", "login-page", "truncate", "short", "error-before", "limited", "login-redirect"]
)
@pytest.mark.parametrize("where", ["topic", "list"])
def test_another_page_is_never_an_empty_topic(
    forum: SmfStandIn, topic: str, bot: Adapter, kind: str, where: str
) -> None:
    """Maintenance, a cut page, an error: a named refusal, never fewer posts (F8, F9, F14, F15)."""
    bot.send_private("alice", "Alfa", "hola")
    forum.fail(kind, where, times=99, at=900)
    with pytest.raises((IncompletePage, Unreachable, LoginFailed, NotATopic)):
        bot.read_topic(topic) if where == "topic" else bot.read_private()


@pytest.mark.parametrize("where", ["topic", "list"])
def test_a_cut_at_any_place_is_noticed(forum: SmfStandIn, topic: str, bot: Adapter, where: str) -> None:
    """A page that ends early is refused wherever it ends (F15)."""
    assert isinstance(bot, SmfForum)
    bot.send_private("alice", "Alfa", "hola")
    path = f"index.php?topic={topic}.0" if where == "topic" else "index.php?action=pm;f=sent;sort=date;desc"
    whole = len(bot._session.http.get(path).body)
    for at in range(0, whole, 250):
        forum.state.faults.clear()
        forum.fail("truncate", where, times=9, at=at)
        with pytest.raises((IncompletePage, NotATopic)):
            bot.read_topic(topic) if where == "topic" else bot.read_private()


def test_a_stale_page_is_noticed(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """A cached page without the newest known post proves itself old (F18)."""
    forum.write_post(topic, "alice", "dos")
    newest = bot.read_topic(topic).posts[-1]
    forum.fail("stale", "topic", times=9, at=1)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 2, newest.id)


def test_a_page_other_than_the_one_asked_for_is_noticed(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """Another page of the topic, or another topic."""
    for n in range(2, 9):
        forum.write_post(topic, "alice", f"mensaje {n}")
    bot.read_topic(topic)
    forum.fail("other-page", "topic", times=99, at=2)
    with pytest.raises(IncompletePage, match=r"forum/other-page"):
        bot.read_topic(topic)
    forum.state.faults.clear()
    forum.fail("mutate", "topic", times=99, mutate=lambda page: page.replace(b"topic=1.", b"topic=7."))
    with pytest.raises(NotATopic, match=r"page/no-topic|forum/other-topic"):
        bot.read_topic(topic)


def test_a_game_goes_nowhere_else(forum: SmfStandIn, topic: str, bot: Adapter) -> None:
    """A redirect to another host is never followed, with a session least of all (F41)."""
    with SmfStandIn(ACCOUNTS) as other:
        forum.fail("redirect", "topic", times=9, text=f"{other.url}/index.php?topic=1.0")
        with pytest.raises(ForeignAddress):
            bot.read_topic(topic)
        assert [] == other.requests()
