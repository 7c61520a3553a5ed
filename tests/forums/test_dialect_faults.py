"""What goes wrong between us and a forum, over the stand-ins of all dialects (reliability.md F8-F18, F40).

Whatever isn't the whole answer that was asked for is none; the forum's list of posts and its log are the
judge. Spirit's faults in depth stand in `test_faults.py`, what only one dialect has in that dialect's tests.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

import pytest

from processor.pipeline.seen import see_post
from processor.ports import IncompletePage, LoginFailed, NotATopic, Unreachable
from rules.play.posts import Limit, Published, Queued, Refused, Unknown
from tests.support.forum_fixtures import ALICE, BOT, QUICK, TITLE, Adapter, enter
from tests.support.standin import STANDINS, StandIn

MARKER = "ptd1:alfa:3.1:report:1/1:8f3ac1d2"
TEXT = f"Informe del turno tres, que es largo.\n\n{MARKER}"
ALWAYS = 99
MODERATED = [name for name, kind in STANDINS.items() if kind.answering.moderates]
SIGNED = [name for name, kind in STANDINS.items() if kind.answering.signs]


@pytest.fixture(params=STANDINS)
def forum(request: pytest.FixtureRequest) -> StandIn:
    """Each forum, with five posts on two pages of a topic."""
    found: StandIn = request.getfixturevalue(f"{request.param}_standin")
    for number in range(2, 6):
        found.write_post(found.topics[TITLE], ALICE.name, f"mensaje {number}")
    return found


@pytest.fixture
def topic(forum: StandIn) -> str:
    """The topic's id."""
    return forum.topics[TITLE]


@pytest.fixture
def bot(forum: StandIn, topic: str) -> Adapter:
    """Our account, which has read the topic."""
    opened = enter(forum, BOT)
    opened.read_topic(topic)
    return opened


def posted(forum: StandIn, action: str) -> list[str]:
    """The requests with which something was sent for that purpose."""
    asked = (one.split(" ", 1) for one in forum.requests())
    sent = ((path, forum.views.route(method, path)) for method, path in asked if method != "GET")
    return [path for path, found in sent if found and found[0] == action]


def copies(forum: StandIn) -> int:
    """How often the report stands in the forum."""
    return len([post for post in forum.posts() if post["text"] == TEXT])


@pytest.mark.parametrize(
    ("kind", "stored"),
    [
        ("drop-before-store", 0),
        ("error-before", 0),
        ("login-page", 0),
        ("maintenance", 0),
        ("redirect", 0),
        ("store-then-drop", 1),
        ("error-after", 1),
    ],
)
def test_an_unclear_answer_is_unknown_and_read_back_settles_it(
    forum: StandIn, bot: Adapter, topic: str, kind: str, stored: int
) -> None:
    """Whether the post arrived is not guessed: it is sent once, and the marker tells (F10, F12)."""
    before = len(posted(forum, "publish"))
    forum.fail(kind, "publish", text="/t/1")
    assert isinstance(bot.post(topic, TEXT), Unknown)
    assert stored == copies(forum)
    assert stored == len(bot.find_marker(topic, MARKER))
    assert 1 == len(posted(forum, "publish")) - before


def test_a_slow_answer_is_unknown_although_the_post_is_there(forum: StandIn, topic: str) -> None:
    """A time-out after the forum stored the post (F10)."""
    bot = enter(forum, BOT, limits=replace(QUICK, deadline=0.3))
    bot.read_topic(topic)
    forum.fail("slow", "publish", seconds=0.6)
    assert isinstance(bot.post(topic, TEXT), Unknown)
    assert 1 == copies(forum)


@pytest.mark.parametrize("at", [0, 1, 20, 90])
def test_an_answer_that_breaks_off_after_storing_is_no_refusal(
    forum: StandIn, bot: Adapter, topic: str, at: int
) -> None:
    """The post's id can't be read from half an answer; where it stands in the answer's head it can (F15)."""
    forum.fail("truncate", "publish", at=at)
    outcome = bot.post(topic, TEXT)
    (made,) = (post["id"] for post in forum.posts() if post["text"] == TEXT)
    assert isinstance(outcome, Unknown) or outcome == Published(made, topic)
    assert isinstance(outcome, Unknown) or not forum.json


def test_too_many_requests_are_refused_with_a_wait(forum: StandIn, topic: str) -> None:
    """In the forum's own way of saying it; nothing was stored (F8)."""
    bot = enter(forum, BOT)
    bot.read_topic(topic)
    forum.fail("flood", "publish")
    refused = bot.post(topic, TEXT)
    assert isinstance(refused, Refused)
    assert (refused.retry_after is not None, 0) == (True, copies(forum))


@pytest.mark.parametrize("kind", ["login-page", "maintenance", "login-redirect", "captcha", "consent"])
def test_another_page_is_never_an_empty_topic(forum: StandIn, bot: Adapter, topic: str, kind: str) -> None:
    """What isn't the topic holds no posts, and says nothing of any (F14)."""
    forum.fail(kind, "topic", times=ALWAYS)
    with pytest.raises((NotATopic, LoginFailed)):
        bot.read_topic(topic)


def _rename(body: bytes) -> bytes:
    """A new theme, or another version: what holds the posts has other names."""
    return re.sub(rb'"(\w+)":', rb'"new_\1":', re.sub(rb'\b(class|id)="', rb'\1="new-', body))


def _rename_half(body: bytes) -> bytes:
    """The same from the middle of the answer on."""
    middle = len(body) // 2
    return body[:middle] + _rename(body[middle:])


@pytest.mark.parametrize("theme", [_rename, _rename_half])
def test_a_changed_theme_is_no_empty_topic(
    forum: StandIn, bot: Adapter, topic: str, theme: Callable[[bytes], bytes]
) -> None:
    """Where nothing or only half of it is known again, nothing is read; above all not half (F17)."""
    forum.fail("mutate", "topic", times=ALWAYS, mutate=theme)
    with pytest.raises((IncompletePage, NotATopic, LoginFailed)):
        bot.read_topic(topic)


def test_an_answer_that_drips_ends_at_the_deadline(forum: StandIn, topic: str) -> None:
    """A byte now and then resets every time-out, but not the deadline of the whole request (F11)."""
    bot = enter(forum, BOT, limits=replace(QUICK, deadline=0.4, retries=0))
    bot.open()
    forum.fail("drip", "topic", seconds=0.1, times=ALWAYS)
    with pytest.raises(Unreachable, match="forum/timeout"):
        bot.read_topic(topic)


def test_a_page_with_an_error_is_an_outage(forum: StandIn, bot: Adapter, topic: str) -> None:
    """A broken forum may answer with HTML; reading is tried again and then given up (F9)."""
    forum.fail("error-before", "topic", times=ALWAYS)
    with pytest.raises(Unreachable, match="forum/status"):
        bot.read_topic(topic)


def test_a_cut_at_any_place_is_noticed(forum: StandIn, bot: Adapter, topic: str) -> None:
    """JSON that ends early is refused wherever it ends (F15)."""
    size: list[int] = []

    def measure(body: bytes) -> bytes:
        size.append(len(body))
        return body

    forum.fail("mutate", "topic", mutate=measure)
    bot.read_topic(topic, 5, forum.post_id(int(topic), 5))
    for at in range(0, size[0], 97):
        forum.fail("truncate", "topic", at=at)
        with pytest.raises((IncompletePage, NotATopic)):
            bot.read_topic(topic, 5, forum.post_id(int(topic), 5))


def test_another_page_than_asked_for_is_refused(forum: StandIn, bot: Adapter, topic: str) -> None:
    """The posts of page two aren't those of page one, whatever the address was (F16)."""
    forum.fail("other-page", "topic", times=ALWAYS, at=2)
    with pytest.raises(IncompletePage):
        bot.read_topic(topic)


def test_a_stale_answer_is_noticed(forum: StandIn, bot: Adapter, topic: str) -> None:
    """Where the known newest post is missing, nothing is read as if it were all (F18)."""
    forum.fail("stale", "topic", times=ALWAYS, at=1)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 5, forum.post_id(int(topic), 5))


def test_a_post_that_moves_away_while_reading_hides_no_other(forum: StandIn, topic: str) -> None:
    """A post of page one is deleted while page two is fetched: what moved up is not overlooked (F16)."""
    for number in range(6, 11):
        forum.write_post(topic, ALICE.name, f"mensaje {number}")
    bot, second = enter(forum, BOT), forum.post_id(int(topic), 2)
    bot.open()

    def steal(body: bytes) -> bytes:
        if any(post["id"] == second for post in forum.posts()):
            forum.delete_post(second)
        return body

    forum.fail("mutate", "topic", mutate=steal)
    read = [post.id for post in bot.read_topic(topic).posts]
    assert [post["id"] for post in forum.posts() if post["topic"] == topic] == read


def test_what_is_published_is_the_outcome(forum: StandIn, bot: Adapter, topic: str) -> None:
    """Without faults the same is published and found: else the tests above would hold for nothing."""
    made = bot.post(topic, TEXT)
    (found,) = bot.find_marker(topic, MARKER)
    assert made == Published(found.post_id, topic)


def test_a_session_that_has_ended_is_renewed_once(forum: StandIn, bot: Adapter, topic: str) -> None:
    """Everybody was logged out: one login more where there are logins, and the reading goes on (F13)."""
    logins = len(posted(forum, "login"))
    forum.end_sessions()
    assert 5 == bot.read_topic(topic).last
    keyed = Limit.SESSIONS in bot.capabilities.limits
    assert (0 if keyed else 1) == len(posted(forum, "login")) - logins


def test_a_session_that_ends_between_asking_and_sending_loses_no_text(forum: StandIn, topic: str) -> None:
    """Nothing is stored and nothing is given up: the next attempt logs in and publishes (F13)."""
    ending: list[str] = []

    def end(where: str) -> None:
        if ending and where == "http/sending":
            ending.clear()
            forum.end_sessions()

    bot = enter(forum, BOT, checkpoint=end)
    bot.read_topic(topic)
    ending.append("now")
    outcome = bot.post(topic, TEXT)
    if Limit.SESSIONS not in bot.capabilities.limits:
        assert isinstance(outcome, Unknown) or (
            isinstance(outcome, Refused) and outcome.retry_after is not None
        )
        assert (0, ()) == (copies(forum), bot.find_marker(topic, MARKER))
        outcome = bot.post(topic, TEXT)
    assert isinstance(outcome, Published)
    assert 1 == copies(forum)


def test_a_topic_that_was_closed_meanwhile_is_told(forum: StandIn, topic: str) -> None:
    """A moderator closes it before the text arrives: not stored, and waiting doesn't help (F40)."""
    closing: list[str] = []

    def close(where: str) -> None:
        if closing and where == "http/sending":
            forum.close_topic(topic)

    bot = enter(forum, BOT, checkpoint=close)
    bot.read_topic(topic)
    closing.append("now")
    refused = bot.post(topic, TEXT)
    assert isinstance(refused, Refused)
    assert (None, 0) == (refused.retry_after, copies(forum))
    with pytest.raises(NotATopic, match="forum/closed"):
        bot.probe_topic(topic)


@pytest.mark.parametrize(
    "forum", [name for name, kind in STANDINS.items() if kind.answering.moderates], indirect=True
)
def test_a_text_that_waits_for_a_moderator_is_queued(forum: StandIn, bot: Adapter, topic: str) -> None:
    """It is neither published nor refused, nobody else reads it, and it doesn't count as found (F12)."""
    forum.views.queued.add(BOT.name)
    assert isinstance(bot.post(topic, TEXT), Queued)
    assert 1 == len(posted(forum, "publish"))
    # Where the own text that waits hides somebody's post, nothing is read as if it were all.
    with suppress(IncompletePage):
        assert [] == [found for found in bot.find_marker(topic, MARKER) if found.visible]
    others = enter(forum, ALICE).read_topic(topic).posts
    assert [] == [post for post in others if MARKER in f"{post.raw}{post.html}"]


@pytest.mark.parametrize(
    "forum", [name for name, kind in STANDINS.items() if kind.answering.signs], indirect=True
)
def test_a_signature_is_no_order(forum: StandIn, bot: Adapter, topic: str) -> None:
    """It stands below each post of its author and says nothing in any (pitfalls of orders in signatures)."""
    forum.views.signatures[ALICE.name] = "[órdenes]<br>atacar<br>[/órdenes]"
    forum.write_post(topic, ALICE.name, "sólo esto")
    seen, _ = see_post(bot.read_topic(topic).posts[-1], forum.software)
    assert ["sólo esto"] == [line.text for line in seen.lines]
