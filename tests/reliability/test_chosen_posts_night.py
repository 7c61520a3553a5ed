"""The director chooses posts while a turn is open and behind its lock: nights with a forum."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from processor.service.holding import retry
from processor.service.looking import Look, look_at
from processor.store import games
from rules.conquista.state import Army, Cell, Faction, Planet, State
from rules.play.turns import TurnStatus
from tests.support.conquista_night import CLOSED, EARLY, LATE, PLAYERS, ConquistaNight, block, start_night


def a_night(folder: Path) -> ConquistaNight:
    """The Liga has an army between two cells of its own; orders stand in the topic."""
    cells = {
        "CE-1": Cell("Liga"),
        "CE-2": Cell("Liga", ("CE-1",)),
        "CE-3": Cell("Corona", ("CE-2",)),
        "CE-4": Cell("Gremio", ("CE-3",)),
    }
    factions = {"Liga": Faction(5, "CE-1", 1), "Corona": Faction(5, None, 2), "Gremio": Faction(5, None, 3)}
    state = State({"CE": Planet("Ceniza")}, cells, factions, {"E1": Army("Liga", "CE-1", 1)})
    night = start_night(folder / "g", state, secret=False, options={"actions": [3]})
    night.tick()
    for seat in ("Corona", "Gremio"):
        night.post(seat, "esperar")
    return night


def write(night: ConquistaNight, seat: str, *lines: str) -> str:
    """A block in the topic; gives the post's id."""
    return str(night.forum.write(PLAYERS[seat][0], block(*lines)).id)


def status(night: ConquistaNight) -> TurnStatus:
    """Where the first turn stands."""
    return look(night).turn.status


def look(night: ConquistaNight) -> Look:
    """The first turn as `status` sees it."""
    with night.service.database.read() as connection:
        row = games.find_game(connection, "marcas")
    assert row is not None
    return look_at(night.service, row, 1)


def report(night: ConquistaNight, name: str = "report") -> str:
    """A text of the first turn as it lies in the folder."""
    return (night.folder / "reports" / "turn-001" / f"{name}.md").read_text(encoding="utf-8")


def receipts(night: ConquistaNight) -> str:
    """The public receipts as they stand now."""
    return next(post.text for post in night.forum.by_bot() if ":receipts:" in post.text)


def test_a_post_ignored_while_the_turn_is_open(tmp_path: Path) -> None:
    """The next receipts show it, the lock keeps it, the report gives old, new and reason."""
    night = a_night(tmp_path)
    write(night, "Liga", "mover E1 a CE-2")
    night.tick(at=EARLY)
    second = write(night, "Liga", "esperar")
    night.tick(at=EARLY + timedelta(minutes=16))
    before = receipts(night)
    night.correct({"ignore_post": second, "reason": "Lo escribió su hermano"})
    night.tick(at=LATE + timedelta(minutes=5))
    after = receipts(night)

    assert "el director no lo cuenta" not in before
    assert "el director no lo cuenta: Lo escribió su hermano" in after
    assert ["mover E1 a CE-2"] == [one.text for one in look(night).reading.seat("Liga").orders]

    night.tick(at=CLOSED)
    night.tick(at=CLOSED + timedelta(minutes=30))

    assert TurnStatus.PUBLISHED is status(night)
    assert "no lo cuenta: Lo escribió su hermano" in receipts(night)
    assert "vale: `mover E1 a CE-2`" in report(night)
    assert ["mover E1 a CE-2"] == [one.text for one in look(night).reading.seat("Liga").orders]


def test_a_post_written_behind_the_lock_is_accepted(tmp_path: Path) -> None:
    """The turn is held at midnight; the Liga's orders come then; the director accepts them.

    What its author makes of the post afterwards changes nothing.
    """
    night = a_night(tmp_path)
    night.correct({"die": "nada/de/nada", "value": 1, "reason": "Un error"})
    night.tick(at=CLOSED)
    assert TurnStatus.HELD is status(night)
    late = night.forum.write(PLAYERS["Liga"][0], block("mover E1 a CE-2"))
    write(night, "Corona", "producir")
    night.correct({"accept_post": "999", "reason": "Llegó tarde por el foro"})
    retry(night.service, "marcas")
    night.tick(at=CLOSED + timedelta(minutes=10))

    assert TurnStatus.HELD is status(night)
    assert f"«{late.id}»" in (look(night).turn.reason or "")

    night.forum.rewrite(late.id, block("esperar"))
    night.correct({"accept_post": str(late.id), "reason": "Llegó tarde por el foro"})
    retry(night.service, "marcas")
    night.tick(at=CLOSED + timedelta(minutes=20))
    night.tick(at=CLOSED + timedelta(minutes=50))

    assert TurnStatus.PUBLISHED is status(night)
    assert "`mover E1 a CE-2`. *Llegó tarde por el foro* (hecha después del cierre)" in report(night)
    assert "**Llegaron tarde y no cuentan:** Corona" in report(night)
