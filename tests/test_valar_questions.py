"""What the director of `valar` is asked, as it is read in both languages."""

from __future__ import annotations

import re

import pytest

from jobs.catalogues import load_catalogue
from rules.engine.audience import DIRECTOR
from rules.engine.dice import Dice, Ptd1Source
from rules.engine.questions import Question
from rules.engine.resolution import resolve
from rules.engine.turn import TurnInput
from rules.valar import RULESET
from rules.valar.options import Options
from rules.valar.state import Balance, Clock, House, State
from tests.support.rules_page import RulesPage, played

KEY = bytes(32)
UNTOLD = " y su ficha no dice qué pasa entonces. Escribe qué ocurre."
CATALOGUES = {one: load_catalogue(one, RULESET.package) for one in ("es", "en")}


def asked(state: State) -> dict[str, Question]:
    """The questions of a turn without orders, by id."""
    given = TurnInput(state, {}, Options(), number=1)
    done = resolve(RULESET, RULESET.main_kind, given, lambda: Dice(Ptd1Source("prueba", 1, KEY, secret=KEY)))
    return {one.id: one for one in done.open}


def test_what_a_full_clock_or_a_balance_brings_is_asked() -> None:
    """By name, and the side by its name where it has one."""
    state = State({"Aldana": House()})
    state.clocks["deshielo"] = Clock("El deshielo", 6, 6)
    state.balances["corte"] = Balance("La corte", 4, 4, right_name="La reina", left_name="El rey")
    state.balances["pulso"] = Balance("El pulso", 4, -4)
    questions = asked(state)
    said = {key: CATALOGUES["es"].text(one.text) for key, one in questions.items()}

    assert {
        "reloj/deshielo": f"El reloj «El deshielo» (6 de 6) se ha llenado{UNTOLD}",
        "balanza/corte": f"La balanza «La corte» ha llegado al final, del lado de «La reina»,{UNTOLD}",
        "balanza/pulso": f"La balanza «El pulso» ha llegado al final, a la izquierda,{UNTOLD}",
    } == said
    assert {DIRECTOR} == {one.known_to for one in questions.values()}


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_question_of_the_goldens_can_be_read(language: str) -> None:
    """No id of a mission, of an entry or of a band stands in it; titles and words do."""
    texts = {
        one.question.kind: CATALOGUES[language].text(one.question.text)
        for path in RulesPage("valar").goldens
        for turn in played(path).turns
        for one in turn.result.resolution.asked
    }

    assert {"reloj", "exito", "ventaja", "enfrentar", "fracaso-menor", "espera", "segundo"} <= texts.keys()
    assert [] == [said for said in texts.values() if re.search(r"[a-z]/[a-z]|valar/", said)]
