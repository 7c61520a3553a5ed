"""The state of a game of `valar`: houses with tokens and missions, recipes, clocks, balances, memories.

Dicts by id; None and defaults are omitted when dumped, so a dumped state is a valid setup.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum

from rules.engine.folding import fold
from rules.engine.messages import Name
from rules.valar.bands import Band, Difficulty, Effect, Position
from rules.valar.opposing import Aspect, Goal

EVERYBODY_KNOWS = "public"
"""In a `known_to`: everybody."""


class Condition(StrEnum):
    """How a token fares; each level of damage is one step (valar.md, *State*)."""

    RESTED = "ileso"
    TIRED = "agotado"
    HURT = "dañado"
    LOST = "perdido"


CONDITIONS = tuple(Condition)
"""From whole to lost."""


class Size(StrEnum):
    """Of a factor, a memory, a consequence (004: Factores)."""

    MINOR = "menor"
    MAJOR = "mayor"


WORTH = {Size.MINOR: 1, Size.MAJOR: 3}
"""What a factor counts (004: "±1 para factores menores y de ±3 para factores mayores")."""


SIZES = (4, 6, 8, 12)
"""Sections that a clock may have (004: "4, 6, 8 o 12")."""


class Side(StrEnum):
    """An end of a balance."""

    LEFT = "izquierda"
    RIGHT = "derecha"


@dataclass(slots=True)
class Factor:
    """A modifier of a roll. sign: 1 or −1."""

    name: str
    size: Size = Size.MINOR
    sign: int = 1

    @property
    def value(self) -> int:
        """±1 or ±3."""
        return self.sign * WORTH[self.size]


@dataclass(slots=True)
class Token:
    """A character or a troop.

    uses: of the rule `Usos (n)`, None without it. improved: `mejorado`.
    busy_until: the last turn in which it is busy, None while it is free. delay: how many turns of that are
    delay (`retrasado`).
    """

    condition: Condition = Condition.RESTED
    keywords: tuple[str, ...] = ()
    uses: int | None = None
    improved: bool = False
    busy_until: int | None = None
    delay: int = 0

    @property
    def here(self) -> bool:
        """Whether it isn't lost."""
        return self.condition is not Condition.LOST

    def is_busy(self, turn: int) -> bool:
        """Whether it can't be sent in a turn, since it is busy in that or later."""
        return self.busy_until is not None and self.busy_until >= turn


@dataclass(slots=True)
class Grades:
    """A table of success: what each grade from 1 to 5 brings (004: Grados de éxito).

    brings: five texts. unit: without them grade g brings g of these (`usos`, `sectores`).
    clock: id of the clock that a success marks by as many sections as its grade, None for none.
    """

    brings: tuple[str, ...] = ()
    unit: str = "usos"
    clock: str | None = None


@dataclass(slots=True)
class Recipe:
    """How a kind of mission is resolved (valar.md, *State*).

    steps: turns that it takes. can_fail: whether a failing band fails. grades: None: it has none.
    efficacy, quality, scale: keywords of tokens that count for that advantage in opposed missions.
    """

    name: str
    difficulty: Difficulty = Difficulty.NORMAL
    steps: int = 1
    factors: tuple[Factor, ...] = ()
    position: Position = Position.RISKY
    effect: Effect = Effect.PLAIN
    can_fail: bool = True
    grades: Grades | None = None
    efficacy: tuple[str, ...] = ()
    quality: tuple[str, ...] = ()
    scale: tuple[str, ...] = ()


@dataclass(slots=True)
class Rival:
    """Whom a mission is against: a house, and perhaps the title of its mission."""

    house: str
    title: str = ""


@dataclass(slots=True)
class Foe:
    """A mission that another is opposed to."""

    house: str
    mission: str


@dataclass(slots=True)
class Wanted:
    """An option of a band that its player would take: numbers of C, c and m."""

    major: int = 0
    minor: int = 0
    improvements: int = 0


@dataclass(slots=True)
class Mission:
    """A mission under way.

    tokens: of its house. supporters: by house, their tokens. started: turn in which it was ordered.
    place: its place among the missions of that turn, by which entries apply.
    resolves: turn at whose end it is rolled. roleo: 0 or 1.
    known_to: other houses that know of it. refused: houses whose support its owner doesn't want; accepted:
    those whose it wants.
    prefers: the option wanted in any band; options: by band. consequences, improvements: entries wanted, best
    first. accepts: whether a success with a further consequence would be taken. memories: ids claimed.
    related: the mission that `misión relacionada` means, by its slug.
    difficulty, position, effect, factors: the director's changes; None: as the recipe says.
    opposed: missions that it is opposed to, known to the director. advantage: aspects that the director has
    given it.
    band, total: as rolled, None: still to be rolled. paid: whether it succeeds though its band fails.
    reached: what became of its goal against its rivals. succeeded: takes effect at the end of `resolves`;
    grade: its grade then.
    """

    title: str
    started: int = 0
    resolves: int = 0
    place: int = 0
    recipe: str | None = None
    tokens: tuple[str, ...] = ()
    supporters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    goal: str = ""
    against: tuple[Rival, ...] = ()
    known_to: tuple[str, ...] = ()
    accepted: tuple[str, ...] = ()
    refused: tuple[str, ...] = ()
    prefers: Wanted | None = None
    options: dict[str, Wanted] = field(default_factory=dict)
    consequences: tuple[str, ...] = ()
    improvements: tuple[str, ...] = ()
    accepts: bool = False
    memories: tuple[str, ...] = ()
    related: str | None = None
    roleo: int = 0
    difficulty: Difficulty | None = None
    position: Position | None = None
    effect: Effect | None = None
    factors: tuple[Factor, ...] = ()
    opposed: tuple[Foe, ...] = ()
    advantage: tuple[Aspect, ...] = ()
    band: Band | None = None
    total: int | None = None
    paid: bool = False
    reached: Goal | None = None
    succeeded: bool = False
    grade: int | None = None


@dataclass(slots=True)
class Modifier:
    """What `misión relacionada` left for the first later roll of a recipe, or of one mission by its slug.

    since: the turn in which it came up; it never counts for one rolled in that turn.
    """

    value: int
    since: int
    recipe: str | None = None
    mission: str | None = None


@dataclass(slots=True)
class House:
    """A house. vassals: disposition by name. groups: names of vassals that change together.

    resources: whatever the director counts. shown, article, gender, plural: its name in texts.
    """

    reputation: int = 0
    vassals: dict[str, int] = field(default_factory=dict)
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict)
    resources: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    missions: dict[str, Mission] = field(default_factory=dict)
    modifiers: tuple[Modifier, ...] = ()
    shown: str = ""
    article: str = ""
    gender: str = ""
    plural: bool = False


@dataclass(slots=True)
class Memory:
    """A recuerdo: a factor for later missions. sign: 1 or −1.

    house: whose it is, and who knows of it unless it is `hidden` (the director's alone). known_to: others.
    """

    text: str
    house: str
    size: Size = Size.MINOR
    sign: int = 1
    hidden: bool = False
    known_to: tuple[str, ...] = ()

    @property
    def value(self) -> int:
        """±1 or ±3."""
        return self.sign * WORTH[self.size]


@dataclass(slots=True)
class Clock:
    """A reloj. size: 4, 6, 8 or 12 sections. sign: 1 good, −1 bad, 0 neither.

    house: whose consequences move it, None: everybody's who knows of it. event: what happens when it is
    full, "" : nobody has said. chain: id of the clock that starts at 0 then; `waits`: not running before.
    known_to: houses, or "public".
    """

    name: str
    size: int
    marked: int = 0
    sign: int = -1
    house: str | None = None
    event: str = ""
    chain: str | None = None
    waits: bool = False
    known_to: tuple[str, ...] = ()
    closed: bool = False

    @property
    def running(self) -> bool:
        """Whether it can be marked."""
        return not (self.closed or self.waits) and self.marked < self.size


@dataclass(slots=True)
class Balance:
    """A balanza: a clock with two sides, from −size (left) to +size (right).

    left, right: what happens at that end, "" : nobody has said. left_name, right_name: what the sides are
    called. good: the side that is good for a house, of houses that the director has named.
    """

    name: str
    size: int
    at: int = 0
    left: str = ""
    right: str = ""
    left_name: str = ""
    right_name: str = ""
    good: dict[str, Side] = field(default_factory=dict)
    known_to: tuple[str, ...] = ()
    closed: bool = False


@dataclass(slots=True)
class State:
    """Everything that `setup.toml` says."""

    houses: dict[str, House]
    recipes: dict[str, Recipe] = field(default_factory=dict)
    clocks: dict[str, Clock] = field(default_factory=dict)
    balances: dict[str, Balance] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)


def slug_of(title: str) -> str:
    """The id that a title makes: its letters and digits, folded and joined by `-`; "" where it has none."""
    return re.sub(r"[\W_]+", "-", fold(title)).strip("-")


def name_of(state: State, house: str) -> Name:
    """A house's name for texts; without words of its own, its id."""
    one = state.houses[house]
    return Name(one.shown or house, one.gender, one.plural, one.article)


def recipe_of(state: State, mission: Mission) -> Recipe:
    """The recipe of a mission; without one it is normal, risky, of simple effect and one step."""
    found = state.recipes.get(mission.recipe) if mission.recipe is not None else None
    return found if found is not None else Recipe("")


def stance_of(state: State, mission: Mission) -> tuple[Position, Effect]:
    """Position and effect of a mission: the director's, else its recipe's."""
    recipe = recipe_of(state, mission)
    return mission.position or recipe.position, mission.effect or recipe.effect


def knows(known_to: tuple[str, ...], viewer: str) -> bool:
    """Whether a list of houses, or "public", has the viewer."""
    return EVERYBODY_KNOWS in known_to or viewer in known_to


def all_missions(state: State) -> Iterator[tuple[str, str, Mission]]:
    """House, slug and mission of all that are under way, in the order they were ordered."""
    every = ((key, slug, one) for key, house in state.houses.items() for slug, one in house.missions.items())
    return iter(sorted(every, key=lambda one: (one[2].started, one[2].place, one[0], one[1])))


def open_missions(state: State) -> tuple[tuple[str, str, Mission], ...]:
    """Those that are still to be rolled, in the same order."""
    return tuple(one for one in all_missions(state) if one[2].band is None)


def is_elsewhere(state: State, token: tuple[str, str], mission: Mission, turn: int) -> bool:
    """Whether a token (house, name) is out on another mission than this one.

    One that waits for its rivals has let its tokens go, and still names them.
    """
    return any(
        one is not mission and (one.band is None or one.resolves > turn) and token in tokens_in(one, owner)
        for owner, _, one in all_missions(state)
    )


def tokens_in(mission: Mission, owner: str) -> tuple[tuple[str, str], ...]:
    """House and name of each token that takes part, the owner's first."""
    own = tuple((owner, name) for name in mission.tokens)
    return (
        *own,
        *((house, name) for house in sorted(mission.supporters) for name in mission.supporters[house]),
    )
