"""The forum is tried out ahead of the deadline, without a trace and without disturbing the turn."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from jobs.commands.status_text import describe_game
from jobs.tick import tick
from processor.ports import LoginFailed, NotATopic
from processor.service.looking import look_at
from processor.store import games
from processor.store.health import read_health
from rules.play.posts import Visibility
from rules.play.turns import TurnStatus
from tests.reliability.test_clock import turn_of
from tests.support.forum_fixtures import BOT, TITLE, connect
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC, Fault, MemoryForum
from tests.support.small_night import Night, start_night

DUE = DEADLINE + timedelta(days=3)


class TriedForum(MemoryForum):
    """A forum that tells what it would take. closed: nothing. fixed: no edits. probes: how often asked."""

    closed = False
    fixed = False
    banned = False
    probes = 0

    def open(self) -> str:
        """See `Forum.open`."""
        if self.banned:
            raise LoginFailed("forum/login-refused", "banned")
        return super().open()

    def probe_topic(self, _topic: str) -> None:
        """See `Probing.probe_topic`."""
        self.probes += 1
        if self.closed:
            raise NotATopic("forum/closed", "closed")

    def probe_edit(self, post_id: str) -> None:
        """See `Probing.probe_edit`."""
        if self.fixed:
            raise NotATopic("forum/forbidden", f"post {post_id}")

    def probe_private(self) -> None:
        """See `Probing.probe_private`."""


def begin(folder: Path, canary: float | None = 6) -> tuple[Night, TriedForum]:
    """A game whose first turn is open for three days, on a forum that tells what it would take."""
    night = start_night(folder / "g", director="gm", canary=canary, first="2026-12-09T22:00")
    night.forum.__class__ = TriedForum
    assert isinstance(night.forum, TriedForum)
    return night, night.forum


def go(night: Night, *hours: float) -> None:
    """Time goes on to so many hours before the deadline, each in turn, and what is due is done."""
    for one in hours:
        night.clock.set(DUE - timedelta(hours=one))
        tick(night.service)


def letters(night: Night) -> list[str]:
    """The first lines of what was written in private."""
    return [post.text.split("\n")[0] for post in night.forum.by_bot() if post.topic != TOPIC]


def failing(night: Night) -> int:
    """How many games the probe sees whose canary failed."""
    with night.service.database.read() as connection:
        return read_health(connection, night.clock.now()).canary


def test_it_is_sent_when_the_game_opens_and_six_hours_before_the_deadline(tmp_path: Path) -> None:
    """Twice, and nothing of it can be seen in the forum."""
    night, forum = begin(tmp_path)
    asked = []
    for hours in (70, 69, 30, 6, 5.7, 4):
        go(night, hours)
        asked.append(forum.probes)
    assert [1, 1, 1, 2, 2, 2] == asked
    assert [] == letters(night)


def test_a_closed_topic_is_told_hours_ahead_and_the_turn_goes_on(tmp_path: Path) -> None:
    """In a letter, in the words kept for `status`, to the probe; once, as long as nothing else is wrong."""
    night, forum = begin(tmp_path)
    go(night, 70)
    forum.closed = True
    go(night, 6, 5.5, 4.9, 3.8)
    turn, said = turn_of(night), "El tema está cerrado: no puedo publicar en él"
    assert (TurnStatus.OPEN, said, 0) == (turn.status, turn.canary, turn.failures)
    assert ([f"canary: {said}"], 1, 4) == (letters(night), failing(night), forum.probes)


def test_it_is_tried_again_every_hour_until_it_is_mended(tmp_path: Path) -> None:
    """Then the warning is gone."""
    night, forum = begin(tmp_path)
    go(night, 70)
    forum.closed = True
    go(night, 6)
    forum.closed = False
    go(night, 5.5)
    between = turn_of(night).canary is not None
    go(night, 4.9)
    assert (True, None, 0) == (between, turn_of(night).canary, failing(night))


def test_a_refused_login_is_told_though_no_letter_can_leave(tmp_path: Path) -> None:
    """`status` and the probe have it; once the account works the letter goes out too."""
    night, forum = begin(tmp_path)
    go(night, 70)
    forum.banned = True
    go(night, 6, 5.5)
    assert (True, 1, []) == (bool(turn_of(night).canary), failing(night), letters(night))
    forum.banned = False
    go(night, 4.5, 4.2)
    assert (None, 1) == (turn_of(night).canary, len(letters(night)))


def test_a_forum_that_keeps_refusing_for_the_moment_is_told(tmp_path: Path) -> None:
    """Its pause between posts was raised, say: no form shows it, the texts that don't leave do."""
    night, forum = begin(tmp_path)
    forum.post_faults.extend([Fault.REFUSE_FOR_NOW] * 40)
    go(night, 70)
    for _ in range(8):
        night.clock.sleep(300)
        tick(night.service)
    go(night, 6)
    said = turn_of(night).canary or ""
    with night.service.database.read() as connection:
        row = games.get_game(connection, "pequena")
    status = list(describe_game(night.service, look_at(night.service, row), night.clock.now(), "g"))
    assert (
        "intentos sin aceptar lo que publico (el foro dice «too fast»): mira si ha subido el tiempo" in said
    )
    assert any("  Todavía no ha salido (el foro dice «too fast»). Próximo intento: " in one for one in status)


def test_a_text_that_waits_for_a_moderator_is_told(tmp_path: Path) -> None:
    """Once, whether the topic shows it or not."""
    night, forum = begin(tmp_path)
    forum.post_faults.append(Fault.QUEUE)
    go(night, 70, 6)
    assert "Un mensaje mío espera a un moderador y nadie lo ve" == (turn_of(night).canary or "").split(":")[0]


def test_texts_that_wait_are_counted_once(tmp_path: Path) -> None:
    """What the topic shows of them may be more than the turn's own texts, such as a test line."""
    night, forum = begin(tmp_path)
    for text in ("Una prueba", "Otra"):
        forum.write("1", text)
        forum.posts[-1].visibility = Visibility.UNAPPROVED
    forum.post_faults.append(Fault.QUEUE)
    go(night, 70, 6)
    told = (turn_of(night).canary or "").split("\n")
    assert ["2 mensajes míos esperan a un moderador y nadie los ve"] == [one.split(":")[0] for one in told]


def test_edits_that_are_no_longer_allowed_are_told(tmp_path: Path) -> None:
    """Receipts are edited as orders come in: better to know it hours before the deadline."""
    night, forum = begin(tmp_path)
    go(night, 70, 69)
    forum.fixed = True
    go(night, 6)
    assert turn_of(night).canary is not None
    forum.fixed = False
    go(night, 4.9)
    assert turn_of(night).canary is None


def test_it_can_be_left_out(tmp_path: Path) -> None:
    """`canary = false`."""
    night, forum = begin(tmp_path, canary=None)
    go(night, 70, 6, 1)
    assert 0 == forum.probes


@pytest.mark.parametrize("server", ["standin", "spirit"])
def test_a_forum_that_would_take_a_post_says_so_and_keeps_nothing(
    server: str, request: pytest.FixtureRequest
) -> None:
    """The forms are looked at and not sent."""
    forum = request.getfixturevalue(server)
    bot = connect(forum, BOT)
    before = len(forum.posts())
    bot.probe_topic(forum.topics[TITLE])
    bot.probe_private()
    assert before == len(forum.posts())


@pytest.mark.parametrize("server", ["standin", "spirit"])
@pytest.mark.parametrize("code", ["forum/closed", "forum/missing"])
def test_a_forum_that_would_take_none_says_why(
    code: str, server: str, request: pytest.FixtureRequest
) -> None:
    """A closed topic, and one that isn't there."""
    forum = request.getfixturevalue(server)
    topic = forum.topics[TITLE]
    forum.close_topic(topic)
    with pytest.raises(NotATopic, match=code):
        connect(forum, BOT).probe_topic(topic if code == "forum/closed" else "99999")
