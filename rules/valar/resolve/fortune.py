"""The director's orders behind the dice of missions: fortune, clocks, further consequences."""

from __future__ import annotations

from collections.abc import Mapping

from rules.engine.audience import DIRECTOR, DIRECTOR_SEAT, EVERYBODY, PUBLIC, Audience, only
from rules.engine.events import event
from rules.engine.messages import Message, Param, Quoted, msg
from rules.engine.orders import Args, Order
from rules.engine.turn import Act, Impossible, Turn
from rules.valar.bands import BANDS, median
from rules.valar.clocks import mark, move
from rules.valar.entries import CATALOGUES, Case, EntryKind
from rules.valar.resolve.consequences import apply, target_of
from rules.valar.resolve.ending import change_course
from rules.valar.resolve.finding import find_mission
from rules.valar.resolve.ledger import ledger_of
from rules.valar.state import Side, State, slug_of

TO_ALL = 1
"""The form of a fortune roll that everybody is told."""

LEAST_FORTUNE = 6
"""From so much on fortune is kind (004: "1o3d10 + Factores ≥ 6")."""


def direct_further(turn: Turn) -> None:
    """What the director has said for after the dice of missions, in the order written."""
    for order in turn.orders.get(DIRECTOR_SEAT, ()):
        if order.name in ACTS_BEHIND:
            turn.carry_out(order, ACTS_BEHIND)


def roll_fortune(turn: Turn, order: Order) -> Impossible | None:
    """1o3d10 + factors ≥ 6 (Tiradas de Fortuna); told to those named, the dice are theirs where it is one."""
    houses = tuple(order.get("houses", ()))
    told = PUBLIC if order.args.form == TO_ALL else (only(*houses) if houses else DIRECTOR)
    whose, audience = _dice_of(told, houses)
    slug = slug_of(order["title"]) or EVERYBODY
    faces = turn.dice.pool(3, 10, "fortune", whose, slug, purpose="valar/roll-fortune", audience=audience)
    factors = sum(order.get("factors", ()))
    total = median(faces) + factors
    facts: dict[str, Param] = {"median": median(faces), "factors": factors, "total": total}
    success = total >= LEAST_FORTUNE
    turn.tell(
        event("valar/fortune-rolled", told, order.by, title=Quoted(order["title"]), success=success, **facts)
    )
    return None


def _dice_of(told: Audience, houses: tuple[str, ...]) -> tuple[str, Audience]:
    """Whose dice are thrown: everybody's, the one house's that is told, else the director's."""
    if told == PUBLIC:
        return EVERYBODY, PUBLIC
    return (houses[0], told) if len(houses) == 1 else (DIRECTOR_SEAT, DIRECTOR)


def mark_clock(turn: Turn, order: Order) -> Impossible | None:
    """Mark a clock, or move a balance to a side (004: "un máster pueden marcar 1 tick de un reloj")."""
    state: State = turn.state
    sections = int(order["sections"])
    key = str(order.get("balance") or order["clock"])
    balance, clock = state.balances.get(key), state.clocks.get(key)
    if (balance is None or balance.closed) and (clock is None or not clock.running):
        one = balance or clock
        return Impossible(msg("valar/clock-not-running", name=Quoted(one.name if one is not None else key)))
    if balance is not None:
        move(turn, key, sections if Side(order["side"]) is Side.RIGHT else -sections)
    else:
        mark(turn, key, sections)
    return None


def add_consequence(turn: Turn, order: Order) -> Impossible | None:
    """An entry of a catalogue, for a mission that is rolled in this turn or under way."""
    case = _case(turn, order["mission"])
    if isinstance(case, Message):
        return Impossible(case)
    kind, args = EntryKind(order["entry"][0]), order["entry"][1]
    entry = CATALOGUES[kind][args["entry"]]
    if not entry.targets(case):
        return Impossible(msg("valar/entry-cannot-apply", title=case.title))
    apply(case, kind, entry, target_of(case, entry))
    if case not in ledger_of(turn).cases:
        change_course(case)
    return None


def _case(turn: Turn, named: Args) -> Case | Message:
    slug, house = slug_of(named["title"]), named.get("house")
    rolled = [one for one in ledger_of(turn).cases if one.slug == slug and house in (None, one.house)]
    found = find_mission(turn, named)
    if len(rolled) == 1 and not (isinstance(found, Message) and found.id.endswith("several-of-that-name")):
        return rolled[0]
    if isinstance(found, Message):
        return found
    return Case(turn, *found, band=found[2].band or BANDS[0], success=found[2].succeeded)


ACTS_BEHIND: Mapping[str, Act] = {
    "fortune": roll_fortune,
    "mark-clock": mark_clock,
    "consequence": add_consequence,
}
"""What each of the director's orders does behind the dice."""
