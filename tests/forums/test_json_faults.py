"""What goes wrong between us and a forum with a JSON interface, over all of their stand-ins (reliability.md
F8-F18): whatever isn't the whole answer that was asked for is none.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from processor.ports import IncompletePage, NotATopic, Unreachable
from rules.play.posts import Published, Refused, Unknown
from tests.support.forum_fixtures import ALICE, BOT, QUICK, TITLE, Adapter, enter
from tests.support.standin import STANDINS, StandIn

MARKER = "ptd1:alfa:3.1:report:1/1:8f3ac1d2"
TEXT = f"Informe del turno tres, que es largo.\n\n{MARKER}"
ALWAYS = 99


@pytest.fixture(params=[name for name, kind in STANDINS.items() if kind.json])
def forum(request: pytest.FixtureRequest) -> StandIn:
    """Each forum with a JSON interface, with five posts on two pages of a topic."""
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


def publishing(forum: StandIn) -> list[str]:
    """The requests that could have published something."""
    return [
        one for one in forum.requests() if not one.startswith("GET") and forum.views.route(*one.split(" ", 1))
    ]


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
    before = len(publishing(forum))
    forum.fail(kind, "publish", text="/t/1")
    assert isinstance(bot.post(topic, TEXT), Unknown)
    assert stored == copies(forum)
    assert stored == len(bot.find_marker(topic, MARKER))
    assert 1 == len(publishing(forum)) - before


def test_a_slow_answer_is_unknown_although_the_post_is_there(forum: StandIn, topic: str) -> None:
    """A time-out after the forum stored the post (F10)."""
    bot = enter(forum, BOT, limits=replace(QUICK, deadline=0.3))
    bot.read_topic(topic)
    forum.fail("slow", "publish", seconds=0.6)
    assert isinstance(bot.post(topic, TEXT), Unknown)
    assert 1 == copies(forum)


@pytest.mark.parametrize("at", [0, 1, 20, 90])
def test_an_answer_that_breaks_off_after_storing_is_unknown(
    forum: StandIn, bot: Adapter, topic: str, at: int
) -> None:
    """The post's id can't be read from half an answer, so nothing is known (F15)."""
    forum.fail("truncate", "publish", at=at)
    assert isinstance(bot.post(topic, TEXT), Unknown)
    assert 1 == copies(forum)


def test_too_many_requests_are_refused_with_a_wait(forum: StandIn, topic: str) -> None:
    """In the forum's own way of saying it; nothing was stored (F8)."""
    bot = enter(forum, BOT)
    bot.read_topic(topic)
    forum.fail("flood", "publish")
    refused = bot.post(topic, TEXT)
    assert isinstance(refused, Refused)
    assert (refused.retry_after is not None, 0) == (True, copies(forum))


@pytest.mark.parametrize("kind", ["login-page", "maintenance", "login-redirect"])
def test_another_page_is_never_an_empty_topic(forum: StandIn, bot: Adapter, topic: str, kind: str) -> None:
    """What is no JSON of the forum holds no posts, and says nothing of any (F14)."""
    forum.fail(kind, "topic", times=ALWAYS)
    with pytest.raises(NotATopic):
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
