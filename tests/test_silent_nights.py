"""Nights of `conquista` in which somebody gives no orders, in memory (design.md 1 and 2, *NMR*)."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jobs.commands.status_text import describe_game
from parsers.files.toml_text import write_entry
from processor.service.holding import retry
from processor.service.looking import look_at
from processor.store import games, locks, turns
from rules.conquista.state import State
from rules.engine.codec import load_state
from rules.play.archive import load_reading
from rules.play.reading import SeatReading
from rules.play.turns import TurnStatus
from tests.support.conquista_night import CLOSED, EARLY, LATE, ConquistaNight, start_night
from tests.support.memory_forum import BOT

WEEK = timedelta(days=7)
STATE = {
    "cells": {
        "VE-1": {"owner": "Liga", "adjacent": ["VE-2"]},
        "VE-2": {"adjacent": ["VE-3"]},
        "VE-3": {"owner": "Corona", "adjacent": ["VE-4"]},
        "VE-4": {"owner": "Gremio"},
    },
    "planets": {"VE": {"name": "Veth"}},
    "factions": {
        "Liga": {"base": "VE-1", "supplies": 6},
        "Corona": {"base": "VE-3", "supplies": 6, "block": 2},
        "Gremio": {"base": "VE-4", "supplies": 6, "block": 3},
    },
    "armies": {"E1": {"owner": "Liga", "cell": "VE-1", "troops": 3}},
}


def play(folder: Path, *, secret: bool = True, **policies: Any) -> ConquistaNight:
    """A night whose first turn is open."""
    folder.mkdir(exist_ok=True)
    night = start_night(folder / "g", load_state(State, STATE), secret=secret, policies=policies)
    night.tick(at=EARLY)
    return night


def whisper(night: ConquistaNight, account: str, *lines: str, header: str = "") -> None:
    """A block by private message."""
    night.forum.whisper(account, "\n".join((f"[órdenes {header}]", *lines, "[/órdenes]")))


def close(night: ConquistaNight, weeks: int = 0) -> None:
    """Read once more, lock, resolve and publish the turn of that week."""
    night.tick(at=LATE + weeks * WEEK)
    night.tick(at=CLOSED + weeks * WEEK)


def own(night: ConquistaNight, turn: int, seat: str) -> SeatReading:
    """A seat's reading as it was locked."""
    with night.service.database.read() as connection:
        rows = {one.ref.turn: one for one in turns.list_turns(connection, "marcas")}
        return load_reading(locks.find_lock(connection, rows[turn].id).reading).seat(seat)


def statuses(night: ConquistaNight) -> list[TurnStatus]:
    """Where the game's turns are."""
    with night.service.database.read() as connection:
        return [one.status for one in turns.list_turns(connection, "marcas")]


def status(night: ConquistaNight) -> str:
    """What `turnero status` prints."""
    with night.service.database.read() as connection:
        row = games.get_game(connection, "marcas")
    look = look_at(night.service, row)
    return "\n".join(describe_game(night.service, look, night.clock.now(), "marcas"))


def test_standing_orders_of_a_secret_game(tmp_path: Path) -> None:
    """Liga leaves standing orders and writes no more: they act on the second night, and only Liga and the
    director are told so.
    """
    night = play(tmp_path, nmr="standing")
    whisper(night, "2", "producir", header="permanentes")
    whisper(night, "3", "producir")
    close(night)
    night.tick(at=EARLY + WEEK)
    whisper(night, "3", "producir")
    shown = status(night)
    close(night, 1)

    acted = own(night, 2, "Liga")
    assert [TurnStatus.PUBLISHED] * 2 == statuses(night)[:2]
    assert (["producir"], [1]) == ([one.text for one in acted.orders], [one.since for one in acted.in_force])
    assert "  Liga    sin órdenes · permanentes del turno 1" in shown
    told = night.sent("Liga")
    assert "Sin órdenes para este turno; valen las permanentes" in told
    assert "No tenía órdenes tuyas para este turno: se han aplicado tus permanentes" in told
    assert "Liga: sin órdenes para este turno; valen las permanentes" in night.sent("director")
    assert "permanentes" not in night.public()
    assert "**Liga** — sin órdenes  \n" in night.public()


def test_standing_orders_of_an_open_game(tmp_path: Path) -> None:
    """Where orders stand in the topic everybody reads whose standing ones act; its player reads the rest."""
    night = play(tmp_path, secret=False, nmr="standing")
    night.forum.write("2", "[órdenes permanentes]\nproducir\n[/órdenes]")
    night.forum.write("3", "[órdenes turno 1]\nproducir\n[/órdenes]")
    close(night)
    night.forum.write("3", "[órdenes turno 2]\nproducir\n[/órdenes]")
    close(night, 1)
    night.tick(at=EARLY + 2 * WEEK)
    night.forum.write("2", "[órdenes permanentes]\n[/órdenes]")
    night.tick(at=LATE + 2 * WEEK)

    public, told = night.public(), night.sent("Liga")
    assert "**Órdenes permanentes** ([mensaje #3]" in told
    assert "quedan guardadas, y se aplican en los turnos en que no envíes otras." in told
    assert "**Liga** — sin órdenes para este turno; valen las permanentes ([mensaje #3]" in public
    assert "(turno 1)" in public
    assert "✔ Ya no hay órdenes permanentes." in told


def test_standing_orders_alone_trip_the_breaker(tmp_path: Path) -> None:
    """Nobody writes on the second night: standing orders or not, that is what a failed reading looks like."""
    night = play(tmp_path, nmr="standing")
    for account in ("2", "3", "4"):
        whisper(night, account, "producir", header="permanentes")
        whisper(night, account, "producir")
    close(night)
    close(night, 1)

    assert [TurnStatus.PUBLISHED, TurnStatus.HELD] == statuses(night)
    assert "3 de 3 jugadores no tienen órdenes en vigor" in night.sent("director")


def test_the_last_orders_are_repeated(tmp_path: Path) -> None:
    """Liga's orders of the first night act again on the second and on the third."""
    night = play(tmp_path, nmr="repeat")
    whisper(night, "2", "producir")
    for week in range(3):
        night.tick(at=EARLY + week * WEEK)
        whisper(night, "3", "producir")
        whisper(night, "4", "producir")
        close(night, week)

    assert [[1], [1]] == [[one.since for one in own(night, turn, "Liga").in_force] for turn in (2, 3)]
    assert "se han repetido las últimas" in night.sent("Liga")
    assert "se han repetido las últimas" not in night.public()


def test_the_rules_have_orders_for_the_silent(tmp_path: Path) -> None:
    """With `default` a turn goes on without Liga; with `hold` it waits for the director."""
    states = {}
    for policy in ("default", "hold", "nothing"):
        night = play(tmp_path / policy, nmr=policy)
        whisper(night, "3", "producir")
        whisper(night, "4", "producir")
        close(night)
        states[policy] = statuses(night)[0]

    assert {"default": "published", "hold": "held", "nothing": "published"} == states


def test_who_is_silent_for_some_turns_is_warned_and_then_decided_about(tmp_path: Path) -> None:
    """After two turns Liga's report warns and the digest names it; after three the turn waits, once."""
    night = play(tmp_path, warn_after=2, hold_after=3)
    told = []
    for week in range(3):
        night.tick(at=EARLY + week * WEEK)
        whisper(night, "3", "producir")
        whisper(night, "4", "producir")
        close(night, week)
        told.append(("Llevas" in night.sent("Liga"), "Liga lleva" in night.sent("director")))
    held = statuses(night)[2]
    retry(night.service, "marcas")
    night.tick()

    assert [(False, False), (True, True), (True, True)] == told
    assert "Llevas 2 turnos seguidos sin dar órdenes. A los 3, el director decide" in night.sent("Liga")
    assert (TurnStatus.HELD, TurnStatus.PUBLISHED) == (held, statuses(night)[2])
    assert "Liga lleva 3 turnos seguidos sin órdenes. Decide tú" in night.sent("director")
    assert "Llevas" not in night.sent("Corona")
    assert "lleva 2 turnos" not in night.public()


def test_who_is_away_is_neither_counted_nor_waited_for(tmp_path: Path) -> None:
    """Two of three have announced to be away: the breaker doesn't trip, the policy `hold` holds nothing."""
    night = play(tmp_path, nmr="hold")
    path = night.folder / "game.toml"
    for seat in ("Liga", "Gremio"):
        away = {"seat": seat, "from": date(2026, 12, 6), "until": date(2026, 12, 6)}
        path.write_text(path.read_text(encoding="utf-8") + write_entry(away, "absences"), encoding="utf-8")
    whisper(night, "3", "producir")
    close(night)

    assert TurnStatus.PUBLISHED is statuses(night)[0]


def relieve(night: ConquistaNight, **player: Any) -> None:
    """Somebody else, or nobody, has Liga from now on."""
    path = night.folder / "game.toml"
    since = night.clock.now().astimezone(ZoneInfo("Europe/Madrid")).replace(tzinfo=None)
    entry = write_entry({"seat": "Liga", "since": since, **player}, "replacements")
    path.write_text(path.read_text(encoding="utf-8") + entry, encoding="utf-8")


def test_a_replaced_players_orders_stand_until_the_new_one_orders(tmp_path: Path) -> None:
    """Alice has ordered when dave takes over: that counts for the turn, her standing orders end, and what she
    writes afterwards counts no more. In the next turn dave's do. Nothing private is shown to her any more.
    """
    night = play(tmp_path, nmr="standing")
    night.forum.accounts["dave"] = "5"
    whisper(night, "2", "producir", header="permanentes")
    whisper(night, "2", "mover E1 a VE-2")
    whisper(night, "3", "producir")
    night.tick(at=EARLY + timedelta(minutes=16))
    relieve(night, account=5, login="dave")
    whisper(night, "2", "ninguna")
    close(night)
    hers = len(to_account(night, "2"))
    whisper(night, "5", "producir")
    whisper(night, "3", "producir")
    close(night, 1)

    first, second = own(night, 1, "Liga"), own(night, 2, "Liga")
    assert ([1], ()) == ([len(one.lines) for one in first.in_force], first.standing)
    assert first.in_force[0].text == "mover E1 a VE-2"
    assert ["producir"] == [one.text for one in second.in_force]
    assert hers == len(to_account(night, "2"))
    assert "Liga" in "".join(to_account(night, "5"))


def test_a_retired_seat_keeps_what_was_ordered_and_is_waited_for_no_more(tmp_path: Path) -> None:
    """Alice's orders of the turn count; from the next on the seat is vacant, whatever was standing."""
    night = play(tmp_path, nmr="repeat")
    whisper(night, "2", "producir")
    whisper(night, "3", "producir")
    night.tick(at=EARLY + timedelta(minutes=16))
    relieve(night)
    close(night)
    whisper(night, "3", "producir")
    close(night, 1)

    assert (1, 0) == tuple(len(own(night, turn, "Liga").in_force) for turn in (1, 2))
    assert [TurnStatus.PUBLISHED] * 2 == statuses(night)[:2]


def to_account(night: ConquistaNight, account: str) -> list[str]:
    """What we have ever written in conversations with an account, edits one by one."""
    topics = {key for key, (_, people) in night.forum.conversations.items() if account in people}
    return [text for where, author, text in night.forum.written if where in topics and author == BOT]
