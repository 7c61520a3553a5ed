"""One more order never moves another's roll: through the whole resolution of `conquista` (design.md 8)."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.commands.rehearse import catalogue_of
from parsers.files.scenario import load_scenario
from processor.pipeline.context import Secrets, TurnResult
from processor.pipeline.given import Given
from processor.pipeline.resolving import resolve_reading
from processor.pipeline.staged_reading import read_staged
from processor.pipeline.staging import set_stage
from rules.conquista import RULESET
from rules.engine.dice import Roll

NIGHT = Path(__file__).parent / "golden" / "conquista" / "empate-e-espionaje.toml"
SCENARIO = load_scenario(NIGHT.read_text(encoding="utf-8"), NIGHT.name)
STAGE = set_stage(SCENARIO, RULESET, catalogue_of(RULESET))
# Six actions a turn for each, and supplies enough, so that many orders stand.
RICH = replace(
    STAGE,
    game=replace(STAGE.game, options=replace(STAGE.game.options, actions=(6,))),
    state=replace(
        STAGE.state,
        factions={key: replace(one, supplies=60) for key, one in STAGE.state.factions.items()},
    ),
)
ARMIES = {"Liga": ("E1",), "Corona": ("E11", "E12"), "Gremio": ("E21",)}
CELLS = tuple(STAGE.state.cells)


def lines_of(seat: str) -> st.SearchStrategy[str]:
    """Orders that the seat might give, sensible and not."""
    cells, armies = st.sampled_from(CELLS), st.sampled_from(ARMIES[seat])
    others = st.sampled_from([one for one in ARMIES if one != seat])
    return st.one_of(
        st.just("producir"),
        st.builds("invadir {} con {}".format, cells, armies),
        st.builds("mover {} a {}".format, armies, cells),
        st.builds("espiar {}".format, others),
        st.builds("fortificar {} 1".format, cells),
        st.builds("invadir {} con {}\nsi no: espiar {}".format, cells, armies, others),
    )


blocks = st.fixed_dictionaries({seat: st.lists(lines_of(seat), max_size=5) for seat in ARMIES})
extras = st.sampled_from(sorted(ARMIES)).flatmap(lambda seat: st.tuples(st.just(seat), lines_of(seat)))


def resolve(orders: dict[str, list[str]], seed: bytes) -> TurnResult:
    """The night with those orders."""
    written = {seat: "\n".join(lines) for seat, lines in orders.items()}
    turn = replace(SCENARIO.turns[0], orders=written, dice={}, expect=None)
    play = RICH.play_of(turn)
    return resolve_reading(play, read_staged(play, RICH, turn), Secrets(seed, seed[::-1]), Given())[0]


def rolls_of(result: TurnResult) -> dict[tuple[str, int], Roll]:
    """The turn's rolls by address."""
    rolls = [one.roll for one in result.resolution.rolls]
    found = {(one.label, one.index): one for one in rolls}
    assert len(found) == len(rolls)
    return found


@settings(max_examples=60)
@given(blocks, extras, st.integers(0, 5), st.binary(min_size=32, max_size=32))
def test_one_more_order_moves_no_other_roll(
    orders: dict[str, list[str]], extra: tuple[str, str], place: int, seed: bytes
) -> None:
    """Whatever is ordered and wherever one more order stands: what is thrown in both nights falls alike."""
    seat, line = extra
    more = orders | {seat: [*orders[seat][:place], line, *orders[seat][place:]]}

    before, after = rolls_of(resolve(orders, seed)), rolls_of(resolve(more, seed))

    for address in before.keys() & after.keys():
        assert before[address] == after[address]


@settings(max_examples=40)
@given(blocks, st.binary(min_size=32, max_size=32))
def test_each_roll_is_somebodys(orders: dict[str, list[str]], seed: bytes) -> None:
    """Every address names a faction, and what a faction rolls it rolls whatever the others have ordered."""
    everything = rolls_of(resolve(orders, seed))
    for seat in ARMIES:
        alone = rolls_of(resolve({one: orders[one] if one == seat else [] for one in ARMIES}, seed))
        shared = alone.keys() & everything.keys()
        assert [alone[one].value for one in sorted(shared)] == [
            everything[one].value for one in sorted(shared)
        ]
    assert all(ARMIES.keys() & set(label.split("/")) for label, _ in everything)


def test_such_nights_have_dice() -> None:
    """The orders that are tried do lead to rounds, invasions and espionage."""
    orders = {"Liga": ["invadir CE-4 con E1"], "Corona": ["producir"], "Gremio": ["espiar Corona"]}

    kinds = {label.split("/")[0] for label, _ in rolls_of(resolve(orders, bytes(32)))}

    assert {"round", "invasion", "defence", "espionage"} == kinds
