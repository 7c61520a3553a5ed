"""`turnero check` shows what an override file would change, before and after (design.md 4)."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select

from processor.store.tables import metadata
from tests.support.hand_clock import DEADLINE
from tests.test_commands import WRONG, Stage, opened, stage  # noqa: F401 - fixtures


@pytest.fixture
def ordered(opened: Stage) -> Stage:  # noqa: F811 - a fixture
    """The Imperio has ordered in private, the Tau not at all."""
    game = opened.folder / "game.toml"
    game.write_text(game.read_text(encoding="utf-8") + "[options]\nactions = [3]\n", encoding="utf-8")
    opened.forum.whisper("2", WRONG)
    opened.clock.sleep(900)
    opened.run("tick")
    return opened


FINGER = "✘ `moveer E1 a VE-2` — no conozco `moveer`. ¿Querías decir `mover E1 a VE-2`?"

UNKNOWN = "el verdadero no se sabe hasta que se tire, y la prueba guarda los dos"


def correct(stage: Stage, text: str) -> None:  # noqa: F811
    """The override file of the first turn."""
    (stage.folder / "overrides").mkdir(exist_ok=True)
    (stage.folder / "overrides" / "turn-001.toml").write_text(text, encoding="utf-8")


def check(stage: Stage) -> tuple[int, list[str]]:  # noqa: F811
    """The exit code, and what is said of the corrections."""
    result = stage.run("check", "DIR")
    lines = result.output.splitlines()
    first = next(place for place, line in enumerate(lines) if "cambiaría" in line)
    return result.exit_code, lines[first:]


def stored(stage: Stage) -> list[list[tuple[object, ...]]]:  # noqa: F811
    """Every row of every table."""
    with stage.service.database.read() as connection:
        return [[*map(tuple, connection.execute(select(table)))] for table in metadata.sorted_tables]


ORDERS = """\
[[override]]
replace = "Imperio#2"
with = "mover E1 a VE-2"
reason = "Se le fue el dedo"
[[override]]
add = "Tau"
order = "producir"
reason = "La mandó por correo"
"""


def test_orders_before_and_after(ordered: Stage) -> None:
    """Each as the receipt would have it: as understood, or why not."""
    correct(ordered, ORDERS)

    code, lines = check(ordered)

    assert 0 == code, lines
    assert [
        "  1. Imperio, orden 2: `moveer E1 a VE-2` → `mover E1 a VE-2`. Se le fue el dedo",
        f"      antes · Imperio: 2. {FINGER}",
        "      después · Imperio: 2. Mover `E1` a `VE-2`",
        "  2. Tau: se añade `producir`. La mandó por correo",
        "      después · Tau: 1. Producir",
    ] == lines[1:]
    assert "turno 1, que sigue abierto: puede variar con lo que llegue" in lines[0]


def test_values_dice_and_answers(ordered: Stage) -> None:
    """A value before and after; of a die only what it would be; an answer ahead says so."""
    correct(
        ordered,
        '[[override]]\nset = "factions/Tau/supplies"\nvalue = 4\nreason = "Le cobré de más"\nsecret = true\n'
        '[[override]]\ndie = "invasion/VE-2/Imperio/E1"\nvalue = [4, 5]\nreason = "Acordado"\n'
        '[[override]]\nruling = "duda/Tau"\nanswer = "seguir"\nif_asked = true\nreason = "Por si acaso"\n',
    )

    code, lines = check(ordered)

    assert 0 == code, lines
    assert [
        "  1. factions/Tau/supplies: 6 → 4. Le cobré de más (secreta)",
        f"  2. dado invasion/VE-2/Imperio/E1: valdría 4, 5; {UNKNOWN}",
        "  3. a «duda/Tau», si se pregunta, se respondería «seguir»",
    ] == [line.replace("`", "") for line in lines[1:]]


def test_posts_that_would_count_or_not(ordered: Stage) -> None:
    """The orders that stood and those that would; a post that nobody has read yet is no mistake."""
    post = max(ordered.forum.posts, key=lambda one: one.id if one.author == "2" else 0)
    correct(
        ordered,
        f'[[override]]\nignore_post = "{post.id}"\nreason = "No era suyo"\n'
        '[[override]]\naccept_post = "9999"\nreason = "Aún no ha llegado"\n',
    )

    code, lines = check(ordered)

    assert 0 == code, lines
    assert "  1. Imperio: no cuenta el mensaje" in lines[1]
    assert [
        "      antes · Imperio: 1. Producir",
        f"      antes · Imperio: 2. {FINGER}",
    ] == lines[2:4]
    assert lines[4].startswith("  ⚠ overrides/turn-001.toml, línea 4")
    assert "lo busco en el foro" in lines[5]


def test_the_deadline_of_an_open_turn(ordered: Stage) -> None:
    """What an extension would make of it."""
    correct(ordered, '[[override]]\nextend = "2h"\nreason = "El foro estuvo caído"\n')

    code, lines = check(ordered)

    assert 0 == code, lines
    moved = "domingo 6 de diciembre, 22:00 (Madrid) → lunes 7 de diciembre, 00:00 (Madrid)"
    assert [f"  1. más tiempo: {moved}. El foro estuvo caído"] == lines[1:]


def test_what_is_wrong_is_said_and_fails(ordered: Stage) -> None:
    """The turn would be held for it."""
    correct(ordered, '[[override]]\ncancel = "Tau#3"\nreason = "Prueba"\n')

    code, lines = check(ordered)

    assert 1 == code
    said = "  ✘ overrides/turn-001.toml, línea 1, «override#1.cancel»: Tau no tiene ninguna orden"
    assert lines[1].startswith(said)


def test_a_held_turn_is_tried(ordered: Stage) -> None:
    """Of a closed turn it is known which dice there are; what would hold it again is said before `retry`."""
    correct(ordered, '[[override]]\ndie = "nada"\nvalue = 1\nreason = "Prueba"\n')
    ordered.clock.set(DEADLINE + timedelta(minutes=2))
    ordered.run("tick")

    code, lines = check(ordered)

    assert 1 == code
    assert "lo que cambiaría en el turno 1" == lines[0].split(": ", 1)[1]
    assert "nadie ha tirado «nada»" in lines[2]
    correct(ordered, ORDERS)
    code, lines = check(ordered)
    assert 0 == code, lines
    assert "(hecha después del cierre)" in lines[1]


def test_nothing_is_stored(ordered: Stage) -> None:
    """Neither rows nor files are other afterwards."""
    correct(ordered, ORDERS + '[[override]]\nextend = "2h"\nreason = "Prueba"\n')
    before = stored(ordered)

    check(ordered)

    assert before == stored(ordered)


def test_a_folder_that_is_not_registered(stage: Stage) -> None:  # noqa: F811
    """There are no orders yet that anything could change."""
    correct(stage, ORDERS)

    result = stage.run("check", "DIR")

    assert 0 == result.exit_code
    assert "⚠ Qué cambiarían las correcciones se ve cuando la partida está registrada" in result.output


def test_a_turn_without_corrections_says_nothing(ordered: Stage) -> None:
    """An empty file, or none."""
    correct(ordered, "# nada\n")

    assert "cambiaría" not in ordered.run("check", "DIR").output
