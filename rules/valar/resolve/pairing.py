"""Which missions are opposed, and who has the advantage (004: Misiones enfrentadas; Ventaja)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

from rules.engine.audience import DIRECTOR, DIRECTOR_SEAT
from rules.engine.events import event
from rules.engine.messages import Message, Param, Quoted, msg
from rules.engine.orders import Order
from rules.engine.questions import Question
from rules.engine.turn import Impossible, Turn
from rules.valar.opposing import Aspect, leader_of, worth_of
from rules.valar.options import Options
from rules.valar.questions import NO
from rules.valar.resolve.finding import Found, find_open
from rules.valar.resolve.ledger import ledger_of
from rules.valar.state import Foe, Mission, Rival, State, open_missions, recipe_of, slug_of, tokens_in

NOBODY = "nadie"


def pair_missions(turn: Turn) -> None:
    """The director's pairs, then missions that name each other, then those that only one side names."""
    for order in turn.orders.get(DIRECTOR_SEAT, ()):
        if order.name == "oppose":
            turn.carry_out(order, oppose)
    open_ones = open_missions(turn.state)
    naming = [one for one in open_ones if one[2].against]
    for one, other in combinations(naming, 2):
        if one[0] != other[0] and _names(one[2], other) and _names(other[2], one):
            _link(turn, one, other)
    for one in naming:
        for rival in one[2].against:
            _ask_one_sided(turn, one, rival, open_ones)


def oppose(turn: Turn, order: Order) -> Impossible | None:
    """The missions that the director names are opposed, each to each."""
    found: list[Found] = []
    for named in order["missions"]:
        one = find_open(turn, named)
        if isinstance(one, Message):
            return Impossible(one)
        found.append(one)
    for one, other in combinations(found, 2):
        _link(turn, one, other)
    return None


def _names(mission: Mission, other: Found) -> bool:
    return any(_means(rival, other) for rival in mission.against)


def _means(rival: Rival, other: Found) -> bool:
    """Whether somebody's `contra:` means a mission: of that house, and of that title where it names one."""
    house, slug, _ = other
    return rival.house == house and (not rival.title or slug_of(rival.title) == slug)


def _link(turn: Turn, one: Found, other: Found) -> None:
    if _linked(one, other):
        return
    for mine, theirs in ((one, other), (other, one)):
        mine[2].opposed = (*mine[2].opposed, Foe(theirs[0], theirs[1]))
    facts: dict[str, Param] = {"title": Quoted(one[2].title), "whose": one[0]}
    rival: dict[str, Param] = {"rival_title": Quoted(other[2].title), "rival": other[0]}
    ids: dict[str, Param] = {"first": key_of(one), "second": key_of(other)}
    turn.tell(event("valar/missions-opposed", DIRECTOR, None, **ids, **facts, **rival))


def _linked(one: Found, other: Found) -> bool:
    return any((foe.house, foe.mission) == other[:2] for foe in one[2].opposed)


def _ask_one_sided(turn: Turn, one: Found, rival: Rival, open_ones: Iterable[Found]) -> None:
    """Once either of the two is due: whether a mission that is named without naming back is opposed.

    Who has met one that it means, by naming each other or by the director's word, isn't asked for others.
    """
    house, slug, mission = one
    meant = [
        other
        for other in open_ones
        if other[0] != house and _means(rival, other) and turn.number in (mission.resolves, other[2].resolves)
    ]
    if not meant or _has_met(turn.state, mission, rival):
        return
    known: dict[str, Param] = {"house": house, "title": mission.title, "rival": rival.house}
    question = Question(
        id=f"enfrentar/{house}/{slug}/{rival.house}",
        kind="enfrentar",
        text=msg("valar/ask-opposed", **known, titles=tuple(other[2].title for other in meant)),
        data=known,
        legal={key_of(other): (other[2].title,) for other in meant} | {NO: ("ninguna", "none")},
        default=NO,
    )
    answer = turn.ask(question)
    for other in meant:
        if key_of(other) == answer:
            _link(turn, one, other)


def _has_met(state: State, mission: Mission, rival: Rival) -> bool:
    """Whether it is opposed already to a mission that its `contra:` means and that is still there."""
    foes = [
        (foe.house, foe.mission, state.houses[foe.house].missions.get(foe.mission)) for foe in mission.opposed
    ]
    return any(found is not None and _means(rival, (key, slug, found)) for key, slug, found in foes)


def key_of(one: Found) -> str:
    """How answers and events name a side: house and mission."""
    return f"{one[0]}/{one[1]}"


def _said(one: Found) -> Message:
    """How texts name a side."""
    return msg("valar/ask-side", title=Quoted(one[2].title), house=one[0])


def sides_of(turn: Turn, house: str, slug: str) -> tuple[Found, ...]:
    """All missions of an opposition that are still there, the one asked for among them, by house and slug."""
    state: State = turn.state
    found: dict[tuple[str, str], Found] = {}
    waiting = [(house, slug)]
    while waiting:
        key = waiting.pop()
        mission = state.houses[key[0]].missions.get(key[1])
        if mission is not None and key not in found:
            found[key] = (*key, mission)
            waiting += ((foe.house, foe.mission) for foe in mission.opposed)
    return tuple(found[key] for key in sorted(found))


def advantage_of(turn: Turn, house: str, slug: str) -> int:
    """What a mission's advantage over its rivals adds; 0 where it has none."""
    sides = sides_of(turn, house, slug)
    if len(sides) < 2:
        return 0
    options: Options = turn.options
    return worth_of(f"{house}/{slug}", _leaders(turn, sides), options.advantage)


def _leaders(turn: Turn, sides: tuple[Found, ...]) -> tuple[str | None, ...]:
    """Who has each aspect, asked once a turn."""
    known, key = ledger_of(turn).leaders, tuple(map(key_of, sides))
    if key not in known:
        known[key] = tuple(_leader(turn, sides, aspect) for aspect in Aspect)
    return known[key]


def _leader(turn: Turn, sides: tuple[Found, ...], aspect: Aspect) -> str | None:
    """Whom the director has given it, else whoever has more by recipe and keywords, unless it is ruled."""
    given = [key_of(one) for one in sides if aspect in one[2].advantage]
    if given:
        return given[0] if len(given) == 1 else None
    judged = leader_of({key_of(one): _score(turn, one, aspect) for one in sides})
    known: dict[str, Param] = {"aspect": aspect.value, "sides": tuple(map(key_of, sides))}
    question = Question(
        id=f"ventaja/{aspect.value}/{key_of(sides[0])}",
        kind="ventaja",
        text=msg("valar/ask-advantage", aspect=aspect.value, sides=tuple(map(_said, sides))),
        data=known,
        legal={key_of(one): (one[2].title,) for one in sides} | {NOBODY: ("nobody",)},
        default=judged or NOBODY,
    )
    answer = turn.ask(question)
    return None if answer == NOBODY else answer


def _score(turn: Turn, one: Found, aspect: Aspect) -> int:
    """Tokens with a keyword that counts in the side's recipe; for quality `mejorado` counts once."""
    house, _, mission = one
    state: State = turn.state
    options: Options = turn.options
    wanted: tuple[str, ...] = getattr(recipe_of(state, mission), aspect.value)
    tokens = [state.houses[key].tokens[name] for key, name in tokens_in(mission, house)]
    here = [token for token in tokens if token.here]
    fitting = sum(not set(wanted).isdisjoint(token.keywords) for token in here)
    counts = aspect is Aspect.QUALITY and options.improved_quality
    improved = counts and any(token.improved for token in here)
    return fitting + improved


def rivals_of(sides: Iterable[Found], house: str) -> Iterator[str]:
    """The houses of the other sides, each once."""
    return iter(dict.fromkeys(one[0] for one in sides if one[0] != house))
