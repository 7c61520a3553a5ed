"""Arguments of the orders of `valar`: what may stand in them, and the words for it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rules.engine.arguments import AnyOf, Argument, Choice, Count, Expecting, Pick, Title, Words, sub
from rules.engine.messages import Code, Message, Quoted, msg
from rules.engine.orders import Value
from rules.valar.bands import Band, Difficulty, Effect, Position
from rules.valar.entries import CATALOGUES, EntryKind
from rules.valar.opposing import Aspect
from rules.valar.state import Side, Size

if TYPE_CHECKING:
    from rules.engine.matcher import Reader
    from rules.engine.plan import Plan
    from rules.valar.plan import ValarPlan


def _tokens(plan: ValarPlan) -> dict[str, tuple[str, ...]]:
    return {key: (key,) for key in plan.tokens}


def _houses(plan: ValarPlan) -> dict[str, tuple[str, ...]]:
    return {key: (one.shown, key) if one.shown else (key,) for key, one in plan.state.houses.items()}


def _others(plan: ValarPlan) -> dict[str, tuple[str, ...]]:
    return {key: names for key, names in _houses(plan).items() if key != plan.seat}


def _recipes(plan: ValarPlan) -> dict[str, tuple[str, ...]]:
    return {key: (key, one.name) for key, one in plan.state.recipes.items()}


def _memories(plan: ValarPlan) -> dict[str, tuple[str, ...]]:
    return {key: (one.text, key) for key, one in plan.state.memories.items()}


def _clocks(plan: ValarPlan) -> dict[str, tuple[str, ...]]:
    known = {key: (one.name, key) for key, one in plan.state.clocks.items()}
    return known | plan.made_by("make-clock")


def _balances(plan: ValarPlan) -> dict[str, tuple[str, ...]]:
    known = {key: (one.name, key) for key, one in plan.state.balances.items()}
    return known | plan.made_by("make-balance")


def _not_your_token(plan: ValarPlan, word: str) -> Message:
    own = tuple(Code(key) for key in sorted(plan.tokens))
    return msg("valar/not-your-token", token=Code(word), own=own)


def _no_such_recipe(plan: ValarPlan, word: str) -> Message:
    known = tuple(Code(key) for key in sorted(plan.state.recipes))
    return msg("valar/no-such-recipe", recipe=Code(word), known=known)


def _no_such_memory(plan: ValarPlan, word: str) -> Message:
    known = tuple(Quoted(one.text) for _, one in sorted(plan.state.memories.items()))
    return msg("valar/no-such-memory", memory=Code(word), known=known)


TITLE = Title("valar/a-title")
TEXT = Words()
TOKEN = Pick(_tokens, "valar/a-token", ids=False, otherwise=_not_your_token, fixed=True)
HOUSE = Pick(_others, "valar/a-house", ids=False, nouns=("casa",), en=("house",), fixed=True)
ANY_HOUSE = Pick(_houses, "valar/a-house", ids=False, nouns=("casa",), en=("house",), fixed=True)
RECIPE = Pick(_recipes, "valar/a-recipe", ids=False, otherwise=_no_such_recipe, fixed=True)
MEMORY = Pick(_memories, "valar/a-memory", ids=False, otherwise=_no_such_memory, fixed=True)
CLOCK = Pick(_clocks, "valar/a-clock", ids=False, nouns=("reloj",), en=("clock",))
BALANCE = Pick(_balances, "valar/a-balance", ids=False, nouns=("balanza",), en=("balance",))
RIVAL = sub(
    "valar/a-rival",
    "{house}: {title}",
    "{house} {title}",
    "{house}",
    en=("{house}: {title}", "{house} {title}", "{house}"),
    house=HOUSE,
    title=TITLE,
)
MISSION = sub(
    "valar/a-mission",
    "{title} de {house}",
    "{title}",
    en=("{title} of {house}", "{title}"),
    title=TITLE,
    house=ANY_HOUSE,
)
"""A mission named by the director; without a house only where its title is nobody else's."""

BAND = Choice(
    {
        Band.GREAT_FAILURE: ("fracaso mayor",),
        Band.FAILURE: ("fracaso menor",),
        Band.SLIGHT_SUCCESS: ("éxito menor",),
        Band.SUCCESS: ("éxito simple", "éxito"),
        Band.GREAT_SUCCESS: ("éxito superior",),
    },
    "valar/a-band",
    en={
        Band.GREAT_FAILURE: ("great failure",),
        Band.FAILURE: ("minor failure",),
        Band.SLIGHT_SUCCESS: ("minor success",),
        Band.SUCCESS: ("plain success", "success"),
        Band.GREAT_SUCCESS: ("great success",),
    },
)
GOOD = Choice(
    {
        "improvements": ("mejora", "mejoras"),
        "minor": ("consecuencia menor", "consecuencias menores", "menor", "menores"),
        "major": ("consecuencia mayor", "consecuencias mayores", "mayor", "mayores"),
        "nothing": ("nada",),
    },
    "valar/a-share",
    en={
        "improvements": ("improvement", "improvements"),
        "minor": ("minor consequence", "minor consequences", "minor"),
        "major": ("major consequence", "major consequences", "major"),
        "nothing": ("nothing",),
    },
)
SHARE = sub(
    "valar/a-share",
    "{n} {good}",
    "{good}",
    en=("{n} {good}", "{good}"),
    n=Count(1, 9),
    good=GOOD,
)
DIFFICULTY = Choice(
    {one: (one.value,) for one in Difficulty},
    "valar/a-difficulty",
    en=dict(zip(Difficulty, (("easy",), ("normal",), ("hard",), ("impossible",)), strict=True)),
)
POSITION = Choice(
    {one: (one.value,) for one in Position},
    "valar/a-position",
    en=dict(zip(Position, (("controlled",), ("risky",), ("desperate",)), strict=True)),
)
EFFECT = Choice(
    {one: (one.value,) for one in Effect},
    "valar/an-effect",
    en=dict(zip(Effect, (("great",), ("plain",), ("slight",)), strict=True)),
)
SIZE = Choice(
    {one: (one.value,) for one in Size},
    "valar/a-size",
    en=dict(zip(Size, (("minor",), ("major",)), strict=True)),
)
SIGN = Choice(
    {"1": ("bueno", "buena", "positivo", "positiva"), "-1": ("malo", "mala", "negativo", "negativa")},
    "valar/a-sign",
    en={"1": ("good", "positive"), "-1": ("bad", "negative")},
)
SIDE = Choice(
    {one: (one.value,) for one in Side},
    "valar/a-side",
    en=dict(zip(Side, (("left",), ("right",)), strict=True)),
)
ASPECT = Choice(
    {Aspect.EFFICACY: ("eficacia",), Aspect.QUALITY: ("calidad",), Aspect.SCALE: ("escala",)},
    "valar/an-aspect",
    en={one: (one.value,) for one in Aspect},
)
STEPS = Count(1, 99, "valar/some-steps")
SECTIONS = Count(1, 12, "valar/some-sections")


def _entries(*kinds: EntryKind) -> Choice:
    words: dict[str, tuple[str, ...]] = {}
    english: dict[str, tuple[str, ...]] = {}
    for kind in kinds:
        for key, one in CATALOGUES[kind].items():
            words[key] = tuple(dict.fromkeys((*words.get(key, ()), *one.said, key)))
            english[key] = tuple(dict.fromkeys((*english.get(key, ()), *one.en)))
    return Choice(words, "valar/an-entry", en=english)


CONSEQUENCE = _entries(EntryKind.MAJOR, EntryKind.MINOR)
IMPROVEMENT = _entries(EntryKind.IMPROVEMENT)
ENTRY = AnyOf(
    {
        EntryKind.MAJOR: sub(
            "valar/an-entry", "mayor {entry}", en=("major {entry}",), entry=_entries(EntryKind.MAJOR)
        ),
        EntryKind.MINOR: sub(
            "valar/an-entry", "menor {entry}", en=("minor {entry}",), entry=_entries(EntryKind.MINOR)
        ),
        EntryKind.IMPROVEMENT: sub(
            "valar/an-entry", "mejora {entry}", en=("improvement {entry}",), entry=IMPROVEMENT
        ),
    },
    "valar/an-entry",
)


@dataclass(frozen=True, eq=False)
class Modifiers(Expecting):
    """Modifiers with their signs, one behind the other (`+1 −3 +3`); the value is a tuple of numbers.

    allowed: the values that one of them may have; most: how many.
    """

    what: str = "valar/some-factors"
    allowed: tuple[int, ...] = (1, 3, -1, -3)
    most: int = 12

    def read(self, reader: Reader, at: int) -> Iterator[tuple[int, Value]]:
        """A sign and a number, as often as they follow each other, with or without commas."""
        values: list[int] = []
        end = at
        while (found := self._one(reader, end)) is not None and len(values) < self.most:
            value, end = found
            values.append(value)
        if values:
            yield end, tuple(values)
        else:
            reader.trail.fail(at, at + 1, self.expected)

    def _one(self, reader: Reader, at: int) -> tuple[int, int] | None:
        token = reader.token(at)
        if token is not None and token.folded in (",", "y", "and"):
            at += 1
            token = reader.token(at)
        sign, number = reader.token(at), reader.token(at + 1)
        if sign is None or number is None or number.kind != "number" or sign.folded not in ("+", "-"):
            return None
        value = int(number.folded[:3]) * (1 if sign.folded == "+" else -1)
        return (value, at + 2) if value in self.allowed else None

    def show(self, value: Value, plan: Plan[Any]) -> str:
        """With their signs, apart from each other."""
        return " ".join(f"{one:+d}" for one in value)


FACTORS = Modifiers()
FACTOR = Modifiers("valar/a-factor", most=1)

Arguments = Mapping[str, Argument]
