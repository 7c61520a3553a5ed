"""A turn that a person carries, killed at every checkpoint and played by two at once, leaves the same files.

The files to paste are what players get, so they are the judge: each text in one file, byte for byte as in a
turn that nothing disturbs (reliability.md 4, F1 and F3). One turn is played; at each checkpoint a copy is
made of what a process leaves that dies there, the database's files included, and the next worker goes on from
that.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cache, partial
from pathlib import Path
from typing import NoReturn

import pytest

from jobs.pipeline import PIPELINE
from jobs.tick import tick
from jobs.wiring import Forums
from processor.checkpoints import Checkpoint, DieAt, Reach, pass_by
from processor.folder import DiskFolder
from processor.forums.folder_shelf import LIST
from processor.gate import Gate
from processor.service.bundle import Service
from processor.service.looking import look_at
from processor.service.posting import list_unposted, note_posted, say_complete
from processor.service.registering import register_game
from processor.store.database import Database
from rules.play.game import Game
from rules.play.turns import TurnStatus
from tests.support.databases import new_url
from tests.support.folder_game import DEADLINE, GAME, OPENED, SETUP, copied
from tests.support.hand_clock import HandClock
from tests.support.small_night import SilentBeacon

AFTER_A_DEATH = timedelta(minutes=8)
"""The dead worker's lease is over, and the quiet time."""


Case = tuple[Checkpoint, str]
"""A checkpoint, and which time it is reached: `first` or `last`."""
EndAfter = Callable[[str], Mapping[str, bytes]]
"""What a turn leaves whose first worker dies at a checkpoint, `name:n`; each is played once."""


class Killed(BaseException):
    """The process ends here: nothing of it is left but the disk."""


def no_forum(_game: Game) -> NoReturn:
    """No network is needed for such a game."""
    raise AssertionError("this game has no forum to reach")


@dataclass(frozen=True, slots=True)
class Moment:
    """What a worker leaves that dies. folder: a copy. deed: the director's that was being acted upon."""

    folder: Path
    now: datetime
    deed: int


@dataclass
class Carried:
    """A game's folder and its database; workers come and go."""

    folder: Path
    clock: HandClock = field(default_factory=lambda: HandClock(OPENED))

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        (self.folder / "game.toml").write_text(GAME.format(forum=""), encoding="utf-8")
        (self.folder / "setup.toml").write_text(SETUP, encoding="utf-8")
        self.url = new_url(self.folder.parent)

    def worker(self, reach: Reach = pass_by, name: str = "a") -> Service:
        """A new process's service."""
        gate = Gate()
        return Service(
            database=Database(self.url),
            clock=self.clock,
            pipeline=PIPELINE,
            open_forum=Forums(no_forum, gate, self.clock, no_forum),
            folder=DiskFolder(),
            random_bytes=lambda count: b"\x07" * count,
            owner=name,
            gate=gate,
            reach=reach,
            beacon=SilentBeacon(),
        )

    def wait_for(self, moment: datetime) -> None:
        """Let time pass until then; after a death it may have passed already."""
        self.clock.set(max(moment, self.clock.now()))

    def keep(self, folder: Path, deed: int) -> Moment:
        """Copy what is there. No worker may be doing anything."""
        shutil.copytree(self.folder.parent, folder)
        return Moment(folder, self.clock.now(), deed)

    def put_back(self, moment: Moment) -> None:
        """Make everything as it was, in the same places."""
        shutil.rmtree(self.folder.parent)
        shutil.copytree(moment.folder, self.folder.parent)
        self.clock = HandClock(moment.now)

    def bring(self, name: str, text: str) -> None:
        """Put a file into the first turn's inbox."""
        path = self.folder / "inbox" / "turn-001" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def left(self) -> Mapping[str, bytes]:
        """Every file of the reports, but for the list's own times."""
        root = self.folder / "reports"
        found = (one for one in sorted(root.rglob("*")) if one.is_file() and one.name != LIST)
        return {one.relative_to(root).as_posix(): one.read_bytes() for one in found}


def first_orders(carried: Carried, _service: Service) -> None:
    """Both players order; one mistypes."""
    carried.wait_for(OPENED + timedelta(hours=40))
    carried.bring("m.txt", copied("Marina77", "2026-12-02 21:30", "producir", "moveer E1", private=True))
    carried.bring("l.txt", copied("luis", "2026-12-02 22:00", "producir", private=True))


def second_orders(carried: Carried, _service: Service) -> None:
    """The mistake is mended."""
    carried.wait_for(OPENED + timedelta(hours=80))
    carried.bring("m2.txt", copied("Marina77", "2026-12-04 09:00", "producir", private=True))


def say_it_is_complete(carried: Carried, service: Service) -> None:
    """The deadline is over, and nothing is missing."""
    carried.wait_for(DEADLINE + timedelta(minutes=5))
    (row,) = [register_game(service, carried.folder)]
    look = look_at(service, row)
    if look.turn.status is TurnStatus.OPEN:
        say_complete(service, look.loaded.game, look.turn, look.loaded.catalogue)


def paste(carried: Carried, service: Service) -> None:
    """Everything is pasted."""
    row = register_game(service, carried.folder)
    game = look_at(service, row).loaded.game
    note_posted(service, game, list_unposted(service, row.id), "https://foro.example.org/12")


def nothing(_carried: Carried, _service: Service) -> None:
    """Nobody does anything."""


Deed = Callable[[Carried, Service], None]
DEEDS: tuple[Deed, ...] = (nothing, paste, first_orders, paste, second_orders, say_it_is_complete, paste)
"""What the director does, each followed by ticks until nothing is due."""


def play(carried: Carried, reach: Reach = pass_by, deeds: Iterable[Deed] = DEEDS) -> None:
    """Play the turn to its end, each time with a new worker. deeds: that are left."""
    for number, deed in enumerate(deeds):
        service = carried.worker(reach, f"worker-{number}")
        register_game(service, carried.folder)
        deed(carried, service)
        tick(service, patience=0.0)
        service.database.close()


def play_and_keep(carried: Carried, at: Collection[str], folder: Path) -> Mapping[str, Moment]:
    """Play the turn, and keep each of these moments of it, in a folder."""
    seen: Counter[Checkpoint] = Counter()
    moments: dict[str, Moment] = {}
    for number, deed in enumerate(DEEDS):

        def reach(checkpoint: Checkpoint, number: int = number) -> None:
            seen[checkpoint] += 1
            where = f"{checkpoint}:{seen[checkpoint]}"
            if where in at:
                moments[where] = carried.keep(folder / where, number)

        play(carried, reach, [deed])
    assert set(at) == set(moments)
    return moments


def die() -> None:
    """End the process."""
    raise Killed


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, bytes]:
    """What a turn leaves that nothing disturbs."""
    carried = Carried(tmp_path_factory.mktemp("whole") / "veth")
    play(carried)
    return carried.left()


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> Counter[Checkpoint]:
    """How often each checkpoint is reached."""
    seen: Counter[Checkpoint] = Counter()
    play(Carried(tmp_path_factory.mktemp("counted") / "veth"), lambda one: seen.update([one]))
    return seen


def test_the_undisturbed_turn_is_whole(undisturbed: Mapping[str, bytes]) -> None:
    """Opening, receipts and report, in private one of each for both players; what was published is filed."""
    pasted = [name.removeprefix("turn-001/pegar/") for name in undisturbed if "/pegar/" in name]
    assert [
        *("01-apertura.txt", "04-acuses.txt", "07-informe.txt", "LÉEME.txt"),
        *("privado/02-marina77-apertura.txt", "privado/03-luis-apertura.txt"),
        *("privado/05-marina77-acuse.txt", "privado/06-luis-acuse.txt"),
        *("privado/08-marina77-informe.txt", "privado/09-luis-informe.txt"),
    ] == pasted
    assert "turn-001/proof.json" in undisturbed


ELSEWHERE = frozenset(
    (
        *(Checkpoint.ASKED, Checkpoint.HEARD, Checkpoint.VOIDED, Checkpoint.READ_BACK, Checkpoint.ADOPTED),
        *(Checkpoint.UPLOADED, Checkpoint.ANNOUNCED, Checkpoint.DRAWN),
    )
)
KILLABLE = tuple(one for one in Checkpoint if one not in ELSEWHERE)
"""Those that such a turn comes to by itself: it asks nothing, and no answer of a forum is lost."""


@pytest.fixture(scope="module")
def places(reached: Counter[Checkpoint]) -> Mapping[Case, str]:
    """The first time that each checkpoint is reached, and the last."""
    times: Mapping[str, Counter[Checkpoint]] = {"first": Counter(KILLABLE), "last": reached}
    return {(one, which): f"{one}:{counted[one]}" for which, counted in times.items() for one in KILLABLE}


@pytest.fixture(scope="module")
def end_after(places: Mapping[Case, str], tmp_path_factory: pytest.TempPathFactory) -> EndAfter:
    """The turns with a death."""
    carried = Carried(tmp_path_factory.mktemp("killed") / "veth")
    moments = play_and_keep(carried, frozenset(places.values()), tmp_path_factory.mktemp("moments"))

    @cache
    def go_on(where: str) -> Mapping[str, bytes]:
        carried.put_back(moments[where])
        carried.clock.sleep(AFTER_A_DEATH.total_seconds())
        play(carried, deeds=DEEDS[moments[where].deed :])
        return carried.left()

    return go_on


@pytest.mark.sqlite
@pytest.mark.parametrize("which", ["first", "last"])
@pytest.mark.parametrize("checkpoint", KILLABLE)
def test_a_killed_turn_leaves_the_same_files(
    checkpoint: Checkpoint,
    which: str,
    places: Mapping[Case, str],
    end_after: EndAfter,
    undisturbed: Mapping[str, bytes],
) -> None:
    """Each text in one file, wherever the first worker died."""
    assert undisturbed == end_after(places[checkpoint, which])


def test_two_workers_at_once_leave_the_same_files(undisturbed: Mapping[str, bytes], tmp_path: Path) -> None:
    """Whoever is faster writes; the other finds nothing to do."""
    carried = Carried(tmp_path / "veth")
    with ThreadPoolExecutor(2) as pool:
        for deed in DEEDS:
            services = [carried.worker(name=name) for name in ("a", "b")]
            register_game(services[0], carried.folder)
            deed(carried, services[0])
            for _ in range(3):
                list(pool.map(partial(tick, patience=0.0), services))
            _close(services)
    assert undisturbed == carried.left()


def _close(services: Iterable[Service]) -> None:
    for one in services:
        one.database.close()


def test_a_text_of_unknown_fate_is_looked_for_in_its_file(tmp_path: Path) -> None:
    """Dead between the file and the database, the next worker adopts the file, also where its director has
    changed it meanwhile: it is never written over.
    """
    carried = Carried(tmp_path / "veth")
    service = carried.worker(DieAt(Checkpoint.POSTED, 1, die))
    register_game(service, carried.folder)
    with pytest.raises(Killed):
        tick(service, patience=0.0)
    service.database.close()
    opening = carried.folder / "reports/turn-001/pegar/01-apertura.txt"
    mine = "¡Hola a todos!\n\n" + opening.read_text(encoding="utf-8")
    opening.write_text(mine, encoding="utf-8")
    carried.clock.sleep(AFTER_A_DEATH.total_seconds())
    after = carried.worker(name="b")
    tick(after, patience=0.0)
    row = register_game(after, carried.folder)
    assert "turn-001/pegar/01-apertura.txt" in [one.forum_post_id for one in list_unposted(after, row.id)]
    assert mine == opening.read_text(encoding="utf-8")
    after.database.close()
