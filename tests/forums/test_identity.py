"""Whose a post is, and where it stands: the same over every stand-in.

The account decides, never the name that is shown; and whatever moderators do with topics and posts, none is
lost without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from jobs.demo.forum_server import Account, OpeningPost
from processor.ports import IncompletePage
from rules.play.posts import Limit
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOT, GM, SCENE, TITLE, Adapter, enter
from tests.support.standin import STANDINS, StandIn

ALIKE = ("Alice", "ALICE", "\u0430lice", "alice\u200b", "al\u00edce", "a\u006c\u0131ce", "alice.")
"""Another case, a Cyrillic letter, an invisible one, an accent, a dotless i, a full stop."""
OTHER = "Otro tema"


@pytest.fixture(params=list(STANDINS))
def forum(request: pytest.FixtureRequest) -> Iterator[StandIn]:
    """A forum with two topics, whose accounts look alike."""
    alike = tuple(Account(name, f"Passw0rd-{n}") for n, name in enumerate(ALIKE))
    topics = (*SCENE["topics"], OpeningPost(OTHER, "Aquí no se juega.", GM.name))
    with STANDINS[request.param]((*ACCOUNTS, *alike), **{**SCENE, "topics": topics}) as server:
        yield server


def authors(bot: Adapter, forum: StandIn) -> list[tuple[str | None, str]]:
    """Account and name of each post but the topic's first."""
    return [(post.author_id, post.author) for post in bot.read_topic(forum.topics[TITLE]).posts[1:]]


def texts(bot: Adapter, forum: StandIn, since: int | None = None, known: str | None = None) -> list[str]:
    """What each post says, but for the topic's first."""
    posts = bot.read_topic(forum.topics[TITLE], since, known).posts
    return [re.sub("<[^>]*>", "", post.html or "").strip() for post in posts if post.number != 1]


def test_names_that_look_alike_are_different_accounts(forum: StandIn) -> None:
    """Nobody orders for Alice by calling themselves nearly so."""
    topic = int(forum.topics[TITLE])
    people = [one for one in forum.state.accounts.values() if one.name in (ALICE.name, *ALIKE)]
    for one in people:
        forum.state.add_post(topic, one, "hola")
    seen = authors(enter(forum, BOT), forum)
    assert [one.name for one in people] == [name for _, name in seen]
    assert [forum.account_id(one.id) for one in people] == [account for account, _ in seen]
    assert len(people) == len({account for account, _ in seen}) == len(ALIKE) + 1


def test_a_renamed_player_stays_the_same(forum: StandIn) -> None:
    """Earlier and later posts have the account's id, and the new name; where names are all there is, that is
    stated, and the renamed is somebody else.
    """
    topic, bot = forum.topics[TITLE], enter(forum, BOT)
    forum.write_post(topic, "alice", "uno")
    ((before, _),) = authors(bot, forum)
    forum.rename("alice", "Alicia de Veth")
    forum.write_post(topic, "Alicia de Veth", "dos")
    after = {account for account, _ in authors(bot, forum)}
    named = Limit.NAMES in bot.capabilities.limits
    assert {"Alicia de Veth"} == {name for _, name in authors(bot, forum)}
    assert ({"Alicia de Veth"} if named else {before}) == after


def test_a_name_that_is_taken_over_is_not_the_account(forum: StandIn) -> None:
    """Bob takes the name that Alice has left: he isn't Alice, where an account is more than a name."""
    topic, bot = forum.topics[TITLE], enter(forum, BOT)
    forum.write_post(topic, "alice", "uno")
    forum.rename("alice", "antes-alice")
    forum.rename("bob", "alice")
    forum.write_post(topic, "alice", "dos")
    (alice, _), (bob, name) = authors(bot, forum)
    assert ("alice", True) == (name, alice != bob)
    if Limit.NAMES not in bot.capabilities.limits:
        assert [forum.accounts["alice"], forum.accounts["bob"]] == [alice, bob]


def test_a_post_that_is_moved_away_is_noticed(forum: StandIn) -> None:
    """Who reads on is told that posts have moved; who reads all has the others."""
    topic, bot = forum.topics[TITLE], enter(forum, BOT)
    ids = [forum.write_post(topic, "alice", f"mensaje {n}") for n in range(2, 7)]
    forum.move_post(ids[0], forum.topics[OTHER])
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 6, ids[-1])
    assert [f"mensaje {n}" for n in range(3, 7)] == texts(bot, forum)


def test_posts_of_another_topic_that_are_moved_in_are_noticed(forum: StandIn) -> None:
    """Two topics are merged: the older posts stand among ours, and all that follow move down."""
    topic, bot = forum.topics[TITLE], enter(forum, BOT)
    moved = [forum.write_post(forum.topics[OTHER], "bob", f"de fuera {n}") for n in range(2)]
    ids = [forum.write_post(topic, "alice", f"mensaje {n}") for n in range(2, 5)]
    bot.read_topic(topic)
    for one in moved:
        forum.move_post(one, topic)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 4, ids[-1])
    assert ["de fuera 0", "de fuera 1", "mensaje 2", "mensaje 3", "mensaje 4"] == texts(bot, forum)


def test_a_topic_that_is_emptied_is_not_read_on(forum: StandIn) -> None:
    """All but the first post are gone: nothing is read as if nothing had happened."""
    topic, bot = forum.topics[TITLE], enter(forum, BOT)
    ids = [forum.write_post(topic, "alice", f"mensaje {n}") for n in range(2, 9)]
    bot.read_topic(topic)
    for one in ids:
        forum.delete_post(one)
    with pytest.raises(IncompletePage, match="forum/shifted"):
        bot.read_topic(topic, 8, ids[-1])
    assert [] == texts(bot, forum)
