"""What `conquista` answers to a line that can't be, or may not be: each code with an example and its text."""

from __future__ import annotations

import ast
import copy
from pathlib import Path

import pytest

import rules.conquista
from jobs.catalogues import load_catalogue
from rules.conquista import RULESET
from rules.conquista.options import Options
from rules.conquista.state import Feature, State
from rules.engine.codec import load_state
from rules.engine.diagnostics import Diagnostic
from rules.engine.messages import Message
from tests.support.conquista_games import OPTIONS, read

STATE = load_state(
    State,
    {
        "planets": {"CM": {"name": "Corvus Mayor"}, "CI": {"name": "Corvus Menor"}},
        "cells": {
            "CM-1": {"owner": "Imperio"},
            "CM-2": {
                "owner": "Imperio",
                "adjacent": ["CM-1"],
                "building": "puesto avanzado",
                "fortification": 2,
            },
            "CM-3": {"owner": "Imperio", "adjacent": ["CM-2"]},
            "CM-4": {"adjacent": ["CM-3"]},
            "CM-5": {"owner": "Tau", "adjacent": ["CM-3"], "fortification": 1},
            "CI-1": {"owner": "Tau", "adjacent": ["CM-5"]},
        },
        "factions": {
            "Imperio": {"supplies": 6, "base": "CM-1"},
            "Tau": {"block": 2, "supplies": 3},
            "Caos": {"block": 3, "supplies": 2},
        },
        "armies": {
            "E1": {"owner": "Imperio", "cell": "CM-1", "troops": 7},
            "E2": {"owner": "Imperio", "cell": "CM-1", "troops": 2},
            "E3": {"owner": "Imperio", "cell": "CM-3", "troops": 3},
            "E11": {"owner": "Tau", "cell": "CM-5", "troops": 4},
        },
    },
)
SPANISH = load_catalogue("es", "rules.conquista")
FAILS = "Sólo se hará si algo de lo que has ordenado antes no sale."

# The block (lines by `|`), the code of its last line's first finding, what the player reads, what is offered.
ANSWERS: list[tuple[str, str, str, tuple[str, ...]]] = [
    (
        "mover E9 a CM-2",
        "not-your-army",
        (
            "no tienes ningún ejército E9. "
            "Tus ejércitos: E1 (CM-1, 7 tropas), E2 (CM-1, 2 tropas), E3 (CM-3, 3 tropas)."
        ),
        ("mover E1 a CM-2", "mover E2 a CM-2", "mover E3 a CM-2"),
    ),
    (
        "mover E1 a CM-9",
        "no-such-cell",
        "no hay ninguna casilla CM-9 en el mapa.",
        ("mover E1 a CM-1", "mover E1 a CM-2", "mover E1 a CM-3"),
    ),
    ("espiar Nadie", "no-such-faction", "no conozco la facción Nadie. Están en juego: Tau.", ()),
    ("espiar a Imperio", "no-such-faction", "Imperio es tu facción: nombra a otra. Están en juego: Tau.", ()),
    ("mover E1 a CM-1", "already-there", "E1 ya está en CM-1.", ()),
    ("mover E1 a CM-1, CM-2", "already-there", "E1 ya está en CM-1.", ("mover E1 a CM-2",)),
    (
        "mover E1 a CM-2|mover E1 a CM-2",
        "only-if",
        f"E1 ya estará en CM-2. {FAILS}",
        (),
    ),
    (
        "mover E3 a CM-5, CI-1|espiar Tau",
        "target-going",
        "si todo sale como has ordenado, Tau ya no tendrá casillas y esta orden se cancelará.",
        (),
    ),
    ("espiar Caos", "target-out", "Caos ya no tiene casillas: fuera de la partida.", ()),
    (
        "mover E1 a CM-3",
        "not-adjacent",
        "CM-3 no está junto a CM-1, donde está E1. Desde ahí se llega a CM-2.",
        ("mover E1 a CM-2, CM-3",),
    ),
    (
        "mover E3 a CM-4|mover E3 a CM-1",
        "not-adjacent",
        "CM-1 no está junto a CM-4, donde estará E3. Desde ahí se llega a CM-3.",
        (),
    ),
    (
        "mover E1 a CM-2, CM-4",
        "path-broken",
        "CM-4 no está junto a CM-2: cada paso va a una casilla vecina. Desde CM-2 se llega a CM-1 o CM-3.",
        (),
    ),
    (
        "mover E1 a CM-2, CM-3, CM-4",
        "path-too-long",
        "un ejército mueve como mucho 2 casillas por acción.",
        (),
    ),
    (
        "mover E1: 2 a CM-2|mover E4 a CM-2, CM-3",
        "part-has-moved",
        "E4 es parte de un ejército dividido y ya ha movido su única casilla de este turno.",
        (),
    ),
    (
        "mover E1: 2 a CM-2|mover E1 a CM-2, CM-3",
        "only-if",
        f"un ejército que se ha dividido mueve una sola casilla en todo el turno. {FAILS}",
        (),
    ),
    (
        "mover E1 a CM-2|mover E1: 2 a CM-3, 5 quedan",
        "moved-cant-split",
        "E1 ya ha movido este turno: no puede dividirse en partes que se muevan.",
        (),
    ),
    (
        "mover E1: 3 quedan",
        "nothing-moves",
        "así no se mueve nadie: escribe al menos una parte, por ejemplo 2 a CM-5.",
        (),
    ),
    (
        "mover E1: 3 quedan, 2 quedan, 2 a CM-2",
        "one-part-stays",
        "sólo puede quedarse una parte: súmalas en una, por ejemplo 5 quedan.",
        (),
    ),
    (
        "mover E1: 5 a CM-2, 4 a CM-2",
        "too-many-troops",
        "las partes suman 9 y E1 tiene 7 tropas.",
        (),
    ),
    (
        "mover E1: 2 a CM-2, 3 quedan",
        "parts-dont-add-up",
        "E1 tiene 7 tropas y aquí faltan 2 que se quedarán también.",
        (),
    ),
    ("mover E1: 2 a CM-2 como E2", "name-taken", "ya tienes un ejército E2: elige otro nombre.", ()),
    (
        "mover E1: 2 a CM-2 como E12",
        "not-your-number",
        "E12 no es un número de tu serie; el primero libre es E4.",
        (),
    ),
    (
        "unir E2 con E1|mover E1 a CM-2",
        "only-if",
        f"E1 ha recibido tropas este turno: ya no puede mover ni atacar. {FAILS}",
        (),
    ),
    (
        "unir E2 con E1|mover E2 a CM-2",
        "only-if",
        f"E2 no estará si todo sale como has ordenado. {FAILS}",
        (),
    ),
    (
        "unir E2 con E1|mover E1 a CM-3",
        "receiver-stays",
        "E1 ha recibido tropas este turno: ya no puede mover ni atacar.",
        (),
    ),
    (
        "unir E3 con E1",
        "not-together",
        "E3 está en CM-3 y E1 en CM-1: tienen que estar en la misma casilla.",
        (),
    ),
    (
        "mover E2 a CM-2|mover E3 a CM-2|mover E1 a CM-2, CM-3|unir E3, E1 con E2",
        "left-out",
        "E1 está en CM-3 y E2 en CM-2: tienen que estar en la misma casilla. Los demás sí se unen.",
        (),
    ),
    ("unir E1 con E1", "join-itself", "E1 aparece dos veces: un ejército se une a otro, y una sola vez.", ()),
    ("traspasar 1 de E1 a E1", "pass-itself", "E1 no puede pasarse tropas a sí mismo.", ()),
    (
        "traspasar 2 de E2 a E1",
        "giver-keeps-one",
        "E2 tiene 2 tropas y quien da se queda al menos con una; para pasarlas todas, une los ejércitos.",
        ("unir E2 con E1",),
    ),
    (
        "construir puesto en CM-1",
        "already-built",
        "en CM-1 ya está tu Base de Mando: se construye en una casilla sin infraestructura.",
        (),
    ),
    (
        "mover E1 a CM-2|construir generador en CM-2",
        "only-if-retaken",
        (
            "en CM-2 ya hay un puesto avanzado: se construye en una casilla sin infraestructura. "
            "Sólo se hará si antes pierdes la casilla y vuelves a tomarla."
        ),
        (),
    ),
    (
        "mover E3 a CM-4|construir generador en CM-4|construir puesto en CM-4",
        "already-built",
        "en CM-4 ya hay un generador de escudos: se construye en una casilla sin infraestructura.",
        (),
    ),
    ("mover E1: 2 a CM-2 como E1", "name-taken", "ya tienes un ejército E1: elige otro nombre.", ()),
    ("construir generador en CM-4", "not-your-cell", "CM-4 no es tuya.", ()),
    (
        "fortificar CM-2 2",
        "too-many-points",
        "CM-2 ya tiene 2 puntos y el máximo es 3: puedes añadir 1.",
        ("fortificar CM-2 1",),
    ),
    (
        "fortificar CM-3 3 puntos|fortificar CM-3 1",
        "too-many-points",
        "CM-3 ya tiene 3 puntos (contando lo que has ordenado antes) y el máximo es 3: no puedes añadir más.",
        (),
    ),
    (
        "construir generador en CM-3|fortificar CM-3 3",
        "overspent",
        (
            "entendido, pero con lo anterior gastas 8 suministros y tienes 6: esta orden se cancelará. "
            "Lo que produzcas llega al final del turno."
        ),
        (),
    ),
    (
        "invadir CM-4 con E3",
        "nobody-there",
        (
            "CM-4 no es de nadie ahora mismo: si no hay ejército enemigo, la invasión se cancela "
            "y no cuesta nada. Para ocuparla, mover."
        ),
        (),
    ),
    (
        "invadir CM-2 con E3",
        "own-cell",
        "CM-2 es tuya: sólo habrá batalla si otra facción la toma antes.",
        (),
    ),
    (
        "mover E3 a CM-4|esperar\nsi no: mover E2 a CM-4",
        "about-otherwise",
        "lo que sigue a si no: CM-4 no está junto a CM-1, donde está E2. Desde ahí se llega a CM-2.",
        (),
    ),
    (
        "reclutar 4 en CM-3",
        "no-recruiting-there",
        "en CM-3 no se recluta. Puedes reclutar en CM-1 o CM-2.",
        ("reclutar 4 en CM-1", "reclutar 4 en CM-2"),
    ),
    (
        "construir puesto en CM-3|reclutar 1 en CM-3 como E8",
        "no-recruiting-there",
        (
            "en CM-3 no se recluta este turno: el puesto avanzado se termina al final. "
            "Puedes reclutar en CM-1 o CM-2."
        ),
        ("reclutar 1 en CM-1 como E8", "reclutar 1 en CM-2 como E8"),
    ),
    (
        "reclutar 0 en CM-1",
        "recruits-nobody",
        "así no se recluta a nadie: sin Ciudades Colmena no hay tropas gratis. Escribe al menos 1.",
        (),
    ),
    (
        "reclutar 9 en CM-2 como E7",
        "too-dear",
        "cuesta 9 suministros y empiezas el turno con 6.",
        ("reclutar 6 en CM-2 como E7",),
    ),
    (
        "reclutar 2 en CM-1|mover E4: 3 a CM-2",
        "too-many-troops",
        "las partes suman 3 y E4 tiene 2 tropas.",
        (),
    ),
    (
        "reclutar 2 en CM-1|reclutar 1 en CM-1 como E4",
        "name-taken",
        "ya tienes un ejército E4: elige otro nombre.",
        (),
    ),
    (
        "reclutar 6 en CM-1|sabotear Tau con 1",
        "overspent",
        (
            "entendido, pero con lo anterior gastas 7 suministros y tienes 6: esta orden se cancelará. "
            "Lo que produzcas llega al final del turno."
        ),
        (),
    ),
    (
        "reclutar 5 en CM-1|bombardear CM-5 con 2 desde E3",
        "overspent",
        (
            "entendido, pero con lo anterior gastas 8 suministros y tienes 6: esta orden se cancelará. "
            "Lo que produzcas llega al final del turno."
        ),
        (),
    ),
    (
        "sabotear Tau con 4",
        "too-many-dice",
        "se tiran 3 dados como mucho; cuestan 1, 3 y 5 suministros, según cuántos sean.",
        (),
    ),
    (
        "sabotear Tau con 1 en CM-4",
        "not-of-target",
        "CM-4 no es de Tau ahora mismo: si sigue así, pierde suministros pero ninguna fortificación.",
        (),
    ),
    (
        "mover E3 a CM-5|sabotear Tau con 1 en CM-5",
        "not-of-target",
        (
            "CM-5 no será de Tau si todo sale como has ordenado: si sigue así, "
            "pierde suministros pero ninguna fortificación."
        ),
        (),
    ),
    (
        "bombardear E2 con 4 desde E1",
        "too-many-dice",
        "se tiran 3 dados como mucho; cuestan 1, 3 y 5 suministros, según cuántos sean.",
        (),
    ),
    (
        "bombardear CM-5 con 1 desde E1",
        "out-of-reach",
        "CM-5 está a más de 2 casillas de CM-1, donde está E1.",
        (),
    ),
    (
        "mover E3 a CM-4|bombardear CI-1 con 1 desde E3",
        "only-if",
        f"CI-1 está a más de 2 casillas de CM-4, donde estará E3. {FAILS}",
        (),
    ),
    (
        "bombardear E2 con 1 desde E1",
        "your-own-number",
        "E2 es un número de tu serie: se bombardea a un ejército ajeno, o una casilla.",
        (),
    ),
    (
        "bombardear E77 con 1 desde E1",
        "nobodys-number",
        "E77 no es un número de ninguna facción.",
        (),
    ),
    (
        "bombardear E21 con 1 desde E1",
        "target-out",
        "Caos ya no tiene casillas: fuera de la partida.",
        (),
    ),
    (
        "bombardear CM-4 con 1 desde E3",
        "nobody-to-hit",
        (
            "CM-4 no es de nadie ahora mismo: si no hay ningún ejército enemigo, "
            "el bombardeo se cancela y no cuesta nada."
        ),
        (),
    ),
    (
        "bombardear CM-3 con 1 desde E3",
        "nobody-to-hit",
        (
            "CM-3 es tuya ahora mismo: si no hay ningún ejército enemigo, "
            "el bombardeo se cancela y no cuesta nada."
        ),
        (),
    ),
    (
        "ceder CM-3 a Tau",
        "army-would-stay",
        (
            "entendido, pero E3 estará en CM-3 al final del turno y una casilla con un ejército no se cede: "
            "sácalo antes o esta orden se cancelará."
        ),
        (),
    ),
    ("ceder CM-1 a Tau", "base-stays", "en CM-1 está tu Base de Mando, y la base no se cede.", ()),
    (
        "ceder 7 suministros a Tau",
        "ceding-too-much",
        (
            "entendido, pero quieres ceder 7 suministros y al final del turno te quedarán 6, "
            "contando lo que produces y lo que cedes antes: esta orden se cancelará entera."
        ),
        (),
    ),
    (
        "ceder 50 suministros a Tau",
        "never-so-many",
        "quieres ceder 50 suministros y este turno no puedes llegar a tener más de 11.",
        ("ceder 11 suministros a Tau",),
    ),
    (
        "ceder CM-2 a Tau a cambio de CM-2",
        "exchange-itself",
        "así cambias algo por lo mismo: escribe qué quieres a cambio.",
        (),
    ),
    (
        "ceder CM-2 a Tau\nsi no: esperar",
        "otherwise-cede",
        "lo que cedes se entrega al final del turno: en si no sólo puede ir otra cesión.",
        (),
    ),
    (
        "ceder CM-2 a Tau|ceder CM-2 a Tau",
        "only-if",
        f"CM-2 ya la cedes más arriba. {FAILS}",
        (),
    ),
    (
        "ceder CM-2 a Tau a cambio de CM-4",
        "not-theirs",
        "CM-4 no es de Tau ahora mismo: si no la tiene al final del turno, no hay cambio.",
        (),
    ),
    (
        "esperar|esperar|esperar|esperar|esperar|producir",
        "no-actions-left",
        "este turno tienes 5 acciones y ya están usadas: sobra esta línea.",
        (),
    ),
]
# The same for other seats.
OF_OTHERS = [
    ("Tau", "producir", "no-base", "sin Base de Mando no se produce."),
    (
        "Tau",
        "reclutar 1 en CM-5",
        "no-recruiting-there",
        "en CM-5 no se recluta. Hace falta una Base de Mando o un puesto avanzado terminado.",
    ),
    (
        "Tau",
        "construir generador en CI-1",
        "too-dear",
        "cuesta 5 suministros y empiezas el turno con 3.",
    ),
    (
        "Caos",
        "esperar",
        "you-are-out",
        "tu facción se ha quedado sin casillas y ya no tiene acciones.",
    ),
]


# What a receipt says of blocks that stand: the words of each line, without a finding.
TOLD: list[tuple[str, list[str]]] = [
    ("producir|esperar", ["Producir", "Esperar (gasta una acción)"]),
    (
        "fortificar CM-3 1|construir puesto en CM-3|espiar Tau",
        [
            "Fortificar CM-3 con 1 punto (1 suministro; te quedan 5)",
            "Construir un puesto avanzado en CM-3 (5 suministros; te quedan 0)",
        ],
    ),
    (
        "espiar Tau|fortificar CM-3 3",
        [
            "Espiar a Tau (2 suministros; te quedan 4)",
            "Fortificar CM-3 con 3 puntos (3 suministros; te queda 1)",
        ],
    ),
    ("mover E1 a CM-2, CM-3", ["Mover E1 a CM-2, CM-3"]),
    (
        "mover E1: 2 a CM-2, 3 a CM-2 como E9|mover E1 a CM-2",
        [
            (
                "Mover E1 en 3 partes: 2 a CM-2 (será E4), 3 a CM-2 (será E9); "
                "2 se quedan en CM-1 (siguen siendo E1)"
            ),
            "Mover E1 a CM-2",
        ],
    ),
    ("mover E3: 3 a CM-4", ["Mover E3: 3 a CM-4 (sigue siendo E3)"]),
    (
        "mover E3: 1 a CM-4, 2 a CM-2|mover E2 a CM-2|unir E2 con E4",
        [
            "Mover E3 en 2 partes: 1 a CM-4 (sigue siendo E3), 2 a CM-2 (será E4)",
            "Mover E2 a CM-2",
            "Unir E2 con E4, que ya no podrá mover ni atacar este turno",
        ],
    ),
    (
        "mover E3: 1 a CM-4 como E8, 2 a CM-2",
        ["Mover E3 en 2 partes: 1 a CM-4 (será E8), 2 a CM-2 (sigue siendo E3)"],
    ),
    (
        "traspasar 3 de E1 a E2|mover E1: 3 a CM-2",
        [
            "Traspasar 3 tropas de E1 a E2, que ya no podrá mover ni atacar este turno",
            "Mover E1 en 2 partes: 3 a CM-2 (será E4); 1 se queda en CM-1 (sigue siendo E1)",
        ],
    ),
    (
        "traspasar 3 de E1 a E2|traspasar 4 de E2 a E1",
        [
            "Traspasar 3 tropas de E1 a E2, que ya no podrá mover ni atacar este turno",
            "Traspasar 4 tropas de E2 a E1, que ya no podrá mover ni atacar este turno",
        ],
    ),
    (
        "invadir CM-5 con E3|mover E3 a CI-1|fortificar CM-5 1|construir generador en CI-1",
        [
            "Invadir CM-5 con E3 y sus 3 tropas (2 suministros; te quedan 4)",
            "Mover E3 a CI-1",
            "Fortificar CM-5 con 1 punto (1 suministro; te quedan 3)",
        ],
    ),
    (
        "reclutar 4 en CM-1 como E8|mover E8 a CM-2, CM-3|reclutar 1 en CM-2|mover E4 a CM-3",
        [
            "Reclutar 4 tropas en CM-1: será E8 (4 suministros; te quedan 2)",
            "Mover E8 a CM-2, CM-3",
            "Reclutar 1 tropa en CM-2: será E4 (1 suministro; te queda 1)",
            "Mover E4 a CM-3",
        ],
    ),
    (
        "sabotear a Tau con 1|sabotea Tau 2 dados CM-5",
        [
            "Sabotear a Tau con 1 dado (1 suministro; te quedan 5)",
            "Sabotear a Tau con 2 dados, y las fortificaciones de CM-5 (3 suministros; te quedan 2)",
        ],
    ),
    (
        "bombardear CM-5 con 2 desde E3|bombardea el ejército e19 1 E1",
        [
            "Bombardear CM-5 con 2 dados desde E3 (3 suministros; te quedan 3)",
            "Bombardear E19 con 1 dado desde E1 (1 suministro; te quedan 2)",
        ],
    ),
    (
        "unir E2 con E1|bombardear CM-3 con 1 desde E1|bombardear CI-1 con 1 desde E3",
        [
            "Unir E2 con E1, que ya no podrá mover ni atacar este turno",
            "Bombardear CI-1 con 1 dado desde E3 (1 suministro; te quedan 4)",
        ],
    ),
    ("dar 1 suministro a Tau", ["Ceder 1 suministro a Tau, al final del turno"]),
    (
        "invadir CM-5 con E3|mover E3 a CM-4",
        ["Invadir CM-5 con E3 y sus 3 tropas (2 suministros; te quedan 4)", "Mover E3 a CM-4"],
    ),
    (
        "mover E3 a CM-5|si no: invadir CM-5 con E3|esperar",
        [
            (
                "Mover E3 a CM-5. "
                "Si no se puede: Invadir CM-5 con E3 y sus 3 tropas (2 suministros; te quedan 4)"
            ),
            "Esperar (gasta una acción)",
        ],
    ),
]


@pytest.mark.parametrize(("text", "said"), TOLD, ids=lambda one: str(one)[:40])
def test_a_receipt_tells_what_each_order_costs_and_makes(text: str, said: list[str]) -> None:
    """Costs, what is left, and the names of new armies, in the order written; none of these is doubted."""
    lines = [line for line in read(STATE, "Imperio", text.replace("|", "\n")).lines if not line.findings]

    assert said == [SPANISH.text(line.told) for line in lines if line.told is not None]


def test_a_receipt_counts_with_the_options_of_the_game() -> None:
    """Two points at two supplies each are four."""
    (line,) = read(STATE, "Imperio", "fortificar CM-3 2", Options(fortification_cost=2)).lines

    assert line.told is not None
    assert "Fortificar CM-3 con 2 puntos (4 suministros; te quedan 2)" == SPANISH.text(line.told)


# Blocks of which the last line happens only if an earlier one fails.
DOUBTED = [
    "mover E3 a CM-4\nsi no: mover E3 a CM-5|construir generador en CM-5",
    "mover E3 a CM-4\nsi no: mover E3: 2 a CM-5, 1 quedan|mover E4 a CM-2",
    "mover E1: 9 a CM-2, 1 a CM-2|mover E3 a CM-4, CM-3|mover E3: 1 a CM-2, 2 quedan",
    "unir E2 con E1|invadir CM-2 con E1|traspasar 3 de E1 a E2",
    "mover E3 a CM-4|invadir CM-5 con E3|construir generador en CM-5",
    "reclutar 4 en CM-1|reclutar 4 en CM-1|mover E5 a CM-2",
    "unir E2 con E1|bombardear E11 con 1 desde E2",
    "esperar\nsi no: reclutar 1 en CM-1|mover E4 a CM-2",
]


@pytest.mark.parametrize("text", DOUBTED)
def test_what_hangs_on_a_failure_is_doubted(text: str) -> None:
    """It stands, takes its action, and the player reads that it is unlikely."""
    last = read(STATE, "Imperio", text.replace("|", "\n")).lines[-1]

    assert (["conquista/only-if"], True) == ([one.code for one in last.findings], last.order is not None)


def test_what_is_doubted_spends_nothing() -> None:
    """Supplies for what is likely to happen aren't taken up by what is not."""
    text = "mover E3 a CM-4\ninvadir CM-5 con E3\nconstruir generador en CM-5\nconstruir puesto en CM-3"
    lines = read(STATE, "Imperio", text).lines

    assert [[], ["conquista/only-if"], ["conquista/only-if"], []] == [
        [one.code for one in line.findings] for line in lines
    ]


@pytest.mark.parametrize(
    ("seat", "text"),
    [
        ("Tau", "sabotear Imperio con 3 en CM-4"),
        ("Imperio", "mover E3 a CM-4\nbombardear CI-1 con 3 desde E3"),
    ],
)
def test_what_can_never_be_paid_has_one_answer(seat: str, text: str) -> None:
    """Doubts about the rest of the line aren't told beside it."""
    last = read(STATE, seat, text, Options(bombardment_costs=(1, 3, 7), actions=(5,))).lines[-1]

    assert ["conquista/too-dear"] == [one.code for one in last.findings]


@pytest.mark.parametrize(
    ("supplies", "hive", "offered"),
    [
        (0, False, ()),
        (0, True, ("reclutar 0 en CM-1",)),
        (1, True, ("reclutar 1 en CM-1",)),
        (2, False, ("reclutar 2 en CM-1",)),
    ],
)
def test_as_many_recruits_are_offered_as_can_be_paid(
    supplies: int, hive: bool, offered: tuple[str, ...]
) -> None:
    """None at all only where there is a Ciudad Colmena, whose troops are free."""
    state = copy.deepcopy(STATE)
    state.factions["Imperio"].supplies = supplies
    state.cells["CM-3"].feature = Feature.HIVE if hive else None
    (found,) = read(state, "Imperio", "reclutar 9 en CM-1").lines[0].findings

    assert ("conquista/too-dear", offered) == (found.code, found.suggest)


def test_a_bombardment_from_an_army_that_is_not_known_yet_is_told() -> None:
    """What it costs isn't: nobody knows whether it comes about."""
    line = read(STATE, "Imperio", "reclutar 9 en CM-1 como E8\nbombardear CM-5 con 2 desde E8").lines[1]

    assert line.told is not None
    assert "Bombardear CM-5 con 2 dados desde E8" == SPANISH.text(line.told)


def test_a_bombardment_that_is_doubted_spends_nothing() -> None:
    """From where its army is going to be nothing is in reach, so the supplies stay for what follows."""
    text = "mover E3 a CM-4\nbombardear CI-1 con 3 desde E3\nconstruir puesto en CM-3\nsabotear Tau con 1"
    lines = read(STATE, "Imperio", text).lines

    assert [[], ["conquista/only-if"], [], []] == [[one.code for one in line.findings] for line in lines]


def test_recruits_of_a_colmena_are_counted_in_the_receipt() -> None:
    """Free troops of the cities that the seat holds now; what is taken this turn gives none yet."""
    state = copy.deepcopy(STATE)
    state.cells["CM-3"].feature = state.cells["CM-4"].feature = Feature.HIVE
    said = [
        (SPANISH.text(line.told), [one.code for one in line.findings])
        for line in read(state, "Imperio", "mover E3 a CM-4\nreclutar 0 en CM-1\nreclutar 2 en CM-1").lines
        if line.told is not None
    ]

    assert [
        ("Mover E3 a CM-4", []),
        ("Reclutar 1 tropa en CM-1: será E4 (gratis; te quedan 6)", []),
        ("Reclutar 3 tropas en CM-1: será E5 (2 suministros, 1 tropa gratis; te quedan 4)", []),
    ] == said


@pytest.mark.parametrize(
    ("line", "known"),
    [
        ("moveer E1: 2 a CM-2, 2 a CM-2", ("E4", "E5")),
        ("mover E1: 2 a CM-2, 2 a CM-77", ("E4", "E5")),
        ("mover E1: 2 a CM-2 como E8, 9 a CM-2", ("E8", "E4")),
        ("mover E1: 2 a CM-77 como e7", ("E7",)),
        ("reclutar 4 en CM-77", ("E4",)),
        ("relcutar 4 tropas en CM-1 como e8", ("E8",)),
        ("reclutar 4 en CM-3", ("E4",)),
        ("reclutar 9 en CM-1 como E8", ("E8",)),
    ],
)
def test_armies_of_a_refused_split_are_known_below(line: str, known: tuple[str, ...]) -> None:
    """One mistake gives one error: what the line would have made isn't missed in the lines below."""
    below = "\n".join(f"mover {army} a CM-3" for army in known)
    first, *rest = read(STATE, "Imperio", f"{line}\n{below}").lines

    assert first.order is None
    assert [["parse/known-later"]] * len(known) == [[one.code for one in later.findings] for later in rest]
    assert (
        "conquista/not-your-army"
        == read(STATE, "Imperio", f"{line}\nmover E6 a CM-3").lines[1].findings[0].code
    )


def first_finding(seat: str, text: str) -> Diagnostic:
    """The first finding on the last order of a block."""
    return read(STATE, seat, text.replace("|", "\n")).lines[-1].findings[0]


@pytest.mark.parametrize(("text", "code", "said", "offered"), ANSWERS, ids=lambda one: str(one)[:40])
def test_each_answer_tells_why_and_what_instead(
    text: str, code: str, said: str, offered: tuple[str, ...]
) -> None:
    """The code, the words that the player reads, and lines that would be understood."""
    found = first_finding("Imperio", text)

    assert (f"conquista/{code}", said, offered) == (found.code, SPANISH.text(found.message), found.suggest)


def test_a_game_without_cessions_refuses_them() -> None:
    """An option of the game."""
    (line,) = read(STATE, "Imperio", "ceder CM-3 a Tau", Options(cessions=False)).lines

    assert ["conquista/no-cessions"] == [one.code for one in line.findings]


@pytest.mark.parametrize(("seat", "text", "code", "said"), OF_OTHERS)
def test_answers_to_those_who_have_little(seat: str, text: str, code: str, said: str) -> None:
    """Without a base, without supplies, without cells."""
    found = first_finding(seat, text)

    assert (f"conquista/{code}", said) == (found.code, SPANISH.text(found.message))


def test_offered_lines_would_stand() -> None:
    """A line that is offered for a mistake in the rules is accepted as it is."""
    offered = [
        one for _, code, _, lines in ANSWERS for one in lines if code in ("not-adjacent", "giver-keeps-one")
    ]

    assert [[]] * len(offered) == [list(read(STATE, "Imperio", one).lines[0].findings) for one in offered]


def test_a_foreign_army_is_answered_like_none() -> None:
    """E11 exists and E19 doesn't; the player can see neither."""
    told = {
        SPANISH.text(first_finding("Imperio", f"mover {one} a CM-2").message).replace(one, "")
        for one in ("E11", "E19")
    }

    assert 1 == len(told)


def test_a_mark_that_cannot_be_seen_is_answered_like_none() -> None:
    """E11 stands in reach and E19 doesn't exist: as marks they are accepted alike."""
    told = set()
    for mark in ("E11", "E19"):
        (line,) = read(STATE, "Imperio", f"bombardear {mark} con 1 desde E3").lines
        assert line.told is not None
        told.add((line.findings, SPANISH.text(line.told).replace(mark, "")))

    assert 1 == len(told)


def test_every_code_of_the_plan_has_its_example() -> None:
    """A new answer of the rule set comes with an example here."""
    shown: set[str] = {"conquista/no-cessions", "conquista/gift"}
    for seat, text in [("Imperio", one[0]) for one in ANSWERS] + [(one[0], one[1]) for one in OF_OTHERS]:
        _collect(first_finding(seat, text).message, shown)

    assert set() == _codes_of_the_plan() - shown


def _collect(message: Message, shown: set[str]) -> None:
    shown.add(message.id)
    for value in message.params.values():
        if isinstance(value, Message):
            _collect(value, shown)


def _codes_of_the_plan() -> set[str]:
    """Ids that the reading of orders says of a line, without the words of receipts."""
    folder = Path(rules.conquista.__file__).parent
    trees = [ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("plan/*.py"))]
    ids = {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    return {one for one in ids if one.startswith("conquista/") and not one.startswith("conquista/told-")}


def test_the_example_state_is_a_valid_setup() -> None:
    """What is shown here could be somebody's game."""
    assert () == RULESET.check(STATE, OPTIONS)
