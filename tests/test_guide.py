"""The players' guide: everything in the declarations is in it, and what it shows is right."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jobs.catalogues import LANGUAGES, OWN_PACKAGES, load_catalogue, read_texts
from jobs.cli import app
from jobs.commands.guide import LIMITS, Format, write_guide
from jobs.folders import check_folder
from parsers.orders.understanding import understand
from reporters.guide import compose_guide
from reporters.guide_forms import FormWriter, spoken_forms
from rules.conquista import RULESET
from rules.engine.arguments import AnyOf, Choice, Count, Pick, sub
from rules.engine.catalogue import Catalogue
from rules.engine.messages import Message
from rules.engine.orders import OrderForm, clause, condition, order
from rules.engine.plan import Plan
from rules.engine.questions import Hold
from rules.engine.ruleset import Ruleset
from rules.engine.view import View

ROOT = Path(__file__).resolve().parent.parent
ORDERS = [form for kind in RULESET.kinds.values() for form in kind.orders]
MOVE = next(form for form in ORDERS if form.name == "move")
CELL = Pick(lambda plan: {}, "conquista/a-cell")
COUNT = Count(1, 9)


def with_orders(*orders: OrderForm, **more: Any) -> Ruleset:
    """The rule set with other orders, for what `conquista` doesn't declare."""
    kind = replace(RULESET.main_kind, orders=orders, **more)
    return replace(RULESET, kinds={kind.name: kind})


def guide_of(*orders: OrderForm, **more: Any) -> str:
    """The guide in Spanish to such a rule set, as plain text."""
    return write_guide(with_orders(*orders, **more), "es", Format.TEXT)


def items_of(text: str) -> list[str]:
    """The items of the lists behind the table of orders."""
    return [line[2:] for line in text.partition("Coste\n")[2].splitlines() if line.startswith("- ")]


@pytest.fixture(scope="module")
def plan() -> Plan[Any]:
    """What the seat of the examples may order in the example game."""
    found = check_folder(ROOT / "examples" / "conquista")
    assert found.loaded is not None
    kind = RULESET.main_kind
    view: View[Any] = RULESET.look(
        found.state, "Sigma", found.loaded.game.options, kind=kind.name, track="", number=1
    )
    return kind.plan(view)


@pytest.mark.docs
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_in_the_documentation_is_in_step(language: str) -> None:
    """docs/LANGUAGE/conquista.md is what `turnero guide conquista` writes now."""
    page = (ROOT / "docs" / language / "conquista.md").read_text(encoding="utf-8")
    assert write_guide(RULESET, language) + "\n" == page, "the declarations have changed: run `make guide`"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [form.name for form in ORDERS])
def test_every_example_is_understood_in_the_example_game(name: str, language: str, plan: Plan[Any]) -> None:
    """The example of each declaration is that order, for the house Sigma of examples/conquista."""
    grammar = RULESET.speaking(language).main_kind.grammar
    read = understand(grammar.orders[name].example, grammar, plan)
    assert (None, name) == (read.diagnostic, read.order and read.order.name)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [form.name for form in ORDERS])
def test_every_order_has_its_words(name: str, language: str) -> None:
    """Summary, cost and example of each declaration stand in the guide, in its language."""
    catalogue = load_catalogue(language, RULESET.package)
    form = RULESET.speaking(language).main_kind.grammar.orders[name]
    text = write_guide(RULESET, language, Format.TEXT)
    words = [catalogue.text(Message(form.summary)), catalogue.text(Message(form.cost)), f"`{form.example}`"]
    assert [] == [one for one in words if not one or one not in text]


def test_a_form_stands_in_words() -> None:
    """Arguments are named by what is expected, lists go on, parts have forms of their own."""
    text = guide_of(
        order(
            "found",
            "dar {what} en {where} [con {many}]: {parts,}",
            what=Choice({"a": ("generador", "escudo"), "b": ("puesto avanzado",)}, "conquista/a-building"),
            where=CELL,
            many=COUNT,
            parts=sub("conquista/a-part", "{many} a {where}", "todos", many=COUNT, where=CELL),
        )
    )
    assert [
        "Se escribe `dar ‹puesto avanzado o generador› en ‹una casilla› [con ‹un número›]: ‹una parte›, …`",
        "Donde pone `‹una parte›`: `‹un número› a ‹una casilla›` o `todos`",
    ] == items_of(text)


def test_choices_and_alternatives_are_listed() -> None:
    """Where what is expected doesn't name every choice, or is one of several kinds of thing."""
    many = Choice({"a": ("norte", "arriba"), "b": ("sur",)}, "parse/expected-text")
    either = AnyOf({"n": COUNT, "w": many}, "parse/expected-title")
    writer = FormWriter(load_catalogue("es", RULESET.package))
    assert "dar ‹un título entre comillas›" == writer.write("dar {what}", {"what": either})
    assert {
        "‹un título entre comillas›": ("‹un número›", "‹un texto›"),
        "‹un texto›": ("norte", "sur"),
    } == writer.explain([either])


def test_everything_about_an_order_is_told() -> None:
    """Cost, action, side, seats, actor, clauses with their keys, and marks."""
    form = order(
        "lead",
        "guiar a {cell}",
        cell=CELL,
        example="Ana: guiar a CM-1",
        cost="conquista/cost-spy",
        free=True,
        joint=True,
        who=lambda view: True,
        actors=CELL,
        clauses=(
            clause("stake", "apuesta", "puja", forms=("{many} puntos", "nada"), repeat=True, many=COUNT),
            clause("secret", "secreta"),
        ),
        marks={"main": ("principal", "central")},
    )
    assert [
        "Se escribe `guiar a ‹una casilla›`",
        "Por ejemplo: `Ana: guiar a CM-1`",
        "Coste: 2 suministros",
        "No gasta acción.",
        "Es de todo el bando: hace falta acuerdo entre quienes lo forman.",
        "No la tienen todos los puestos: si el tuyo no la tiene, el acuse lo dice.",
        "Delante va quién actúa: `‹una casilla›: guiar a CM-1`",
        "Debajo puede ir `apuesta: ‹un número› puntos` o `apuesta: nada` (o bien `puja`), más de una vez",
        "Debajo puede ir `secreta`",
        "Detrás puede ir `(principal)` o `(central)`",
    ] == items_of(guide_of(form))


def test_conditions_and_triggers_have_their_lists() -> None:
    """What may stand behind `si`, and what a held order may wait for."""
    held = condition("held", "{cell} es mía", test=lambda *_: True, summary="conquista/guide-pass", cell=CELL)
    text = guide_of(MOVE, conditions=(held,), triggers=(replace(held, summary=""),))
    assert "`‹una casilla› es mía`: Gasta una acción" in text
    assert text.index("Condiciones\n") < text.index("Momentos\n")
    assert "`si CONDICIÓN: ORDEN`" in text
    assert "`si CONDICIÓN: ORDEN`" not in guide_of(MOVE)


def test_only_what_a_rule_set_has_is_told() -> None:
    """Clauses and answers are explained where there are some, and an example where it says more."""
    bare = guide_of(MOVE)
    noted = replace(MOVE, clauses=(clause("note", "nota"),), example="")
    asking = replace(with_orders(noted), questions={"fate": Hold()})
    full = write_guide(asking, "es", Format.TEXT)
    wanted = ("`clave: valor`", "`responder P1 RESPUESTA`")
    assert ([False] * 2, [True] * 2) == ([one in bare for one in wanted], [one in full for one in wanted])
    wait = order("pass", "esperar", example="esperar")
    assert ["Se escribe `esperar`"] == items_of(guide_of(wait))


def test_several_kinds_of_turn_are_kept_apart() -> None:
    """Each has a title, the rule set's own where it has a text for it."""
    kind = RULESET.main_kind
    both = replace(RULESET, kinds={"turn": kind, "duel": replace(kind, name="duel")})
    texts = {
        key: text
        for package in (*OWN_PACKAGES, RULESET.package)
        for key, text in read_texts("es", package).items()
    }
    catalogue = Catalogue("es", {**texts, "conquista/kind-duel": "Los duelos"})
    sections = compose_guide(both, catalogue, LIMITS).sections
    titles = {
        one.id: catalogue.text(one.title)
        for one in sections
        if one.title is not None and one.id.startswith("orders/")
    }
    assert {"orders/turn": "Las órdenes de Conquista: turn", "orders/duel": "Los duelos"} == titles


@pytest.mark.parametrize(
    ("verb", "declared", "said"),
    [
        ("mover", ("mueve", "mueva", "muevo"), ("mueve", "mueva", "muevo")),
        ("construir", (), ("construí", "construid", "construya", "construye", "construyo")),
        ("espiar", ("espío",), ("espia", "espiad", "espiamos", "espie", "espío")),
        ("mover", ("mueve", "desplazar"), ("mueve", "desplazar")),
        ("esperar", ("aguardar",), ("espera", "esperad", "esperamos", "espere", "espero", "aguardar")),
        ("no", (), ()),
    ],
)
def test_the_forms_of_a_verb(verb: str, declared: tuple[str, ...], said: tuple[str, ...]) -> None:
    """Declared ones alone where the verb is irregular, with their accents; aliases behind."""
    assert said == spoken_forms([order("x", verb, verbs=declared)])


def test_orders_of_one_verb_share_its_forms() -> None:
    """Only one of them declares that the verb is irregular."""
    split = order("split", "mover todo")
    assert 1 == guide_of(MOVE, split).count("También se entiende: `mueve`, `mueva`, `muevo`.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_writes_the_guide(language: str) -> None:
    """To standard output, as it is, in the language asked for."""
    result = CliRunner().invoke(app, ["guide", "conquista", "--language", language])
    assert (0, write_guide(RULESET, language) + "\n") == (result.exit_code, result.stdout)


def test_the_guide_without_marks() -> None:
    """`--format text` is for terminals and letters."""
    result = CliRunner().invoke(app, ["guide", "conquista", "--format", "text"])
    assert "Guía de Conquista\n=================" == "\n".join(result.stdout.splitlines()[:2])
    assert not re.search(r"^#+ |&#\d+;", result.stdout.replace("#` o", ""), re.MULTILINE)


def test_a_rule_set_that_is_not_there() -> None:
    """The ones that are there are named."""
    result = CliRunner().invoke(app, ["guide", "conquista2"])
    assert (2, "✘ No conozco el reglamento «conquista2». Los que hay: conquista y valar.\n") == (
        result.exit_code,
        result.stderr,
    )
