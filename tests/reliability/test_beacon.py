"""Proof mode `beacon`: the lock is published before a round that is to come, which makes the dice."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from jobs.catalogues import load_catalogue
from jobs.commands.status_text import describe_game
from parsers.files.errors import FileErrors
from parsers.files.override import UseBeacon, parse_overrides
from processor.checkpoints import Checkpoint, DieAt
from processor.ports import BeaconError
from processor.service.replaying import replay
from processor.service.verifying import find_kept, verify_kept
from processor.store import games, locks, turns
from processor.store.rows import TurnRow
from rules.engine.ptd1 import SEED, beacon, turn_key
from rules.engine.verification import verify_proof
from rules.play.beacons import Pulse, address_of, published_at, round_at
from rules.play.posts import Outcome, Refused
from rules.play.turns import TurnStatus
from tests.support.fair_night import CLOSED, FairNight, start_night
from tests.support.hand_clock import HandClock
from tests.support.memory_forum import TOPIC, Kept

SIGNATURE = b"\xaa" * 48
ROUND = re.compile(r"ronda (\d+)")


@dataclass
class HandBeacon:
    """A beacon that a test switches off; a round that isn't out yet is a mistake of who asks."""

    clock: HandClock | None = None
    silent: bool = False
    asked: list[int] = field(default_factory=list)

    def fetch(self, number: int) -> Pulse:
        """See `Beacon.fetch`."""
        assert self.clock is not None
        assert self.clock.now() >= published_at(number)
        self.asked.append(number)
        if self.silent:
            raise BeaconError("no answer")
        return Pulse(number, number.to_bytes(48, "big"))


@dataclass
class Scene:
    """A fair that is proved by the beacon, closed with orders of Bea's."""

    night: FairNight
    beacon: HandBeacon

    def posts(self, kind: str) -> list[Kept]:
        """Our public posts of a kind."""
        return [one for one in self.night.forum.by_bot(TOPIC) if f":{kind}" in one.text.split("\n")[-1]]

    @property
    def round(self) -> int:
        """The one that was announced last."""
        found = ROUND.search(self.posts("lock")[-1].text)
        assert found is not None
        return int(found[1])

    @property
    def turn(self) -> TurnRow:
        """The first turn."""
        with self.night.service.database.read() as connection:
            found = turns.find_valid(connection, "feria", "", 1)
        assert found is not None
        return found

    def proof(self) -> Any:
        """The public proof, once it is published."""
        return json.loads((self.night.folder / "reports" / "turn-001" / "proof.json").read_text("utf-8"))

    def finish(self) -> None:
        """Wait until the round is out, and a little longer."""
        self.night.tick(at=max(self.night.clock.now(), published_at(self.round)))
        self.night.tick(after=timedelta(minutes=20))

    def wrong(self) -> list[str]:
        """What `verify --replay` finds."""
        with self.night.service.database.read() as connection:
            row = games.get_game(connection, "feria")
        kept = find_kept(self.night.service, row, 1)
        return [one.code for one in (*verify_kept(kept), *replay(kept).checks) if not one.passed]


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """Open, with orders; not closed yet."""
    return open_scene(tmp_path / "g")


def open_scene(folder: Path, *, secret: bool = False) -> Scene:
    """A fair that is open. secret: whether orders and receipts are sent in private too."""
    source = HandBeacon()
    night = start_night(folder, proof="beacon", beacon=source, secret=secret)
    source.clock = night.clock
    night.tick()
    night.post("Bea", "jugar en Tómbola", "trabajar")
    return Scene(night, source)


def test_the_opening_promises_the_beacon(scene: Scene) -> None:
    """Beside the commitment, so that nobody can choose the mode later."""
    assert "faro público de azar: al cerrar el turno anunciaré una ronda" in scene.posts("open")[0].text


def test_the_lock_stands_in_the_forum_before_its_round(scene: Scene) -> None:
    """A post of its own with the lock tag and a round to come; until then no die is known."""
    scene.night.tick(at=CLOSED)
    (lock,) = scene.posts("lock")
    turn = scene.turn
    with scene.night.service.database.read() as connection:
        stored = locks.find_lock(connection, turn.id)
    assert stored.lock_tag in lock.text
    assert address_of(scene.round) in lock.text
    assert f"{published_at(scene.round):%H:%M:%S} UTC" in unescape(lock.text)
    assert lock.at < published_at(scene.round)
    assert (TurnStatus.LOCKED, None, b"", []) == (
        scene.night.status(),
        locks.parse_entropy(stored.entropy),
        stored.key,
        scene.beacon.asked,
    )


def test_the_status_names_the_round_that_is_waited_for(scene: Scene) -> None:
    """Until it is out; then nothing is waited for."""
    scene.night.tick(at=CLOSED)
    waits = f"  Espera a la ronda {scene.round} del faro público, que sale a las "
    assert 1 == sum(one.startswith(waits) for one in status(scene))
    scene.finish()
    assert [] == [one for one in status(scene) if "faro" in one]


def status(scene: Scene) -> list[str]:
    """What `turnero status` says."""
    night = scene.night
    return list(describe_game(night.service, night.look(), night.clock.now(), "feria"))


def test_the_round_makes_the_dice(scene: Scene) -> None:
    """E of the round's randomness, K of it; the report shows the value, and everything can be verified."""
    scene.night.tick(at=CLOSED)
    scene.finish()
    number = scene.round
    value = sha256(number.to_bytes(48, "big")).digest()
    proof = scene.proof()
    assert ["beacon", f"quicknet:{number}", f"hex:{value.hex()}"] == proof["entropy"]
    assert turn_key("feria", 1, scene.turn.seed, beacon(number, value)).hex() == proof["K"]
    assert [] == list(verify_proof(proof))
    (report,) = scene.posts("report")
    assert f"Faro: ronda {number} de quicknet (drand), azar `{value.hex()}`" in report.text
    assert ([number], []) == (scene.beacon.asked, scene.wrong())


def test_the_seed_alone_no_longer_tells_the_dice(scene: Scene, tmp_path: Path) -> None:
    """The same seed and orders with and without the beacon fall otherwise."""
    scene.night.tick(at=CLOSED)
    scene.finish()
    plain = start_night(tmp_path / "plain")
    plain.tick()
    plain.post("Bea", "jugar en Tómbola", "trabajar")
    plain.tick(at=CLOSED)
    other = json.loads((plain.folder / "reports" / "turn-001" / "proof.json").read_text("utf-8"))
    assert (scene.proof()["seed"], scene.proof()["commitment"]) == (other["seed"], other["commitment"])
    assert scene.proof()["K"] != other["K"]


class Killed(BaseException):
    """The end of a process."""


def die_while_announcing(scene: Scene) -> None:
    """The forum has the announcement, and nobody knows."""
    announced: list[Checkpoint] = []

    def reach(where: Checkpoint) -> None:
        announced.extend([where] * (where is Checkpoint.ANNOUNCED))
        if announced and where is Checkpoint.POSTED:
            raise Killed

    alive = scene.night.service
    scene.night.service = scene.night.worker("dead", reach)
    with pytest.raises(Killed):
        scene.night.tick(at=CLOSED)
    scene.night.service = alive


def test_a_lock_that_came_after_its_round_announces_another(scene: Scene) -> None:
    """Whoever publishes the lock when the round is out could have chosen among locks; so it doesn't count."""
    die_while_announcing(scene)
    (late,), first = scene.posts("lock"), scene.round
    late.at = published_at(first) + timedelta(minutes=1)
    scene.night.tick(after=timedelta(minutes=20))
    again = scene.posts("lock")[-1]
    assert "El anuncio anterior no estaba en el foro antes de que saliera su ronda" in again.text
    assert (late.at < again.at < published_at(scene.round), []) == (True, scene.beacon.asked)
    scene.finish()
    assert f"quicknet:{scene.round}" == scene.proof()["entropy"][1] != f"quicknet:{first}"
    assert [] == scene.wrong()


def test_a_crash_is_no_second_throw(scene: Scene) -> None:
    """The forum dates the announcement before its round: it counts, though it is found only afterwards."""
    die_while_announcing(scene)
    first = scene.round
    scene.night.tick(after=timedelta(minutes=20))
    scene.night.tick(after=timedelta(minutes=20))
    assert (1, f"quicknet:{first}") == (len(scene.posts("lock")), scene.proof()["entropy"][1])
    assert [] == scene.wrong()


def test_a_silent_beacon_is_waited_for(scene: Scene) -> None:
    """Again and again; status says why, and after an hour the director gets one letter."""
    scene.beacon.silent = True
    scene.night.tick(at=CLOSED)
    for _ in range(8):
        scene.night.tick(after=timedelta(minutes=20))
    assert TurnStatus.LOCKED is scene.night.status()
    letters = re.findall("El turno 1 espera al faro", scene.night.told("director"))
    assert (1, True) == (len(letters), any("el faro no da la ronda" in one for one in status(scene)))
    scene.beacon.silent = False
    scene.finish()
    assert "beacon" == scene.proof()["entropy"][0]


def test_the_director_may_type_in_the_round(scene: Scene) -> None:
    """Where only the program can't reach it; the report says so, and anybody can compare."""
    scene.beacon.silent = True
    scene.night.tick(at=CLOSED)
    scene.night.correct({"beacon": SIGNATURE.hex(), "reason": "El robot no lo alcanza"})
    scene.finish()
    value = sha256(SIGNATURE).hexdigest()
    assert ["beacon", f"quicknet:{scene.round}", f"hex:{value}"] == scene.proof()["entropy"]
    assert "(la escribió quien dirige: el faro no le respondía al robot)" in scene.posts("report")[0].text
    assert [] == scene.wrong()


def test_going_on_without_is_posted_before_it_is_done(scene: Scene) -> None:
    """With the director's reason; and the report repeats it."""
    scene.beacon.silent = True
    scene.night.tick(at=CLOSED)
    scene.night.correct({"beacon": "seed", "reason": "Lleva dos días caído"})
    scene.finish()
    (said,), (report,) = scene.posts("fall-back"), scene.posts("report")
    assert said.id < report.id
    assert "Lleva dos días caído" in said.text
    assert "Sin faro: no respondía" in report.text
    assert ["seed", ""] == scene.proof()["entropy"]
    assert [] == scene.wrong()


def test_voiding_a_turn_that_waits_is_no_second_throw(scene: Scene) -> None:
    """The next attempt with the same orders goes on with the round that was announced."""
    scene.beacon.silent = True
    scene.night.tick(at=CLOSED)
    scene.night.tick(after=timedelta(minutes=20))
    first = scene.round
    scene.night.correct({"void": 1, "orders": "keep", "reason": "Me equivoqué"})
    scene.beacon.silent = False
    for _ in range(3):
        scene.night.tick(after=timedelta(minutes=20))
    assert (1, f"quicknet:{first}") == (len(scene.posts("lock")), scene.proof()["entropy"][1])


def test_a_letter_that_cannot_be_sent_keeps_no_turn_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what everybody reads has to be in the forum before the round."""
    scene = open_scene(tmp_path / "g", secret=True)
    real = scene.night.forum.post

    def post(topic: str, text: str) -> Outcome:
        return real(topic, text) if topic == TOPIC else Refused("too fast", 3000.0)

    monkeypatch.setattr(scene.night.forum, "post", post)
    scene.night.tick(at=CLOSED)
    scene.night.tick(at=published_at(scene.round))
    assert [scene.round] == scene.beacon.asked


@pytest.mark.parametrize("spoilt", ["round", "kind"])
def test_a_replay_wants_the_announced_round(scene: Scene, spoilt: str) -> None:
    """Another value than that of the announced round, or none without the director's word, is found."""
    scene.night.tick(at=CLOSED)
    scene.finish()
    other = beacon(scene.round + 1, bytes(32)) if spoilt == "round" else SEED
    turn = scene.turn
    key = turn_key("feria", 1, turn.seed, other)
    with scene.night.service.database.write() as connection:
        locks.fix_entropy(connection, turn.id, json.dumps(other.texts()), key)
    assert {"proofs", "lock"} <= set(scene.wrong())


def test_an_entry_is_moot_while_the_beacon_answers(scene: Scene) -> None:
    """Else the director could choose between two sets of dice."""
    scene.night.tick(at=CLOSED)
    scene.night.correct({"beacon": "seed", "reason": "Por si acaso"})
    scene.finish()
    assert ([], "beacon") == (scene.posts("fall-back"), scene.proof()["entropy"][0])


def test_a_changed_setting_holds_from_the_next_turn_on(scene: Scene) -> None:
    """What was promised for a turn can't be taken back in the game's file."""
    loaded = scene.night.service.pipeline.load_game(scene.night.folder)
    seed = replace(loaded, game=replace(loaded.game, proof="seed"))
    pipeline = replace(scene.night.service.pipeline, load_game=lambda folder: seed)
    scene.night.service = replace(scene.night.service, pipeline=pipeline)
    scene.night.tick(at=CLOSED)
    scene.finish()
    assert "beacon" == scene.proof()["entropy"][0]
    assert "faro público de azar" not in scene.posts("report")[0].text


@pytest.mark.parametrize("where", [Checkpoint.ANNOUNCED, Checkpoint.DRAWN, Checkpoint.LOCKED])
def test_who_dies_on_the_way_leaves_one_announcement(where: Checkpoint, scene: Scene) -> None:
    """Whoever starts next goes on where the dead one was, and never announces a round that is out already."""

    def die() -> None:
        raise Killed

    alive = scene.night.service
    scene.night.service = scene.night.worker("dead", DieAt(where, 1, die))
    with pytest.raises(Killed):
        close_and_finish(scene)
    scene.night.service = alive
    scene.night.tick(after=timedelta(minutes=6))
    scene.night.tick(after=timedelta(minutes=6))
    scene.finish()
    assert (1, TurnStatus.PUBLISHED, []) == (len(scene.posts("lock")), scene.night.status(), scene.wrong())


def close_and_finish(scene: Scene) -> None:
    """From the deadline to the report."""
    scene.night.tick(at=CLOSED)
    scene.finish()


def test_rounds_are_counted_from_the_genesis() -> None:
    """reliability.md 1.1: 2026-04-20T00:00:00Z is round 27946612."""
    moment = datetime(2026, 4, 20, tzinfo=UTC)
    number = round_at(moment)
    assert 27946612 == number
    assert published_at(number) <= moment < published_at(number + 1)
    assert round_at(published_at(number)) == number


def test_the_vector_of_mode_beacon() -> None:
    """reliability.md 1.6: randomness is the hash of the signature."""
    value = Pulse(27946612, SIGNATURE).randomness
    assert "dd659f8a49133759d495ee5d15262cdc0050f9027e20c7bed3e0599e27adec4b" == value.hex()
    key = turn_key("alpha", 12, bytes(range(32)), beacon(27946612, value))
    assert "be464e59d049da9e1233824b351a5f8c4a8752a8edfbe10452b0abf42ebe00fd" == key.hex()
    assert key != turn_key("alpha", 12, bytes(range(32)), SEED)


@pytest.mark.parametrize("value", ["seed", SIGNATURE.hex(), SIGNATURE.hex().upper()])
def test_entries_about_the_beacon(value: str) -> None:
    """A signature, or `seed`."""
    (entry,) = parse_overrides([{"beacon": value, "reason": "x"}])
    assert isinstance(entry, UseBeacon)
    assert value.lower() == entry.value


@pytest.mark.parametrize("value", ["", "orders", "aa" * 47, 7, True])
def test_other_entries_are_refused(value: object) -> None:
    """With what would be right."""
    with pytest.raises(FileErrors) as found:
        parse_overrides([{"beacon": value, "reason": "x"}])
    (problem,) = found.value.problems
    assert "96" in problem.say(load_catalogue("es"))
