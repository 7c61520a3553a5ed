"""A published turn is played again from what is stored of it: all comes out alike, and whatever was changed
since is named (reliability.md 4, I2).
"""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Table, select, update

from parsers.files.toml_text import write_toml
from processor.pipeline.differences import Check
from processor.service.bundle import Service
from processor.service.holding import retry
from processor.service.replaying import replay
from processor.service.resolving import load_frozen_with
from processor.service.verifying import Kept, NoResult, find_kept, verify_kept
from processor.store import games
from processor.store.evidence import load_versions
from processor.store.tables import metadata
from rules.conquista.state import Army, Cell, Faction, Odds, Planet, State
from tests.support import conquista_night, fair_night
from tests.support.conquista_night import CLOSED, EARLY, ConquistaNight
from tests.support.fair_night import FairNight
from tests.support.hand_clock import DEADLINE

ROOT = Path(__file__).parents[1]
STORED = ("commitment", "published", "proofs", "rolls", "proof-files")
AGAIN = ("digests", "reading", "lock", "run", "dice", "questions", "events", "state")
WRITTEN = ("proofs-again", "texts", "files", "folder")


def play_fair(folder: Path) -> FairNight:
    """A day with a question, an answer behind the dice, corrections on both sides of the lock, a die."""
    night = fair_night.start_night(folder / "g")
    night.tick()
    night.post("Ana", "vender peluche en Tómbola")
    night.post("Bea", "jugar en Tómbola", "trabajar")
    night.tick(at=DEADLINE - timedelta(minutes=40))
    early = {"add": "Ciro", "order": "trabajar", "reason": "Lo dijo de viva voz"}
    night.correct(early)
    night.tick(at=fair_night.CLOSED)
    night.post("Ciro", "pregonar")
    die = {"die": "play/tombola/Bea", "value": [4, 6], "reason": "Los tiró en casa"}
    night.correct(early, die, {"set": "folk/Ciro/coins", "value": 7, "reason": "Se me olvidó pagarle"})
    night.post("Ana", "responder P1 aceptar")
    night.tick(after=timedelta(minutes=16))
    night.whisper("Bea", "responder P1 tirar")
    night.tick(after=timedelta(minutes=16))
    return night


def play_conquista(folder: Path) -> ConquistaNight:
    """Orders in private and in the topic, a secret correction, one behind the lock."""
    cells = {
        "CE-1": Cell("Liga"),
        "CE-2": Cell("Liga", ("CE-1",)),
        "CE-3": Cell("Corona", ("CE-2",)),
        "CE-4": Cell("Gremio", ("CE-3",)),
        "CE-5": Cell(None, ("CE-1",), unexplored=True),
    }
    factions = {"Liga": Faction(9, "CE-1", 1), "Corona": Faction(5, None, 2), "Gremio": Faction(5, None, 3)}
    state = State(
        {"CE": Planet("Ceniza", exploration=Odds(2, 1, 3))}, cells, factions, {"E1": Army("Liga", "CE-1", 6)}
    )
    night = conquista_night.start_night(folder / "g", state, options={"actions": [3]})
    night.tick()
    night.whisper("Liga", "invadir CE-3 con E1", "# un secreto", "producir", "mover E1 a CE-5")
    night.post("Corona", "esperar", "esperar")
    night.whisper("Gremio", "esperar")
    night.tick(at=EARLY)
    secret = {"add": "Liga", "order": "fortificar CE-1 1", "reason": "En secreto", "secret": True}
    night.correct(secret, {"die": "nada/de/nada", "value": 1, "reason": "Un error"})
    night.tick(at=CLOSED)
    night.correct(secret, {"cancel": "Corona#1", "reason": "Lo pidió tarde"})
    retry(night.service, "marcas")
    night.tick(at=CLOSED + timedelta(minutes=20))
    night.tick(at=CLOSED + timedelta(minutes=50))
    return night


@pytest.fixture(scope="module")
def fair(tmp_path_factory: pytest.TempPathFactory) -> FairNight:
    """A published day of the fair."""
    return play_fair(tmp_path_factory.mktemp("feria"))


@pytest.fixture(scope="module")
def marches(tmp_path_factory: pytest.TempPathFactory) -> ConquistaNight:
    """A published turn of `conquista`."""
    return play_conquista(tmp_path_factory.mktemp("marcas"))


def kept_of(service: Service, game: str, number: int | None = None) -> Kept:
    """A turn as it is stored now."""
    with service.database.read() as connection:
        row = games.get_game(connection, game)
    return find_kept(service, row, number)


def checks_of(service: Service, game: str) -> tuple[Check, ...]:
    """All comparisons of the first turn."""
    kept = kept_of(service, game, 1)
    return (*verify_kept(kept), *replay(kept).checks)


def wrong(service: Service, game: str) -> list[str]:
    """Codes of what doesn't fit."""
    return [one.code for one in checks_of(service, game) if not one.passed]


@contextmanager
def changed(service: Service, name: str, old: str, new: str) -> Iterator[None]:
    """A stored text (`table.column`) with one place of it changed; put back at the end."""
    of, column = name.split(".")
    table = metadata.tables[of]
    with service.database.write() as connection:
        rows = connection.execute(select(table).order_by(*table.primary_key.columns)).mappings().all()
        values = next(dict(row) for row in rows if old in str(row[column]))
        spoilt = str(values[column]).replace(old, new, 1)
        _put(connection, table, values, column, spoilt)
    try:
        yield
    finally:
        with service.database.write() as connection:
            _put(connection, table, {**values, column: spoilt}, column, values[column])


def _put(connection: Any, table: Table, row: dict[str, Any], column: str, value: Any) -> None:
    kind = table.c[column].type.python_type
    value = kind(int(value)) if kind in (bool, int) else value
    own = [one == row[one.name] for one in table.primary_key.columns]
    connection.execute(update(table).where(*own).values({column: value}))


def test_a_turn_with_everything_comes_out_alike(fair: FairNight) -> None:
    """Question and answer, corrections before and behind the lock, a die, a late post: nothing differs."""
    checks = checks_of(fair.service, "feria")

    assert [*STORED, *AGAIN, *WRITTEN] == [one.code for one in checks]
    assert [] == [one for one in checks if not one.passed]
    assert all(one.count for one in checks)


def test_secret_orders_come_out_alike(marches: ConquistaNight) -> None:
    """Private posts, leaves of the lock, seeds of groups, pictures of each seat."""
    checks = checks_of(marches.service, "marcas")

    assert [] == [one for one in checks if not one.passed]
    assert {"proof-Liga.json", "map-ce-liga.svg"} <= set(kept_of(marches.service, "marcas").folder)


FAIR = [
    ("turns.seed", "07", "17", "commitment proofs"),
    ("turns.commitment", "c", "d", "commitment published proofs"),
    ("turns.groups", "d", "e", "commitment proofs"),
    ("states.data", '"coins":5', '"coins":6', "digests"),
    ("post_versions.html", "peluche", "peluchi", "digests"),
    ("post_versions.html", "trabajar", "pregonar", "digests reading lock"),
    ("submissions.post_id", "", "9", "reading"),
    ("orders.text", "trabajar", "trabaja", "reading"),
    ("locks.reading", "trabajar", "trabaja", "reading"),
    ("locks.overrides", "viva voz", "vivo voz", "digests lock"),
    ("locks.overrides_sha256", "a", "b", "digests"),
    ("locks.lock_tag", "8", "9", "proofs lock"),
    ("locks.manifest_sha256", "a", "b", "lock"),
    ("locks.rules_id", "feria-2", "feria-1", "proofs"),
    ("locks.posts_read", "3", "4", "lock"),
    ("locks.entropy", "seed", "seeds", "lock"),
    ("locks.key", "e", "f", "proofs lock"),
    ("locks.carried", "CarriedSeat", "CarriedSeats", "run"),
    ("answers.value", "aceptar", "rechazar", "events state texts"),
    ("answers.after_dice", "True", "0", "events"),
    ("questions.answer", "aceptar", "rechazar", "questions"),
    ("questions.data", ":", ": ", "questions"),
    ("results.late_overrides", "value = 7", "value = 8", "events state texts"),
    ("results.late_overrides", "6]", "5]", "dice events texts"),
    ("results.late_overrides", "en casa", "en cama", "events texts"),
    ("results.proofs", '"value":4', '"value":5', "rolls proof-files proofs-again"),
    ("results.proofs", '"i":0', '"i":1', "proofs rolls proof-files proofs-again"),
    ("results.circumstances", "La feria", "La ferie", "texts files folder"),
    ("results.circumstances", '"to_win":3', '"to_win":4', "lock"),
    ("events.data", "Ciro", "Cira", "events"),
    ("events.event_id", "feria/", "ferie/", "events"),
    ("rolls.value", "6", "5", "rolls dice"),
    ("rolls.true_value", "2", "1", "rolls dice"),
    ("rolls.label", "weather", "whether", "rolls dice"),
    ("rolls.n", "2", "3", "rolls dice"),
    ("outbox.body", "Los tiró en casa", "Los tiró en cama", "digests texts"),
    ("outbox.body_sha256", "a", "b", "digests"),
    ("report_files.content", "Llegaron tarde", "Llegaron tardo", "files"),
    ("report_files.content", '"game": "feria"', '"game": "ferio"', "proof-files files"),
    ("report_files.name", "report.html", "report.htm", "files"),
    ("games.secret", "07", "17", "commitment"),
]


@pytest.mark.parametrize(("place", "old", "new", "expected"), FAIR)
def test_whatever_is_changed_is_named(fair: FairNight, place: str, old: str, new: str, expected: str) -> None:
    """One letter or digit of what counts is changed in the database, and the comparison finds it."""
    with changed(fair.service, place, old, new):
        assert set(expected.split()) <= set(wrong(fair.service, "feria"))
    assert [] == wrong(fair.service, "feria")


def test_a_changed_next_state_is_named_by_its_path(fair: FairNight) -> None:
    """The situation behind the turn is the one that the next turn starts from."""
    table = metadata.tables["states"]
    with fair.service.database.read() as connection:
        before, after = connection.execute(select(table.c.data).order_by(table.c.turn_id)).scalars()
    assert before != after
    with fair.service.database.write() as connection:
        spoilt = after.replace("gorra", "porra", 1)
        connection.execute(update(table).where(table.c.data == after).values(data=spoilt))
    try:
        state = next(one for one in checks_of(fair.service, "feria") if one.code == "state")
    finally:
        with fair.service.database.write() as connection:
            connection.execute(update(table).where(table.c.data == spoilt).values(data=after))

    assert [("stalls/tiro/prizes", '["porra"]', '["gorra"]')] == [
        (one.where, one.old, one.new) for one in state.differences
    ]


def test_a_changed_file_is_named_with_old_and_new(fair: FairNight) -> None:
    """A letter of a report in the game's folder: file, line, what was and what comes out."""
    path = fair.folder / "reports" / "turn-001" / "report.md"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Los tiró en casa", "Los tiró en cama"), encoding="utf-8")
    try:
        folder = next(one for one in checks_of(fair.service, "feria") if not one.passed)
    finally:
        path.write_text(text, encoding="utf-8")

    assert ("folder", ["report.md"]) == (folder.code, [one.where for one in folder.differences])
    changes = [line for line in folder.differences[0].diff if line[0] in "+-"]
    assert ["cama" in changes[0], "casa" in changes[1], len(changes)] == [True, True, 2]


@pytest.mark.parametrize("name", ["proof.json", "proof-Ana.json"])
def test_a_lost_or_changed_proof_is_named(fair: FairNight, name: str) -> None:
    """The folder's proofs are those of the database, byte by byte, even where only a blank is new."""
    path = fair.folder / "reports" / "turn-001" / name
    whole, found = path.read_bytes(), []
    try:
        for spoilt in (whole + b" ", None):
            path.unlink() if spoilt is None else path.write_bytes(spoilt)
            found.append(wrong(fair.service, "feria"))
    finally:
        path.write_bytes(whole)

    assert [["proof-files", "folder"]] * 2 == found


def test_a_secret_order_that_is_changed_is_named(marches: ConquistaNight) -> None:
    """Its leaf stands in the lock: another text gives another tag."""
    with changed(marches.service, "post_versions.html", "CE-3 con", "CE-2 con"):
        assert {"reading", "lock"} <= set(wrong(marches.service, "marcas"))
    with changed(marches.service, "locks.overrides", "En secreto", "En secreta"):
        assert {"digests", "lock"} <= set(wrong(marches.service, "marcas"))


def test_a_groups_dice_are_checked_like_the_public_ones(marches: ConquistaNight) -> None:
    """Each group has its own seed and proof: one digit of it changed is named with its file, and no other."""
    proofs = kept_of(marches.service, "marcas", 1).proofs
    seed = str(proofs["Liga"]["seed"])
    other = f"{int(seed[:2], 16) ^ 1:02x}{seed[2:]}"
    with changed(marches.service, "results.proofs", seed, other):
        checks = [one for one in checks_of(marches.service, "marcas") if not one.passed]
    assert ["proofs", "proof-files", "proofs-again"] == [one.code for one in checks]
    assert {"proof-Liga.json"} == {one.where.split()[0] for one in checks[0].problems}


def test_other_rules_are_said(fair: FairNight, monkeypatch: pytest.MonkeyPatch) -> None:
    """All is compared nevertheless; whether a difference comes from the rules isn't guessed."""
    pipeline = fair.service.pipeline
    loaded = pipeline.load_game(fair.folder)
    newer = replace(loaded, ruleset=replace(loaded.ruleset, version="9"))
    service = replace(fair.service, pipeline=replace(pipeline, load_game=lambda folder: newer))
    replayed = replay(kept_of(service, "feria", 1))

    assert (False, "feria-9-") == (replayed.same_rules, replayed.rules[1][:8])
    assert "lock" in [one.code for one in replayed.checks if not one.passed]
    assert {"events", "folder"} <= {one.code for one in replayed.checks if one.passed}


def test_a_game_whose_settings_were_changed_since_comes_out_alike(fair: FairNight) -> None:
    """The settings of then were kept: a new title, a new player and other policies change no old turn."""
    pipeline = fair.service.pipeline
    loaded = pipeline.load_game(fair.folder)
    seats = (replace(loaded.game.seats[0], account="55", login="nueva"), *loaded.game.seats[1:])
    policies = replace(loaded.game.policies, breaker=0.1)
    newer = replace(loaded, game=replace(loaded.game, title="Otra", seats=seats, policies=policies))
    service = replace(fair.service, pipeline=replace(pipeline, load_game=lambda folder: newer))

    assert [] == wrong(service, "feria")


def test_nothing_is_stored_or_posted(fair: FairNight) -> None:
    """The database and the forum are the same behind it."""

    def everything() -> list[Any]:
        with fair.service.database.read() as connection:
            return [list(connection.execute(select(one))) for one in metadata.sorted_tables]

    before, written = everything(), [post.text for post in fair.forum.by_bot()]
    checks_of(fair.service, "feria")

    assert (before, written) == (everything(), [post.text for post in fair.forum.by_bot()])


def test_a_turn_without_a_result_is_told(fair: FairNight) -> None:
    """The second turn is open: there is nothing to compare."""
    with pytest.raises(NoResult) as found:
        kept_of(fair.service, "feria", 2)
    assert found.value.turn is not None
    with pytest.raises(NoResult) as none:
        kept_of(fair.service, "feria", 3)
    assert none.value.turn is None
    assert 1 == kept_of(fair.service, "feria").turn.ref.turn


def copy_to(service: Service, path: Path) -> None:
    """The database in memory as a file."""
    with closing(sqlite3.connect(path)) as target, service.database.engine.connect() as source:
        held: Any = source.connection.driver_connection
        held.backup(target)


@pytest.mark.sqlite
@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_another_process_gets_the_same_bytes(tmp_path: Path, hash_seed: str) -> None:
    """`turnero verify DIR --replay` itself, over a file of the database, whatever texts hash to."""
    night = play_conquista(tmp_path)
    database = tmp_path / "turnero.db"
    copy_to(night.service, database)
    done = subprocess.run(
        [sys.executable, "-c", "from jobs.cli import main; main()", "verify", str(night.folder), "--replay"],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "TURNERO_DATABASE": f"sqlite:///{database}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (0, "") == (done.returncode, done.stderr)
    assert "Queda probado" in done.stdout
    assert "✘" not in done.stdout


@pytest.mark.parametrize(
    "entry",
    [
        {"cancel": "Bea#1", "reason": "No jugó"},
        {"add": "Ciro", "order": "jugar en Tómbola", "reason": "También jugó"},
        {"set": "folk/Ana/coins", "value": 1, "reason": "Gastó de más"},
        {"die": "weather", "value": "lluvia", "reason": "Llovió"},
    ],
)
def test_resolving_with_other_corrections_moves_no_die(fair: FairNight, entry: dict[str, Any]) -> None:
    """Whatever the director makes of the file, each die keeps its number (F39); what changes is seen in L."""
    kept, pipeline = kept_of(fair.service, "feria", 1), fair.service.pipeline
    text = "[[override]]\n" + write_toml(entry)
    _, frozen = load_frozen_with(fair.service, kept.row, kept.turn, text)
    first = {
        (one["label"], one["i"]): one["value"] for proof in kept.proofs.values() for one in proof["rolls"]
    }
    result = pipeline.resolve_turn(kept.play, frozen, kept.secrets)
    again = {(one.roll.label, one.roll.index): one.roll.true_value for one in result.resolution.rolls}
    with fair.service.database.read() as connection:
        versions = load_versions(connection, kept.turn.evidence)
    tags = [
        pipeline.freeze(kept.play, versions, "", one, kept.secrets).lock_tag
        for one in (kept.lock.overrides, text)
    ]

    assert () == result.problems
    assert first.keys() & again.keys()
    assert [] == [key for key in first.keys() & again.keys() if first[key] != again[key]]
    assert kept.lock.lock_tag == tags[0] != tags[1]
