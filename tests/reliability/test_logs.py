"""What the log says and never says: a known password, cookie, seed and secret order are looked for (F33)."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from jobs.logs import LogFormat, RedactingFormatter, set_up_logging
from jobs.sessions import SessionFile
from jobs.tick import tick
from processor.service.bundle import Service
from processor.store import games
from rules.play.turns import GameStatus
from tests.support.small_game import PIPELINE
from tests.support.small_night import Night, start_night

PASSWORD, ORDER, COOKIE = "clave-secretisima", "canario del norte", "c0ffee-galleta-c0ffee"
SEED = b"\x07" * 32
SECRETS = (PASSWORD, ORDER, COOKIE, SEED.hex(), repr(SEED))


@pytest.fixture(params=list(LogFormat))
def log(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """Everything that is logged, at debug level, in one form and the other."""
    told = io.StringIO()
    handler = logging.StreamHandler(told)
    handler.setFormatter(RedactingFormatter([PASSWORD], request.param))
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield told
    root.removeHandler(handler)
    root.setLevel(before)


def poisoned(night: Night) -> Service:
    """A rule set that puts everything it knows into its exception."""

    def fail(play: Any, versions: Any, *_: Any) -> Any:
        posts = [one.post.raw or one.post.html for one in versions]
        if any(ORDER in (one or "") for one in posts):
            raise KeyError(f"{ORDER!r} {PASSWORD} {SEED!r} {SEED.hex()} sessionid={COOKIE}")
        return PIPELINE.read_turn(play, versions, *_)

    return replace(night.service, pipeline=replace(PIPELINE, read_turn=fail))


def test_an_exception_full_of_secrets_leaves_none_behind(log: io.StringIO, tmp_path: Path) -> None:
    """Neither in the log nor in why the game is parked, which `status` shows."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.whisper("2", f"[órdenes]\n1. tirar {ORDER}\n[/órdenes]")
    night.clock.sleep(900)
    tick(poisoned(night), patience=0)
    with night.service.database.read() as connection:
        row = games.get_game(connection, "pequena")
    shown = f"{log.getvalue()}\n{RedactingFormatter([PASSWORD])._redact(row.note or '')}"
    assert ("KeyError" in log.getvalue(), GameStatus.PARKED) == (True, row.status)
    assert [] == [one for one in SECRETS if one in shown]


def test_the_reason_of_a_parked_game_names_no_order_and_no_seed(tmp_path: Path) -> None:
    """It is stored, so it is cut before."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.whisper("2", f"[órdenes]\n1. tirar {ORDER}\n[/órdenes]")
    night.clock.sleep(900)
    tick(poisoned(night), patience=0)
    with night.service.database.read() as connection:
        note = games.get_game(connection, "pequena").note or ""
    assert ("KeyError" in note, [False] * 3) == (
        True,
        [one in note for one in (ORDER, SEED.hex(), repr(SEED))],
    )


def test_a_night_at_debug_level_says_no_secret(log: io.StringIO, tmp_path: Path) -> None:
    """Every step of it, with the game, what was done and what came of it."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.whisper("2", f"[órdenes]\ntirar {ORDER}\n[/órdenes]")
    for _ in range(12):
        night.clock.sleep(900)
        tick(night.service)
    assert [] == [one for one in SECRETS if one in log.getvalue()]
    assert "pequena" in log.getvalue()


def test_a_database_error_shows_no_value(log: io.StringIO, tmp_path: Path) -> None:
    """What was to be stored stands in no message (`hide_parameters`)."""
    night = start_night(tmp_path / "g")
    with pytest.raises(DBAPIError) as refused, night.service.database.write() as connection:
        connection.execute(text("INSERT INTO nowhere VALUES (:order)"), {"order": ORDER})
    logging.getLogger("turnero").error("store", exc_info=refused.value)
    assert ORDER not in str(refused.value)
    assert ("nowhere" in log.getvalue(), ORDER in log.getvalue()) == (True, False)


def test_the_cookies_of_a_kept_session_never_show(log: io.StringIO, tmp_path: Path) -> None:
    """As soon as they are saved or read."""
    SessionFile(tmp_path, "http://foro.example", "turnero").save(json.dumps([["sid", COOKIE, "foro", "/"]]))
    logging.getLogger("turnero").warning("the forum said %s", COOKIE)
    assert ("***" in log.getvalue(), COOKIE in log.getvalue()) == (True, False)


@pytest.mark.parametrize(
    "said",
    [
        f"Cookie: sessionid={COOKIE}",
        f"{{'csrftoken': '{COOKIE}'}}",
        f"Api-Key: {COOKIE}",
        f"postgresql://turnero:{COOKIE}@db/turnero",
    ],
)
def test_what_looks_like_a_secret_is_cut(said: str) -> None:
    """By the name that stands before it, or its place in an address."""
    record = logging.LogRecord("turnero", logging.INFO, "", 1, said, (), None)
    assert COOKIE not in RedactingFormatter().format(record)


def test_a_json_line_is_one_object_with_its_fields() -> None:
    """What a step did can be counted by a machine; what a player wrote can't end the line."""
    record = logging.LogRecord("turnero.step", logging.INFO, "", 1, "step\n%s", ("\x1b[31mrojo",), None)
    record.__dict__.update(game="veth", track="", turn=3, attempt=1, step="open", outcome="done", seconds=0.5)
    line = RedactingFormatter(form=LogFormat.JSON).format(record)
    told = json.loads(line)
    assert (True, 1) == (line.isprintable(), len(line.splitlines()))
    assert {"game": "veth", "turn": 3, "attempt": 1, "step": "open", "outcome": "done", "seconds": 0.5} == {
        name: told[name] for name in ("game", "turn", "attempt", "step", "outcome", "seconds")
    }


def test_a_readable_line_names_the_game_and_the_step() -> None:
    """Behind its words."""
    record = logging.LogRecord("turnero.step", logging.INFO, "", 1, "step", (), None)
    record.__dict__.update(game="veth", track="", turn=3, attempt=1, step="open", outcome="done", seconds=0.5)
    line = RedactingFormatter().format(record)
    assert line.endswith("step game=veth turn=3 attempt=1 step=open outcome=done seconds=0.5")


def test_an_exception_that_hides_nothing_is_told_in_its_own_words(tmp_path: Path) -> None:
    """Who has to mend it sees what it says."""

    def fail(*_: Any) -> Any:
        raise ZeroDivisionError("division by zero")

    night = start_night(tmp_path / "g")
    tick(night.service)
    night.clock.sleep(900)
    tick(replace(night.service, pipeline=replace(PIPELINE, read_turn=fail)), patience=0)
    with night.service.database.read() as connection:
        assert "ZeroDivisionError: division by zero" == games.get_game(connection, "pequena").note


def test_the_scheduler_is_heard_only_where_something_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    """A director who watches `serve` reads what Turnero does, not that a job was run each minute."""
    root, scheduler = logging.getLogger(), logging.getLogger("apscheduler.scheduler")
    before = root.handlers[:], root.level
    set_up_logging(logging.INFO)
    scheduler.info("Added job")
    scheduler.warning("Run time was missed")
    root.handlers[:], root.level = before
    assert ["Run time was missed"] == [
        line.rpartition("scheduler: ")[2] for line in capsys.readouterr().err.splitlines()
    ]
