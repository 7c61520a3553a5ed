"""Whatever people, crashes, other workers, clocks and the forum do: the invariants of reliability.md 4 hold.

How many nights are played, and how long they are: `TURNERO_NIGHTS=2000x50` (CONTRIBUTING.md, Tests).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt, Reach, pass_by
from processor.pipeline.override_entries import Refused
from processor.service.bundle import Service
from processor.service.holding import retry, send_again
from processor.service.looking import NOT_LOCKED
from processor.service.timing import closing_at
from processor.service.void_commands import NoneLocked, Unfit, void_attempt
from processor.store import games
from processor.store.rows import TurnRow
from rules.play.attempts import Orders
from rules.play.turns import GameStatus, TurnRef, TurnStatus
from tests.support.databases import close_newer, count_open, on_postgres
from tests.support.hand_clock import HandClock
from tests.support.memory_forum import CAPABILITIES, TOPIC, Fault
from tests.support.night_oracle import AUTHORS, Oracle
from tests.support.small_night import Night, start_night

LEASE, QUIET = timedelta(minutes=5), timedelta(minutes=2)
BUDGET, PATIENCE = 600.0, 200.0
"""Seconds that a tick may take here, and may wait for what is due soon."""
POSTING = (Fault.STORE_THEN_DROP, Fault.DROP_BEFORE_STORE, Fault.REFUSE_FOR_NOW)
FOR_GOOD = (Fault.REFUSE, Fault.QUEUE, Fault.QUEUE_THEN_DROP)
READING = (Fault.LOGIN_PAGE, Fault.CUT_PAGE, Fault.DOWN, Fault.NO_LOGIN)
TIMES = st.sampled_from(("0", "3", "16", "deadline", "deadline"))
VERBS = st.sampled_from(("tirar",) * 5 + ("preguntar", "dudar"))
IN_A_NIGHT = st.sampled_from(Checkpoint)
ENTRIES = {
    "ruling": "# respuesta\n",
    "mistake": "# mal\n",
    "later": '[[override]]\nextend = "24h"\nreason = "Fiesta"\n',
    "reopen": '[[override]]\nvoid = {attempt}\norders = "reopen"\nreason = "Otra vez"\n',
    "keep": '[[override]]\nvoid = {attempt}\norders = "keep"\nreason = "Otra vez"\n',
}
"""What the director writes into an override file by hand."""


class Crash(BaseException):
    """The process is gone."""


def _crash() -> None:
    raise Crash


class WrongClock(HandClock):
    """The workers' clock: it runs as the forum's does, and somebody may set it."""

    def __init__(self, true: HandClock) -> None:
        super().__init__()
        self.true = true
        self.off = timedelta()

    def now(self) -> datetime:
        """Wall clock, UTC."""
        return self.true.now() + self.off

    def monotonic(self) -> float:
        """Seconds that never jump."""
        return self.true.monotonic()

    def sleep(self, seconds: float) -> None:
        """Move on."""
        self.true.sleep(seconds)


class NightMachine(RuleBasedStateMachine):
    """Two players, a director, a moderator, workers that come and go, one forum."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.seeds = self.workers = self.words = 0
        self.before = count_open()
        self.night: Night = start_night(
            self.folder / "g", random_bytes=self.draw_seed, every_days=1, outage=12
        )
        self.night.forum.shows_queue = True
        self.clock = WrongClock(self.night.clock)
        self.night.service = replace(self.night.service, clock=self.clock)
        self.oracle = Oracle(self.night)
        self.night.service = self.next_worker()
        self.frozen_for, self.furthest = 0.0, timedelta()
        self.may_repeat = False
        self.talks: dict[str, str] = {}
        self.looked_at: object = None
        self.run(self.night.service)
        self.order()

    def draw_seed(self, count: int) -> bytes:
        """Bytes that nobody has drawn before."""
        self.seeds += 1
        return hashlib.sha256(str(self.seeds).encode()).digest()[:count]

    def turns(self) -> tuple[TurnRow, ...]:
        """All attempts."""
        return self.oracle.turns()

    # People.

    @rule(author=st.sampled_from(sorted(AUTHORS)), verb=VERBS)
    def post(self, author: str, verb: str = "tirar") -> None:
        """Somebody orders in the topic; some orders ask the director or who gave them."""
        self.night.forum.write(author, self.block(verb))

    @rule(author=st.sampled_from(sorted(AUTHORS)), times=st.integers(1, 4))
    def chat(self, author: str, times: int) -> None:
        """Somebody writes what is no order."""
        for _ in range(times):
            self.night.forum.write(author, "¡Qué partida!")

    @rule(author=st.sampled_from(sorted(AUTHORS)))
    def whisper(self, author: str) -> None:
        """Somebody orders in private."""
        text = self.block()
        self.oracle.spoken[self.word()] = author
        if author in self.talks:
            self.night.forum.write(author, text, self.talks[author])
        else:
            self.talks[author] = self.night.forum.whisper(author, text).topic

    @rule(author=st.sampled_from(sorted(AUTHORS)), said=st.sampled_from(("sí", "no", "quizá")))
    def answer(self, author: str, said: str) -> None:
        """Somebody answers, whether anything was asked or not."""
        self.night.forum.write(author, f"[órdenes]\nresponder P1 {said}\n[/órdenes]")

    def order(self) -> None:
        """Both players order in time, one of them in private."""
        self.post("2")
        self.whisper("3")

    def block(self, verb: str = "tirar") -> str:
        """A block with a word that nobody has used yet."""
        self.words += 1
        return f"[órdenes]\n{verb} {self.word()}\n[/órdenes]"

    def word(self) -> str:
        """The newest word; none is part of another."""
        return f"palabra{self.words:04}"

    @rule(age=st.integers(0, 5))
    def edit(self, age: int) -> None:
        """Somebody edits one of the newer posts, perhaps too late."""
        mine = self.posts_of_players()
        if mine:
            self.night.forum.rewrite(mine[-1 - age % len(mine)], self.block())

    @rule(age=st.integers(0, 5), older=st.booleans())
    def remove(self, age: int, older: bool) -> None:
        """A moderator takes a post out of the topic, perhaps with all that are older."""
        mine = self.posts_of_players()
        last = len(mine) - age % (len(mine) or 1)
        for post in mine[0 if older else last - 1 : last]:
            self.night.forum.remove(post)

    def posts_of_players(self) -> list[int]:
        """Their posts in the topic, oldest first."""
        return [post.id for post in self.night.forum.posts if post.author in AUTHORS and post.topic == TOPIC]

    # The director.

    @rule()
    def answer_a_hold(self) -> None:
        """The director says `retry`."""
        retry(self.night.service, "pequena")

    @rule(orders=st.sampled_from(Orders), back=st.integers(0, 2))
    def void(self, orders: Orders, back: int) -> None:
        """The director voids one of the newest turns with `void` or `rollback`, where that may be."""
        with self.oracle._read() as connection:
            row = games.get_game(connection, "pequena")
        with suppress(Refused, LookupError, NoneLocked, Unfit):
            void_attempt(self.night.service, row, orders, self.number(back), "Otra vez")
        self.looked_at = None

    @rule(entry=st.sampled_from(sorted(ENTRIES)), back=st.integers(0, 2))
    def override(self, entry: str, back: int) -> None:
        """The director writes into one of the newest override files."""
        ref, text = self.override_file(back)
        attempt = max(turn.ref.attempt for turn in self.turns() if turn.ref.turn == ref.turn)
        added = ENTRIES[entry].format(attempt=attempt)
        self.night.service.folder.write_overrides(self.night.folder, ref, f"{text}\n{added}")

    @rule(back=st.integers(0, 2))
    def correct_a_file(self, back: int) -> None:
        """The director takes the mistake out of an override file."""
        ref, text = self.override_file(back)
        self.night.service.folder.write_overrides(self.night.folder, ref, text.replace("# mal\n", ""))

    def override_file(self, back: int) -> tuple[TurnRef, str]:
        """One of the newest, and its text."""
        ref = TurnRef("pequena", self.number(back))
        return ref, self.night.service.folder.read_overrides(self.night.folder, ref)

    def number(self, back: int) -> int:
        """Of one of the newest turns."""
        return max(1, max(turn.ref.turn for turn in self.turns()) - back)

    # Time.

    def pass_time(self, to: str) -> None:
        """Time goes on: not at all, by a few minutes, or to a moment after the newest turn's deadline."""
        if to == "deadline":
            self.order()
            due = max(turn.due_at for turn in self.turns() if turn.status is not TurnStatus.VOID)
            after = closing_at(due, CAPABILITIES) + timedelta(seconds=5)
            self.clock.sleep(max(0.0, (after - self.clock.now()).total_seconds()))
        else:
            self.clock.sleep(60 * int(to))

    @rule(hours=st.sampled_from((3, 7, 13, 50)))
    def outage(self, hours: int) -> None:
        """Nobody works for a while (F5)."""
        self.clock.sleep(3600 * hours)

    @rule(minutes=st.sampled_from((-180, -30, -4, 4, 30, 180)))
    def set_clock(self, minutes: int) -> None:
        """Somebody sets the workers' clock, forward or back (F7)."""
        self.turn_clock(minutes)

    def turn_clock(self, minutes: int) -> None:
        """Set the workers' clock so much further."""
        self.clock.off += timedelta(minutes=minutes)
        self.furthest = max(self.furthest, self.clock.off)

    @rule()
    def put_clock_right(self) -> None:
        """The workers' clock is what the forum's is."""
        self.clock.off = timedelta()

    # Workers.

    @rule(to=TIMES)
    def work(self, to: str) -> None:
        """A worker does what is due."""
        self.pass_time(to)
        self.run(self.night.service)

    @rule(to=TIMES, where=IN_A_NIGHT, occurrence=st.integers(1, 3))
    def crash(self, to: str, where: Checkpoint, occurrence: int) -> None:
        """A worker dies at a checkpoint; the next comes under another name."""
        self.pass_time(to)
        try:
            self.run(self.next_worker(DieAt(where, occurrence, _crash)))
        except Crash:
            self.night.service = self.next_worker()

    @rule(
        to=TIMES,
        where=IN_A_NIGHT,
        occurrence=st.integers(1, 2),
        seconds=st.sampled_from((30, 299, 301, 421, 4000)),
        another=st.booleans(),
        off=st.sampled_from((0, 0, -30, 30)),
    )
    def pause(
        self, to: str, where: Checkpoint, occurrence: int, seconds: int, another: bool, off: int
    ) -> None:
        """A worker freezes at a checkpoint, for less or more than its lease; another may take over, the clock
        may be set meanwhile; then the first goes on (F4).

        Between its last look at the clock and the request itself nobody can stop it: a forum knows no fences.
        """
        self.may_repeat = self.may_repeat or where is Checkpoint.LEAVING
        self.pass_time(to)

        def freeze() -> None:
            self.frozen_for += seconds
            self.clock.sleep(seconds)
            self.turn_clock(off)
            if another:
                began = self.clock.monotonic()
                self.run(self.next_worker())
                self.frozen_for += self.clock.monotonic() - began

        self.run(self.next_worker(DieAt(where, occurrence, freeze)))

    def next_worker(self, reach: Reach = pass_by) -> Service:
        """A worker that is new here."""
        self.workers += 1
        return self.night.worker(f"w{self.workers}", self.oracle.watch(reach))

    def run(self, service: Service) -> None:
        """Tick; it ends, and in time (I7)."""
        began, frozen = self.clock.monotonic(), self.frozen_for
        self.looked_at = None
        done = tick(service, budget=BUDGET, patience=PATIENCE)
        assert done.steps < 100
        assert self.clock.monotonic() - began - (self.frozen_for - frozen) < BUDGET + 1

    # The forum.

    @rule(
        faults=st.lists(st.sampled_from((None, *POSTING)), min_size=1, max_size=6),
        lag=st.sampled_from((0, 110)),
    )
    def spoil_posts(self, faults: list[Fault | None], lag: int) -> None:
        """Some of the next requests that change the forum go wrong, and new posts of ours show up late."""
        self.night.forum.post_faults.extend(faults)
        self.night.forum.lag = timedelta(seconds=lag)

    @rule(fault=st.sampled_from(FOR_GOOD))
    def refuse_a_post(self, fault: Fault) -> None:
        """The forum doesn't take the next text, and waiting doesn't help unless for a moderator."""
        self.night.forum.post_faults.append(fault)

    @rule(freezes=st.booleans())
    def freeze_posts(self, freezes: bool) -> None:
        """From now on nobody may edit, or everybody again."""
        self.night.forum.freezes = freezes

    @rule(lets_through=st.booleans())
    def moderate(self, lets_through: bool) -> None:
        """A moderator goes through the queue; the director is told what was thrown away."""
        if lets_through:
            self.night.forum.approve(len(self.night.forum.queue))
        elif self.night.forum.queue:
            self.night.forum.queue.clear()
            send_again(self.night.service, "pequena")

    @rule(fault=st.sampled_from(READING), times=st.integers(1, 6))
    def spoil_readings(self, fault: Fault, times: int) -> None:
        """The next readings go wrong."""
        self.night.forum.read_faults.extend([fault] * times)

    # What always holds.

    @precondition(lambda self: self.looked_at is None)
    @invariant()
    def what_always_holds(self) -> None:
        """I5 and I6, looked at where somebody has worked."""
        self.looked_at = True
        self.oracle.check_rolls()
        self.oracle.check_seeds()
        self.oracle.check_secrets()

    @precondition(lambda self: self.looked_at is None)
    @invariant()
    def nothing_is_sent_twice(self) -> None:
        """More than I1: where nobody froze in the one moment that can't be guarded, no text repeats."""
        sent = Counter(post.first_text.split("\n")[-1] for post in self.night.forum.by_bot())
        assert self.may_repeat or [] == [marker for marker, times in sent.items() if times > 1]

    def teardown(self) -> None:
        """The faults stop; everything comes to an end (I8), and then the rest is checked."""
        try:
            self.stop_faults()
            self.settle()
            self.check_end()
            self.oracle.check_turns()
            self.oracle.check_posts()
            self.oracle.check_voids()
            self.oracle.check_files()
            event(f"turns published: {sum(turn.status is TurnStatus.PUBLISHED for turn in self.turns())}")
            event(f"attempts voided: {sum(turn.status is TurnStatus.VOID for turn in self.turns())}")
            event(f"held: {sorted(turn.held_code for turn in self.turns() if turn.held_code)}")
        finally:
            close_newer(self.before)
            shutil.rmtree(self.folder)

    def stop_faults(self) -> None:
        """The forum works, the clock is right, a new worker comes."""
        self.night.forum.post_faults.clear()
        self.night.forum.read_faults.clear()
        self.night.forum.approve(len(self.night.forum.queue))
        self.night.forum.lag = timedelta()
        self.clock.off = timedelta()
        self.night.service = self.next_worker()

    def settle(self) -> None:
        """Work until nothing is under way any more."""
        self.clock.sleep(self.furthest.total_seconds())  # what a clock that was ahead has put off until then
        for _ in range(8):
            self.clock.sleep(901)
            self.run(self.night.service)
            if self.oracle.is_at_rest():
                break

    def check_end(self) -> None:
        """I8: every turn is published, waits for its deadline, or for a person who is told why."""
        known = self.turns()
        held = [turn for turn in known if turn.status is TurnStatus.HELD]
        assert [] == [turn for turn in held if not turn.reason]
        waiting = any(turn.status in (TurnStatus.HELD, TurnStatus.ASKING) for turn in known)
        over = (TurnStatus.PUBLISHED, TurnStatus.VOID, TurnStatus.HELD, TurnStatus.ASKING)
        left = [turn for turn in known if turn.status not in over]
        assert [] == [turn for turn in left if turn.status not in NOT_LOCKED]
        assert [] == [turn for turn in left if turn.status is TurnStatus.PLANNED and not waiting]
        now = self.clock.now()
        opened = [turn for turn in left if turn.status is TurnStatus.OPEN]
        assert [] == [turn for turn in opened if closing_at(turn.due_at, CAPABILITIES) < now]
        with self.oracle._read() as connection:
            assert games.get_game(connection, "pequena").status is GameStatus.ACTIVE


NIGHTS, STEPS = map(int, os.environ.get("TURNERO_NIGHTS", "20x30" if on_postgres() else "200x50").split("x"))
NightMachine.TestCase.settings = settings(max_examples=NIGHTS, stateful_step_count=STEPS, deadline=None)
TestNight = NightMachine.TestCase
