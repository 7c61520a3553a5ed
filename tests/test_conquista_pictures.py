"""What the pictures of `conquista` show, to whom, and what says the same in words."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jobs.catalogues import load_catalogue
from parsers.orders.lines import block_of, logical_lines
from parsers.orders.reading import read_orders
from reporters.orders_template import BlockHead, write_template
from reporters.pictures.drawing import draw_svg
from rules.conquista import RULESET
from rules.conquista.pictures import _marks, _ranges, draw_dominion, draw_planets, list_dominion
from rules.conquista.plan import ConquistaPlan
from rules.conquista.report import template
from rules.conquista.state import State, neighbours, neighbours_of
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.codec import load_state
from rules.engine.document import Picture
from rules.engine.drawing import Chart, Map, Node, Sign
from rules.engine.view import View
from tests.support.conquista_games import FACTIONS, OPTIONS, chance, make_state, play

SEEDS = st.integers(0, 2**32 - 1)
ES = load_catalogue("es", RULESET.package)


def example() -> State:
    """The state of the example game."""
    text = (files(RULESET.package) / "example" / "es" / "setup.toml").read_text(encoding="utf-8")
    return load_state(State, tomllib.loads(text))


def look(state: State, viewer: str, number: int = 1) -> View[State]:
    """What somebody sees."""
    return RULESET.look(state, viewer, OPTIONS, kind="turn", track="", number=number)


def nodes_of(pictures: tuple[Picture, ...]) -> dict[str, Node]:
    """All cells of all maps."""
    maps = [one.drawing for one in pictures if isinstance(one.drawing, Map)]
    return {node.id: node for drawing in maps for node in drawing.nodes}


def armies_on(pictures: tuple[Picture, ...]) -> set[str]:
    """The armies that can be read on maps."""
    notes = [note for node in nodes_of(pictures).values() for note in node.notes]
    return {str(note.params["army"]) for note in notes}


@given(SEEDS)
def test_a_map_shows_each_reader_what_the_reader_may_see(seed: int) -> None:
    """Everybody sees owners alone; a faction its own armies and works; the director all armies."""
    state = make_state(chance(seed))
    public = draw_planets(look(state, EVERYBODY))
    whole = draw_planets(look(state, DIRECTOR_SEAT))
    own = {key: cell.owner for key, cell in state.cells.items()}

    assert set() == armies_on(public)
    assert {Sign.STAR, Sign.TOWER, Sign.SHIELD, Sign.WALL}.isdisjoint(
        sign for node in nodes_of(public).values() for sign, _ in node.signs
    )
    assert {key: None if owner is None else FACTIONS.index(owner) for key, owner in own.items()} == {
        key: node.side for key, node in nodes_of(public).items()
    }
    assert set(state.armies) == armies_on(whole)
    for seat in FACTIONS:
        seen = draw_planets(look(state, seat))
        assert {key for key, army in state.armies.items() if army.owner == seat} == armies_on(seen)
        foreign = [node for key, node in nodes_of(seen).items() if own[key] != seat]
        assert {Sign.STAR, Sign.TOWER, Sign.SHIELD, Sign.WALL}.isdisjoint(
            sign for node in foreign for sign, _ in node.signs
        )


@given(SEEDS)
def test_pictures_of_equal_views_are_equal_bytes(seed: int) -> None:
    """What a faction can't see changes nothing in its pictures: other armies, their supplies, their works."""
    state = make_state(chance(seed))
    other = make_state(chance(seed))
    other.armies = {
        key: replace(army, troops=army.troops + (army.owner != "Liga")) for key, army in other.armies.items()
    }
    for key, faction in other.factions.items():
        if key != "Liga":
            faction.supplies += 3
            faction.base = None

    def drawn(seen: View[State]) -> list[str]:
        return [draw_svg(one, ES) for one in (*draw_planets(seen), *draw_dominion(seen))]

    assert drawn(look(state, "Liga")) == drawn(look(other, "Liga"))
    assert drawn(look(state, EVERYBODY)) == drawn(look(other, EVERYBODY))


def test_a_faction_gets_the_planets_where_it_is() -> None:
    """No map of a planet on which it has nothing and knows nothing."""
    assert ["map-CM", "map-TA"] == [one.name for one in draw_planets(look(example(), "Tau"))]
    assert ["map-CM", "map-EL", "map-TA", "map-VE"] == [
        one.name for one in draw_planets(look(example(), EVERYBODY))
    ]


def test_ways_to_other_planets_lead_off_the_map() -> None:
    """Each way stands on the maps of both its planets."""
    maps = {one.name: one.drawing for one in draw_planets(look(example(), EVERYBODY))}
    drawing = maps["map-VE"]
    assert isinstance(drawing, Map)
    assert [("VE-1", "CM-32"), ("VE-6", "TA-10"), ("VE-8", "EL-10")] == list(drawing.exits)


@given(SEEDS, st.sets(st.sampled_from(["CE-1", "CE-3", "VA-2"])))
def test_neighbours_of_some_cells_are_those_of_all(seed: int, wanted: set[str]) -> None:
    """Looking at a few cells alone finds the same ways, whichever of two cells names the other."""
    cells = make_state(chance(seed)).cells
    every = neighbours(cells)
    assert {key: every[key] for key in wanted} == neighbours_of(cells, wanted)


@given(SEEDS)
def test_dominion_is_kept_turn_by_turn(seed: int) -> None:
    """The chart begins with what was held at the start and has a number for each turn since."""
    state = make_state(chance(seed))
    first = play(state, {}, seed).state
    second = play(first, {}, seed).state
    for key, faction in second.factions.items():
        assert (first.factions[key].dominion, faction.dominion) == faction.dominions[1:]
        assert 3 == len(faction.dominions)

    (picture,) = draw_dominion(look(second, EVERYBODY, number=2))
    assert isinstance(picture.drawing, Chart)
    assert tuple(second.factions[key].dominions for key in FACTIONS) == picture.drawing.lines
    (table,) = list_dominion(look(second, EVERYBODY, number=2))
    assert ["Facción", "Inicio", "T1", "T2"] == [ES.text(one) for one in table.head]


def test_there_is_no_chart_before_there_is_a_turn_to_tell() -> None:
    """A state without a past has nothing to draw, and the first turn's standings tell all there is."""
    assert ((), ()) == (draw_dominion(look(example(), EVERYBODY)), list_dominion(look(example(), EVERYBODY)))


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        (["Caos", "Imperio", "Tau"], ["C", "I", "T"]),
        (["Tau", "Tiranidos"], ["TA", "TI"]),
        (["Tauro", "Tau"], ["1", "2"]),
        (["🔥", "Ñandú", "שלום"], ["1", "Ñ", "ש"]),
        (["a", "A"], ["1", "2"]),
    ],
)
def test_letters_tell_factions_apart(keys: list[str], expected: list[str]) -> None:
    """The shortest beginning that no other has; a number where there is none."""
    assert expected == list(_marks(keys).values())


@given(st.lists(st.text(min_size=1), unique=True, max_size=30))
def test_no_two_factions_have_the_same_letters(keys: list[str]) -> None:
    """Whatever factions are called."""
    marks = list(_marks(keys).values())
    assert len(marks) == len(set(marks))


def test_cells_are_listed_in_ranges() -> None:
    """Runs of three and more are drawn together; a number with zeros in front is another id."""
    assert ("1–4", "6, 7", "9", "007") == _ranges(["1", "2", "3", "4", "6", "7", "007", "9"])


def test_the_example_goes_to_free_land_else_stays_at_home() -> None:
    """In the example game the first army of Tau can reach a cell of nobody; enclosed, it moves at home."""
    state = example()
    free = [one.params for one in template(look(state, "Tau")).examples if "army" in one.params]
    for cell in state.cells.values():
        cell.owner = cell.owner or "Tau"
    home = [one.params for one in template(look(state, "Tau")).examples if "army" in one.params]
    assert [("E11", "CM-5"), ("E11", "CM-5")] == [(one["army"], one["cell"]) for one in (*free, *home)]


@pytest.mark.parametrize("language", ["es", "en"])
@given(seed=SEEDS)
def test_the_examples_of_a_template_can_be_ordered(language: str, seed: int) -> None:
    """Who takes the marks away from the example lines has given orders that are understood and accepted."""
    state = make_state(chance(seed))
    catalogue = load_catalogue(language, RULESET.package)
    for seat in FACTIONS:
        given_template = template(look(state, seat))
        block = write_template(BlockHead(1), given_template, catalogue)
        marked = [line for line in block.splitlines() if line.startswith("# ")]
        lines = [line.removeprefix("# ") for line in marked[-len(given_template.examples) :]]
        if given_template.examples:
            plan = ConquistaPlan(look(state, seat))
            kind = RULESET.speaking(language).main_kind
            reading = read_orders(logical_lines(block_of("\n".join(lines))), kind, plan)
            assert [()] * len(lines) == [one.findings for one in reading.lines]
