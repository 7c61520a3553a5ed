"""A rule set's author is told what is wrong with it, in words, before any game is played with it."""

from __future__ import annotations

from dataclasses import dataclass, field, make_dataclass, replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest

from rules.conquista import RULESET as CONQUISTA
from rules.engine.document import Document
from rules.engine.messages import msg
from rules.engine.orders import order
from rules.engine.registry import RulesetError, load_ruleset
from rules.engine.ruleset import Forecast, Kind, Ruleset
from rules.engine.soundness import find_faults, uncarried
from rules.engine.wording import english
from tests.toy.ruleset import RULESET


class Colour(StrEnum):
    """A choice."""

    RED = "red"


@dataclass
class Inner:
    """A thing among others; refers to its own kind."""

    name: str
    colour: Colour = Colour.RED
    parts: dict[str, Inner] = field(default_factory=dict)


@pytest.mark.parametrize("ruleset", [RULESET, CONQUISTA], ids=lambda one: one.id)
def test_the_rule_sets_that_are_there_are_sound(ruleset: Ruleset) -> None:
    """None of ours has a fault."""
    assert () == find_faults(ruleset)


def with_orders(*forms: Any) -> Ruleset:
    """The toy rule set with other orders."""
    return replace(RULESET, kinds={"jornada": Kind("jornada", forms, ())})


def test_two_verbs_with_one_form_are_named() -> None:
    """Who writes `cava` must not mean two orders."""
    made = with_orders(order("dig", "cavar"), order("cellar", "cava"))

    assert ("orders of 'jornada' (es): form 'cava' is shared by the verbs 'cavar' and 'cava'",) == (
        find_faults(made)
    )


def test_a_clash_among_english_words_is_found_too() -> None:
    """Though the Spanish ones are apart."""
    made = with_orders(
        order("dig", "cavar", en=english("dig")), order("seek", "buscar", en=english("seek", verbs=("dig",)))
    )

    assert ("orders of 'jornada' (en): form 'dig' is shared by the verbs 'dig' and 'seek'",) == (
        find_faults(made)
    )


def test_a_kind_under_another_name_and_none_at_all() -> None:
    """A kind of turn is stored by its name."""
    kind = RULESET.kinds["jornada"]

    assert ("the kind of turn 'jornada' stands under the name 'dia'",) == (
        find_faults(replace(RULESET, kinds={"dia": kind}))
    )
    assert ("it declares no kind of turn",) == find_faults(replace(RULESET, kinds={}))


def test_a_forecast_stands_before_one_of_the_steps() -> None:
    """Else the whole turn would be played ahead of it."""
    forecast = Forecast("rols", lambda turn: Document(msg("x"), ()))
    kind = replace(RULESET.kinds["jornada"], forecast=forecast)

    assert ("the forecast of 'jornada' stands before 'rols', which is none of its steps",) == (
        find_faults(replace(RULESET, kinds={"jornada": kind}))
    )


def test_options_without_a_default() -> None:
    """A game that sets none has to be possible."""
    made = make_dataclass("Options", [("acts", int)])

    (said,) = find_faults(replace(RULESET, options=made))

    assert "every option needs a default: " in said
    assert "acts" in said


def test_a_state_outside_of_a_package_has_no_place_for_texts() -> None:
    """A single module has no folder `locale`."""

    class Lonely:
        """No module of a package."""

    Lonely.__module__ = "tesoro"

    (said, _) = find_faults(replace(RULESET, state=Lonely))

    assert said.startswith("the state Lonely has to stand in a module of a package")


@pytest.mark.parametrize(
    ("hint", "said"),
    [
        (datetime, "state/it: datetime can't be written to a file; "),
        (complex, "state/it: complex can't be written to a file; "),
        (dict[int, str], "state/it: the keys of a table are texts, not int"),
        (dict[str, list[complex]], "state/it/…/…: complex can't be written to a file; "),
        (tuple[int, str], "state/it: `tuple[int, ...]`, or a dataclass with names, not tuple[int, str]"),
        (int | str, "state/it: one type or None, not int | str"),
    ],
    ids=str,
)
def test_what_a_state_cant_hold_is_named_with_its_place(hint: Any, said: str) -> None:
    """It would be lost, or come back as something else, when the turn is stored."""
    found = list(uncarried(make_dataclass("State", [("it", hint)]), "state"))

    assert [said] == [one[: len(said)] for one in found]


@pytest.mark.parametrize(
    "hint",
    [Inner, dict[str, Inner], tuple[str, ...], frozenset[int], bool | None, Colour, Any, float],
    ids=str,
)
def test_what_a_state_can_hold(hint: Any) -> None:
    """Dataclasses, also within themselves, tables by id, lists, plain values, choices, and None."""
    assert [] == list(uncarried(make_dataclass("State", [("it", hint)]), "state"))


def offer(folder: Path, code: str, module: str = "kaputt", name: str = "kaputt") -> None:
    """Install a package that offers a rule set."""
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    info = folder / f"{module}_rules-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}-rules\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[turnero.rulesets]\n{name} = {module}:RULESET\n")


TOY = "from dataclasses import replace\nfrom tests.toy.ruleset import RULESET\n"


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("import no_such_thing\n", "ModuleNotFoundError: No module named 'no_such_thing' (kaputt.py:1)"),
        ("x = 1\nRULESET = 1 / 0\n", "ZeroDivisionError: division by zero (kaputt.py:2)"),
        ("\n", "AttributeError: module 'kaputt' has no attribute 'RULESET'"),
        ("RULESET = 'kaputt'\n", "it is a str, no Ruleset"),
        (TOY, "its id is 'feria', its entry point is called 'kaputt'"),
        (TOY + "RULESET = replace(RULESET, id='kaputt', kinds={})\n", "it declares no kind of turn"),
    ],
)
def test_a_broken_package_is_told_with_its_name_and_cause(
    code: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its author reads which distribution, which entry point, and what to mend where."""
    offer(tmp_path, code)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "kaputt", raising=False)

    with pytest.raises(RulesetError) as caught:
        load_ruleset("kaputt")

    assert ("broken", f"kaputt-rules (kaputt:RULESET): {said}") == (caught.value.code, caught.value.detail)


def test_a_rule_set_for_another_protocol_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever upgrades Turnero learns that the package isn't ready for it."""
    offer(tmp_path, TOY + "RULESET = replace(RULESET, id='morgen', api_version=2)\n", "morgen", "morgen")
    monkeypatch.syspath_prepend(str(tmp_path))

    with pytest.raises(RulesetError, match=r"version: morgen: 2 != 1"):
        load_ruleset("morgen")


def test_a_broken_package_stops_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the rule set that a game names is loaded."""
    offer(tmp_path, "import no_such_thing\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert CONQUISTA is load_ruleset("conquista")
