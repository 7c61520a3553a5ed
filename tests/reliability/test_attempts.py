"""Turns that are voided and played or resolved once more, on the forum in memory."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from jobs.commands.tick import wake_named
from jobs.speech import speaking
from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.pipeline.override_entries import Refused
from processor.service.holding import retry
from processor.service.void_commands import Done, NoneLocked, void_attempt
from processor.service.voiding import follow_voids
from processor.store import games, outbox_rows, turns
from processor.store.rows import SendState, TurnRow
from processor.store.tables import outbox, posts, rolls
from rules.play.attempts import Orders
from rules.play.turns import TurnStatus
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC, Fault
from tests.support.small_night import Night, start_night

AFTER = DEADLINE + timedelta(minutes=2)
LATER = timedelta(minutes=10)
REOPEN, KEEP = Orders.REOPEN, Orders.KEEP


class Stop(BaseException):
    """A worker that dies."""


def stop() -> None:
    """Die."""
    raise Stop


def begin(folder: Path, **settings: Any) -> Night:
    """An open turn with two blocks, one of them private; every seed is another one."""
    numbers = iter(range(1, 200))
    night = start_night(folder / "g", random_bytes=lambda n: bytes([next(numbers)]) * n, **settings)
    tick(night.service)
    order(night, "dado", "secreto")
    return night


def order(night: Night, openly: str, privately: str) -> None:
    """A block of each seat."""
    night.forum.write("2", f"[órdenes]\ntirar {openly}\n[/órdenes]")
    night.forum.whisper("3", f"[órdenes]\ntirar {privately}\n[/órdenes]")


def void(night: Night, orders: Orders, number: int | None = None) -> Done:
    """What the director's command does."""
    with night.service.database.read() as connection:
        row = games.get_game(connection, "pequena")
    return void_attempt(night.service, row, orders, number, "Se cayó el foro")


def known(night: Night) -> dict[str, TurnRow]:
    """All attempts by their number, `1.2`."""
    with night.service.database.read() as connection:
        listed = turns.list_turns(connection, "pequena")
    return {f"{one.ref.turn}.{one.ref.attempt}": one for one in listed}


def statuses(night: Night) -> dict[str, str]:
    """Where the attempts are."""
    return {key: one.status.value for key, one in known(night).items()}


def go_on(night: Night, times: int = 3) -> None:
    """Some ticks, far enough from each other for leases and quiet times."""
    for _ in range(times):
        night.clock.sleep(LATER.total_seconds())
        tick(night.service)


def close(night: Night, key: str) -> None:
    """Tick before an attempt's deadline and behind it."""
    night.clock.set(known(night)[key].due_at - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(known(night)[key].due_at + timedelta(minutes=2))
    tick(night.service)


def public(night: Night) -> list[str]:
    """Our posts in the topic by marker, without game and hash, as they stand in the forum."""
    markers = [post.text.split("\n")[-1] for post in night.forum.by_bot(TOPIC)]
    return [" ".join(marker.split(":")[2:5]) for marker in markers]


def dice(night: Night, key: str) -> dict[str, str]:
    """The values of an attempt's dice by label."""
    turn_id = known(night)[key].id
    with night.service.database.read() as connection:
        mine = select(rolls.c.label, rolls.c.value).where(rolls.c.turn_id == turn_id)
        return {row.label: row.value for row in connection.execute(mine)}


def post_of(night: Night, start: str) -> str:
    """What stands in the topic under a marker."""
    (found,) = [one for one in night.forum.by_bot(TOPIC) if f":{start}:" in one.text.split("\n")[-1]]
    return found.text


def write_void(night: Night, text: str, number: int = 1) -> None:
    """An override file by hand."""
    path = night.folder / "overrides" / f"turn-{number:03}.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


MOMENTS = [
    ("open", Checkpoint.OPENED),
    ("locked", Checkpoint.LOCKED),
    ("resolving", Checkpoint.RESOLVING),
    ("resolved", Checkpoint.RESOLVED),
    ("publishing", Checkpoint.PUBLISHING),
    ("published", Checkpoint.PUBLISHED),
]
CLOSED = [case for case in MOMENTS if case[0] != "open"]


def come_to(night: Night, status: str, where: Checkpoint) -> None:
    """Let a worker die with the turn in some state, its lease in its hands."""
    if status == "open":
        return
    night.clock.set(AFTER)
    with pytest.raises(Stop):
        tick(night.worker("b", DieAt(where, 1, stop)))
    assert status == statuses(night)["1.1"]


@pytest.mark.parametrize(("status", "where"), MOMENTS)
def test_a_turn_in_any_state_is_opened_once_more(tmp_path: Path, status: str, where: Checkpoint) -> None:
    """The orders of the voided attempt don't count; the next has its own seed, deadline and report."""
    night = begin(tmp_path)
    come_to(night, status, where)
    void(night, REOPEN, 1)
    go_on(night)
    order(night, "nuevo", "oculto")
    close(night, "1.2")
    go_on(night)

    found, told = statuses(night), public(night)
    assert ("void", "published", "open") == (found["1.1"], found["1.2"], max(found.items())[1])
    assert {"nuevo/norte/1", "oculto/sur/1"} == set(dice(night, "1.2"))
    assert 1 == told.count("1.1 void 1/1") == told.count("1.2 open 1/1") == told.count("1.2 report 1/2")
    assert sorted(set(told)) == sorted(told)
    assert told.index("1.1 void 1/1") < told.index("1.2 open 1/1") < told.index("1.2 report 1/2")


@pytest.mark.parametrize(("status", "where"), CLOSED)
def test_a_closed_turn_is_resolved_once_more(tmp_path: Path, status: str, where: Checkpoint) -> None:
    """The same orders, the same dice, and the turn behind it is opened by the new report."""
    night = begin(tmp_path)
    come_to(night, status, where)
    void(night, KEEP, 1)
    go_on(night)

    found, told = statuses(night), public(night)
    assert ("void", "published") == (found["1.1"], found["1.2"])
    assert "open" == max(found.items())[1]
    assert known(night)["1.1"].seed == known(night)["1.2"].seed
    assert {"dado/norte/1", "secreto/sur/1"} == set(dice(night, "1.2"))
    assert 1 == told.count("1.1 void 1/1") == told.count("1.2 report 1/2") == told.count("1.2 report 2/2")
    assert "1.2 open 1/1" not in told
    earlier = dice(night, "1.1")
    assert earlier in ({}, dice(night, "1.2"))


def test_a_seed_is_shown_before_another_is_promised(tmp_path: Path) -> None:
    """While the forum doesn't take the post that voids a turn, nothing of the next attempt is in it."""
    night = begin(tmp_path)
    night.forum.post_faults.append(Fault.REFUSE)
    void(night, REOPEN)
    go_on(night)
    everything = "\n".join(post.text for post in night.forum.by_bot())
    again = known(night)["1.2"]

    assert (TurnStatus.HELD, "outbox") == (again.status, again.held_code)
    assert [] == [word for word in (again.commitment, known(night)["1.1"].seed.hex()) if word in everything]

    retry(night.service, "pequena")
    go_on(night)
    assert "open" == statuses(night)["1.2"]
    assert known(night)["1.1"].seed.hex() in post_of(night, "1.1:void")
    assert again.commitment in post_of(night, "1.2:open")


def test_an_attempt_voided_before_it_spoke_leaves_its_word_to_the_next(tmp_path: Path) -> None:
    """The seed that it was to show is shown all the same, in the order in which they were promised."""
    night = begin(tmp_path)
    go_on(night, 2)
    void(night, REOPEN)
    void(night, REOPEN)
    go_on(night)

    assert ["1.1 void 1/1", "1.2 void 1/1", "1.3 open 1/1"] == public(night)[-3:]
    assert known(night)["1.1"].seed.hex() in post_of(night, "1.1:void")
    assert "open" == statuses(night)["1.3"]


def test_the_next_attempt_has_time(tmp_path: Path) -> None:
    """Its deadline is the next of the schedule that leaves a day, not the one that was close."""
    night = begin(tmp_path)
    night.clock.set(DEADLINE - timedelta(hours=1))
    void(night, REOPEN)
    go_on(night)

    assert DEADLINE + timedelta(days=7) == known(night)["1.2"].due_at
    assert "13/12/2026 21:00 UTC" in post_of(night, "1.2:open")


def test_what_was_written_before_the_void_does_not_count(tmp_path: Path) -> None:
    """It stays in the store as evidence of the attempt for which it was written."""
    night = begin(tmp_path)
    go_on(night, 2)
    void(night, REOPEN)
    go_on(night)
    night.forum.write("2", "[órdenes]\ntirar nuevo\n[/órdenes]")
    close(night, "1.2")
    retry(night.service, "pequena")  # only one of two has orders
    go_on(night, 1)

    assert {"nuevo/norte/1"} == set(dice(night, "1.2"))
    first = known(night)["1.1"].id
    with night.service.database.read() as connection:
        owners = set(connection.execute(select(posts.c.turn_id).where(posts.c.post_id != "1")).scalars())
    assert first in owners


def test_two_turns_are_voided_at_once(tmp_path: Path) -> None:
    """Voiding a turn voids what was opened behind it; the post shows both seeds, and both come again."""
    night = begin(tmp_path)
    night.clock.set(AFTER)
    go_on(night, 1)
    order(night, "otro", "otro")
    night.clock.set(DEADLINE + timedelta(days=1))
    tick(night.service)
    done = void(night, REOPEN, 1)
    go_on(night)
    before = known(night)
    notice = post_of(night, "1.1:void")

    assert (2,) == done.later
    assert {"1.1": "void", "1.2": "open", "2.1": "void"} == statuses(night)
    assert [] == [key for key in ("1.1", "2.1") if before[key].seed.hex() not in notice]
    assert before["1.2"].seed.hex() not in notice
    order(night, "nuevo", "nuevo")
    close(night, "1.2")
    go_on(night)
    assert {"1.1": "void", "1.2": "published", "2.1": "void", "2.2": "open"} == statuses(night)
    assert 4 == len({one.commitment for one in known(night).values()})
    assert known(night)["2.2"].commitment in post_of(night, "1.2:report:2/2")


def test_a_turn_behind_a_kept_one_opens_with_its_new_report(tmp_path: Path) -> None:
    """Its orders are given anew, until the deadline that it had, and it resolves like any other."""
    night = begin(tmp_path)
    night.clock.set(AFTER)
    go_on(night, 1)
    order(night, "viejo", "viejo")
    go_on(night, 1)
    void(night, KEEP)
    go_on(night)
    order(night, "nuevo", "nuevo")
    before = known(night)
    close(night, "2.2")
    go_on(night)

    assert before["2.1"].due_at == before["2.2"].due_at
    assert {"nuevo/norte/1", "nuevo/sur/1"} == set(dice(night, "2.2"))
    assert {"1.1": "void", "1.2": "published", "2.1": "void", "2.2": "published", "3.1": "open"} == statuses(
        night
    )


def test_a_rerun_is_run_again(tmp_path: Path) -> None:
    """As often as it takes: each attempt by an entry of its own, the seed stays, the posts don't repeat."""
    night = begin(tmp_path)
    night.clock.set(AFTER)
    go_on(night, 1)
    for _ in range(3):
        void(night, KEEP, 1)
        go_on(night)
    found = statuses(night)

    assert ["void", "void", "void", "published"] == [found[f"1.{attempt}"] for attempt in (1, 2, 3, 4)]
    assert ["void", "void", "void", "open"] == [found[f"2.{attempt}"] for attempt in (1, 2, 3, 4)]
    assert 1 == len({dice(night, f"1.{attempt}")["dado/norte/1"] for attempt in (1, 2, 3, 4)})
    assert sorted(set(public(night))) == sorted(public(night))
    text = (night.folder / "overrides" / "turn-001.toml").read_text(encoding="utf-8")
    assert [1, 2, 3] == [int(line.split()[-1]) for line in text.splitlines() if line.startswith("void")]


def test_a_kept_turn_may_be_opened_after_all(tmp_path: Path) -> None:
    """Its seed, which the first report has shown, isn't used again."""
    night = begin(tmp_path)
    night.clock.set(AFTER)
    go_on(night, 1)
    void(night, KEEP, 1)
    go_on(night)
    void(night, REOPEN, 1)
    go_on(night)
    found = known(night)

    assert found["1.1"].seed == found["1.2"].seed != found["1.3"].seed
    assert (1, 1, 3) == tuple(found[f"1.{attempt}"].seed_attempt for attempt in (1, 2, 3))
    assert TurnStatus.OPEN is found["1.3"].status


@pytest.mark.parametrize(
    ("fault", "left"), [(Fault.STORE_THEN_DROP, SendState.SENT), (Fault.DROP_BEFORE_STORE, SendState.VOIDED)]
)
def test_a_text_of_unknown_fate_is_looked_for_and_not_sent_again(
    tmp_path: Path, fault: Fault, left: SendState
) -> None:
    """What the forum has is known to stand there; what it hasn't never leaves any more."""
    night = begin(tmp_path)
    go_on(night, 2)
    night.clock.set(AFTER)
    with pytest.raises(Stop):
        tick(night.worker("b", DieAt(Checkpoint.PUBLISHING, 1, stop)))
    night.clock.sleep(400)
    night.forum.post_faults.extend([None, None, fault])  # the receipts are edited first
    with pytest.raises(Stop):  # the first part of the report leaves, and nothing more is heard of it
        tick(night.worker("c", DieAt(Checkpoint.POSTED, 1, stop)))
    void(night, REOPEN)
    tick(night.service)
    assert "1.1 void 1/1" not in public(night)
    go_on(night, 4)

    first = known(night)["1.1"].id
    with night.service.database.read() as connection:
        mine = select(outbox.c.state).where(outbox.c.turn_id == first, outbox.c.kind == "report")
        states = list(connection.execute(mine.order_by(outbox.c.part)).scalars())
    assert [left, SendState.VOIDED] == states
    assert (int(left is SendState.SENT), 0) == (
        public(night).count("1.1 report 1/2"),
        public(night).count("1.1 report 2/2"),
    )
    assert "open" == statuses(night)["1.2"]
    assert "1.1 void 1/1" in public(night)


def test_a_worker_that_was_overtaken_stores_nothing(tmp_path: Path) -> None:
    """The turn is voided while somebody resolves it: that result is nobody's."""
    night = begin(tmp_path)
    night.clock.set(AFTER)
    done: list[Done] = []
    tick(night.worker("b", DieAt(Checkpoint.COMPUTED, 1, lambda: done.append(void(night, REOPEN)))))
    go_on(night)

    assert {} == dice(night, "1.1")
    assert {"1.1": "void", "1.2": "open"} == statuses(night)


def test_several_workers_void_once(tmp_path: Path) -> None:
    """Whoever comes second finds it done."""
    night = begin(tmp_path)
    with night.service.database.read() as connection:
        row = games.get_game(connection, "pequena")
    write_void(night, '[[override]]\nvoid = 1\norders = "reopen"\nreason = "Otra vez"\n')
    loaded = night.service.pipeline.load_game(night.folder)
    made = [follow_voids(night.worker(name), row, loaded) for name in ("b", "c")]

    assert [True, False] == [one is not None for one in made]
    assert ["1.1", "1.2"] == list(known(night))


def test_an_entry_by_hand_acts_once(tmp_path: Path) -> None:
    """It is followed at the next step, stays in the file, and later attempts aren't concerned."""
    night = begin(tmp_path)
    write_void(night, '[[override]]\nvoid = 1\norders = "reopen"\nreason = "Otra vez"\n')
    go_on(night, 4)
    close(night, "1.2")
    go_on(night)

    assert {"1.1": "void", "1.2": "published", "2.1": "open"} == statuses(night)
    assert "Motivo: *Otra vez*" in post_of(night, "1.1:void")


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('void = 2\norders = "reopen"', "no hay intento 2 de este turno: sólo va por el primero"),
        ('void = 1\norders = "keep"', "el turno 1 aún no se ha cerrado"),
    ],
)
def test_an_entry_that_cannot_be_followed_holds_the_turn(tmp_path: Path, entry: str, said: str) -> None:
    """At the deadline at the latest the director learns of it."""
    night = begin(tmp_path)
    write_void(night, f'[[override]]\n{entry}\nreason = "Otra vez"\n')
    night.clock.set(AFTER)
    tick(night.service)
    held = known(night)["1.1"]

    assert (TurnStatus.HELD, "override") == (held.status, held.held_code)
    assert said in (held.reason or "")


def test_a_closed_turn_is_not_held_by_an_attempt_that_there_is_not(tmp_path: Path) -> None:
    """A published turn's file is nobody's business any more; the game goes on."""
    night = begin(tmp_path)
    night.clock.set(AFTER)
    go_on(night, 1)
    write_void(night, '[[override]]\nvoid = 7\norders = "keep"\nreason = "Otra vez"\n')
    go_on(night)

    assert {"1.1": "published", "2.1": "open"} == statuses(night)


def test_what_cannot_be_voided_is_refused(tmp_path: Path) -> None:
    """An open turn has nothing to resolve once more; a turn that there isn't can't be voided."""
    night = begin(tmp_path)
    with pytest.raises(NoneLocked):
        void(night, KEEP)
    with pytest.raises(Refused, match="correct/void-unlocked"):
        void(night, KEEP, 1)
    with pytest.raises(LookupError):
        void(night, REOPEN, 2)
    assert not (night.folder / "overrides").exists()
    assert {"1.1": "open"} == statuses(night)


def test_a_turn_that_is_not_open_yet_is_not_voided(tmp_path: Path) -> None:
    """The one behind a turn that publishes has no orders and no players who know of it."""
    night = begin(tmp_path)
    come_to(night, "publishing", Checkpoint.PUBLISHING)
    with pytest.raises(Refused, match="correct/void-planned"):
        void(night, REOPEN, 2)


def test_the_file_of_a_turn_behind_is_for_the_next_attempt_no_more(tmp_path: Path) -> None:
    """An extension that the voided attempt had isn't given to the next one once more."""
    night = begin(tmp_path)
    night.clock.set(AFTER)
    go_on(night, 1)
    write_void(night, '[[override]]\nextend = "24h"\nreason = "Puente"\n', 2)
    go_on(night, 2)
    extended = known(night)["2.1"].due_at
    void(night, KEEP, 1)
    go_on(night)

    text = (night.folder / "overrides" / "turn-002.toml").read_text(encoding="utf-8")
    assert text.startswith('[[override]]\nextend = "24h"\nreason = "Puente"\n\n[[override]]\nvoid = 1\n')
    assert extended - timedelta(hours=24) == known(night)["2.2"].due_at
    assert "open" == statuses(night)["2.2"]


def test_a_game_that_is_over_is_resolved_once_more_and_not_opened(tmp_path: Path) -> None:
    """Its secret is out. The last turn comes to the same end once more."""
    night = begin(tmp_path, last=1)
    night.clock.set(AFTER)
    go_on(night, 1)
    with night.service.database.read() as connection:
        assert "finished" == games.get_game(connection, "pequena").status
    with pytest.raises(Refused, match="correct/void-over"):
        void(night, REOPEN)
    void(night, KEEP)
    go_on(night)

    assert {"1.1": "void", "1.2": "published"} == statuses(night)
    with night.service.database.read() as connection:
        assert "finished" == games.get_game(connection, "pequena").status


def test_a_game_that_is_over_follows_its_file_when_it_is_named(tmp_path: Path) -> None:
    """Nothing is due for it by itself, so `tick` of all games doesn't see the entry; `tick FOLDER` does."""
    night = begin(tmp_path, last=1)
    night.clock.set(AFTER)
    go_on(night, 1)
    write_void(night, '[[override]]\nvoid = 1\norders = "keep"\nreason = "Otra vez"\n')
    go_on(night, 1)
    assert {"1.1": "published"} == statuses(night)
    with night.service.database.read() as connection:
        row = games.get_game(connection, "pequena")
    with speaking("es"):
        assert ("El turno 1 empieza otra vez: intento 2.",) == wake_named(night.service, row)
    assert () == wake_named(night.service, row)
    go_on(night)
    assert {"1.1": "void", "1.2": "published"} == statuses(night)


def test_nothing_of_a_voided_attempt_waits_any_more(tmp_path: Path) -> None:
    """Whatever becomes of it, no row is left that somebody would send."""
    night = begin(tmp_path)
    come_to(night, "publishing", Checkpoint.PUBLISHING)
    void(night, KEEP)
    go_on(night)
    first = known(night)["1.1"].id
    with night.service.database.read() as connection:
        rows = outbox_rows.list_rows(connection, first)

    assert {SendState.SENT, SendState.VOIDED} == {row.state for row in rows} | {SendState.SENT}
    assert [] == [row for row in rows if row.state in (SendState.READY, SendState.SENDING)]
    assert known(night)["1.1"].next_at is None


def test_what_was_voided_is_told_before_the_next_attempt_speaks_however_often(tmp_path: Path) -> None:
    """Nobody knows what became of the first notice when two more attempts are voided: those wait too."""
    night = begin(tmp_path)
    night.forum.post_faults.append(Fault.DROP_BEFORE_STORE)
    void(night, Orders.REOPEN)
    tick(night.service, budget=0.001)
    void(night, Orders.REOPEN)
    void(night, Orders.REOPEN)
    go_on(night)
    told = [one for one in public(night) if "receipts" not in one]
    assert ["1.1 open 1/1", "1.1 void 1/1", "1.2 void 1/1", "1.3 void 1/1", "1.4 open 1/1"] == told
