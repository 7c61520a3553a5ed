"""`turnero rehearse` and `turnero verify`: what they print, what they refuse, and their exit codes
(design.md 5).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from jobs.cli import app
from parsers.files.errors import FileErrors
from parsers.files.scenario import load_scenario
from processor.pipeline.comparing import Actual, compare, is_same, is_subset
from processor.pipeline.locking import dice_source
from processor.pipeline.rehearsal import Rehearsal, rehearse
from reporters.proof import build_proof, render_proof
from rules.engine.dice import Dice
from tests.support.fair import SECRETS, load_toy, make_play, toy_texts

HERE = Path(__file__).parent
GOLDENS = sorted((HERE / "golden" / "conquista").glob("*.toml"))
WORKED_EXAMPLE = HERE / "golden" / "conquista" / "imperio-turno-3.toml"
NUMBER = re.compile(r"(?<= = )(\d+)(?=[ ,}\n]|$)", re.MULTILINE)


def run(*arguments: str | Path, given: str | bytes | None = None) -> Result:
    """The command line in this process."""
    return CliRunner().invoke(app, list(map(str, arguments)), input=given)


def expected_numbers(text: str) -> list[tuple[int, int]]:
    """Where the numbers of a golden's expectations stand."""
    start, end = text.index("\n[expect]"), text.index("\n[expect.source]")
    return [found.span() for found in NUMBER.finditer(text) if start < found.start() < end]


def in_a_fair(turns: str, head: str = "") -> Rehearsal:
    """A small scenario of the toy rule set."""
    setup = """
[state.folk]
Ana = { coins = 3 }
Bea = { coins = 3 }
[state.stalls]
tombola = { name = "Tómbola", price = 1, prizes = ["abanico"] }
"""
    text = f'title = "Prueba"\nruleset = "feria"\n{head}{setup}{turns}'
    return rehearse(load_scenario(text, "prueba.toml"), load_toy, toy_texts)


def problems_of(make: Callable[[], Any]) -> list[str]:
    """What is wrong with a file."""
    with pytest.raises(FileErrors) as caught:
        make()
    return [one.say(toy_texts(load_toy("feria"))) for one in caught.value.problems]


# goldens


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_goldens_come_as_they_say(path: Path) -> None:
    """Every golden ends with 0, says so, and shows each report."""
    result = run("rehearse", path)

    assert 0 == result.exit_code, result.output
    assert "✔ Todo sale como se esperaba." in result.output
    assert "Informe: public" in result.output


SPANS = expected_numbers(WORKED_EXAMPLE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("span", SPANS, ids=lambda span: str(span[0]))
def test_each_number_of_the_worked_example_matters(span: tuple[int, int], tmp_path: Path) -> None:
    """One more than the original says, anywhere, and the rehearsal fails with the source of what it
    expected.
    """
    text = WORKED_EXAMPLE.read_text(encoding="utf-8")
    changed = tmp_path / "changed.toml"
    changed.write_text(text[: span[0]] + str(int(text[slice(*span)]) + 1) + text[span[1] :], encoding="utf-8")

    result = run("rehearse", changed)

    assert 1 == result.exit_code, result.output
    assert "esperado:" in result.output
    assert "según 003:" in result.output


def test_the_numbers_of_the_issue_are_among_them() -> None:
    """Supplies 9, 21 cells, 4 actions, dominion 30, armies of 2, 3, 2, 2 and 3."""
    text = WORKED_EXAMPLE.read_text(encoding="utf-8")
    numbers = [int(text[slice(*span)]) for span in SPANS]

    assert {9, 21, 4, 30} <= set(numbers)
    assert [2, 3, 2, 2, 3] == numbers[-5:]
    assert 16 == len(numbers)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('building = "puesto avanzado" }\nCM-5 =', 'building = "generador" }\nCM-5 ='),
        ('"dominio 30"]', '"dominio 31"]'),
        ('lacks = ["puesto avanzado", "suministros"]', 'lacks = ["21 casillas"]'),
        ('absent = ["armies/E6"]', 'absent = ["armies/E5"]'),
        ("held = []", 'held = ["reloj/deshielo"]'),
        ("diagnostics = []", 'diagnostics = [{ code = "parse/unknown-order" }]'),
        ('audience = ["Imperio"]', 'audience = "public"'),
    ],
)
def test_other_expectations_of_the_worked_example_matter(old: str, new: str, tmp_path: Path) -> None:
    """Words, audiences, what is absent, what is held: each is compared."""
    text = WORKED_EXAMPLE.read_text(encoding="utf-8")
    assert old in text
    changed = tmp_path / "changed.toml"
    changed.write_text(text.replace(old, new, 1), encoding="utf-8")

    assert 1 == run("rehearse", changed).exit_code


# --json


def test_pictures_of_a_rehearsed_turn_are_written_where_one_says(tmp_path: Path) -> None:
    """The worked example leaves its maps, for everybody, for each faction and for the director, and pages."""
    result = run("rehearse", WORKED_EXAMPLE, "--pictures", tmp_path / "mapas")
    written = {one.name for one in (tmp_path / "mapas" / "turn-003").iterdir()}

    assert 0 == result.exit_code
    wanted = {"map-cm.svg", "map-cm.png", "map-cm-imperio.png", "map-cm-director.png", "dominion.png"}
    assert set() == (wanted | {"report.html", "report-imperio.html", "report-director.html"}) - written
    page = (tmp_path / "mapas" / "turn-003" / "report-imperio.html").read_text(encoding="utf-8")
    assert 'src="data:image/svg+xml;base64,' in page


def test_pictures_that_cannot_be_written_are_a_plain_error(tmp_path: Path) -> None:
    """A file where the folder should be made is told, without a traceback."""
    (tmp_path / "ocupado").write_text("", encoding="utf-8")
    result = run("rehearse", WORKED_EXAMPLE, "--pictures", tmp_path / "ocupado" / "mapas")
    assert (2, True) == (result.exit_code, "No puedo escribir en" in result.output)


def test_json_holds_the_turn_with_stable_keys() -> None:
    """The faction's supplies are where the issue looks for them; keys and texts are plain."""
    result = run("rehearse", WORKED_EXAMPLE, "--json")
    (turn,) = json.loads(result.stdout)["turns"]

    assert 0 == result.exit_code
    assert ["diagnostics", "events", "state", "rolls", "questions", "reports"] == list(turn)
    assert 9 == turn["state"]["factions"]["Imperio"]["supplies"]
    assert {"id", "audience", "seat", "number"} <= set(turn["events"][0])
    assert {"public", "Imperio", "director"} == set(turn["reports"])
    assert ["round/1/Imperio", "round/2/Imperio", "round/3/Imperio"] == [
        one["address"] for one in turn["rolls"]
    ]


def test_json_keeps_differences_apart(tmp_path: Path) -> None:
    """Standard output stays JSON; what differs goes to standard error, with exit 1."""
    changed = tmp_path / "changed.toml"
    text = WORKED_EXAMPLE.read_text(encoding="utf-8")
    changed.write_text(text.replace("supplies = 9", "supplies = 8"), encoding="utf-8")

    result = run("rehearse", changed, "--json")

    assert 1 == result.exit_code
    assert 1 == len(json.loads(result.stdout)["turns"])
    assert "state/factions/Imperio/supplies" in result.stderr


HELD = """
[[turn]]
number = 1
[turn.orders]
Ana = "jugar en Tómbola"
[turn.dice]
weather = ["sol"]
"queue/Ana" = [1]
"queue/Bea" = [2]
"play/tombola/Ana" = [4]
"""


def test_a_held_turn_shows_nothing_behind_the_question() -> None:
    """Neither state nor reports nor what Bea did later; the question with its handle is there."""
    (turn,) = in_a_fair(HELD).turns
    data = turn.actual.data()

    assert (None, {}) == (data["state"], data["reports"])
    assert ["feria/weather-drawn", "feria/played"] == [one["id"] for one in data["events"]]
    assert [("segunda/Ana", "Ana", "P1")] == [
        (one["id"], one["to"], one["handle"]) for one in data["questions"]
    ]
    assert {"tirar": ["tirar", "otra"], "dejar": ["dejar", "dejarlo"]} == data["questions"][0]["legal"]


def test_a_turn_left_held_is_no_success() -> None:
    """Unless the scenario expects just that."""
    expecting = HELD + '[turn.expect]\nheld = ["segunda/Ana"]\n'

    assert not in_a_fair(HELD).passed
    assert in_a_fair(HELD).left_held is not None
    assert in_a_fair(expecting).passed


# dice, seeds, replies

AGAIN = "[[turn]]\nnumber = 1\n"


def test_a_resumed_turn_keeps_its_dice() -> None:
    """The weather and the first throw are what they were; more dice may be written for what comes."""
    more = '[turn.replies]\nAna = "responder P1 tirar"\n[turn.dice]\n"play/tombola/Ana" = [2]\n'
    played = in_a_fair(HELD + AGAIN + more)

    first, second = (turn.actual for turn in played.turns)
    assert first.rolls == second.rolls[: len(first.rolls)]
    assert [4, 2] == [one["value"] for one in second.rolls if one["address"] == "play/tombola/Ana"]
    assert played.passed


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("responder P7 tirar", "no hay ninguna pregunta P7"),
        ("responder P1 quizás", "«quizás» no contesta a P1"),
        ("tirar", "«tirar» no es una respuesta"),
    ],
)
def test_a_reply_that_answers_nothing_is_told(reply: str, said: str) -> None:
    """A wrong handle, a word that is no answer, a line that is no reply."""
    played = in_a_fair(HELD + AGAIN + f'[turn.replies]\nAna = "{reply}"\n')

    assert not played.passed
    assert [said] == [said for problem in played.turns[1].problems if said in problem]


def test_replies_before_any_question_are_told() -> None:
    """Nothing has been asked yet."""
    played = in_a_fair(HELD + '[turn.replies]\nAna = "responder P1 tirar"\n')

    assert ["[replies] Ana: todavía no hay ninguna pregunta"] == list(played.turns[0].problems)


def test_a_die_that_nobody_throws_is_told() -> None:
    """Once the turn isn't held, a written die too many is an error."""
    played = in_a_fair('[[turn]]\nnumber = 1\n[turn.dice]\nweather = ["sol", "sol"]\n"play/tiro/Ana" = [3]\n')

    assert not played.passed
    assert 2 == len(played.turns[0].problems)


def test_a_die_that_cant_fall_so_is_a_mistake_of_the_file() -> None:
    """What could fall is said."""
    (problem,) = problems_of(lambda: in_a_fair('[[turn]]\nnumber = 1\n[turn.dice]\nweather = ["nieve"]\n'))

    assert "en «weather» no puede salir 'nieve'. Puede salir: «lluvia», «sol»" in problem


def test_dice_that_arent_written_come_from_the_seed() -> None:
    """Equal seeds give equal dice, another one others; none is 64 zeros."""

    def values(seed: str) -> list[int]:
        turn = f'[[turn]]\nnumber = 1\n{seed}\n[turn.orders]\nAna = "jugar en Tómbola"\n'
        return [one["value"] for one in in_a_fair(turn).turns[0].actual.rolls]

    zeros, same, other = values(""), values(f'seed = "{"0" * 64}"'), values(f'seed = "{"1" * 64}"')

    assert zeros == same
    assert zeros != other


def test_the_state_carries_over() -> None:
    """The second day begins where the first ended."""
    played = in_a_fair("[[turn]]\nnumber = 1\n[[turn]]\nnumber = 2\n")

    assert [4, 5] == [turn.actual.filled["folk"]["Ana"]["coins"] for turn in played.turns]


# what a file can get wrong


@pytest.mark.parametrize(
    ("turns", "head", "said"),
    [
        ('[[turn]]\nnumber = 1\n[turn.orders]\nZoe = "trabajar"\n', "", "no hay ningún puesto «Zoe»"),
        ('[[turn]]\nnumber = 1\n[turn.replies]\nZoe = "responder P1 x"\n', "", "no hay ningún puesto «Zoe»"),
        ('[[turn]]\nnumber = 1\n[turn.expect.report.Zoe]\nhas = ["x"]\n', "", "no hay ningún puesto «Zoe»"),
        (
            '[[turn]]\nnumber = 1\n[[turn.post]]\nseat = "Zoe"\ntime = 2027-01-01T20:00:00\ntext = "x"\n',
            "",
            "no hay ningún puesto «Zoe»",
        ),
        ('[[turn]]\nnumber = 1\ntrack = "duelo"\n', "", "la pista «duelo» no está abierta"),
        ("[[turn]]\nnumber = 1\n", "[options]\nto_win = true\n", "línea 4"),
        ("[[turn]]\nnumber = 1\n", "[options]\nto_lose = 3\n", "to_lose"),
        ("[[turn]]\nnumber = 1\n", '[options.questions]\nlluvia = "luego"\n', "«luego» no es una política"),
        ("[[turn]]\nnumber = 1\n", '[options.questions]\nnieve = "hold"\n', "no hay preguntas «nieve»"),
        ("[[turn]]\nnumber = 1\n", '[[track]]\nname = "d"\nkind = "baile"\n', "no hay turnos «baile»"),
        (
            "[[turn]]\nnumber = 1\n",
            '[[track]]\nname = "d"\nkind = "pulso"\nseats = ["Zoe"]\n',
            "ningún puesto «Zoe»",
        ),
        (
            "[[turn]]\nnumber = 1\n",
            '[[track]]\nname = "d"\nkind = "pulso"\nseats = ["Ana"]\n',
            "no se puede abrir",
        ),
    ],
)
def test_what_the_rules_dont_know_is_refused(turns: str, head: str, said: str) -> None:
    """Seats, tracks, options and policies: with the file's name, what is wrong and what would be right."""
    found = problems_of(lambda: in_a_fair(turns, head))

    assert [True] == [said in problem for problem in found]
    assert found[0].startswith("prueba.toml")


def test_a_state_that_the_rules_find_wrong_is_refused() -> None:
    """The rule set's own check of a setup, in its words."""
    folk = '[state.folk]\nAna = { apprentice = "Bea" }\nBea = {}\n'
    text = f'title = "x"\nruleset = "feria"\n{folk}[[turn]]\nnumber = 1\n'
    (problem,) = problems_of(lambda: rehearse(load_scenario(text, "x.toml"), load_toy, toy_texts))

    assert "Bea, de Ana, se llama como un puesto" in problem


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("title = ", "línea 1"),
        ('title = "x"\nruleset = "ajedrez"\nnumber = 1\n[state]\n', "no conozco el reglamento «ajedrez»"),
        ('title = "x"\nruleset = "conquista"\nnumber = 1\n[state]\nplanets = 3\n', "planets"),
    ],
)
def test_files_that_cant_be_played_end_with_2(text: str, said: str, tmp_path: Path) -> None:
    """Syntax, an unknown rule set, a state that is none."""
    file = tmp_path / "roto.toml"
    file.write_text(text, encoding="utf-8")

    result = run("rehearse", file)

    assert 2 == result.exit_code
    assert said in result.stderr
    assert "" == result.stdout


def test_files_that_cant_be_read_end_with_2(tmp_path: Path) -> None:
    """Not there, a folder, not UTF-8."""
    latin = tmp_path / "latin.toml"
    latin.write_bytes('title = "ñ"'.encode("latin-1"))

    results = [run("rehearse", one) for one in (tmp_path / "nada.toml", tmp_path, latin)]

    assert [2, 2, 2] == [one.exit_code for one in results]
    assert ["no existe", "es una carpeta", "no está en UTF-8"] == [
        said
        for said, one in zip(("no existe", "es una carpeta", "no está en UTF-8"), results, strict=True)
        if said in one.stderr
    ]


def test_a_scenario_comes_from_standard_input_too() -> None:
    """`-` reads it from there."""
    assert 0 == run("rehearse", "-", given=WORKED_EXAMPLE.read_bytes()).exit_code


# comparison


def test_subsets_compare_only_what_they_name() -> None:
    """Keys that aren't named don't matter; lists are whole; 1 is not true; an audience of one may be bare."""
    found = {"id": "a", "audience": ["Ana"], "n": 1, "list": [1, 2], "data": {"x": 1, "y": 2}}

    assert is_subset({"id": "a", "audience": "Ana", "data": {"x": 1}}, found)
    assert not is_subset({"id": "a", "z": 1}, found)
    assert not is_subset({"list": [1]}, found)
    assert not is_subset({"n": True}, found)
    assert not is_same([1, True], [1, 1])


def test_diagnostics_are_complete_and_paired_one_to_one() -> None:
    """Two equal findings need two expectations, in whatever order, and each takes one that fits."""
    actual = Actual(
        ({"seat": "A", "line": 1, "code": "x"}, {"seat": "A", "line": 2, "code": "x"}), (), {}, (), (), {}, {}
    )

    def differ(*expected: dict[str, Any]) -> int:
        lines = ", ".join("{" + ", ".join(f"{k} = {v!r}" for k, v in one.items()) + "}" for one in expected)
        text = f'title = "x"\nruleset = "x"\nnumber = 1\n[state]\n[expect]\ndiagnostics = [{lines}]\n'
        expect = load_scenario(text, "x").turns[0].expect
        assert expect is not None
        return len(compare(expect, actual))

    assert 0 == differ({"code": "x"}, {"code": "x", "line": 1})
    assert 0 == differ({"line": 2}, {"line": 1})
    assert 1 == differ({"code": "x"})
    assert 2 == differ({"line": 1}, {"line": 1})
    assert 2 == differ()


# verify


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    """A proof of two dice."""
    source = dice_source(make_play(), SECRETS)
    dice = Dice(source)
    dice.pool(2, 6, "play", "tombola", "Ana", purpose="una tirada")
    file = tmp_path / "proof.json"
    file.write_text(render_proof(build_proof(source, dice.rolls)), encoding="utf-8")
    return file


def test_a_true_proof_verifies(proof: Path) -> None:
    """From a file and from standard input, with what to compare."""
    results = [run("verify", proof), run("verify", "-", given=proof.read_bytes())]

    assert [0, 0] == [one.exit_code for one in results]
    assert "todos los dados de la prueba (2) salen de la semilla" in results[0].output
    assert results[0].output == results[1].output


def test_a_changed_proof_is_refused(proof: Path) -> None:
    """One value more: exit 1 and which die it is."""
    data = json.loads(proof.read_text(encoding="utf-8"))
    data["rolls"][1]["value"] = data["rolls"][1]["value"] % 6 + 1
    proof.write_text(json.dumps(data), encoding="utf-8")

    result = run("verify", proof)

    assert 1 == result.exit_code
    assert "rolls[1].value" in result.output


def test_what_is_no_proof_is_refused(tmp_path: Path) -> None:
    """Text that is no JSON fails the check; a file that isn't there is misuse."""
    (tmp_path / "x.json").write_text("hola", encoding="utf-8")

    assert [1, 2] == [run("verify", tmp_path / one).exit_code for one in ("x.json", "y.json")]
