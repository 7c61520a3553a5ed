"""A forum that appends a text to the one before: each text stands there once, is edited by itself and is
found again, however many share a post (forums.md 3.2).
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from jobs.tick import tick
from processor.cleaning import OwnPost, Twin, find_own_posts, find_twins, without_twins
from processor.store import turns
from rules.play.joined import split_texts
from rules.play.posts import Merged, Post, Precision, Published, Reading
from rules.play.turns import TurnRef, TurnStatus
from tests.reliability.test_night import AFTER, reason_of, status_of
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import BOT, TOPIC, Fault
from tests.support.small_night import Night, start_night

WHOLE = ["1.1:open:1/1", "1.1:receipts:1/1", "1.1:report:1/2", "1.1:report:2/2"]
ALL = timedelta(hours=9)
HOUR = timedelta(hours=1)
REPORT = "ptd1:g:3.1:report:1/1:0123abcd"
RECEIPTS = "ptd1:g:3.1:receipts:1/1"


def start(folder: Path, merges: timedelta | None) -> Night:
    """A night in which nobody but us writes in the topic, so that nothing parts our texts."""
    night = start_night(folder, director="gm")
    night.forum.merges = merges
    return night


def play(night: Night) -> None:
    """Opening, two seats' orders in private, one of them changed; the deadline."""
    tick(night.service)
    night.forum.whisper("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.clock.sleep(900)
    tick(night.service)
    night.forum.whisper("3", "[órdenes]\ntirar secreto\n[/órdenes]")
    night.clock.set(DEADLINE - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(AFTER)
    for _ in range(4):
        tick(night.service)
        night.clock.sleep(130)


def texts(night: Night) -> list[str]:
    """Our public texts, wherever they stand; without what is hashed over posts' numbers, which differ."""
    found = [text for post in night.forum.by_bot(TOPIC) for text in split_texts(post.text)]
    return [re.sub(r"(?<=Cerrado: )[0-9a-f]{64}|(?<=report:[12]/2:)[0-9a-f]{8}", "…", text) for text in found]


def kinds(night: Night) -> list[str]:
    """Their markers, without game and hash."""
    return [":".join(text.split("\n")[-1].split(":")[2:5]) for text in texts(night)]


@pytest.fixture(scope="module")
def apart(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The same night's texts in a forum that leaves each its post."""
    night = start(tmp_path_factory.mktemp("apart") / "g", None)
    play(night)
    assert (WHOLE, 4) == (kinds(night), len(night.forum.by_bot(TOPIC)))
    return texts(night)


@pytest.mark.parametrize(("merges", "posts"), [(HOUR, 2), (ALL, 1)])
def test_texts_that_share_a_post_are_the_same_texts(
    merges: timedelta, posts: int, tmp_path: Path, apart: list[str]
) -> None:
    """Opening, receipts that are edited twice more, both parts of the report: byte for byte what would stand
    in posts of their own, and the turn is published.
    """
    night = start(tmp_path / "g", merges)
    play(night)
    assert (apart, posts) == (texts(night), len(night.forum.by_bot(TOPIC)))
    assert (TurnStatus.PUBLISHED, (None, None)) == (status_of(night), reason_of(night))


@pytest.mark.parametrize("fault", [Fault.STORE_THEN_DROP, Fault.DROP_BEFORE_STORE])
@pytest.mark.parametrize("request_number", range(8))
def test_a_lost_answer_leaves_one_copy_of_each(
    fault: Fault, request_number: int, tmp_path: Path, apart: list[str]
) -> None:
    """The n-th request of the night is lost before or after it was stored: what stands in the middle of a
    post is found there, and what doesn't is sent.
    """
    night = start(tmp_path / "g", ALL)
    night.forum.post_faults.extend([*[None] * request_number, fault])
    play(night)
    assert Counter(apart) == Counter(texts(night))
    assert TurnStatus.PUBLISHED is status_of(night)


def test_a_copy_that_shows_up_late_is_taken_out_of_the_post(tmp_path: Path, apart: list[str]) -> None:
    """A text that was sent again and stands there twice: the second goes, all else stays."""
    night = start(tmp_path / "g", ALL)
    tick(night.service)
    post = night.forum.by_bot(TOPIC)[0]
    night.forum.append(post, post.text)
    play(night)
    assert (apart, 1) == (texts(night), len(night.forum.by_bot(TOPIC)))


def test_a_turn_opens_with_its_text_and_not_with_the_post_in_which_that_stands(tmp_path: Path) -> None:
    """The report is appended to a post of two hours before; what was written in between isn't for the new
    turn, whose opening it carries.
    """
    night = start(tmp_path / "g", ALL)
    play(night)
    with night.service.database.read() as connection:
        following = turns.find_attempt(connection, TurnRef("pequena", 2))
    assert following is not None
    assert following.opened_at is not None
    assert AFTER <= following.opened_at < AFTER + timedelta(minutes=2)


def test_the_forum_of_these_tests_merges(tmp_path: Path) -> None:
    """It says so, edits one text of a post alone, and refuses to put in a text that isn't there."""
    forum = start(tmp_path / "g", HOUR).forum
    first, second = f"uno\n\n{REPORT}", f"dos\n\n{RECEIPTS}"
    made = forum.post(TOPIC, first)
    assert isinstance(made, Published)
    assert Merged(made.post_id) == forum.post(TOPIC, second)
    assert [first] == [found.text for found in forum.find_marker(TOPIC, REPORT)]
    forum.edit(made.post_id, f"tres\n\n{RECEIPTS}")
    assert (first, f"tres\n\n{RECEIPTS}") == split_texts(forum.find(int(made.post_id)).text)


def read(html: str) -> Reading:
    """A reading with one post of ours."""
    post = Post("9", TOPIC, BOT, "x", DEADLINE, Precision.MINUTE, "", html=html)
    return Reading(TOPIC, (post,), 1, 1, DEADLINE)


def test_every_text_of_a_post_is_seen_by_its_marker() -> None:
    """When the first came to stand there is known; of those that were appended the forum doesn't say it."""
    html = f"Informe<br />\n{REPORT}<hr />\nAcuses<br />\n{RECEIPTS}"
    both = (OwnPost("9", REPORT, DEADLINE), OwnPost("9", RECEIPTS, None))
    assert both == find_own_posts([read(html)], BOT)
    assert () == find_own_posts([read(html + "<br />y algo más")], BOT)
    quoted = f"<blockquote>Informe<br />{REPORT}</blockquote>Acuses<br />{RECEIPTS}"
    assert [RECEIPTS] == [one.marker for one in find_own_posts([read(quoted)], BOT)]


def test_a_text_that_stands_twice_in_a_post_stays_once() -> None:
    """As does one whose copy stands in another post, and what shares that post isn't touched."""
    same = [OwnPost("9", REPORT, DEADLINE), OwnPost("9", REPORT, None)]
    assert (Twin("9", "9", REPORT),) == find_twins(same)
    assert 1 == len({one.marker for one in without_twins(same, find_twins(same))})
    other = [OwnPost("9", REPORT, DEADLINE), OwnPost("10", REPORT, DEADLINE), OwnPost("10", RECEIPTS, None)]
    assert (Twin("10", "9", REPORT),) == find_twins(other)
    assert (other[0], other[2]) == without_twins(other, find_twins(other))
