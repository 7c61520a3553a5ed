"""Orders of a game in English: its own words, Spanish ones too, and one language in what is shown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parsers.orders.blocks import find_blocks
from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import BlockReading, read_orders
from parsers.orders.understanding import Understood, understand, understand_long
from rules.conquista import RULESET
from rules.conquista.state import Army
from rules.engine.arguments import (
    AnyOf,
    Argument,
    Choice,
    Count,
    Held,
    Moment,
    NewId,
    Pick,
    Sub,
    Title,
    sub,
)
from rules.engine.forms import Literal, compile_form
from rules.engine.grammar import Grammar
from rules.engine.messages import Code, msg
from rules.engine.orders import OrderForm, clause, condition, order, same_order, trigger
from rules.engine.plan import Plan
from rules.engine.printing import print_order
from rules.engine.registry import load_ruleset, ruleset_ids
from rules.engine.ruleset import Kind
from rules.engine.view import View
from rules.engine.wording import english
from rules.play.lines import SeenLine, SeenText
from tests.support.conquista_games import FACTIONS, chance, make_state, plan_of, write_block

CELLS = {"CM-5": ("El Paso", "5 de Corvus Majoris"), "CM-9": ("9 de Corvus Majoris",), "VE-1": ()}
CELL = Pick(lambda _: CELLS, "test/cell", nouns=("casilla",), en=("cell",), fixed=True)
ARMY = Pick(lambda _: {"E1": (), "E3": ()}, "test/army", nouns=("ejército",), en=("army",))
PART = sub(
    "test/part",
    "{n} a {cell} [como {name}]",
    "{n} quedan/queda",
    en=("{n} to {cell} [as {name}]", "{n} stay/stays"),
    n=Count(),
    cell=CELL,
    name=NewId("test/id"),
)
BUILDING = Choice(
    {"outpost": ("puesto avanzado",), "shield": ("generador de escudos",)},
    "test/kind",
    en={"outpost": ("outpost",), "shield": ("shield generator", "generator")},
)
GIFT = AnyOf({"cell": CELL, "building": BUILDING}, "test/gift")

DECLARED = Kind(
    "test",
    orders=(
        order("produce", "producir", en=english("produce")),
        order(
            "build",
            "construir {kind} en {cell}",
            en=english("build {kind} in {cell}"),
            kind=BUILDING,
            cell=CELL,
            clauses=(
                clause(
                    "goal",
                    "objetivo",
                    forms=("{n} puntos",),
                    en=english("{n} points", keys=("goal",)),
                    n=Count(),
                ),
            ),
        ),
        order(
            "move",
            "mover {army} a {path,}",
            en=english("move {army} to {path,}"),
            army=ARMY,
            path=CELL,
            verbs=("mueve", "muevo"),
        ),
        order("split", "mover {army}: {parts,}", en=english("move {army}: {parts,}"), army=ARMY, parts=PART),
        order("give", "regalar {gift} a {army}", en=english("give {gift} to {army}"), gift=GIFT, army=ARMY),
        order(
            "storm",
            "asaltar {cell}",
            en=english("storm {cell}", verbs=("rush",), marks={"all": ("everywhere",)}),
            cell=CELL,
            marks={"all": ("global",)},
        ),
        order("hold", "retener hasta {until}: {then}", en=english("hold until {until}: {then}"),
              until=Moment(), then=Held()),
        order("mission", "misión {title}", title=Title()),
    ),
    steps=(),
    conditions=(condition("rain", "llueve", en=english("it rains"), test=lambda *_: True),),
    triggers=(
        trigger(
            "enters",
            "que {army} entre en {cell}",
            en=english("{army} enters {cell}"),
            test=lambda *_: True,
            army=ARMY,
            cell=CELL,
        ),
    ),
)  # fmt: skip
KIND = DECLARED.in_english
CONQUISTA = RULESET.speaking("en").main_kind


def plan() -> Plan[Any]:
    """A plan of somebody who sees everything above."""
    return Plan(View(None, "Imperio", None))


def read(line: str, kind: Kind = KIND) -> Understood:
    """Understand a line."""
    return understand(line, kind.grammar, plan())


def read_block(text: str, kind: Kind = KIND) -> BlockReading:
    """Read a block's lines."""
    return read_orders(logical_lines(block_of(text)), kind, plan())


def seen(text: str) -> SeenText:
    """A post's text."""
    return SeenText(tuple(SeenLine(number, line) for number, line in enumerate(text.split("\n"), 1)))


PAIRS = [
    ("produce", "producir"),
    ("build outpost in CM-5", "construir puesto avanzado en CM-5"),
    ("Build a shield generator in the cell 5 of Corvus Majoris", "construyo generador de escudos en CM-5"),
    ("build generator CM-5", "construir generador de escudos CM-5"),
    ("move E1 to CM-5, CM-9 and VE-1", "mover E1 a CM-5, CM-9 y VE-1"),
    ("move the army E1 -> CM-5", "mueve el ejército E1 → CM-5"),
    ("mov E1 CM-5", "mover E1 CM-5"),
    ("move E3: 2 to CM-5 as E9, 3 stay", "mover E3: 2 a CM-5 como E9, 3 quedan"),
    ("give an outpost to E1", "regalar puesto avanzado a E1"),
    ("rush CM-5 (everywhere)", "asaltar CM-5 (global)"),
    ("hold until E3 enters CM-5: move E1 to CM-9", "retener hasta que E3 entre en CM-5: mover E1 a CM-9"),
]


@pytest.mark.parametrize(("written", "spanish"), PAIRS)
def test_an_order_in_english_means_what_the_spanish_one_does(written: str, spanish: str) -> None:
    """In a game in English both count."""
    one, other = read(written).order, read(spanish).order
    assert one is not None
    assert other is not None
    assert (one.name, one.args.form) == (other.name, other.args.form)
    if one.name != "hold":  # what it holds keeps the words that it was written with
        assert same_order(one, other)


@pytest.mark.parametrize("written", [one for one, _ in PAIRS if one not in ("produce", "mov E1 CM-5")])
def test_a_game_in_spanish_knows_no_english(written: str) -> None:
    """There the line is refused, and the suggestions are in Spanish."""
    found = read(written, DECLARED).diagnostic
    assert found is not None
    assert [] == [line for line in found.suggest if read(line, DECLARED).order is None]


def test_words_of_both_languages_may_meet_in_a_line() -> None:
    """A verb in one and the rest in the other is no mistake."""
    assert [None] * 3 == [
        read(line).diagnostic
        for line in ("mover E1 to CM-5", "move E3: 2 a CM-5, 1 stay", "construir outpost en CM-5")
    ]


def test_what_is_printed_is_english() -> None:
    """Also where the order came in Spanish."""
    found = read("mover E3: 2 a CM-5 como E9, 3 quedan").order
    assert found is not None
    assert "move E3: 2 to CM-5 as E9, 3 stay" == print_order(found, KIND.grammar, plan())


def test_mistakes_are_told_in_english() -> None:
    """What was expected, and what to write instead; Spanish words are named only where they led further."""
    suggested = read("buld outpost in CM-5").diagnostic
    assert suggested is not None
    assert ("build outpost in CM-5",) == suggested.suggest

    lost = read("build outpost into CM-5").diagnostic
    assert lost is not None
    assert (msg("test/cell"),) == lost.message.params["expected"]

    native = read("mover E1: 2 a CM-5 como").diagnostic
    assert native is not None
    assert "parse/incomplete" == native.code


def test_clauses_conditions_and_fallbacks_have_english_words() -> None:
    """`goal:`, `if …:`, `if not:`, `otherwise:`; the Spanish ones too."""
    text = """
        build outpost in CM-5
        goal: 3 points
        if it rains: move E1 to CM-5
        if not: produce
        si llueve: produce
        otherwise: if it rains: storm CM-5
        si no, produce
    """
    lines = read_block(text).lines
    orders = [line.order for line in lines if line.order is not None]
    assert [(), (), ()] == [line.findings for line in lines]
    found = orders[0].clause("goal")
    assert found is not None
    assert {"n": 3} == dict(found.values)
    assert [None, "produce", "storm"] == [one.otherwise and one.otherwise.name for one in orders]
    assert [False, True, True] == [one.condition is not None for one in orders]
    assert ["parse/unknown-order"] == [
        found.code for line in read_block("if it rains: producir", DECLARED).lines for found in line.findings
    ]


def test_lines_that_are_no_order() -> None:
    """`ready`, `none` and `answer`."""
    assert (True, False) == ((ready := read_block("ready")).ready, ready.nothing)
    assert read_block("none").nothing
    assert (("P7", "leave it"),) == read_block("answer P7 leave it").replies


def test_the_header_in_english() -> None:
    """`turn`, `as`, `standing`, `add` and the older `append`."""
    scan = find_blocks(seen("[orders turn 3 as Tau add]\nproduce\n[/orders]"), language="en")
    (block,) = scan.blocks
    assert (3, "Tau", True) == (block.header.turn, block.header.seat_name, block.header.append)
    scan = find_blocks(seen("[orders append standing]\nproduce\n[/orders]"), language="en")
    assert (True, True) == (scan.blocks[0].header.append, scan.blocks[0].header.standing)


@pytest.mark.parametrize(
    ("text", "suggested"),
    [
        ("[orders trun]\nproduce\n[/orders]", "[orders turn]"),
        ("[orders turn3]\nproduce\n[/orders]", "[orders turn 3]"),
        ("[orders standng]\nproduce\n[/orders]", "[orders standing]"),
        ("[orders 3]\nproduce\n[/orders]", "[orders turn 3]"),
    ],
)
def test_misspelt_headers_are_put_right_in_english(text: str, suggested: str) -> None:
    """The suggestion is the line as it should have been."""
    (problem,) = find_blocks(seen(text), language="en").problems
    assert ("parse/header-word", (suggested,)) == (problem.finding.code, problem.finding.suggest)


def test_a_misspelt_end_is_put_right_in_english() -> None:
    """The closing mark that is proposed is the English one."""
    (problem,) = find_blocks(seen("[orders]\nproduce\n[/ordrs]"), language="en").problems
    assert Code("[/orders]") == problem.finding.message.params["right"]


def test_a_verb_of_two_orders_fails_at_registration() -> None:
    """Whatever the languages of the two."""
    orders = (
        order("play", "jugar", en=english("produce")),
        order("make", "producir", en=english("make")),
    )
    Grammar(orders)
    with pytest.raises(ValueError, match="'produce' is shared by the verbs"):
        Grammar(Kind("k", orders, ()).in_english.orders)


def test_forms_of_two_languages_must_correspond() -> None:
    """What can't be printed in both languages is refused where it is declared."""
    with pytest.raises(ValueError, match="2 forms, but 1 in English"):
        order("play", "jugar", "jugar {n}", en=english("play"), n=Count())
    with pytest.raises(ValueError, match="names 'm'"):
        order("play", "jugar {n}", en=english("play {m}"), n=Count())
    with pytest.raises(ValueError, match="1 forms, but 2 in English"):
        sub("test/part", "{n}", en=("{n}", "all"), n=Count())


def test_what_has_no_english_wording_keeps_its_own() -> None:
    """A rule set that knows no English can be played all the same."""
    form = replace(DECLARED.orders[1], en=None)
    (kept,) = replace(DECLARED, orders=(form,)).in_english.orders
    assert (form.forms, None) == (kept.forms, kept.also)
    assert None is read("misión «Uno»").diagnostic


def test_a_kind_in_english_is_made_once() -> None:
    """And an argument that orders share stays one, so that its names are looked up once."""
    assert KIND.in_english is KIND
    assert RULESET.speaking("en") is RULESET.speaking("en")
    assert RULESET is RULESET.speaking("es")
    by_name = {form.name: form for form in KIND.orders}
    assert by_name["move"].args["army"] is by_name["split"].args["army"]


# the rule sets


def wordless(kind: Kind) -> Iterator[str]:
    """What of a kind of turn has no English words: orders, clauses, tests, and arguments with words."""
    tests = (*kind.conditions, *kind.triggers)
    yield from (test.name for test in tests if test.en is None)
    for form in kind.orders:
        yield from _wordless_parts(form)
    for args in (*(test.args for test in tests), *(form.args for form in kind.orders)):
        for one in args.values():
            yield from _wordless(one)


def _wordless_parts(form: OrderForm) -> Iterator[str]:
    if form.en is None or not form.en.example:
        yield form.name
    yield from (f"{form.name} ({mark})" for mark in form.marks if form.en and mark not in form.en.marks)
    for clause_ in form.clauses:
        yield from () if clause_.en is not None else (f"{form.name}: {clause_.name}",)
        for one in clause_.args.values():
            yield from _wordless(one)


def _wordless(one: Argument) -> Iterator[str]:
    inner: Iterable[Argument] = ()
    if isinstance(one, Sub):
        yield from () if one.en or not _has_words(one) else (one.what,)
        inner = one.args.values()
    elif isinstance(one, AnyOf):
        inner = one.kinds.values()
    elif isinstance(one, Choice):
        yield from (f"{one.what}: {key}" for key in one.words if key not in one.en)
    elif isinstance(one, Pick) and one.nouns and not one.en:
        yield one.what
    for argument in inner:
        yield from _wordless(argument)


def _has_words(one: Sub) -> bool:
    """Whether a form holds more than arguments and marks."""
    return any(
        isinstance(part, Literal) and part.shown.isalpha()
        for form in one.forms
        for part in compile_form(form)
    )


@pytest.mark.parametrize("ruleset", ruleset_ids())
def test_every_order_of_a_rule_set_that_comes_with_us_has_an_english_form(ruleset: str) -> None:
    """A new order can't be forgotten: the players of a game in English couldn't give it."""
    found = {name: [*wordless(kind)] for name, kind in load_ruleset(ruleset).kinds.items()}
    assert {} == {name: words for name, words in found.items() if words}


# conquista


WORDS = """recruit sabotage bombard dice E11
    move build fortify join transfer spy on invade wait produce attack split E1 E3 to into : , and 2 3
    CE-1 CE-2 stay stays as E9 outpost shield generator with from in a the cell army troops points
    mover a quedan construir puesto avanzado en con Liga Corona 1 of Ceniza Mayor""".split()  # noqa: SIM905


def _shown(kind: Kind) -> dict[str, OrderForm]:
    return {form.name: form for form in kind.orders}


@pytest.mark.parametrize(
    ("english_line", "spanish_line"),
    [
        ("recruit 4 in CE-1", "reclutar 4 en CE-1"),
        ("recruit 4 troops at CE-1 as E8", "reclutar 4 tropas en CE-1 como E8"),
        ("sabotage Corona with 1 die", "sabotear a Corona con 1 dado"),
        ("sabotage Corona with 3 in CE-2", "sabotear Corona con 3 en CE-2"),
        ("bombard CE-2 with 2 dice from E21", "bombardear CE-2 con 2 dados desde E21"),
        ("bombard the army E11 with 2 from E21", "bombardear el ejército E11 con 2 desde E21"),
    ],
)
def test_orders_of_war_in_english(english_line: str, spanish_line: str) -> None:
    """What they mean is the same in both languages."""
    state = make_state(chance(3))
    state.armies = {"E21": Army("Liga", "CE-1", 2)}
    here = plan_of(state, "Liga")
    found, meant = (understand(line, CONQUISTA.grammar, here) for line in (english_line, spanish_line))
    assert found.order is not None, found.diagnostic
    assert same_order(found.order, meant.order)
    assert english_line.split()[:1] == print_order(found.order, CONQUISTA.grammar, here).split()[:1]


@given(st.integers(0, 2**32), st.lists(st.sampled_from(WORDS), max_size=12).map(" ".join))
def test_both_ways_of_reading_agree_in_english(seed: int, line: str) -> None:
    """Lines in plain form are read faster, never differently."""
    state = make_state(chance(seed))
    here = plan_of(state, "Liga")
    short = understand(line, CONQUISTA.grammar, here)
    assert short == understand_long(line, CONQUISTA.grammar, here)


@given(st.integers(0, 2**32), st.sampled_from(("es", "en")))
def test_an_order_is_the_same_in_both_languages(seed: int, language: str) -> None:
    """Read in Spanish, printed in the game's language and read back, the short way and the long way."""
    random = chance(seed)
    state, seat = make_state(random), random.choice(FACTIONS)
    here, grammar = plan_of(state, seat), RULESET.speaking(language).main_kind.grammar
    for line in write_block(random, state, seat, 8).splitlines():
        found = understand(line, grammar, here).order
        if found is None:
            continue
        printed = print_order(found, grammar, here)
        again = understand(printed, grammar, here)
        assert again.order is not None, printed
        assert same_order(found, again.order)
        assert again == understand_long(printed, grammar, here)
        assert printed.split()[0] == _shown(RULESET.speaking(language).main_kind)[found.name].verb


def test_what_the_rules_suggest_is_in_english_too() -> None:
    """A rule set writes its suggestions in Spanish; the player reads them as the game writes its orders."""
    state = make_state(chance(7))
    state.factions["Liga"].supplies = 3
    state.armies = {"E21": Army("Liga", "CE-1", 4), "E22": Army("Liga", "CE-1", 1)}
    state.cells["CE-1"].owner, state.cells["CE-1"].fortification = "Liga", 1
    lines = "fortify CE-1 3\ntransfer 4 from E21 to E22\ngive 999 supplies to Corona"
    kind = RULESET.speaking("en").main_kind
    found = read_orders(logical_lines(block_of(lines)), kind, plan_of(state, "Liga"))

    suggested = [one.suggest for line in found.lines for one in line.findings]
    most = suggested[2][0].split()[1]
    assert [
        ("fortify CE-1 2",),
        ("join E21 with E22",),
        (f"cede {most} supplies to Corona",),
    ] == suggested
