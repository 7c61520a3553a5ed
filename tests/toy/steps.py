"""The steps of a fair's day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from rules.engine.audience import PUBLIC, only
from rules.engine.events import Event, event
from rules.engine.folding import fold
from rules.engine.messages import Quoted, msg
from rules.engine.orders import Order
from rules.engine.questions import Question
from rules.engine.ruleset import Step
from rules.engine.turn import Act, Impossible, Turn
from tests.toy.play import play, stall_of, take_place

NOBODY = "nadie"


def draw_weather(turn: Turn) -> None:
    """Sun or rain."""
    weather = turn.dice.draw(("lluvia", "sol"), "weather", purpose="feria/roll-weather")
    turn.scratch |= {"weather": weather, "closed": set()}
    turn.tell(event("feria/weather-drawn", weather=weather))


def close_in_rain(turn: Turn) -> None:
    """Outdoor stalls where somebody means to play: the director decides."""
    if turn.scratch["weather"] != "lluvia":
        return
    meant = {stall for orders in turn.orders.values() for one in orders for stall in _stalls_of(one)}
    for key in sorted(one for one in meant if turn.state.stalls[one].outdoor):
        question = Question(
            id=f"lluvia/{key}",
            kind="lluvia",
            text=msg("feria/ask-rain", stall=Quoted(turn.state.stalls[key].name)),
            data={"stall": key},
            legal={"suspender": ("cerrar",), "seguir": ("abrir",)},
            default="seguir",
            audience=PUBLIC,
        )
        if turn.ask(question) == "suspender":
            turn.scratch["closed"].add(key)
            turn.tell(event("feria/stall-closed", stall=key))


def _stalls_of(order: Order) -> list[str]:
    """Stalls where an order, or what stands below it, plays."""
    below = _stalls_of(order.otherwise) if order.otherwise is not None else []
    stall = stall_of(order)
    return below if stall is None else [stall, *below]


def hire_band(turn: Turn) -> None:
    """More than half of all seats want music: everybody pays."""
    votes = sum(any(one.name == "band" for one in orders) for orders in turn.orders.values())
    if not turn.joint_orders():
        if votes:
            turn.tell(event("feria/band-refused", votes=votes))
        return
    for person in turn.state.folk.values():
        person.coins = max(0, person.purse - 1)
    turn.scratch["band"] = True
    turn.tell(event("feria/band-hired", votes=votes))


def majority(turn: Turn, orders: Mapping[str, tuple[Order, ...]]) -> tuple[Order, ...]:
    """The joint orders that more than half of all seats gave."""
    given = [one for several in orders.values() for one in several[:1]]
    return tuple(given[:1]) if 2 * len(given) > len(turn.state.folk) else ()


def stand_in_queue(turn: Turn) -> None:
    """An order among the seats; in it, who plays takes a place, and what has none leaves it to `si no`."""
    queue = turn.dice.order_of(tuple(turn.state.folk), "queue", purpose="feria/roll-queue")
    turn.scratch["queue"] = [
        chosen
        for seat in queue
        for one in turn.orders.get(seat, ())
        if one.name != "band" and (chosen := turn.choose(one, partial(take_place, turn))) is not None
    ]


def act_in_turn(turn: Turn) -> None:
    """Held orders are noted first, then each seat acts, in the queue's order."""
    queue: list[Order] = turn.scratch["queue"]
    for order in queue:
        if order.name == "wait":
            turn.hold(order, order["moment"], partial(_run_held, turn, order))
    for order in queue:
        if order.name != "wait":
            turn.carry_out(order, ACTS)


def _run_held(turn: Turn, order: Order, _happened: Event) -> None:
    inner: Order = order["act"]
    turn.carry_out(replace(inner, otherwise=order.otherwise), ACTS)


def sell(turn: Turn, order: Order) -> Impossible | None:
    """The stall makes an offer; the seller may take some time."""
    person, stall = turn.state.folk[order.seat], turn.state.stalls[order["stall"]]
    prize = order["prize"]
    if prize not in person.prizes:
        return Impossible(msg("feria/not-yours", prize=Quoted(prize)))
    coins = turn.dice.roll(6, "offer", order["stall"], order.seat, purpose="feria/roll-offer")
    facts = {"who": order.seat, "stall": order["stall"], "prize": prize, "coins": coins}
    turn.tell(event("feria/offer-made", by=order.by, **facts))
    question = Question(
        id=f"oferta/{order.seat}",
        kind="oferta",
        to=order.seat,
        text=msg("feria/ask-offer", stall=Quoted(stall.name), prize=Quoted(prize), coins=coins),
        data={"stall": order["stall"], "prize": prize, "coins": coins},
        legal={"aceptar": ("acepto",), "rechazar": ("rechazo",)},
        default="rechazar",
    )
    if turn.ask(question) == "aceptar":
        person.coins = person.purse + coins
        person.prizes = tuple(one for one in person.prizes if one != prize)
        stall.prizes = (*stall.prizes, prize)
        turn.tell(event("feria/sold", by=order.by, **facts))
    else:
        turn.tell(event("feria/offer-declined", by=order.by, **facts))
    return None


def work(turn: Turn, order: Order) -> Impossible | None:
    """A coin; an apprentice's is the master's."""
    _earn(turn, order.seat, 1)
    turn.tell(event("feria/worked", by=order.by, who=order.seat, actor=order.actor, coins=1))
    return None


def cry(turn: Turn, order: Order) -> Impossible | None:
    """A coin for every 10 words of prose in the order's post, at most 3."""
    words = turn.facts(order).words
    coins = min(3, words // 10)
    _earn(turn, order.seat, coins)
    turn.tell(event("feria/cried", by=order.by, who=order.seat, actor=order.actor, words=words, coins=coins))
    return None


def filch(turn: Turn, order: Order) -> Impossible | None:
    """4 or more takes a coin, if there is one; the victim only learns that it is gone."""
    thief, victim = order.seat, order["victim"]
    roll = turn.dice.roll(6, "filch", thief, victim, purpose="feria/roll-filch", audience=only(thief))
    coins = int(roll >= 4 and turn.state.folk[victim].purse > 0)
    _earn(turn, thief, coins)
    _earn(turn, victim, -coins)
    turn.tell(event("feria/filched", only(thief), order.by, victim=victim, roll=roll, coins=coins))
    if coins:
        turn.tell(event("feria/purse-lighter", only(victim), coins=coins))
    return None


def challenge(turn: Turn, order: Order) -> Impossible | None:
    """Arm-wrestling on a track of its own."""
    left, right, stake = order.seat, order["rival"], order["stake"]
    if turn.state.folk[left].purse < stake:
        return Impossible(msg("feria/no-coins", price=stake))
    track = f"pulso-{fold(left)}-{fold(right)}"
    turn.open_track(track, "pulso", (left, right), stake=stake)
    turn.tell(event("feria/challenged", by=order.by, challenger=left, who=right, stake=stake, track=track))
    return None


def _earn(turn: Turn, seat: str, coins: int) -> None:
    person = turn.state.folk[seat]
    person.coins = person.purse + coins


ACTS: Mapping[str, Act] = {
    "play": play,
    "sell": sell,
    "work": work,
    "cry": cry,
    "filch": filch,
    "challenge": challenge,
}


def wait_in_vain(turn: Turn) -> None:
    """What nothing has set off is given up; `si no` is for what was tried."""
    for order in turn.drop_held():
        turn.tell(event("feria/waited-in-vain", only(order.seat), order.by))


def applaud(turn: Turn) -> None:
    """A coin for whom the director likes."""
    people = tuple(turn.state.folk)
    question = Question(
        id="aplauso",
        kind="aplauso",
        text=msg("feria/ask-applause"),
        legal={NOBODY: ("nadie",)} | {one: (one,) for one in people},
        default=NOBODY,
        audience=PUBLIC,
    )
    who = turn.ask(question)
    if who is not None and who != NOBODY:
        _earn(turn, who, 1)
        turn.tell(event("feria/applauded", who=who))


STEPS = (
    Step("weather", draw_weather),
    Step("rain", close_in_rain),
    Step("band", hire_band),
    Step("queue", stand_in_queue),
    Step("acts", act_in_turn),
    Step("in-vain", wait_in_vain),
    Step("applause", applaud),
)
