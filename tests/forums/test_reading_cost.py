"""What it costs to read on in a topic that is known up to some post: requests, counted on their way out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from jobs.demo.forum_server import ForumServer
from processor.forums.http import ForumHttp
from processor.ports import IncompletePage
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOT, SCENE, TITLE, Adapter, enter
from tests.support.standin import STANDINS, StandIn

PAGE = 3
"""Posts a page in these forums."""

MANY = 9_980

Server = ForumServer | StandIn
Counted = Callable[[Callable[[], Any]], int]


@pytest.fixture(params=[*(f"{name}_standin" for name in STANDINS), "spirit"])
def server(request: pytest.FixtureRequest) -> Server:
    """Every stand-in, and real Spirit."""
    found: Server = request.getfixturevalue(request.param)
    return found


@pytest.fixture
def count(monkeypatch: pytest.MonkeyPatch) -> Counted:
    """How many requests leave while something is done."""
    sent: list[str] = []
    send = ForumHttp._request

    def watched(self: ForumHttp, method: str, url: str, *more: Any) -> Any:
        sent.append(url)
        return send(self, method, url, *more)

    monkeypatch.setattr(ForumHttp, "_request", watched)

    def counted(act: Callable[[], Any]) -> int:
        before = len(sent)
        act()
        return len(sent) - before

    return counted


def fill(server: Server, posts: int) -> list[str]:
    """So many more posts by a player; their ids."""
    return [server.write_post(server.topics[TITLE], ALICE.name, f"mensaje {n}") for n in range(posts)]


def begin(server: Server, posts: int) -> tuple[Adapter, int, str]:
    """A topic of so many posts that was read to its end: who has read it, and its newest post."""
    fill(server, posts - 1)
    bot = enter(server, BOT)
    newest = bot.read_topic(server.topics[TITLE]).posts[-1]
    return bot, newest.number or 0, newest.id


@pytest.mark.parametrize("known", [PAGE + 1, PAGE + 2, 2 * PAGE])
@pytest.mark.parametrize("new", [0, 1, PAGE, 3 * PAGE])
def test_reading_on_costs_one_request_and_one_for_each_new_page(
    new: int, known: int, server: Server, count: Counted
) -> None:
    """Wherever on its page the newest known post stands: 1 + ceil(new posts / page), everything included."""
    bot, position, post_id = begin(server, known)
    fill(server, new)
    read: list[int | None] = []

    def read_on() -> None:
        read.extend(post.number for post in bot.read_topic(server.topics[TITLE], position, post_id).posts)

    assert count(read_on) <= 1 + -(-new // PAGE)
    assert list(range(PAGE + 1, known + new + 1)) == read


def test_a_post_that_was_taken_away_shows_with_the_first_request(server: Server, count: Counted) -> None:
    """The newest known post no longer stands where it stood; that is said at once, not tried again."""
    ids = fill(server, 3 * PAGE)
    bot, position, post_id = begin(server, 1)
    server.delete_post(ids[0])
    fill(server, 1)

    def read_on() -> None:
        with pytest.raises(IncompletePage, match="forum/shifted"):
            bot.read_topic(server.topics[TITLE], position, post_id)

    assert 1 == count(read_on)


@pytest.mark.parametrize("kind", STANDINS.values(), ids=STANDINS)
def test_ten_thousand_posts_without_a_new_one_cost_one_request(kind: type[StandIn], count: Counted) -> None:
    """And one more for the page that a new post begins. (Discourse says how many there are below 10,000.)"""
    with kind(ACCOUNTS, **{**SCENE, "comments_per_page": 20}) as forum:
        topic = forum.topics[TITLE]
        author = forum.state.by_name(ALICE.name)
        for n in range(2, MANY + 1):
            forum.state.add_post(int(topic), author, f"mensaje {n}")
        bot, known = enter(forum, BOT), forum.post_id(int(topic), forum.state.stored[-1].id)
        bot.read_topic(topic, MANY, known)
        read: list[int] = []

        def read_on() -> None:
            read.append(len(bot.read_topic(topic, MANY, known).posts))

        assert 1 == count(read_on)
        forum.write_post(topic, ALICE.name, "nuevo")
        assert 2 >= count(read_on)
    assert 1 <= read[0] < read[1] <= 21
