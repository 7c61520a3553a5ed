"""One order line: how it is understood, and what a player is told where it isn't."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.orders.understanding import Understood, understand, understand_long
from rules.engine.arguments import AnyOf, Choice, Count, Held, Moment, NewId, Pick, Title, Unseen, Words, sub
from rules.engine.grammar import Grammar
from rules.engine.messages import Code
from rules.engine.orders import Order, condition, order, trigger
from rules.engine.plan import Plan
from rules.engine.printing import print_order
from rules.engine.view import View

CELLS = {
    "CM-5": ("El Paso", "5 de Corvus Majoris"),
    "CM-9": ("9 de Corvus Majoris",),
    "CI-9": ("9 de Corvus Minoris",),
    "VE-1": (),
}
CELL = Pick(lambda _: CELLS, "test/cell", nouns=("casilla",), fixed=True)
ARMY = Pick(lambda _: {"E1": (), "E3": ()}, "test/army", nouns=("ejército",))
PART = sub(
    "test/part", "{n} a {cell} [como {name}]", "{n} quedan/queda", n=Count(), cell=CELL, name=NewId("test/id")
)
KIND = Choice({"outpost": ("puesto avanzado",), "shield": ("generador de escudos",)}, "test/kind")

ORDERS = (
    order("produce", "producir"),
    order("promise", "prometer {cell} a {army}", cell=CELL, army=ARMY),
    order("build", "construir {kind} en {cell}", kind=KIND, cell=CELL),
    order("move", "mover {army} a {path,}", army=ARMY, path=CELL, verbs=("mueve", "mueva", "muevo")),
    order("split", "mover {army}: {parts,}", army=ARMY, parts=PART),
    order("cede", "ceder {cell} a {army} [por {n}]", cell=CELL, army=ARMY, n=Count()),
    order("mission", "misión {title}: {army}", title=Title(), army=ARMY),
    order("say", "decir: {words}", words=Words(), verbs=("digo", "di", "diga")),
    order(
        "shell",
        "batir [a/al] {mark} con {n} [salvas/salva]",
        mark=AnyOf(
            {"cell": CELL, "army": Unseen("e[1-9][0-9]?", "test/mark", nouns=("ejército",))}, "test/mark"
        ),
        n=Count(),
    ),
    order("hold", "retener hasta {until}: {then}", until=Moment(), then=Held()),
    order("bring", "traer {first,} y {then,}", first=ARMY, then=ARMY, verbs=("traiga", "traigo")),
    order("storm", "asaltar {cell}", cell=CELL, marks={"all": ("global",), "first": ("principal",)}),
)
GRAMMAR = Grammar(
    ORDERS,
    conditions=(condition("trap", "trampa", test=lambda *_: True),),
    triggers=(trigger("enters", "que {army} entre en {cell}", test=lambda *_: True, army=ARMY, cell=CELL),),
)


def plan() -> Plan[Any]:
    """A plan of somebody who sees everything above."""
    return Plan(View(None, "Imperio", None))


def read(line: str) -> Understood:
    """Understand a line against the orders above."""
    return understand(line, GRAMMAR, plan())


@pytest.mark.parametrize(
    ("line", "name", "values"),
    [
        ("producir", "produce", {}),
        ("PRODUCE", "produce", {}),
        ("produzco", "produce", {}),
        ("construye puesto avanzado en CM-5", "build", {"kind": "outpost", "cell": "CM-5"}),
        ("construí un puesto avanzado en el paso", "build", {"kind": "outpost", "cell": "CM-5"}),
        ("construya generador en casilla 9 de Corvus Majoris", "build", {"kind": "shield", "cell": "CM-9"}),
        ("construir puesto avanzado CM-5", "build", {"kind": "outpost", "cell": "CM-5"}),
        ("cons gen en cm-9", "build", {"kind": "shield", "cell": "CM-9"}),
        ("mueve el ejército E3 → CM-5, CM-9", "move", {"army": "E3", "path": ("CM-5", "CM-9")}),
        ("mover E1 -> 9 de corv min", "move", {"army": "E1", "path": ("CI-9",)}),
        ("mover E1 CM-5 y CM-9", "move", {"army": "E1", "path": ("CM-5", "CM-9")}),
        ("ceder «El Paso» a E1 por 3", "cede", {"cell": "CM-5", "army": "E1", "n": 3}),
        ("batir E77 con 2", "shell", {"mark": ("army", "E77"), "n": 2}),
        ("bato al ejército e7 3 salvas", "shell", {"mark": ("army", "E7"), "n": 3}),
        ("batir el paso 1", "shell", {"mark": ("cell", "CM-5"), "n": 1}),
        ('misión "Vigilar: el vado": E1', "mission", {"title": "Vigilar: el vado", "army": "E1"}),
        ("decir: ¡a por ellos, E7!", "say", {"words": "¡a por ellos, E7!"}),
        ("asaltar CM-5 (principal) (global)", "storm", {"cell": "CM-5"}),
        ("asaltar CM-5 (principal).", "storm", {"cell": "CM-5"}),
        ("mover E1 a CM-5.", "move", {"army": "E1", "path": ("CM-5",)}),
        ("mover E1 a CM-5, CM-9;", "move", {"army": "E1", "path": ("CM-5", "CM-9")}),
        ("producir… 👍", "produce", {}),
        ("decir: ya está.", "say", {"words": "ya está."}),
    ],
)
def test_line_written_as_people_write_is_understood(line: str, name: str, values: dict[str, Any]) -> None:
    """Verb forms, short names, arrows, articles and left-out words don't matter."""
    understood = read(line)

    assert understood.diagnostic is None
    assert understood.order is not None
    assert name == understood.order.name
    assert values == dict(understood.order.args.values)


@pytest.mark.parametrize("line", ["mover E1 a El Paso", "mover E1 al Paso", "mover el E1 al paso"])
def test_a_and_de_may_melt_with_the_article(line: str) -> None:
    """Spanish writes `al` for `a el` wherever a form has the word, and nobody has to declare it."""
    found = read(line)

    assert found.order is not None
    assert ("move", ("CM-5",)) == (found.order.name, found.order["path"])


def test_parts_of_a_split_keep_their_forms() -> None:
    """A list of sub-arguments may mix their forms."""
    order_ = read("mover E3: 2 a CM-5 como e9, 3 a CM-9; 5 quedan").order

    assert order_ is not None
    assert [(0, 2), (0, 3), (1, 5)] == [(part.form, part["n"]) for part in order_["parts"]]
    assert "E9" == order_["parts"][0]["name"]


def test_held_order_holds_a_trigger_and_an_order() -> None:
    """`retener hasta que … : …` reads both, the inner one as an order of its own."""
    order_ = read("retener hasta que E1 entre en CM-9: mover E3 a CM-5").order

    assert order_ is not None
    assert "enters" == order_["until"].name
    assert isinstance(order_["then"], Order)
    assert "move" == order_["then"].name


def test_marks_behind_the_line_are_named() -> None:
    """Marks in parentheses are taken off the line and kept with the order."""
    order_ = read("asaltar CM-5 (principal) (global)").order

    assert order_ is not None
    assert frozenset({"all", "first"}) == order_.marks


@pytest.mark.parametrize(
    ("line", "code", "suggest"),
    [
        ("moveer E1 a CM-5", "parse/unknown-order", ("mover E1 a CM-5",)),
        ("pro", "parse/ambiguous-verb", ("producir",)),
        ("bailar", "parse/unknown-order", ()),
        ("mover E7 a CM-5", "parse/expected", ("mover E1 a CM-5", "mover E3 a CM-5")),
        ("construir puesto en 9 de corvus", "parse/ambiguous-name", ()),
        ("mover E1 a CM-5 CM-9", "parse/expected", ("mover E1 a CM-5, CM-9",)),
        ("mover E3 2 a CM-5", "parse/expected", ("mover E3: 2 a CM-5",)),
        (
            "construir torre en CM-5",
            "parse/expected",
            ("construir generador de escudos en CM-5", "construir puesto avanzado en CM-5"),
        ),
        ("mover E1 a", "parse/incomplete", ()),
        ("producir mucho", "parse/left-over", ("producir",)),
        ("mover E1 a CM-5 por favor", "parse/left-over", ("mover E1 a CM-5",)),
        ("E1: mover a CM-5", "parse/unknown-order", ("mover E1 a CM-5",)),
        ("quiero mover E1 a CM-5", "parse/unknown-order", ("mover E1 a CM-5",)),
        ("moveer E1 a CM-5.", "parse/unknown-order", ("mover E1 a CM-5.",)),
        ("mover en E1 a CM-5", "parse/expected", ("mover E1 a CM-5",)),
        ("mover E1 hacia CM-5", "parse/expected", ("mover E1 a CM-5",)),
        ("mover E1 a CM 5", "parse/expected", ("mover E1 a CM-5",)),
        ("mover E1 a CM- 5", "parse/expected", ("mover E1 a CM-5",)),
        ("mover [E1] a [CM-5]", "parse/expected", ("mover E1 a CM-5",)),
        ("mover E3: tres a CM-5", "parse/expected", ("mover E3: 3 a CM-5",)),
        ("mover E1, E3 a CM-5", "parse/expected", ()),
        ("mover E3: 1.000 a CM-5", "parse/broken-number", ()),
        (
            "traer E1 y E3 y E1",
            "parse/two-readings",
            ("traer E1, E3 y E1", "traer E1 y E3, E1"),
        ),
        ("producir; mover E1 a CM-5", "parse/two-orders", ()),
        ("mover E1 a CM-5 y producir", "parse/two-orders", ()),
        ("mover E1 a CM-5, si no: producir", "parse/fallback-same-line", ()),
        ("mоver E1 a CM-5", "parse/look-alike", ()),
        ("mover E3: ٢ a CM-5", "parse/foreign-digits", ()),
        ("mover E3: 99999999999999999999 a CM-5", "parse/number-out-of-range", ()),
        ("asaltar CM-5 (pronto)", "parse/unknown-mark", ()),
        ("decir:", "parse/incomplete", ()),
    ],
)
def test_line_with_a_mistake_gets_one_diagnostic(line: str, code: str, suggest: tuple[str, ...]) -> None:
    """The code says what is wrong, and every suggestion would be understood."""
    understood = read(line)

    assert understood.order is None
    assert understood.diagnostic is not None
    assert code == understood.diagnostic.code
    assert suggest == understood.diagnostic.suggest
    assert all(read(one).order is not None for one in suggest)


def test_span_points_at_the_word_as_it_was_typed() -> None:
    """Accents and arrows in front of the mistake don't move its place."""
    line = "muévé  E1 → CM-77"
    found = read("mover  E1 → CM-77").diagnostic

    assert found is not None
    assert found.span is not None
    assert "CM-77" == "mover  E1 → CM-77"[found.span.start : found.span.end]
    assert read(line).diagnostic is not None


def test_ambiguous_name_lists_the_candidates() -> None:
    """Nothing is guessed: a short name that fits two things names both."""
    found = read("mover E1 a 9 de corvus").diagnostic

    assert found is not None
    assert (Code("CI-9"), Code("CM-9")) == found.message.params["choices"]


def test_form_shared_by_two_verbs_is_refused_at_registration() -> None:
    """`siento` may not mean both `sentir` and `sentar`."""
    with pytest.raises(ValueError, match="shared"):
        Grammar((order("feel", "sentir", verbs=("siento",)), order("seat", "sentar", verbs=("siento",))))


@given(st.text(max_size=200))
def test_any_text_gives_an_order_or_a_diagnostic(line: str) -> None:
    """Whatever somebody types, one of the two comes back and nothing is raised."""
    understood = read(line)

    assert (understood.order is None) != (understood.diagnostic is None)


def _words() -> st.SearchStrategy[str]:
    words = (
        "mover",
        "E1",
        "E3",
        "a",
        ":",
        ",",
        "2",
        "CM-5",
        "CM-9",
        "quedan",
        "construir",
        "puesto",
        "avanzado",
    )
    return st.lists(
        st.sampled_from((*words, "en", "y", "traer", "retener", "hasta", "que", "entre")), max_size=14
    ).map(" ".join)


@given(_words())
def test_what_is_understood_prints_to_a_line_that_means_the_same(line: str) -> None:
    """The canonical line of an order reads back to equal arguments."""
    first = read(line).order
    if first is None or first.name == "hold":
        return
    again = read(print_order(first, GRAMMAR, plan())).order

    assert again is not None
    assert (first.name, first.args) == (again.name, again.args)


@given(
    _words()
    | st.sampled_from(["construir generador de escudos en cm-5", "mover E3: 2 a CM-5 como E9 y 5 quedan"]),
    st.sampled_from(["", ".", "!", " ;", "...", ".,", "?"]),
)
def test_the_short_way_and_the_long_way_understand_the_same(line: str, end: str) -> None:
    """Lines in plain form are read faster, never differently."""
    short, long = read(line + end), understand_long(line + end, GRAMMAR, plan())

    assert short == long


def test_hostile_line_costs_a_bounded_number_of_steps() -> None:
    """A line made to backtrack is told to be too long or wrong; it doesn't hang."""
    line = "mover E3: " + ", ".join(["2 a CM-5"] * 80) + " fin"

    assert read(line).diagnostic is not None
