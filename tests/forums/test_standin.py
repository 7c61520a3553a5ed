"""The stand-in forum itself: what it keeps, tells and lets tests do."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import requests

from rules.play.posts import Published, Visibility
from tests.support.forum_fixtures import ACCOUNTS, ALICE, BOT, GM, SCENE, TITLE, connect
from tests.support.standin import STANDINS, StandIn


def test_the_journal_holds_what_happened(tmp_path: Path) -> None:
    """Every event is a JSON line in the file as soon as it has happened, in the order of the log."""
    journal = tmp_path / "events.jsonl"
    with StandIn(ACCOUNTS, **SCENE, journal=journal) as forum:
        forum.fail("store-then-drop", "publish")
        connect(forum, ALICE).post(forum.topics[TITLE], "mover E3")
        lines = [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]
        assert [line["what"] for line in lines] == [event.what for event in forum.events()]
    kinds = [line["kind"] for line in lines]
    assert kinds[-3:] == ["request", "fault", "stored"]
    assert (lines[-1]["account"], lines[-1]["detail"]) == ("alice", "mover E3")


def test_both_judges_list_the_same_keys(standin: StandIn) -> None:
    """A test can ask the stand-in and real Spirit alike."""
    (post,) = standin.posts()
    assert set(post) == {
        *("id", "topic", "title", "private", "author_id", "author"),
        *("text", "edits", "removed", "action", "date"),
    }


def test_the_clock_can_be_set_moved_and_followed(standin: StandIn) -> None:
    """Posts and Date header go by the forum's clock, whoever turns it."""
    noon = datetime(2027, 3, 1, 12, 0, tzinfo=UTC)
    standin.set_clock(noon)
    standin.shift_clock(3600)
    alice = connect(standin, ALICE)
    alice.post(standin.topics[TITLE], "hola")
    assert alice.server_time() == noon + timedelta(hours=1)
    standin.follow_clock(lambda: noon + timedelta(days=1))
    alice.post(standin.topics[TITLE], "otra vez")
    posts = alice.read_topic(standin.topics[TITLE]).posts
    assert [post.created_at for post in posts[1:]] == [noon + timedelta(hours=1), noon + timedelta(days=1)]


def test_tests_can_write_without_requests(standin: StandIn) -> None:
    """Posts, edits and notices come into being without the network, and read like any others."""
    topic = standin.topics[TITLE]
    written = standin.write_post(topic, ALICE.name, "uno")
    standin.edit_post(written, "dos")
    standin.add_notice(topic, GM.name)
    assert standin.requests() == []
    posts = connect(standin, BOT).read_topic(topic).posts
    assert [(post.html, post.edits, post.visibility) for post in posts[1:]] == [
        ("<p>dos</p>", 1, Visibility.VISIBLE),
        (None, 0, Visibility.NOTICE),
    ]


def test_a_fault_spoils_as_many_requests_as_told(standin: StandIn) -> None:
    """After its times, a fault is over, and the log has each."""
    standin.fail("error-before", "publish", times=2)
    alice = connect(standin, ALICE)
    outcomes = [type(alice.post(standin.topics[TITLE], f"texto {n}")).__name__ for n in range(3)]
    assert outcomes == ["Unknown", "Unknown", "Published"]
    assert [event.what for event in standin.events("fault")] == ["error-before"] * 2


def test_waiting_for_an_event_ends(standin: StandIn) -> None:
    """A test can wait for something to be stored, and is told when it never is."""
    assert isinstance(connect(standin, ALICE).post(standin.topics[TITLE], "hola"), Published)
    standin.wait_for("stored", 2)
    with pytest.raises(TimeoutError, match="no 9 events of kind stored"):
        standin.wait_for("stored", 9, timeout=0.0)


def test_a_request_without_the_form_s_token_is_forbidden(standin: StandIn) -> None:
    """The stand-in insists on the token, else an adapter that forgets it would pass its tests."""
    alice = connect(standin, ALICE)
    alice.open()
    answer = alice._session.http.post("comment/1/publish/", {"comment": "x"}, "")
    assert answer.status == 403
    assert len(standin.posts()) == 1


@pytest.mark.parametrize("agent", ["TurnBot/1.0", "python-requests/2.32"])
@pytest.mark.parametrize("kind", STANDINS.values(), ids=STANDINS)
def test_a_request_that_calls_itself_a_bot_fails_its_test(kind: type[StandIn], agent: str) -> None:
    """Forums shut it out without saying so; whoever made it learns so when the stand-in ends."""
    asked = {"User-Agent": agent}
    with pytest.raises(AssertionError, match=agent), kind(ACCOUNTS, **SCENE) as forum:
        requests.get(f"{forum.url}/", headers=asked, timeout=10)
