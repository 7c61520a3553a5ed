"""Rolling the missions that are due (004: 1o3d10 + Token ± Roleo ± Factores ± Dificultad)."""

from __future__ import annotations

from rules.engine.audience import only
from rules.engine.turn import Turn
from rules.valar.bands import DIFFICULTIES, MOST_TOKENS, TOKENS, band_of, median, succeeds
from rules.valar.entries import Case
from rules.valar.resolve.ledger import ledger_of
from rules.valar.resolve.pairing import advantage_of
from rules.valar.state import House, Mission, Modifier, State, open_missions, recipe_of, tokens_in


def roll_missions(turn: Turn) -> None:
    """All missions of a turn are rolled against the state at its start, before any of their entries apply."""
    due = [one for one in open_missions(turn.state) if one[2].resolves <= turn.number]
    ledger_of(turn).cases = [_roll(turn, house, slug, mission) for house, slug, mission in due]


def _roll(turn: Turn, house: str, slug: str, mission: Mission) -> Case:
    address = ("mission", house, slug)
    faces = turn.dice.pool(3, 10, *address, purpose="valar/roll-mission", audience=only(house))
    parts = {"median": median(faces), **take_modifiers(turn, house, slug, mission)}
    total = sum(parts.values())
    band = band_of(total)
    case = Case(turn, house, slug, mission, band, succeeds(band))
    case.tell("valar/mission-resolved", **parts, total=total, band=band.value, success=case.success)
    return case


def take_modifiers(turn: Turn, house: str, slug: str, mission: Mission) -> dict[str, int]:
    """What is added to a mission's median, by name; what related missions left is used up."""
    state: State = turn.state
    return {
        "tokens_bonus": TOKENS[min(MOST_TOKENS, _tokens(state, house, mission))],
        "roleo": mission.roleo,
        "factors": _factors(turn, house, slug, mission),
        "advantage": advantage_of(turn, house, slug),
        "difficulty": DIFFICULTIES[mission.difficulty or recipe_of(state, mission).difficulty],
    }


def _tokens(state: State, house: str, mission: Mission) -> int:
    """How many take part; lost ones don't."""
    return sum(state.houses[key].tokens[name].here for key, name in tokens_in(mission, house))


def _factors(turn: Turn, house: str, slug: str, mission: Mission) -> int:
    """The recipe's, the director's, memories claimed, and what related missions left, which is used up."""
    state: State = turn.state
    written = sum(one.value for one in (*recipe_of(state, mission).factors, *mission.factors))
    memories = sum(state.memories[key].value for key in mission.memories if key in state.memories)
    return written + memories + _use_modifiers(turn, state.houses[house], slug, mission)


def _use_modifiers(turn: Turn, house: House, slug: str, mission: Mission) -> int:
    """The first later roll takes them; none of this turn's own counts."""
    used = [one for one in house.modifiers if one.since < turn.number and _about(one, slug, mission)]
    house.modifiers = tuple(one for one in house.modifiers if one not in used)
    return sum(one.value for one in used)


def _about(one: Modifier, slug: str, mission: Mission) -> bool:
    if one.mission is not None:
        return one.mission == slug
    return one.recipe is not None and one.recipe == mission.recipe
