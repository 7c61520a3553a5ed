"""What is told of the director's corrections, to whom, and what holds a turn (design.md 4)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from processor.pipeline.context import Commitments, Frozen
from processor.pipeline.locking import commitments
from processor.pipeline.resolving import resolve_turn
from processor.pipeline.texts import reports
from tests.support.fair import SECRETS, make_play
from tests.test_corrections import RAIN, entry, late, lock, log, raining, resolve


def told(
    overrides: str, *, late_overrides: str | None = None, frozen: Frozen | None = None
) -> dict[str, str]:
    """The reports of that turn, by kind; it is the game's last, so that no next one has to be opened."""
    play = make_play(secret=True)
    frozen = frozen or lock(play, overrides)
    frozen = replace(frozen, late_overrides=late_overrides)
    result = resolve_turn(play, frozen, SECRETS)
    assert not result.problems
    now: Commitments = commitments(play, SECRETS)
    made = reports(play, frozen, result, now, None, None, result.resolution.state)
    return {one.kind: "\n".join(one.parts) for one in made}


def test_the_nearest_dice_are_named() -> None:
    """Who has mistyped an address finds it."""
    (problem,) = resolve(entry(die="play/tombola/Anna", value=3)).problems

    assert "nadie ha tirado «play/tombola/Anna», o no tantas veces" in problem
    assert "«play/tombola/Ana»" in problem.split("Las más parecidas son")[1]


def test_more_values_than_dice_are_a_problem() -> None:
    """One die fell at that address, and the second value is for nobody."""
    (problem,) = resolve(entry(die="play/tombola/Ana", value=[3, 3, 3])).problems

    assert "o no tantas veces" in problem


def test_each_correction_is_reported_with_its_reason() -> None:
    """Whatever its kind; the director's digest has them all."""
    overrides = (
        entry(replace="Ana#1", reason="motivo uno", **{"with": "pregonar"})
        + entry(cancel="Ana#2", reason="motivo dos")
        + entry(add="Ciro", order="trabajar", reason="motivo tres")
        + entry(set="stalls/tiro/price", value=2, reason="motivo cuatro")
        + entry(die="weather", value="sol", reason="motivo cinco")
        + entry(ignore_post="1002", reason="motivo seis")
    )
    texts = told(overrides)

    openly = ("uno", "dos", "cuatro", "cinco")
    assert [] == missing(texts["digest"], *openly, "tres", "seis")
    assert [] == missing(texts["report"], *openly)
    assert ["tres", "seis"] == missing(texts["report"], "tres", "seis")
    assert ([], []) == (missing(texts["report-ciro"], "tres"), missing(texts["report-bea"], "seis"))


def missing(text: str, *reasons: str) -> list[str]:
    """The reasons that a text doesn't give."""
    return [one for one in reasons if f"motivo {one}" not in text]


def test_a_replaced_die_is_told_with_the_true_one() -> None:
    """The dice's list, the corrections and the proof each have both."""
    plain = resolve("")
    (true,) = [one.roll.value for one in plain.resolution.rolls if one.roll.label == "play/tombola/Ana"]
    other = 1 if true != 1 else 2
    report = told(entry(die="play/tombola/Ana", value=other))["report"]

    assert f"dado `play/tombola/Ana`: {true} → {other}. *Así lo pidió*" in report
    assert f'"value":{true}' in report
    assert f'"value":{other},"by":"director"' in report


def test_a_secret_die_keeps_its_reason_to_the_director() -> None:
    """Anybody can compute a public roll, so the proof has both values; the correction is told to nobody."""
    overrides = entry(die="play/tombola/Ana", value=1, reason="motivo oculto", secret=True)
    texts = told(overrides)

    assert [] == [kind for kind, text in texts.items() if "motivo oculto" in text and kind != "digest"]
    assert '"by":"director"' in texts["report"]


def test_a_secret_die_of_a_group_is_told_to_the_group() -> None:
    """`secret = true` hides from all but its seat."""
    (logged,) = log(resolve(entry(die="filch/Bea/Ana", value=6, secret=True)))

    assert ["Bea"] == logged.audience.data()


def test_a_secret_ruling_is_told_to_nobody_else() -> None:
    """The weather's question is the director's, though everybody may know the answer."""
    openly, alone = (
        resolve(RAIN + entry(ruling="lluvia/tiro", answer="cerrar", secret=secret), topic=raining())
        for secret in (False, True)
    )

    audiences = [
        [one.audience.data() for one in result.resolution.events if one.data.get("question") == "lluvia/tiro"]
        for result in (openly, alone)
    ]
    assert [["public"], ["director"]] == audiences


def test_a_moot_answer_is_listed_for_the_director() -> None:
    """No error, and nobody else is bothered with it."""
    play = make_play(secret=True)
    ruling = entry(ruling="lluvia/tiro", answer="seguir", reason="por si llovía")
    texts = told(ruling, frozen=replace(lock(play, ruling), published=("lluvia/tiro",)))

    assert "ya no se pregunta: la respuesta no cuenta. *por si llovía*" in texts["digest"]
    assert "por si llovía" not in texts["report"]


@pytest.mark.parametrize(("seat", "audience"), [("Ana", "public"), ("Bea", ["Bea"]), ("Ciro", ["Ciro"])])
def test_an_added_order_is_as_secret_as_the_seats_others(seat: str, audience: object) -> None:
    """Ana orders openly, Bea in private, Ciro not at all in a game whose orders are secret."""
    (logged,) = log(resolve(entry(add=seat, order="trabajar", force=True)))

    assert audience == logged.audience.data()


def test_in_a_game_with_open_orders_an_added_one_is_open() -> None:
    """Nobody has written in private there."""
    (logged,) = log(resolve(entry(add="Ciro", order="trabajar"), make_play(secret=False)))

    assert logged.audience.everybody


def test_corrections_behind_the_lock_are_told_as_such() -> None:
    """What stood in the file at the lock isn't."""
    before, after = (
        entry(cancel="Ana#2", reason="de antes"),
        entry(add="Ana", order="Nico: pregonar", reason="de luego"),
    )
    report = told(before, late_overrides=before + after)["report"]

    assert "*de antes*\n" in report
    assert "*de luego* (hecha después del cierre)" in report


def test_what_is_taken_out_behind_the_lock_tells_no_secret() -> None:
    """Of a value or a die nobody knows any more whether everybody may hear of it."""
    gone = [
        one.audience.data()
        for one in late(
            "", before=entry(set="folk/Ana/coins", value=9) + entry(cancel="Ana#2")
        ).resolution.events
        if one.id == "engine/correction-dropped"
    ]

    assert ["director", "public"] == gone
