"""Whatever people, crashes, other workers and the forum do: the invariants of reliability.md 4 hold."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

from hypothesis import event, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule
from sqlalchemy import select

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.pipeline.context import Commitments, Frozen, PlayContext, Secrets
from processor.service.bundle import Service
from processor.service.holding import retry
from processor.service.timing import closing_at
from processor.store import games, locks, outbox_rows, turns
from processor.store.rows import SendState, TurnRow
from processor.store.tables import locks as lock_table
from processor.store.tables import orders, rolls
from rules.engine.ruleset import Kind
from rules.play.turns import Deadline, TurnStatus
from tests.support import small_game
from tests.support.databases import close_newer, count_open, on_postgres
from tests.support.memory_forum import BOT, CAPABILITIES, TOPIC, Fault
from tests.support.small_night import Night, start_night

LEASE, QUIET = timedelta(minutes=5), timedelta(minutes=2)
AUTHORS = {"2": "norte", "3": "sur"}
POSTING = (Fault.STORE_THEN_DROP, Fault.DROP_BEFORE_STORE, Fault.REFUSE_FOR_NOW)
FOR_GOOD = (Fault.REFUSE, Fault.QUEUE)
READING = (Fault.LOGIN_PAGE, Fault.CUT_PAGE, Fault.DOWN, Fault.NO_LOGIN)
TIMES = st.sampled_from(("0", "3", "16", "deadline"))
IN_A_NIGHT = st.sampled_from(Checkpoint)


class Crash(BaseException):
    """The process is gone."""


def _crash() -> None:
    raise Crash


class NightMachine(RuleBasedStateMachine):
    """Two players, a director, workers that come and go, one forum."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.seeds = 0
        self.before = count_open()
        self.night: Night = start_night(self.folder / "g", random_bytes=self.draw_seed, every_days=1)
        self.workers = 0
        self.words = 0
        self.whispered: set[str] = set()
        self.rolls: dict[tuple[int, str, int], str] = {}
        self.waived = False
        self.may_repeat = False
        self.run(self.night.service)
        self.order()

    def draw_seed(self, count: int) -> bytes:
        """Bytes that differ each time, so that a seed is known by its look."""
        self.seeds += 1
        return bytes([self.seeds % 256, 0xEE]) * (count // 2)

    # People.

    @rule(author=st.sampled_from(sorted(AUTHORS)))
    def post(self, author: str) -> None:
        """Somebody orders in the topic."""
        self.night.forum.write(author, self.block())

    @rule(author=st.sampled_from(sorted(AUTHORS)))
    def whisper(self, author: str) -> None:
        """Somebody orders in private."""
        self.night.forum.whisper(author, self.block())
        self.whispered.add(f"palabra{self.words}")

    def order(self) -> None:
        """Both players order in time, one of them in private."""
        self.post("2")
        self.whisper("3")

    def block(self) -> str:
        """A block with a word that nobody has used yet."""
        self.words += 1
        return f"[órdenes]\ntirar palabra{self.words}\n[/órdenes]"

    @rule(age=st.integers(0, 5))
    def edit(self, age: int) -> None:
        """Somebody edits one of the newer posts, perhaps too late."""
        mine = [post for post in self.night.forum.posts[1:] if post.author != BOT and post.topic == TOPIC]
        if mine:
            self.night.forum.rewrite(mine[-1 - age % len(mine)].id, self.block())

    @rule()
    def answer_a_hold(self) -> None:
        """The director says `retry`."""
        self.waived = self.waived or any(turn.status is TurnStatus.HELD for turn in self.turns())
        retry(self.night.service, "pequena")

    # Time.

    def pass_time(self, to: str) -> None:
        """Time goes on: not at all, by a few minutes, or to a moment after the newest turn's deadline."""
        if to == "deadline":
            self.order()
            due = max(turn.due_at for turn in self.turns())
            after = closing_at(due, CAPABILITIES) + timedelta(seconds=5)
            self.night.clock.set(max(self.night.clock.now(), after))
        else:
            self.night.clock.sleep(60 * int(to))

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

    @rule(to=TIMES, where=IN_A_NIGHT, occurrence=st.integers(1, 2))
    def overtake(self, to: str, where: Checkpoint, occurrence: int) -> None:
        """A worker freezes at a checkpoint, another one takes over, then the first goes on.

        Between its last look at the clock and the request itself nobody can stop it: a forum knows no fences.
        """
        self.may_repeat = self.may_repeat or where is Checkpoint.LEAVING
        self.pass_time(to)

        def freeze() -> None:
            self.night.clock.sleep((LEASE + QUIET).total_seconds() + 1)
            self.run(self.next_worker())

        self.run(self.next_worker(DieAt(where, occurrence, freeze)))

    def next_worker(self, reach: DieAt | None = None) -> Service:
        """A worker that is new here."""
        self.workers += 1
        return self.night.worker(f"w{self.workers}", *([reach] if reach else []))

    def run(self, service: Service) -> None:
        """Tick; it ends, and in time (I7)."""
        before = self.night.clock.monotonic()
        done = tick(service, budget=600.0, patience=200.0)
        assert done.steps < 100
        assert self.night.clock.monotonic() - before < 2 * (600.0 + LEASE.total_seconds())

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
        """The forum doesn't take the next text, and waiting doesn't help."""
        self.night.forum.post_faults.append(fault)

    @rule(fault=st.sampled_from(READING), times=st.integers(1, 6))
    def spoil_readings(self, fault: Fault, times: int) -> None:
        """The next readings go wrong."""
        self.night.forum.read_faults.extend([fault] * times)

    # What always holds.

    def turns(self) -> tuple[TurnRow, ...]:
        """All turns."""
        with self.night.service.database.read() as connection:
            return turns.list_turns(connection, "pequena")

    @invariant()
    def a_roll_never_changes(self) -> None:
        """I5: once rolled, a label's die stays what it is."""
        with self.night.service.database.read() as connection:
            for row in connection.execute(select(rolls)):
                assert row.value == self.rolls.setdefault((row.turn_id, row.label, row.i), row.value)

    @invariant()
    def nothing_is_sent_twice(self) -> None:
        """More than I1: where nobody froze in the one moment that can't be guarded, no text repeats."""
        sent = Counter(post.first_text.split("\n")[-1] for post in self.night.forum.by_bot())
        assert self.may_repeat or [] == [marker for marker, times in sent.items() if times > 1]

    @invariant()
    def nothing_secret_is_public(self) -> None:
        """I6: no private word in the topic, no seed of a turn whose orders aren't locked, anywhere."""
        public = "\n".join(post.text for post in self.night.forum.by_bot(TOPIC))
        everything = "\n".join(post.text for post in self.night.forum.by_bot())
        assert [] == [word for word in self.whispered if f"{word}/" in public or f"{word}\n" in public]
        unlocked = (TurnStatus.PLANNED, TurnStatus.OPEN)
        assert [] == [one for one in self.turns() if one.status in unlocked and one.seed.hex() in everything]

    def teardown(self) -> None:
        """The faults stop; everything comes to an end (I8), and then the rest is checked."""
        self.night.forum.post_faults.clear()
        self.night.forum.read_faults.clear()
        self.night.forum.lag = timedelta()
        self.night.service = self.next_worker()
        try:
            self.settle()
            self.check_turns()
            self.check_posts()
            event(f"turns published: {sum(turn.status is TurnStatus.PUBLISHED for turn in self.turns())}")
            event(f"held: {[turn.held_code for turn in self.turns() if turn.held_code]}")
        finally:
            close_newer(self.before)
            shutil.rmtree(self.folder)

    def settle(self) -> None:
        """Work until nothing is under way any more."""
        open_ones = (TurnStatus.PLANNED, TurnStatus.OPEN, TurnStatus.HELD, TurnStatus.PUBLISHED)
        for _ in range(8):
            self.night.clock.sleep(901)
            self.run(self.night.service)
        assert [] == [turn for turn in self.turns() if turn.status not in open_ones]
        assert [] == [turn for turn in self.turns() if turn.status is TurnStatus.HELD and not turn.reason]

    def check_posts(self) -> None:
        """I1: each text of a turn that is published stands in the forum exactly once."""
        markers = Counter(post.text.split("\n")[-1] for post in self.night.forum.by_bot())
        done = [turn.id for turn in self.turns() if turn.status is TurnStatus.PUBLISHED]
        with self.night.service.database.read() as connection:
            sent = [
                row for turn_id in done for row in outbox_rows.list_rows(connection, turn_id, SendState.SENT)
            ]
        newest = {(row.turn_id, row.kind, row.part): row for row in sent}
        texts = {str(post.id): post.text for post in self.night.forum.by_bot()}
        assert {row.marker: 1 for row in newest.values()} == {
            row.marker: markers[row.marker] for row in newest.values()
        }
        assert [row.text for row in newest.values()] == [
            texts.get(row.forum_post_id or "") for row in newest.values()
        ]

    def check_turns(self) -> None:
        """I2, I3 and I4 for every turn that was locked."""
        for turn in self.turns():
            with self.night.service.database.read() as connection:
                locked = select(lock_table.c.turn_id).where(lock_table.c.turn_id == turn.id)
                if connection.execute(locked).first() is None:
                    continue
                lock = locks.find_lock(connection, turn.id)
                state = turns.find_state(connection, turn.id).load(small_game.RULESET)
                secret = games.get_game(connection, "pequena").secret
                mine = select(orders.c.seat, orders.c.post_id).where(orders.c.turn_id == turn.id)
                ordered = {row.seat: row.post_id for row in connection.execute(mine)}
                reports = [row.body for row in outbox_rows.find_newest(connection, turn.id, "report")]
            self.check_reading(turn, ordered)
            self.check_commitment(turn)
            if reports:
                assert reports == self.replay(turn, lock, state, secret)

    def check_reading(self, turn: TurnRow, ordered: dict[str, str]) -> None:
        """I3: of each seat's posts in time the newest was locked; no turn closes on less than there was."""
        for author, seat in AUTHORS.items():
            mine = [post for post in self.night.forum.posts if post.author == author]
            in_time = [post.id for post in mine if post.at.replace(second=0, microsecond=0) <= turn.due_at]
            if turn.ref.turn == 1 or seat in ordered:
                assert str(max(in_time)) == ordered[seat]

    def check_commitment(self, turn: TurnRow) -> None:
        """I4: C was in the forum before the deadline, unless the director has waived it."""
        shown = [post for post in self.night.forum.by_bot(TOPIC) if turn.commitment in post.text]
        assert shown
        assert self.waived or min(post.at for post in shown) <= turn.due_at

    def replay(
        self, turn: TurnRow, lock: locks.LockRow, state: small_game.SmallState, secret: bytes
    ) -> list[str]:
        """I2: the report again, from nothing but what was frozen."""
        loaded = small_game.load_game(self.folder / "g")
        kind: Kind = small_game.KIND
        deadline = Deadline(turn.due_at, turn.zone)
        play = PlayContext(
            loaded.game, loaded.ruleset, kind, state, turn.ref, deadline, loaded.catalogue, CAPABILITIES
        )
        reading = small_game.load_reading(json.loads(lock.reading))
        frozen = Frozen(
            reading, lock.overrides, lock.lock_tag, lock.manifest_hash, lock.rules_id, lock.posts_read
        )
        result = small_game.resolve_turn(play, frozen, Secrets(turn.seed, secret))
        following = next(one for one in self.turns() if one.ref.turn == turn.ref.turn + 1)
        made = Commitments(following.commitment, following.groups)
        after = Deadline(following.due_at, following.zone)
        texts = small_game.reports(
            play,
            frozen,
            result,
            Commitments(turn.commitment, turn.groups),
            made,
            after,
            result.resolution.state,
        )
        return list(texts[0].parts)


EXAMPLES = 20 if on_postgres() else 50
NightMachine.TestCase.settings = settings(max_examples=EXAMPLES, stateful_step_count=30, deadline=None)
TestNight = NightMachine.TestCase
