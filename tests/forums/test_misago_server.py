"""Booting real Misago: what tests ask of it besides what its pages and interface show."""

from __future__ import annotations

import pytest

from jobs.demo.environments import Build, ForumBootError
from jobs.demo.misago_server import MisagoServer
from jobs.demo.postgres import PostgresServer
from tests.support.forum_fixtures import ACCOUNTS, ALICE, SCENE, TITLE

pytestmark = pytest.mark.forums


def test_the_judge_lists_what_the_database_holds(misago: MisagoServer) -> None:
    """Posts, edits and removals as the forum itself knows them."""
    topic = misago.topics[TITLE]
    written = misago.write_post(topic, ALICE.name, "uno\ndos")
    misago.edit_post(written, "tres")
    misago.remove_post(written)
    post = misago.posts()[-1]
    assert (post["id"], post["topic"], post["title"]) == (written, topic, TITLE)
    assert (post["author"], post["author_id"], post["text"]) == ("alice", misago.accounts["alice"], "tres")
    assert (post["edits"], post["removed"], post["private"], post["action"]) == (1, True, False, 0)


def test_reset_brings_back_the_start(misago: MisagoServer) -> None:
    """Posts and clock are as at the start, and nothing of what was there before is remembered."""
    start = misago.posts()
    misago.write_post(misago.topics[TITLE], ALICE.name, "hola")
    misago.shift_clock(7200)
    misago.reset()
    assert start == misago.posts()
    misago.write_post(misago.topics[TITLE], ALICE.name, "hola")
    assert 2 == len(misago.posts())


def test_two_forums_run_side_by_side(
    misago: MisagoServer, misago_build: Build, cluster: PostgresServer
) -> None:
    """Each has its own port, accounts and posts, and leaves no database behind."""
    with MisagoServer(misago_build, (ALICE,), cluster=cluster) as other:
        assert other.url != misago.url
        assert (1, 0) == (len(misago.posts()), len(other.posts()))
        assert "1" == other.accounts[ALICE.name]
    rows = cluster.run(f"SELECT 1 FROM pg_database WHERE datname LIKE '{other._database}%'")  # noqa: S608 - ours
    assert [] == rows


def test_a_forum_that_can_t_start_says_why(misago_build: Build, cluster: PostgresServer) -> None:
    """A wrong setting ends in an error with the end of the forum's log, and leaves nothing running."""
    with (
        pytest.raises(ForumBootError, match="Setting matching query does not exist"),
        MisagoServer(misago_build, ACCOUNTS, cluster=cluster, settings={"nonsense": 1}, **SCENE),
    ):
        pass
