"""What `valar` answers to a line that can't be, or may not be: each code with an example, both languages."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import NamedTuple

import pytest

import rules.valar
from jobs.catalogues import load_catalogue
from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import read_orders
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.codec import load_state
from rules.engine.diagnostics import Diagnostic
from rules.valar import RULESET
from rules.valar.options import Options
from rules.valar.plan import ValarPlan
from rules.valar.state import State

CATALOGUES = {one: load_catalogue(one, RULESET.package) for one in ("es", "en")}
STATE = load_state(
    State,
    {
        "houses": {
            "Aldana": {
                "tokens": {
                    "Capitana": {},
                    "Dama": {"busy_until": 4},
                    "Manco": {"condition": "perdido"},
                    "Uno": {},
                    "Dos": {},
                    "Tres": {},
                },
                "missions": {
                    "hecha": {"title": "Hecha", "resolves": 5, "tokens": ["Manco"], "band": "éxito menor"},
                    "vigilar": {"title": "Vigilar", "resolves": 4, "tokens": ["Dama"]},
                },
            },
            "Brezo": {"tokens": {"Senescal": {}}},
        },
        "recipes": {"paso": {"name": "Paso"}, "espionaje": {"name": "Espionaje"}},
        "memories": {"deuda": {"text": "Deuda de sangre", "house": "Aldana", "known_to": ["Brezo"]}},
        "clocks": {"asedio": {"name": "El asedio", "size": 4}},
    },
)


class Answer(NamedTuple):
    """An example. es, en: the block, lines by `|`. said, said_en: what its one finding reads like."""

    code: str
    es: str
    en: str
    said: str
    said_en: str
    seat: str = "Aldana"
    options: Options = Options()

    def find(self, language: str) -> tuple[Diagnostic, ...]:
        """What is found about it in a language."""
        ruleset = RULESET.speaking(language)
        view = ruleset.look(STATE, self.seat, self.options, kind="turn", track="", number=2)
        block = (self.es if language == "es" else self.en).replace("|", "\n")
        read = read_orders(logical_lines(block_of(block)), ruleset.main_kind, ValarPlan(view))
        return tuple(one for line in read.lines for one in line.findings)


ANSWERS = (
    Answer(
        "title-taken",
        'misión "Vigilár": Capitana',
        'mission "Vigilár": Capitana',
        "ya hay una misión tuya que se llama así («Vigilár»): ponle otro título.",
        "you already have a mission of that name (“Vigilár”): give it another title.",
    ),
    Answer(
        "title-taken",
        'misión "A": Uno|misión "a": Dos',
        'mission "A": Uno|mission "a": Dos',
        "ya hay una misión tuya que se llama así («a»): ponle otro título.",
        "you already have a mission of that name (“a”): give it another title.",
    ),
    Answer(
        "empty-title",
        'misión "!!": Capitana',
        'mission "!!": Capitana',
        "el título «!!» no tiene letras ni cifras: ponle alguna.",
        "the title “!!” has no letters or digits: give it some.",
    ),
    Answer(
        "no-token",
        'misión "A"',
        'mission "A"',
        "una misión necesita al menos un token. Los que tienes libres: Capitana, Dos, Tres y Uno.",
        "a mission needs at least one token. Yours that are free: Capitana, Dos, Tres and Uno.",
    ),
    Answer(
        "without-token",
        'misión "A"',
        'mission "A"',
        "sin tokens la misión no suma nada por ellos.",
        "without tokens the mission gets nothing for them.",
        options=Options(tokenless=True),
    ),
    Answer(
        "too-many-tokens",
        'misión "A": Capitana, Uno, Dos, Tres',
        'mission "A": Capitana, Uno, Dos, Tres',
        "una misión lleva como mucho 3 tokens y aquí hay 4.",
        "a mission takes 3 tokens at most, and here are 4.",
    ),
    Answer(
        "not-your-token",
        'misión "A": Senescal',
        'mission "A": Senescal',
        "no tienes ningún token Senescal. Los tuyos: Capitana, Dama, Dos, Manco, Tres y Uno.",
        "you have no token Senescal. Yours: Capitana, Dama, Dos, Manco, Tres and Uno.",
    ),
    Answer(
        "token-busy",
        'misión "A": Dama',
        'mission "A": Dama',
        "Dama está ocupado hasta el final del turno 4. Libres: Capitana, Dos, Tres y Uno.",
        "Dama is busy until the end of turn 4. Free: Capitana, Dos, Tres and Uno.",
    ),
    Answer(
        "token-lost",
        'misión "A": Manco',
        'mission "A": Manco',
        "Manco está perdido. Libres: Capitana, Dos, Tres y Uno.",
        "Manco is lost. Free: Capitana, Dos, Tres and Uno.",
    ),
    Answer(
        "token-twice",
        'misión "A": Uno|misión "B": Uno',
        'mission "A": Uno|mission "B": Uno',
        "Uno ya está en otra línea de este bloque, o dos veces en esta. Libres: Capitana, Dos y Tres.",
        "Uno is in another line of this block already, or twice in this one. Free: Capitana, Dos and Tres.",
    ),
    Answer(
        "no-such-recipe",
        'misión "A": Uno|receta: pasos',
        'mission "A": Uno|recipe: pasos',
        "no conozco la receta pasos. Puedes usar espionaje o paso.",
        "I don't know the recipe pasos. You can use espionaje or paso.",
    ),
    Answer(
        "no-such-recipe",
        'misión "A": Uno|receta: robo',
        'mission "A": Uno|recipe: robo',
        "no conozco la receta robo. Puedes usar espionaje o paso.",
        "I don't know the recipe robo. You can use espionaje or paso.",
    ),
    Answer(
        "no-such-memory",
        'misión "A": Uno|recuerdo: la duda',
        'mission "A": Uno|memory: la duda',
        "no conoces ningún recuerdo «la duda». Los que conoces: Deuda de sangre.",
        "you know no memory “la duda”. Those you know: Deuda de sangre.",
    ),
    Answer(
        "memory-twice",
        'misión "A": Uno|recuerdo: deuda, deuda de sangre',
        'mission "A": Uno|memory: deuda, deuda de sangre',
        "un mismo recuerdo cuenta una sola vez en cada misión.",
        "a memory counts once in each mission.",
    ),
    Answer(
        "secret-and-known",
        'misión "A": Uno|secreta|conocida por: casa Brezo',
        'mission "A": Uno|secret|known to: house Brezo',
        (
            "«secreta» y «conocida por» se contradicen: quita una de las dos (sin ninguna, sólo la "
            "conocéis tú, quien te apoya y quien dirige)."
        ),
        (
            "“secret” and “known to” contradict each other: take one of them out (with neither, only "
            "you, who supports you and the director know of it)."
        ),
    ),
    Answer(
        "option-not-there",
        'misión "A": Uno|opción éxito simple: 2 mejoras',
        'mission "A": Uno|option success: 2 improvements',
        (
            "con éxito simple las opciones son nada o una consecuencia menor y una mejora: así valdrá "
            "la primera."
        ),
        (
            "with plain success the options are nothing or one minor consequence and one improvement: "
            "the first one will hold."
        ),
    ),
    Answer(
        "unseen-mission",
        'apoyar "Otra" con Capitana',
        'support "Otra" with Capitana',
        (
            "no veo ninguna misión «Otra»: si al cerrar el turno no la hay, o no puedes saber de ella, "
            "esta orden no hará nada."
        ),
        (
            "I see no mission “Otra”: if there is none when the turn closes, or none you may know of, "
            "this order will do nothing."
        ),
    ),
    Answer(
        "too-many-tokens",
        'apoyar "Otra" de Brezo con Capitana, Uno, Dos',
        'support "Otra" of Brezo with Capitana, Uno, Dos',
        "una misión lleva como mucho 3 tokens y aquí hay 4.",
        "a mission takes 3 tokens at most, and here are 4.",
    ),
    Answer(
        "rolled-already",
        'retirar Manco de "Hecha"',
        'withdraw Manco from "Hecha"',
        "«Hecha» ya se ha resuelto.",
        "“Hecha” has been resolved already.",
    ),
    Answer(
        "not-in-mission",
        'retirar Capitana de "Vigilar"',
        'withdraw Capitana from "Vigilar"',
        "Capitana no está en ninguna misión «Vigilar».",
        "Capitana is in no mission “Vigilar”.",
    ),
    Answer(
        "no-such-mission",
        'abandonar "Otra"',
        'abandon "Otra"',
        "no tienes ninguna misión «Otra». Las que tienes en marcha: Hecha y Vigilar.",
        "you have no mission “Otra”. Yours under way: Hecha and Vigilar.",
    ),
    Answer(
        "no-such-mission",
        'rechazar apoyo de Brezo en "Otra"',
        'refuse support from Brezo in "Otra"',
        "no tienes ninguna misión «Otra». Las que tienes en marcha: Hecha y Vigilar.",
        "you have no mission “Otra”. Yours under way: Hecha and Vigilar.",
    ),
    Answer(
        "no-rest",
        "descansar Capitana",
        "rest Capitana",
        "en esta partida los tokens no descansan: quita esta línea.",
        "in this game tokens don't rest: take this line out.",
    ),
    Answer(
        "needs-no-rest",
        "descansar Capitana",
        "rest Capitana",
        "Capitana está ileso: no tiene de qué descansar.",
        "Capitana is unhurt: it has nothing to rest from.",
        options=Options(rest=True),
    ),
    Answer(
        "knows-already",
        "contar recuerdo deuda a Brezo",
        "tell memory deuda to Brezo",
        "Brezo ya conoce ese recuerdo.",
        "Brezo already knows that memory.",
    ),
    Answer(
        "clock-size",
        'crear reloj "El sitio" de 5',
        'create clock "El sitio" of 5',
        "un reloj o una balanza tiene 4, 6, 8 o 12 casillas, no 5.",
        "a clock or a balance has 4, 6, 8 or 12 sections, not 5.",
        DIRECTOR_SEAT,
    ),
    Answer(
        "empty-title",
        'crear reloj "¡!" de 4',
        'create clock "¡!" of 4',
        "el título «¡!» no tiene letras ni cifras: ponle alguna.",
        "the title “¡!” has no letters or digits: give it some.",
        DIRECTOR_SEAT,
    ),
    Answer(
        "name-taken",
        'crear reloj "Asedio" de 4',
        'create clock "Asedio" of 4',
        "ya hay algo que se llama así («Asedio»): ponle otro nombre.",
        "there is something of that name already (“Asedio”): give it another one.",
        DIRECTOR_SEAT,
    ),
    Answer(
        "clock-size",
        'crear balanza "La corte" de 5',
        'create balance "La corte" of 5',
        "un reloj o una balanza tiene 4, 6, 8 o 12 casillas, no 5.",
        "a clock or a balance has 4, 6, 8 or 12 sections, not 5.",
        DIRECTOR_SEAT,
    ),
    Answer(
        "oppose-two",
        'enfrentar "Vigilar"',
        'oppose "Vigilar"',
        "hacen falta al menos dos misiones: une la otra con «y».",
        "it takes two missions at least: join the other with “and”.",
        DIRECTOR_SEAT,
    ),
    Answer(
        "unseen-mission",
        'factor +1 en "Otra"',
        'factor +1 in "Otra"',
        (
            "no veo ninguna misión «Otra»: si al cerrar el turno no la hay, o no puedes saber de ella, "
            "esta orden no hará nada."
        ),
        (
            "I see no mission “Otra”: if there is none when the turn closes, or none you may know of, "
            "this order will do nothing."
        ),
        DIRECTOR_SEAT,
    ),
)


@pytest.mark.parametrize("language", ["es", "en"])
@pytest.mark.parametrize("answer", ANSWERS, ids=lambda one: f"{one.code}: {one.es}")
def test_each_line_is_answered(answer: Answer, language: str) -> None:
    """What is wrong, and where it helps what there is instead; one finding each."""
    (found,) = answer.find(language)

    assert f"valar/{answer.code}" == found.code
    assert (answer.said if language == "es" else answer.said_en) == CATALOGUES[language].text(found.message)


def test_each_code_has_an_example() -> None:
    """Every finding of the plans and of the arguments."""
    folder = Path(rules.valar.__file__).parent
    files = [*sorted((folder / "plan").glob("*.py")), folder / "orders" / "words.py"]

    assert {one.code for one in ANSWERS} == {code for path in files for code in _codes_in(path)}


def _codes_in(path: Path) -> set[str]:
    """Codes of findings: what is found outright, and why an argument doesn't fit."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
        if isinstance(node, ast.Call) and called in ("error", "warning", "note", "msg") and node.args:
            code = node.args[0]
            if isinstance(code, ast.Constant):
                found.add(str(code.value).removeprefix("valar/"))
    return {one for one in found if not one.startswith("told-")}


def test_a_house_isnt_told_of_what_it_cant_see() -> None:
    """A foreign token that is nearly named is neither suggested nor listed; an own one is."""
    (foreign,) = Answer("", 'misión "A": Senesca', "", "", "").find("es")
    (own,) = Answer("", 'misión "A": Capitna', "", "", "").find("es")

    assert () == foreign.suggest
    assert "Senescal" not in CATALOGUES["es"].text(foreign.message)
    assert ('misión "A": Capitana',) == own.suggest
