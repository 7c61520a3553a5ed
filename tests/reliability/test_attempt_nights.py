"""Nights of the fair with the real pipeline that are played or resolved once more: dice, answers, standing
orders, and what the proof of such a game holds.
"""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from processor.pipeline.closing import PastTurn, close_game
from processor.pipeline.context import Secrets
from processor.pipeline.locking import commitments, dice_source
from processor.service.void_commands import void_attempt
from processor.store import answers, attempts, games, turns
from processor.store.rows import TurnRow
from processor.store.tables import rolls
from reporters.proof import build_proof
from rules.engine.closing import verify_closing
from rules.play.attempts import Orders
from rules.play.game import NmrPolicy, Policies
from rules.play.turns import TurnStatus
from tests.support import mini
from tests.support.fair_night import CLOSED, FairNight, start_night
from tests.support.hand_clock import DEADLINE

REOPEN, KEEP = Orders.REOPEN, Orders.KEEP
MINUTES = timedelta(minutes=10)


def void(night: FairNight, orders: Orders, number: int | None = None) -> None:
    """What the director's command does."""
    with night.service.database.read() as connection:
        row = games.get_game(connection, "feria")
    void_attempt(night.service, row, orders, number, "Se cayó el foro")


def known(night: FairNight) -> dict[str, TurnRow]:
    """All attempts by their number, `1.2`."""
    with night.service.database.read() as connection:
        listed = turns.list_turns(connection, "feria")
    return {f"{one.ref.turn}.{one.ref.attempt}": one for one in listed}


def dice(night: FairNight, key: str) -> dict[str, str]:
    """The values of an attempt's dice by label."""
    mine = rolls.c.turn_id == known(night)[key].id
    with night.service.database.read() as connection:
        rows = connection.execute(select(rolls.c.label, rolls.c.value).where(mine))
        return {row.label: row.value for row in rows}


def go_on(night: FairNight, times: int = 2) -> None:
    """Some ticks, ten minutes apart."""
    for _ in range(times):
        night.tick(after=MINUTES)


def close(night: FairNight, key: str) -> None:
    """Tick before an attempt's deadline and behind it."""
    due = known(night)[key].due_at
    night.tick(at=due - timedelta(minutes=40))
    night.tick(at=due + timedelta(minutes=2))
    go_on(night)


def play(folder: Path, *, policies: Policies | None = None) -> FairNight:
    """A published turn: Ana and Bea play, Ciro does as the policy has it."""
    night = start_night(folder / "g", policies=policies)
    night.tick()
    night.post("Ana", "jugar en tiro")
    night.post("Bea", "jugar en tombola")
    close(night, "1.1")
    assert TurnStatus.PUBLISHED is night.status()
    return night


def test_a_corrected_order_moves_no_other_die(tmp_path: Path) -> None:
    """Bea's order is cancelled; whatever else was thrown falls as it fell."""
    night = play(tmp_path)
    night.correct({"cancel": "Bea#1", "reason": "No era suya"})
    void(night, KEEP)
    go_on(night)
    before, after = dice(night, "1.1"), dice(night, "1.2")

    assert {"weather", "play/tiro/Ana"} <= set(before) & set(after)
    assert before != after
    assert {label: before[label] for label in after if label in before} == {
        label: value for label, value in after.items() if label in before
    }
    assert "Bea" not in "".join(after.keys() - before.keys())


def test_posts_older_than_the_void_are_for_no_turn(tmp_path: Path) -> None:
    """One that was written before it and read behind it doesn't count either."""
    night = start_night(tmp_path / "g")
    night.tick()
    void(night, REOPEN)
    night.clock.sleep(60)
    night.post("Ana", "jugar en tiro")  # nobody has read it when the turn is voided in the forum
    night.clock.sleep(120)
    go_on(night)
    night.post("Bea", "jugar en tombola")
    close(night, "1.2")

    assert {"play/tombola/Bea"} == {label for label in dice(night, "1.2") if label.startswith("play/")}


def test_standing_orders_outlive_a_voided_attempt(tmp_path: Path) -> None:
    """They don't belong to one turn: whoever left some needs no new post."""
    night = start_night(tmp_path / "g", policies=Policies(nmr=NmrPolicy.STANDING, breaker=2.0))
    night.tick()
    night.forum.write("2", "[órdenes permanentes]\njugar en tiro\n[/órdenes]")
    night.post("Bea", "jugar en tombola")
    go_on(night)
    void(night, REOPEN)
    go_on(night)
    close(night, "1.2")

    assert {"play/tiro/Ana"} == {label for label in dice(night, "1.2") if label.startswith("play/")}


def test_standing_orders_of_a_closed_attempt_stay_too(tmp_path: Path) -> None:
    """Also those that were given while the turn behind it was open."""
    night = play(tmp_path, policies=Policies(nmr=NmrPolicy.STANDING, breaker=2.0))
    night.forum.write("3", "[órdenes permanentes]\njugar en tiro\n[/órdenes]")
    go_on(night)
    void(night, REOPEN, 1)
    go_on(night)
    close(night, "1.2")

    assert {"play/tiro/Bea"} == {label for label in dice(night, "1.2") if label.startswith("play/")}


@pytest.fixture
def asked(tmp_path: Path) -> FairNight:
    """The turn asks Ana whether she takes what the stall offers for her bear."""
    night = start_night(tmp_path / "g")
    night.tick()
    night.post("Ana", "vender peluche en tombola")
    night.post("Bea", "trabajar")
    night.tick(at=DEADLINE - timedelta(minutes=40))
    night.tick(at=CLOSED)
    assert TurnStatus.ASKING is night.status()
    return night


def test_what_was_answered_is_not_asked_again(asked: FairNight) -> None:
    """The answer is as much the player's as the order: with the same orders it stands."""
    asked.post("Ana", "responder P1 aceptar")
    go_on(asked, 3)
    assert TurnStatus.PUBLISHED is asked.status()
    void(asked, KEEP)
    go_on(asked)
    again = known(asked)["1.2"]

    assert TurnStatus.PUBLISHED is again.status
    with asked.service.database.read() as connection:
        taken = answers.find_answers(connection, again.id)
    assert ["aceptar"] == [one.answer.value for one in taken.values()]
    assert 1 == asked.told("Ana").count("responder P1 aceptar")


def test_a_turn_that_asks_asks_again(asked: FairNight) -> None:
    """Under the same name, so that who has the old letter before their eyes answers right."""
    void(asked, KEEP)
    go_on(asked)
    assert TurnStatus.ASKING is known(asked)["1.2"].status
    asked.post("Ana", "responder P1 aceptar")
    go_on(asked, 3)

    assert TurnStatus.PUBLISHED is known(asked)["1.2"].status


def test_a_turn_that_asks_is_opened_once_more(asked: FairNight) -> None:
    """What it asked is nobody's concern any more."""
    void(asked, REOPEN)
    go_on(asked)
    asked.post("Ana", "trabajar")
    close(asked, "1.2")

    assert TurnStatus.PUBLISHED is known(asked)["1.2"].status


def past(seed: bytes, attempt: int) -> PastTurn:
    """A turn of the little game whose seeds were made for an attempt."""
    play = mini.play()
    secrets = Secrets(seed, mini.SECRETS.game_secret, attempt)
    source, digest = dice_source(play, secrets), commitments(play, secrets).groups
    proofs = {
        group: build_proof(source, [], group=group, groups=digest) for group in ("", "alta", "monte", "rio")
    }
    return PastTurn(proofs, mini.reading(), "", attempt)


def test_a_game_with_voided_attempts_can_be_verified() -> None:
    """Each attempt that was resolved is in the proof, with the seeds that were made for it."""
    closing = close_game(
        "valle",
        mini.SECRETS.game_secret,
        (past(b"\x01" * 32, 1), past(b"\x02" * 32, 2), past(b"\x02" * 32, 2)),
    )

    assert [] == verify_closing(closing)
    assert [None, 2, 2] == [one.get("attempt") for one in closing["turns"]]


@pytest.mark.parametrize("attempt", [None, 3])
def test_seeds_of_another_attempt_are_refused(attempt: int | None) -> None:
    """A group's seed follows from the secret and the attempt, and from no other attempt."""
    closing = close_game("valle", mini.SECRETS.game_secret, (past(b"\x02" * 32, 2),))
    closing["turns"][0]["attempt"] = attempt
    if attempt is None:
        del closing["turns"][0]["attempt"]

    found = verify_closing(closing)
    assert ["proof/group-seed"] * 3 == [one.code for one in found]


@pytest.mark.parametrize("attempt", [1, 0, "2", 2.0, True])
def test_an_attempt_has_one_spelling(attempt: object) -> None:
    """The first isn't written, so that proofs of games without voided turns are as ever."""
    closing = close_game("valle", mini.SECRETS.game_secret, (past(b"\x02" * 32, 2),))
    closing["turns"][0]["attempt"] = attempt

    assert ["turns[0].attempt"] == [one.where for one in verify_closing(closing)]


def test_a_game_whose_secret_is_out_waits_for_its_director(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was over, and resolved once more it isn't: who has read the secret would know its secret dice."""
    night = play(tmp_path)
    monkeypatch.setattr(attempts, "is_secret_out", lambda connection, game: True)
    void(night, KEEP)
    go_on(night)
    held = known(night)["1.2"]

    assert (TurnStatus.HELD, "secret-out") == (held.status, held.held_code)
    assert "cualquiera podría calcular los dados secretos" in night.told("director")
