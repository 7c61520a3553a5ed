"""What holds of a night whatever happens in it: the invariants I1 to I6 of reliability.md 4, asked of the
forum, the database and the game's folder.

What a locked turn has to hold is worked out here from the forum as it stood at the closing reading, not by
the code that reads it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cached_property

from sqlalchemy import Connection, select

from processor.checkpoints import Checkpoint, Reach
from processor.pipeline.context import Commitments, Frozen, PlayContext, Secrets
from processor.store import answers, games, locks, outbox_rows, turns
from processor.store.rows import WAITING, OutboxRow, SendState, TurnRow
from processor.store.tables import locks as lock_table
from processor.store.tables import orders, outbox, posts, rolls
from rules.engine import ptd1
from rules.play.turns import Deadline, TurnStatus
from tests.support import small_game
from tests.support.memory_forum import BOT, CAPABILITIES, TOPIC, Kept
from tests.support.small_night import Night

AUTHORS = {"2": "norte", "3": "sur"}
SKEW = timedelta(minutes=10)
"""By so much our clock and the forum's may differ without anybody being asked."""
_SHOWN = (TurnStatus.PUBLISHING, TurnStatus.PUBLISHED)
_OPENING = "[órdenes]"


@dataclass(frozen=True, slots=True)
class Stored:
    """The night's rows at one moment."""

    turns: tuple[TurnRow, ...]
    texts: tuple[OutboxRow, ...]

    def following(self, turn: TurnRow) -> TurnRow:
        """The turn that an attempt's report opens."""
        behind = (one for one in self.turns if one.ref.turn == turn.ref.turn + 1 and one.id > turn.id)
        return min(behind, key=lambda one: one.id)

    def sent(self, turn: TurnRow, kind: str) -> list[OutboxRow]:
        """The parts of a text of an attempt, by part."""
        mine = [row for row in self.texts if row.turn_id == turn.id and row.kind == kind]
        return sorted(mine, key=lambda row: row.part)


@dataclass
class Oracle:
    """Looks at a night's game. spoken: word of an order that was written in private -> who wrote it.

    closed: the forum as it stood at the closing reading of each locked attempt, by its row's id.
    """

    night: Night
    spoken: dict[str, str] = field(default_factory=dict)
    closed: dict[int, tuple[Kept, ...]] = field(default_factory=dict)
    rolled: dict[tuple[int, str], str] = field(default_factory=dict)

    def watch(self, inner: Reach) -> Reach:
        """What a worker reaches: at the lock the forum is kept as it was when that worker read it last."""
        seen: list[tuple[Kept, ...]] = []

        def reach(checkpoint: Checkpoint) -> None:
            if checkpoint is Checkpoint.TOPIC_READ:
                seen[:] = [tuple(replace(post) for post in self.night.forum.posts if post.author in AUTHORS)]
            elif checkpoint is Checkpoint.LOCKED:
                (new,) = self._list_locked() - set(self.closed)
                self.closed[new] = seen[-1]
            elif checkpoint is Checkpoint.VOIDED:
                self._take_over()
            inner(checkpoint)

        return reach

    def _list_locked(self) -> set[int]:
        with self._read() as connection:
            return set(connection.execute(select(lock_table.c.turn_id)).scalars())

    def _take_over(self) -> None:
        """An attempt with the same orders was closed when the one before it was."""
        for turn in self.turns():
            if turn.orders_of in self.closed:
                self.closed.setdefault(turn.id, self.closed[turn.orders_of])

    @contextmanager
    def _read(self) -> Iterator[Connection]:
        with self.night.service.database.read() as connection:
            yield connection

    @cached_property
    def secret(self) -> bytes:
        """The game's H."""
        with self._read() as connection:
            return games.get_game(connection, "pequena").secret

    def turns(self) -> tuple[TurnRow, ...]:
        """All attempts."""
        with self._read() as connection:
            return turns.list_turns(connection, "pequena")

    def load(self) -> Stored:
        """All attempts and all texts."""
        with self._read() as connection:
            known = turns.list_turns(connection, "pequena")
            return Stored(
                known, tuple(row for turn in known for row in outbox_rows.list_rows(connection, turn.id))
            )

    def is_at_rest(self) -> bool:
        """Whether no attempt is under way and no text on its way."""
        stored = self.load()
        still = (TurnStatus.OPEN, TurnStatus.ASKING, TurnStatus.HELD, TurnStatus.PUBLISHED, TurnStatus.VOID)
        return all(turn.status in still for turn in stored.turns) and all(
            row.state not in WAITING for row in stored.texts
        )

    # What always holds.

    def check_rolls(self) -> None:
        """I5: a label's die is what the seed makes of it; once rolled it stays what it is."""
        seeds = {turn.id: turn for turn in self.turns()}
        with self._read() as connection:
            for row in connection.execute(select(rolls)):
                if (row.turn_id, row.label) in self.rolled:
                    assert row.value == self.rolled[row.turn_id, row.label]
                    continue
                turn = seeds[row.turn_id]
                key = ptd1.turn_key(turn.ref.dice_game, turn.ref.turn, turn.seed, ptd1.SEED)
                assert row.value == str(ptd1.roll(key, row.label, row.i, ptd1.WORD))
                self.rolled[row.turn_id, row.label] = row.value

    def check_seeds(self) -> None:
        """What is reopened gets a seed that no other has; the same orders keep theirs (design.md 1)."""
        known: dict[bytes, set[tuple[int, int]]] = {}
        for turn in self.turns():
            known.setdefault(turn.seed, set()).add((turn.ref.turn, turn.seed_attempt))
        assert [] == [made for made in known.values() if len(made) > 1]

    def check_secrets(self) -> None:
        """I6: no order given in private is told to others, no seed before its report or its void, nor H."""
        known = self.turns()
        public = "\n".join(post.text for post in self.night.forum.by_bot(TOPIC))
        everything = "\n".join(post.text for post in self.night.forum.by_bot())
        assert [] == [word for word in self.spoken if word in public]
        for author in AUTHORS:
            mine = "\n".join(post.text for post in self.night.forum.by_bot() if self._reads(author, post))
            assert [] == [word for word, who in self.spoken.items() if who != author and word in mine]
        early = [one for one in known if one.seed.hex() in everything]
        assert [] == [one for one in early if not self._is_shown(one, known)]
        assert self.secret.hex() not in everything

    def check_files(self) -> None:
        """The files of the reports hold nothing secret either."""
        files = "\n".join(one.read_text(encoding="utf-8") for one in self.night.folder.glob("reports/**/*.*"))
        assert [] == [word for word in (*self.spoken, self.secret.hex()) if word in files]
        assert [] == [
            one for one in self.turns() if one.seed.hex() in files and not self._is_shown(one, self.turns())
        ]

    def _reads(self, author: str, post: Kept) -> bool:
        people = self.night.forum.conversations.get(post.topic, ("", frozenset((BOT,))))[1]
        return author in people

    def _is_shown(self, turn: TurnRow, known: Sequence[TurnRow]) -> bool:
        """Whether a seed's time has come: its report leaves, or its attempt is voided for good."""
        same = [one for one in known if one.seed == turn.seed]
        if all(one.status is TurnStatus.VOID for one in same):
            return True
        if any(one.status in _SHOWN or one.held_from in _SHOWN for one in same):
            return True
        with self._read() as connection:
            mine = outbox.c.turn_id.in_([one.id for one in same])
            left = select(outbox.c.id).where(mine, outbox.c.kind == "report", outbox.c.attempts > 0)
            return connection.execute(left.limit(1)).first() is not None

    # What holds once everything has come to an end.

    def check_posts(self) -> None:
        """I1: each text of a published attempt stands in the forum once, a voided report at most once."""
        stored = self.load()
        markers = Counter(post.text.split("\n")[-1] for post in self.night.forum.by_bot())
        texts = {str(post.id): post.text for post in self.night.forum.by_bot()}
        done = {one.id for one in stored.turns if one.status is TurnStatus.PUBLISHED}
        newest = {
            (row.turn_id, row.ref.turn, row.ref.attempt, row.kind, row.part): row
            for row in sorted(stored.texts, key=lambda row: row.revision)
            if row.turn_id in done and row.state is SendState.SENT
        }.values()
        assert {row.marker: 1 for row in newest} == {row.marker: markers[row.marker] for row in newest}
        assert [row.text for row in newest] == [texts.get(row.forum_post_id or "") for row in newest]
        reports = Counter(marker for marker in markers.elements() if ":report" in marker)
        assert [] == [marker for marker, times in reports.items() if times > 1]

    def check_turns(self) -> None:
        """I2, I3 and I4 for every attempt that was locked."""
        stored = self.load()
        locked = self._list_locked()
        for turn in stored.turns:
            if turn.id in locked:
                self._check_reading(turn)
                self._check_commitment(turn)
                self._check_report(stored, turn)

    def _check_reading(self, turn: TurnRow) -> None:
        """I3: every order that stood in the forum at the closing reading is stored; of each seat's orders in
        time that belong to the turn the newest was locked, as it read then.
        """
        forum = [post for post in self.closed[turn.id] if _OPENING in post.text]
        with self._read() as connection:
            known = {one.post_id: one.turn_id for one in connection.execute(select(posts))}
            mine = select(orders.c.seat, orders.c.post_id, orders.c.text).where(orders.c.turn_id == turn.id)
            locked = {(row.seat, row.post_id, row.text) for row in connection.execute(mine)}
        assert [] == [post.id for post in forum if str(post.id) not in known]
        expected = set()
        for author, seat in AUTHORS.items():
            written = [
                (post.at.replace(second=0, microsecond=0), post.id, post)
                for post in forum
                if post.author == author and known[str(post.id)] == turn.evidence
            ]
            in_time = [post for at, _, post in sorted(written) if at <= turn.deadline.cut_off]
            if in_time:
                lines = in_time[-1].text.split("\n")[1:-1]
                expected |= {(seat, str(in_time[-1].id), line) for line in lines}
        assert expected == locked

    def _check_commitment(self, turn: TurnRow) -> None:
        """I4: C was in the forum before the deadline, unless the director has waived it."""
        shown = [post.at for post in self.night.forum.by_bot(TOPIC) if turn.commitment in post.first_text]
        assert shown
        assert turn.waived & {"commitment", "skew", "clock"} or min(shown) <= turn.due_at + SKEW

    def _check_report(self, stored: Stored, turn: TurnRow) -> None:
        """I2: the report is what frozen orders, override file, answers and seed make of it."""
        texts = [row.body for row in stored.sent(turn, "report")]
        if texts:
            assert texts == self._replay(stored, turn)

    def check_voids(self) -> None:
        """A commitment that was shown and voided has its seed in the forum, before the next commitment."""
        stored = self.load()
        shown = [post.first_text for post in self.night.forum.by_bot(TOPIC)]
        held = any(turn.status is TurnStatus.HELD for turn in stored.turns)
        kept = Counter(one.seed for one in stored.turns)
        for turn in stored.turns:
            if turn.status is not TurnStatus.VOID or kept[turn.seed] > 1:
                continue
            promised = [at for at, text in enumerate(shown) if turn.commitment in text]
            revealed = [at for at, text in enumerate(shown) if turn.seed.hex() in text]
            assert held or not promised or revealed
            again = [
                at
                for later in stored.turns
                if later.ref.turn == turn.ref.turn and later.id > turn.id
                for at, text in enumerate(shown)
                if later.commitment in text
            ]
            assert not (promised and again) or (revealed and min(revealed) <= min(again))

    def _replay(self, stored: Stored, turn: TurnRow) -> list[str]:
        """The report's parts, from nothing but what was frozen."""
        loaded = small_game.load_game(self.night.folder)
        with self._read() as connection:
            lock = locks.find_lock(connection, turn.id)
            state = turns.find_state(connection, turn.id).load(small_game.RULESET)
            used = locks.find_used_overrides(connection, turn.id)
            taken = answers.find_answers(connection, turn.id)
        play = PlayContext(
            *(loaded.game, loaded.ruleset, small_game.KIND, state, turn.ref, turn.deadline),
            *(loaded.catalogue, CAPABILITIES),
        )
        frozen = Frozen(
            small_game.load_reading(json.loads(lock.reading)),
            lock.overrides,
            lock.lock_tag,
            lock.manifest_hash,
            lock.rules_id,
            lock.posts_read,
            late_overrides=used if used != lock.overrides else None,
            answers={question: one.answer for question, one in taken.items()},
        )
        result = small_game.resolve_turn(play, frozen, Secrets(turn.seed, self.secret))
        following = stored.following(turn)
        made = Commitments(following.commitment, following.groups)
        after = Deadline(following.clock.planned, following.zone)
        now = Commitments(turn.commitment, turn.groups)
        ended = result.resolution.state
        return list(small_game.reports(play, frozen, result, now, made, after, ended)[0].parts)
