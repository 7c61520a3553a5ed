"""What readers are told of attempts: why there is another one, what differs, which seeds are known."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from processor.pipeline.context import Commitments, PlayContext, TurnResult
from processor.pipeline.telling import tell_readers
from processor.pipeline.texts import opening, receipts, reports
from processor.pipeline.voiding import reveal, void_notice
from rules.engine import ptd1
from rules.engine.verification import verify_proof
from rules.play.attempts import Orders, Redo, Tally, VoidedTurn
from rules.play.outgoing import Outgoing
from tests.support import mini

KEPT = Redo(3, 1, Orders.KEEP, "El campo no era suyo")
REOPENED = replace(KEPT, orders=Orders.REOPEN)
NOW = Commitments("71" * 32, "72" * 32, "73" * 32)


def again(redo: Redo = KEPT, **more: object) -> PlayContext:
    """The second attempt at the third turn."""
    own = mini.play()
    return replace(own, ref=replace(own.ref, attempt=2), redo=redo, **more)  # type: ignore[arg-type]


def told(play: PlayContext, result: TurnResult) -> dict[str, str]:
    """The reports by kind, each as one text."""
    frozen = mini.frozen(mini.reading())
    made = reports(play, frozen, result, NOW, None, None, result.resolution.state)
    return {one.kind: "\n".join(one.parts) for one in made}


def without_hiding(result: TurnResult) -> TurnResult:
    """The same turn, in which the Casa del Río hides nothing and so keeps more grain."""
    state = mini.valley()
    state.houses["rio"].grain += 2
    events = tuple(one for one in result.resolution.events if one.id != "mini/hid")
    return replace(result, resolution=replace(result.resolution, state=state, events=events))


def head_of(text: str) -> str:
    """A report up to its first section."""
    return text.partition("**Lo que ha pasado.**")[0]


def test_a_report_of_the_same_outcome_says_that_nothing_differs() -> None:
    """Nobody has to compare two reports line by line."""
    result = mini.result(mini.play())
    play = again(told_before=tell_readers(mini.play(), result))
    public = head_of(told(play, result)["report"])

    assert (
        "**Intento 2.** El turno se ha resuelto otra vez, con las mismas órdenes y los mismos dados" in public
    )
    assert "Motivo: *El campo no era suyo*" in public
    assert "nada cambia respecto al informe anulado" in public
    assert "Qué cambia" not in public


def test_who_may_know_it_reads_what_differs() -> None:
    """What one House hides in secret differs for that House alone; the others read that nothing does."""
    before = mini.result(mini.play())
    play = again(told_before=tell_readers(mini.play(), before))
    found = told(play, without_hiding(before))

    assert "- ya no: «Escondes 2 sacos en la cueva.»" in head_of(found["report-rio"])
    assert "- ahora: «Tienes 9 sacos.»" in head_of(found["report-rio"])
    for kind in ("report", "report-alta", "report-monte"):
        assert "nada cambia respecto al informe anulado" in head_of(found[kind])
        assert [] == [word for word in ("cueva", "9 sacos") if word in found[kind]]


def test_rows_about_the_same_are_compared() -> None:
    """A table's row is told before and after, not as two lines."""
    before = mini.result(mini.play())
    state = mini.valley()
    state.houses["alta"].fields = 5
    after = replace(before, resolution=replace(before.resolution, state=state))
    play = again(told_before=tell_readers(mini.play(), before))

    assert "- antes: «Casa Alta: Campos 3»; ahora: «Casa Alta: Campos 5»" in head_of(
        told(play, after)["report"]
    )


def test_who_was_told_nothing_has_nothing_to_compare() -> None:
    """Of an attempt whose report never came out it is said only that this is another one."""
    public = head_of(told(again(REOPENED), mini.result(mini.play()))["report"])

    assert "El turno se anuló y se ha jugado otra vez, con órdenes y dados nuevos." in public
    assert [] == [word for word in ("vale este informe", "Qué cambia", "nada cambia") if word in public]


def test_a_turn_that_was_opened_behind_a_voided_one_says_which() -> None:
    """Its own report is of a later attempt because of another turn."""
    public = head_of(told(again(replace(REOPENED, turn=2)), mini.result(mini.play()))["report"])

    assert "El turno se ha jugado otra vez porque se anuló el turno 2." in public


def test_a_secret_reason_is_not_told() -> None:
    """The director may void a turn and keep the reason."""
    assert "Motivo" not in told(again(replace(KEPT, reason="")), mini.result(mini.play()))["report"]


def test_words_of_players_stay_words_in_a_difference() -> None:
    """What somebody has written in the game mentions nobody and links nowhere, also once it is quoted."""
    before = mini.result(mini.play())
    nothing = replace(before, resolution=replace(before.resolution, events=()))
    public = told(again(told_before=tell_readers(mini.play(), before)), nothing)["report"]

    assert "ya no: «La Casa Alta toma el campo" in public
    assert "[pincha](" not in public
    assert "@CasaAlta" not in public


def test_the_digest_tells_the_director_what_differs() -> None:
    """The director sees both Houses' differences."""
    before = mini.result(mini.play())
    play = again(told_before=tell_readers(mini.play(), before))

    assert "ya no: «Escondes 2 sacos en la cueva.»" in told(play, without_hiding(before))["digest"]


@pytest.mark.parametrize(
    ("tally", "expected"),
    [
        (Tally(1, 0, 0), "Hasta aquí: 1 turno probado, ninguno anulado, ninguno sin probar."),
        (Tally(4, 1, 0), "Hasta aquí: 4 turnos probados, 1 intento anulado, ninguno sin probar."),
        (Tally(9, 2, 3), "Hasta aquí: 9 turnos probados, 2 intentos anulados, 3 sin probar."),
        (
            Tally(2, 0, 0, 1),
            "2 turnos probados (1 con la semilla más de 48 horas después de cerrar), ninguno anulado",
        ),
    ],
)
def test_the_report_counts_what_became_of_the_seeds(tally: Tally, expected: str) -> None:
    """Who voids until the dice please can be seen to do it (reliability.md 1.4, *selective abort*)."""
    found = told(replace(mini.play(), tally=tally), mini.result(mini.play()))

    assert expected in found["report"]
    assert expected not in found["report-rio"]


def test_opening_and_receipts_name_the_attempt() -> None:
    """Whoever scrolls past two of them knows which is which."""
    play = again(REOPENED)
    texts = {one.kind: one.parts[0] for one in opening(play, NOW)}
    first = {one.kind: one.parts[0] for one in opening(mini.play(), NOW)}
    closed = receipts(play, mini.reading(), mini.frozen(mini.reading()))

    assert "**Intento 2:** este turno se juega otra vez." in texts["open"]
    assert "**Intento 2:** este turno se juega otra vez." in texts["open-rio"]
    assert "Intento" not in first["open"]
    assert "**Órdenes del turno 3 (intento 2)** · cerrado" in closed[0].parts[0]


def voided(play: PlayContext, turn: int, *, published: bool = False) -> VoidedTurn:
    """An attempt whose seed is shown."""
    return reveal(replace(play.ref, turn=turn), mini.SECRETS, "ab" * 32, published=published)


def notice(redo: Redo, *others: VoidedTurn) -> str:
    """The post that voids the third turn."""
    texts: tuple[Outgoing, ...] = void_notice(mini.play(), redo, others)
    assert [("void", "topic", False)] == [(one.kind, one.to, one.editable) for one in texts]
    return "\n".join(texts[0].parts)


def test_a_reopened_turn_is_announced_with_its_seed() -> None:
    """What happened, why, what to do next; and the seed of each turn, to be checked with `turnero verify`."""
    own = mini.play()
    text = notice(REOPENED, voided(own, 3, published=True), voided(own, 4))
    (proof,) = re.findall(r"```json\n(.*?)\n```", text, re.DOTALL)

    assert "# El turno 3 se anula y se repite — El valle de Orún" in text
    assert "queda anulado, y el informe que salió no vale." in text
    assert "También queda anulado el turno 4, que se abrió después." in text
    assert "Motivo: *El campo no era suyo*" in text
    assert "manda entonces tus órdenes en un mensaje nuevo" in text
    assert 2 == text.count(f"`{mini.SECRETS.seed.hex()}`")
    assert (4, []) == (json.loads(proof)["turn"], verify_proof(json.loads(proof)))


def test_a_turn_that_is_resolved_once_more_keeps_its_seed_to_itself() -> None:
    """Nobody has to do anything; the seed is shown by the new report."""
    text = notice(KEPT, replace(voided(mini.play(), 3), seed=None, proof=None))

    assert "# El turno 3 se resuelve otra vez — El valle de Orún" in text
    assert "No tienes que hacer nada: el informe nuevo dirá al principio qué cambia." in text
    assert [] == [word for word in ("Semilla", "informe que salió", "se abrirá", "anulado") if word in text]


def test_seeds_of_groups_are_others_in_a_later_attempt() -> None:
    """A House that has seen its seed of the first attempt knows nothing of the second."""
    secret = bytes(range(32))
    first = ptd1.group_seed(secret, "valle", 3, "rio")

    assert first == ptd1.group_seed(secret, "valle", 3, "rio", 1)
    assert 3 == len({first, *(ptd1.group_seed(secret, "valle", 3, "rio", one) for one in (2, 3))})
    assert b"\x00\x00\x00\x012" == ptd1.enc("rio", 2)[-5:]
    with pytest.raises(ValueError, match="attempts count from 1"):
        ptd1.group_seed(secret, "valle", 3, "rio", 0)
