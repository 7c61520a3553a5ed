"""Playing at a stall: a place, a throw, perhaps another."""

from __future__ import annotations

from rules.engine.events import event
from rules.engine.messages import Message, Quoted, msg
from rules.engine.orders import Order
from rules.engine.questions import Question
from rules.engine.turn import Impossible, Turn
from tests.toy.state import Person, Stall

AGAIN = "tirar"
ENOUGH = "dejar"


def stall_of(order: Order) -> str | None:
    """The stall where an order plays, at once or held; None where it doesn't."""
    inner: Order = order["act"] if order.name == "wait" else order
    return str(inner["stall"]) if inner.name == "play" else None


def take_place(turn: Turn, order: Order) -> Message | None:
    """A place at the order's stall, kept for the day; why there is none."""
    stall = stall_of(order)
    if stall is None:
        return None
    name = Quoted(turn.state.stalls[stall].name)
    taken: set[tuple[str, str]] = turn.scratch.setdefault("places", set())
    if stall in turn.scratch["closed"]:
        return msg("feria/closed", stall=name)
    at_it = {one for one in taken if one[0] == stall}
    if (stall, order.seat) not in taken and len(at_it) >= turn.state.stalls[stall].places:
        return msg("feria/no-place", stall=name)
    taken.add((stall, order.seat))
    return None


def play(turn: Turn, order: Order) -> Impossible | None:
    """Pay and throw; others who wait for it may come first."""
    turn.moment(event("feria/about-to-play", by=order.by))
    person, stall = turn.state.folk[order.seat], turn.state.stalls[order["stall"]]
    reason = take_place(turn, order) or _hindrance(person, stall)
    if reason is not None:
        return Impossible(reason)
    charm = "charm" in order.marks and person.charm
    person.charm = person.charm and not charm
    total = _throw(turn, order, bonus=int(charm))
    if total == 4 and _hindrance(person, stall) is None and _wants_more(turn, order, stall):
        _throw(turn, order, bonus=0)
    return None


def _hindrance(person: Person, stall: Stall) -> Message | None:
    if not stall.prizes:
        return msg("feria/no-prizes", stall=Quoted(stall.name))
    if person.purse < stall.price:
        return msg("feria/no-coins", price=stall.price)
    return None


def _throw(turn: Turn, order: Order, *, bonus: int) -> int:
    """A d6 with what helps; 5 or more wins one of the prizes left."""
    key, seat = order["stall"], order.seat
    person, stall = turn.state.folk[seat], turn.state.stalls[key]
    person.coins = person.purse - stall.price
    roll = turn.dice.roll(6, "play", key, seat, purpose="feria/roll-play")
    total = roll + bonus + int(turn.scratch.get("band", False))
    prize = None
    if total >= 5:
        prize = turn.dice.draw(stall.prizes, "prize", key, seat, purpose="feria/roll-prize")
        stall.prizes = tuple(one for one in stall.prizes if one != prize)
        person.prizes = (*person.prizes, prize)
    turn.tell(event("feria/played", by=order.by, who=seat, stall=key, roll=roll, total=total, prize=prize))
    return total


def _wants_more(turn: Turn, order: Order, stall: Stall) -> bool:
    ahead = order.clause("almost")
    question = Question(
        id=f"segunda/{order.seat}",
        kind="segunda",
        to=order.seat,
        text=msg("feria/ask-again", stall=Quoted(stall.name), price=stall.price),
        data={"stall": order["stall"], "price": stall.price, "prizes": len(stall.prizes)},
        legal={AGAIN: ("tirar", "otra"), ENOUGH: ("dejar", "dejarlo")},
        default=ENOUGH,
    )
    given = None if ahead is None else (AGAIN, ENOUGH)[ahead.form]
    return turn.ask(question, given) == AGAIN
