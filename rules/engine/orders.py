"""Order declarations, the centre of a rule set, and the orders that players make of them.

One declaration gives an order's parsing, suggestions, help, its line in the guide and its place
in the template (design.md 8). Conditions, triggers, clauses and replies are declared alike.

Forms are written as a player would write the line:

    mover {army}: {parts,}                    words, arguments, a list argument, a colon
    reclutar {troops} en {cell} [como {called}] square brackets: may be left out
    {place} | {target}                        alternatives belong into an argument, not into a form

The first word of a form is its verb.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rules.engine.wording import Wording, Written, check_places, wordings

if TYPE_CHECKING:
    from rules.engine.arguments import Argument

Value = Any
"""What an argument yields: an id, a number, a text, a tuple of values, `Args`, or a nested `Order`."""


@dataclass(frozen=True, slots=True)
class Args:
    """Values by argument name, of an order, a clause, a condition or a sub-argument.

    form: index of the declaration's form that matched.
    """

    values: Mapping[str, Value] = field(default_factory=dict)
    form: int = 0

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", MappingProxyType(dict(self.values)))

    def __getitem__(self, name: str) -> Value:
        return self.values[name]

    def get(self, name: str, default: Value = None) -> Value:
        """The value, or the default where the form has no such argument or it was left out."""
        return self.values.get(name, default)


@dataclass(frozen=True, slots=True)
class Test:
    """A condition or trigger that a player wrote: the declaration's name and the arguments."""

    name: str
    args: Args
    text: str


@dataclass(frozen=True, slots=True)
class Order:
    """One order as understood; an intention until its moment comes.

    seat: who ordered. number: its number in the receipt, counted from 1, refused lines included.
    name: the declaration. text: the line as written (continuations joined).
    actor: id of who acts, where the line names one in front.
    clauses: clause name -> arguments, in the order written.
    condition: run only if this holds at the actor's moment. otherwise: what `si no` names.
    post: id of the post, None for orders that came otherwise (override, default orders).
    marks: names of the marks in parentheses behind the line.
    secret: whether it was given in private.
    assigned: what reading fixed and showed to the player (ids of new armies), by the plan's own keys.
    """

    seat: str
    number: int
    name: str
    args: Args
    text: str
    actor: str | None = None
    clauses: Mapping[str, tuple[Args, ...]] = field(default_factory=dict)
    marks: frozenset[str] = frozenset()
    condition: Test | None = None
    otherwise: Order | None = None
    post: str | None = None
    secret: bool = False
    assigned: Mapping[str, str] = field(default_factory=dict)

    def __getitem__(self, name: str) -> Value:
        return self.args[name]

    def get(self, name: str, default: Value = None) -> Value:
        """An argument's value, or the default where it was left out."""
        return self.args.get(name, default)

    def clause(self, name: str) -> Args | None:
        """The last clause of that name, None where there is none."""
        found = self.clauses.get(name)
        return found[-1] if found else None

    @property
    def by(self) -> tuple[str, int]:
        """Seat and number, as events name the order behind them."""
        return (self.seat, self.number)


def same_order(one: Order | None, other: Order | None) -> bool:
    """Whether two orders mean the same, whoever gave them and however they are worded."""
    return bool(_meaning(one) == _meaning(other))


def _meaning(value: Value) -> Value:
    """A value without wording, seat, number and post.

    Which form of its declaration an order has is wording; in clauses and sub-arguments it is meaning.
    """
    if isinstance(value, Order):
        parts = (value.args.values, value.actor, value.clauses, value.marks, value.condition, value.otherwise)
        return (value.name, *map(_meaning, parts))
    if isinstance(value, Args):
        return (value.form, _meaning(value.values))
    if isinstance(value, Test):
        return (value.name, _meaning(value.args))
    if isinstance(value, Mapping):
        return tuple((key, _meaning(inner)) for key, inner in sorted(value.items()))
    return tuple(map(_meaning, value)) if isinstance(value, tuple) else value


def adopt(value: Value, outer: Order) -> Value:
    """A value in which orders inside of it (`retener hasta …: atacar …`) are of the seat and line of the
    outer one.
    """
    if isinstance(value, Order):
        actor = value.actor or outer.actor
        inner = replace(
            value, seat=outer.seat, number=outer.number, actor=actor, post=outer.post, secret=outer.secret
        )
        return replace(inner, args=adopt(value.args, outer))
    if isinstance(value, Args):
        return Args({name: adopt(one, outer) for name, one in value.values.items()}, value.form)
    return tuple(adopt(one, outer) for one in value) if isinstance(value, tuple) else value


@dataclass(frozen=True, slots=True)
class Clause:
    """A line `key: value` below an order.

    name: key in `Order.clauses`. keys: forms accepted in front of the colon, the first is shown; they
    may hold arguments (`opción {band}`). forms, args: as for orders, for what stands behind the colon;
    no forms: a bare line (`secreta`). repeat: whether it may stand more than once.
    en: how it is written in English. also: forms that are understood besides those shown, by their place.
    """

    name: str
    keys: tuple[str, ...]
    forms: tuple[str, ...] = ()
    args: Mapping[str, Argument] = field(default_factory=dict)
    repeat: bool = False
    en: Wording | None = None
    also: tuple[str, ...] = ()

    @property
    def written(self) -> Written:
        """Every way to write what stands behind the colon, with the place of its form."""
        return wordings(self.forms, self.also)


@dataclass(frozen=True, slots=True)
class OrderForm:
    """The declaration of one order.

    name: stable English name (`split`). forms: how it is written, the first is shown.
    verbs: further forms of the verb that can't be derived (`mueve`), and aliases (`desplazar`).
    summary: message id of its line in the guide. example: a line that parses in the example game.
    who: which seats have this order at all, judged by their view; None: all.
    free: needs no action. joint: belongs to the side as a whole (a community, a House), see `Kind.joint`.
    actors: argument that reads who acts in front (`Maestra: …`), None where nobody stands there.
    acting: `view -> id`, who acts where the line names nobody; None: the only one there is, else it must
    be said.
    marks: words in parentheses that may follow the line (`(principal)`): mark name -> words.
    discreet: whether an order says more than is told of what it makes, so that nobody else may read it who is
    told of that (see `Turn.known`); None: never.
    en: how it is written in English. also: the Spanish wording, of an order whose English one is shown.
    """

    name: str
    forms: tuple[str, ...]
    args: Mapping[str, Argument]
    verbs: tuple[str, ...] = ()
    clauses: tuple[Clause, ...] = ()
    summary: str = ""
    example: str = ""
    cost: str = ""
    free: bool = False
    joint: bool = False
    actors: Argument | None = None
    acting: Callable[[Any], str | None] | None = None
    who: Callable[[Any], bool] | None = None
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    discreet: Callable[[Order], bool] | None = None
    en: Wording | None = None
    also: Wording | None = None

    @property
    def verb(self) -> str:
        """The first word of the first form."""
        return self.forms[0].split()[0]

    @property
    def written(self) -> Written:
        """Every way to write it, with the place of its form, the shown ones first."""
        return wordings(self.forms, self.also.forms if self.also is not None else ())


def order(name: str, *forms: str, **declared: Any) -> OrderForm:
    """Declare an order: forms, then arguments and `OrderForm` fields as keywords.

    Raises ValueError where a form names an argument that isn't declared.
    """
    fields = {k: declared.pop(k) for k in list(declared) if k in OrderForm.__dataclass_fields__}
    made = OrderForm(name=name, forms=forms, args=declared, **fields)
    _check_forms(name, forms, made.args, made.en)
    return made


@dataclass(frozen=True, slots=True)
class TestForm:
    """The declaration of a condition or a trigger: its forms, and what decides.

    test: for a condition `(turn, order, args) -> bool`; for a trigger `(turn, order, args, event) -> bool`.
    en: how it is written in English. also: forms that are understood besides those shown, by their place.
    """

    name: str
    forms: tuple[str, ...]
    args: Mapping[str, Argument]
    test: Callable[..., bool]
    summary: str = ""
    en: Wording | None = None
    also: tuple[str, ...] = ()

    @property
    def written(self) -> Written:
        """Every way to write it, with the place of its form, the shown ones first."""
        return wordings(self.forms, self.also)


def condition(
    name: str,
    *forms: str,
    test: Callable[..., bool],
    summary: str = "",
    en: Wording | None = None,
    **args: Any,
) -> TestForm:
    """Declare a condition; its forms stand between `si` and the colon."""
    _check_forms(name, forms, args, en)
    return TestForm(name, forms, args, test, summary, en)


trigger = condition
"""Declare a trigger; its forms stand where a `Moment` argument is read (`retener hasta que X ataque`)."""


def clause(
    name: str,
    *keys: str,
    forms: tuple[str, ...] = (),
    repeat: bool = False,
    en: Wording | None = None,
    **args: Any,
) -> Clause:
    """Declare a clause of an order."""
    _check_forms(name, forms, args, en)
    return Clause(name, keys or (name,), forms, args, repeat, en)


def _check_forms(name: str, forms: tuple[str, ...], args: Mapping[str, Any], en: Wording | None) -> None:
    _check_arguments(name, forms, args)
    if en is not None:
        check_places(name, forms, en.forms)
        _check_arguments(name, en.forms, args)


def _check_arguments(name: str, forms: tuple[str, ...], args: Mapping[str, Any]) -> None:
    for form in forms:
        for part in form.split("{")[1:]:
            slot = part.split("}")[0].rstrip(",")
            if slot not in args:
                raise ValueError(f"order {name!r}: form {form!r} names {slot!r}, which is not declared")
