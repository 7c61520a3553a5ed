"""`turnero void` and `turnero rollback` as a director types and reads them, over a game of `conquista`."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

from tests import test_commands
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC
from tests.test_commands import RIGHT, Stage

stage, opened = test_commands.stage, test_commands.opened
AGAIN = "domingo 13 de diciembre de 2026, 22:00 (Madrid), 21:00 UTC"
CORRECTION = '[[override]]\ncancel = "Imperio#1"\nreason = "Lo pidió él"\n'


@pytest.fixture
def closed(opened: Stage) -> Stage:
    """The first turn is published: the Imperio has moved, Tau has produced."""
    opened.forum.write("2", RIGHT)
    opened.forum.write("3", "[órdenes turno 1]\nproducir\n[/órdenes]")
    opened.clock.set(DEADLINE + timedelta(minutes=2))
    go_on(opened)
    assert "Turno 2: abierto" in opened.run("status", "DIR").output
    return opened


def go_on(stage: Stage, times: int = 2) -> None:
    """Some ticks, ten minutes apart."""
    for _ in range(times):
        stage.clock.sleep(600)
        assert 0 == stage.run("tick").exit_code


def correct(stage: Stage, text: str) -> None:
    """The first turn's override file."""
    path = stage.folder / "overrides" / "turn-001.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")


def public(stage: Stage, start: str) -> str:
    """What stands in the topic under a marker, all parts."""
    posts = (one.text for one in stage.forum.by_bot(TOPIC))
    return "\n".join(text for text in posts if f":{start}:" in text.split("\n")[-1])


def told(stage: Stage) -> str:
    """Everything that we have written, everywhere."""
    return "\n".join(one.text for one in stage.forum.by_bot())


def test_a_turn_is_resolved_once_more(closed: Stage) -> None:
    """The director corrects the file, types one command, and reads what happens."""
    correct(closed, CORRECTION)
    assert [
        "✔ El turno 1 (intento 1) queda anulado, y con él el turno 2.",
        (
            "Se resuelve otra vez con las mismas órdenes, los mismos dados y `overrides/turn-001.toml` como"
            " está ahora. Lo hace el próximo `turnero tick`, o `turnero serve` enseguida; el informe nuevo"
            " dice qué cambia."
        ),
    ] == [line for line in closed.run("rollback", "DIR", "--reason", "Leí mal").output.splitlines() if line]
    go_on(closed)
    head = public(closed, "1.2:report").partition("**Lo que ha pasado")[0]

    assert (
        "**Intento 2.** El turno se ha resuelto otra vez, con las mismas órdenes y los mismos dados" in head
    )
    assert "Motivo: *Leí mal*" in head
    assert "**Qué cambia** respecto al informe anulado:" in head
    assert "Hasta aquí: 1 turno probado, 2 intentos anulados, ninguno sin probar." in public(
        closed, "1.2:report"
    )
    lines = closed.lines("status", "DIR")
    assert "Turno 2, intento 2: abierto · cierre: " + AGAIN in lines[1]
    assert "  Se abre otra vez: se anuló el turno 1 (intento 1). Motivo: Leí mal" in lines


def test_what_differs_is_told_to_each_what_they_may_know(closed: Stage) -> None:
    """Whose order was cancelled reads it; Tau reads that nothing of what it can see is other."""
    correct(closed, CORRECTION)
    closed.run("rollback", "DIR")
    go_on(closed)
    heads = {
        one.text.split("\n")[-1].split(":")[3]: one.text.partition("**Lo que ha pasado")[0]
        for one in closed.forum.by_bot()
        if ":1.2:report-" in one.text.split("\n")[-1]
    }

    assert "Qué cambia" in heads["report-imperio"]
    assert "nada cambia respecto al informe anulado" in heads["report-tau"]


def test_a_turn_is_opened_once_more(closed: Stage) -> None:
    """The seed comes first, then the opening with the new deadline; `status` and `show` know the attempt."""
    output = closed.run("void", "DIR", "--turn", "1", "--reason", "El foro estuvo caído").output
    assert "✔ El turno 1 (intento 1) queda anulado, y con él el turno 2." in output
    assert f"después se abre otra vez, hasta el {AGAIN}." in output
    go_on(closed)

    assert "El turno 1 queda anulado, y el informe que salió no vale." in public(closed, "1.1:void")
    assert f"Tienes hasta el {AGAIN}" in public(closed, "1.2:open")
    assert f"Turno 1, intento 2: abierto · cierre: {AGAIN}" in closed.run("status", "DIR").output
    assert "Otros intentos de este turno (`--attempt` los enseña): intento 1, anulado" in (
        closed.run("show", "DIR").output
    )


def test_a_voided_attempt_can_be_looked_at(closed: Stage) -> None:
    """Its orders, its corrections as they were, what happened; the new attempt has its own."""
    correct(closed, CORRECTION)
    closed.run("rollback", "DIR")
    go_on(closed)
    first = closed.run("show", "DIR", "--turn", "1", "--attempt", "1").output
    second = closed.run("show", "DIR", "--turn", "1").output

    assert "Turno 1: anulado" in first
    assert "Mover `E1` a `VE-2`" in first
    assert "Informes (reports/turn-001/attempt-1)" in first
    assert "Lo pidió él" not in first
    assert "Turno 1, intento 2: publicado" in second
    assert "Lo pidió él" in second
    assert "Informes (reports/turn-001)" in second
    lies = closed.folder / "reports" / "turn-001"
    assert "nada cambia" in (lies / "report-tau.md").read_text(encoding="utf-8")
    assert "Intento" not in (lies / "attempt-1" / "report-tau.md").read_text(encoding="utf-8")
    result = closed.run("show", "DIR", "--turn", "1", "--attempt", "7")
    assert (2, "✘ El turno 1 no tiene intento 7.\n") == (result.exit_code, result.output)


def test_the_seed_of_a_voided_turn_can_be_verified(opened: Stage, tmp_path: Path) -> None:
    """The void post has a proof that `turnero verify` accepts, though nothing was thrown."""
    opened.run("void", "DIR")
    go_on(opened)
    notice = public(opened, "1.1:void")
    (proof,) = re.findall(r"```json\n(.*?)\n```", notice, re.DOTALL)
    path = tmp_path / "proof.json"
    path.write_text(proof, encoding="utf-8")
    result = opened.run("verify", str(path))

    assert 0 == result.exit_code, result.output
    assert "la prueba no tiene dados; la semilla y la clave cuadran" in result.output
    assert json.loads(proof)["commitment"] in public(opened, "1.1:open")


def test_a_file_that_does_not_fit_voids_nothing(closed: Stage) -> None:
    """Before anybody is told anything the corrected orders are tried."""
    wrong = '[[override]]\ncancel = "Imperio#7"\nreason = "Lo pidió él"\n'
    correct(closed, wrong)
    result = closed.run("rollback", "DIR")

    assert 1 == result.exit_code
    assert "Imperio no tiene ninguna orden número 7" in result.output
    assert "No he cambiado nada." in result.output
    assert wrong == (closed.folder / "overrides" / "turn-001.toml").read_text(encoding="utf-8")
    go_on(closed)
    assert ":void:" not in told(closed)


def test_a_file_that_says_the_same_is_warned_of(closed: Stage) -> None:
    """Whoever forgot to correct it learns it before the turn is resolved."""
    output = closed.run("rollback", "DIR").output
    assert "⚠ `overrides/turn-001.toml` dice lo mismo que cuando se resolvió" in output


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("rollback", "DIR"), 1, "✘ Aún no se ha cerrado ningún turno: no hay nada que resolver otra vez."),
        (
            ("rollback", "DIR", "--turn", "1"),
            1,
            "✘ El turno 1 aún no se ha cerrado: no tiene órdenes que resolver otra vez. Para empezarlo",
        ),
        (("void", "DIR", "--turn", "4"), 2, "✘ Esta partida no tiene turno 4."),
    ],
)
def test_what_cannot_be_done_is_said(opened: Stage, arguments: tuple[str, ...], code: int, said: str) -> None:
    """Nothing is written."""
    result = opened.run(*arguments)

    assert code == result.exit_code
    assert said in " ".join(result.output.split())
    assert not (opened.folder / "overrides").exists()


def test_check_tells_what_an_entry_will_do(closed: Stage) -> None:
    """A voided turn isn't the one that the game is at, and `check` looks at it all the same."""
    correct(closed, CORRECTION + '\n[[override]]\nvoid = 1\norders = "keep"\nreason = "Leí mal"\n')
    result = closed.run("check", "DIR")

    assert 0 == result.exit_code, result.output
    said = " ".join(result.output.split())
    assert "⚠ `overrides/turn-001.toml` anula el turno 1 (intento 1), que se resolverá otra vez" in said


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('void = 2\norders = "keep"', "no hay intento 2 de este turno: sólo va por el primero."),
        ('void = 1\norders = "keep"', "el turno 1 aún no se ha cerrado"),
    ],
)
def test_check_refuses_an_entry_that_cannot_be_followed(opened: Stage, entry: str, said: str) -> None:
    """Once, with the place and what would be right."""
    correct(opened, f'[[override]]\n{entry}\nreason = "Leí mal"\n')
    result = opened.run("check", "DIR")
    output = " ".join(result.output.split())

    assert 1 == result.exit_code
    assert 1 == output.count(said), output
    assert "overrides/turn-001.toml, línea 1, «override#1.void»" in output


def test_corrections_of_a_voided_attempt_are_not_those_of_the_next(closed: Stage) -> None:
    """What stands above the entry was about orders that are gone; `show` and `check` leave it out too."""
    correct(closed, CORRECTION)
    closed.run("void", "DIR", "--turn", "1")
    go_on(closed)
    closed.forum.write("2", RIGHT)
    closed.forum.write("3", "[órdenes turno 1]\nproducir\n[/órdenes]")
    assert 0 == closed.run("check", "DIR").exit_code
    for minutes in (-40, 2):
        closed.clock.set(DEADLINE + timedelta(days=7, minutes=minutes))
        go_on(closed, 1)
    go_on(closed)

    shown = closed.run("show", "DIR", "--turn", "1").output
    assert "Turno 1, intento 2: publicado" in shown
    assert "Lo pidió él" not in shown
    assert "Correcciones del director" not in public(closed, "1.2:report")


def test_check_says_what_a_correction_to_a_published_turn_is_waiting_for(closed: Stage) -> None:
    """It counts for nothing until the turn is resolved once more; afterwards there is no more to say."""
    hint = "`overrides/turn-001.toml` cambió desde que se resolvió el turno 1"
    assert hint not in closed.run("check", "DIR").output
    correct(closed, CORRECTION)
    checked = closed.run("check", "DIR")
    assert (0, 1) == (checked.exit_code, checked.output.count(hint))
    assert "turnero rollback" in checked.output

    closed.run("rollback", "DIR", "--reason", "Lo leí mal")
    go_on(closed)
    assert hint not in closed.run("check", "DIR").output


def test_a_director_of_an_english_game_reads_english(closed: Stage) -> None:
    """The commands speak the game's language."""
    path = closed.folder / "game.toml"
    path.write_text(
        path.read_text(encoding="utf-8").replace(
            'ruleset = "conquista"', 'ruleset = "conquista"\nlanguage = "en"'
        ),
        encoding="utf-8",
    )
    output = closed.run("rollback", "DIR").output

    assert "✔ Turn 1 (attempt 1) is voided, and with it turn 2." in output
    assert "the new report says what differs" in " ".join(output.split())


@pytest.mark.parametrize("command", ["rollback", "void"])
def test_another_attempt_is_replayed_alike(closed: Stage, command: str) -> None:
    """Resolved once more with the same orders, or opened once more: `verify --replay` finds no difference."""
    correct(closed, CORRECTION)
    closed.run(command, "DIR", "--turn", "1", "--reason", "Otra vez")
    go_on(closed, 4)
    if command == "void":
        closed.forum.write("2", RIGHT)
        closed.forum.write("3", "[órdenes turno 1]\nproducir\n[/órdenes]")
        closed.clock.set(DEADLINE + timedelta(days=7) - timedelta(minutes=20))
        go_on(closed, 5)
    result = closed.run("verify", "DIR", "--turn", "1", "--replay")

    assert "✘" not in result.output, result.output
    assert (0, "Turno 1 de «Cruzada de Veth», intento 2") == (result.exit_code, result.output.splitlines()[0])


def test_a_voided_attempt_is_replayed_alike(closed: Stage) -> None:
    """Its report no longer counts; what was promised and what came of it can be checked all the same."""
    correct(closed, CORRECTION)
    closed.run("rollback", "DIR", "--turn", "1", "--reason", "Otra vez")
    before = closed.run("verify", "DIR", "--turn", "1", "--attempt", "1", "--replay")
    go_on(closed, 4)
    result = closed.run("verify", "DIR", "--turn", "1", "--attempt", "1", "--replay")

    assert "✘" not in before.output + result.output, before.output + result.output
    assert (0, 0) == (before.exit_code, result.exit_code)
    assert [
        "Turno 1 de «Cruzada de Veth»",
        "Este intento se anuló: su informe salió y ya no vale.",
    ] == result.output.splitlines()[:2]
    aside = closed.folder / "reports" / "turn-001" / "attempt-1" / "report.html"
    aside.write_text(aside.read_text(encoding="utf-8").replace("Imperio", "Imperia"), encoding="utf-8")
    spoilt = closed.run("verify", "DIR", "--turn", "1", "--attempt", "1", "--replay")
    assert (1, 1) == (spoilt.exit_code, spoilt.output.count("✘"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--turn", "1", "--attempt", "7"), "✘ El turno 1 no tiene intento 7.\n"),
        (("--attempt", "7"), "✘ El turno de ahora no tiene intento 7.\n"),
    ],
)
def test_an_attempt_that_there_is_not_is_told(closed: Stage, arguments: tuple[str, ...], said: str) -> None:
    """Like `show`."""
    result = closed.run("verify", "DIR", *arguments)
    assert (2, said) == (result.exit_code, result.output)


def test_an_entry_by_hand_is_followed_by_tick_of_a_held_game(opened: Stage) -> None:
    """Nobody has ordered and the turn waits for its director, who would rather have it played again: the
    entry in the file and `tick` with the game's name are all it takes.
    """
    opened.clock.set(DEADLINE + timedelta(minutes=2))
    opened.run("tick")
    assert "detenido" in opened.run("status", "DIR").output
    correct(opened, '[[override]]\nvoid = 1\norders = "reopen"\nreason = "Nadie pudo"\n')
    checked = " ".join(opened.run("check", "DIR").output.split())
    assert "(si la partida ha terminado o está detenida, `turnero tick CARPETA`)" in checked
    told = opened.run("tick", "DIR").output
    assert "El turno 1 empieza otra vez: intento 2." in told
    assert f"Turno 1, intento 2: abierto · cierre: {AGAIN}" in opened.run("status", "DIR").output
