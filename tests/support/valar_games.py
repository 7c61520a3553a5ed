"""Small random games of `valar`: states, what of them a house can't see, orders of houses and director."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from parsers.files.toml_text import write_toml
from rules.valar import RULESET
from rules.valar.bands import Band, Difficulty, Effect, Position
from rules.valar.options import Options
from rules.valar.state import (
    Balance,
    Clock,
    Condition,
    Factor,
    Grades,
    House,
    Memory,
    Mission,
    Modifier,
    Recipe,
    Rival,
    Side,
    Size,
    State,
    Token,
    Wanted,
    slug_of,
)

HOUSES = ("Aldana", "Brezo", "Cardo")
OPTIONS = Options()
NUMBER = 3
"""The turn that is played."""

TITLES = ("El vado", "La torre", "Contar sacos", "El puente viejo", "La feria")
RECIPES = {
    "paso": Recipe("Paso", steps=2, factors=(Factor("río"),)),
    "larga": Recipe("Larga", steps=4, difficulty=Difficulty.HARD, grades=Grades(unit="sectores")),
    "duelo": Recipe("Duelo", effect=Effect.GREAT, can_fail=False, quality=("acero",)),
}


def chance(seed: int) -> Random:
    """What a random game is made with; hypothesis shows the seed of a game that fails."""
    return Random(seed)  # noqa: S311 - makes games for tests, no secrets


def make_state(random: Random) -> State:
    """Three houses with all that they may hold, clocks, balances and memories that some know of."""
    state = State({key: House(random.randint(-2, 4)) for key in HOUSES}, dict(RECIPES))
    for key in HOUSES:
        fill_house(random, state, key)
    for n in range(random.randint(2, 4)):
        state.clocks[f"reloj-{n}"] = make_clock(random, f"Reloj {n}", random.choice(KNOWING))
    for n in range(random.randint(1, 2)):
        state.balances[f"balanza-{n}"] = make_balance(random, f"Balanza {n}", random.choice(KNOWING))
    for key in HOUSES:
        for n in range(random.randint(0, 2)):
            state.memories[f"recuerdo-{key.lower()}-{n}"] = make_memory(random, key)
    for key in HOUSES:
        for _ in range(random.randint(0, 2)):
            begin_mission(random, state, key)
    return state


KNOWING: tuple[tuple[str, ...], ...] = ((), (), ("public",), ("Aldana",), ("Brezo", "Cardo"))


def fill_house(random: Random, state: State, key: str) -> None:
    """Vassals, groups, resources, tokens and modifiers of a house, in the place of those it has."""
    house = state.houses[key]
    house.vassals = {f"Vasallo {n}": random.randint(-3, 3) for n in range(random.randint(0, 3))}
    house.groups = {"ribera": tuple(house.vassals)} if house.vassals and random.random() < 0.5 else {}
    house.resources = {"oro": random.randint(0, 90)} if random.random() < 0.5 else {}
    house.tokens = {f"Token {key[0]}{n}": make_token(random) for n in range(1, random.randint(3, 6))}
    house.modifiers = tuple(
        Modifier(random.choice((1, -1, -3)), 1, *random.choice((("paso", None), (None, "el-vado"))))
        for _ in range(random.randint(0, 1))
    )


def make_token(random: Random) -> Token:
    """A token in any condition."""
    condition = random.choice((*Condition, Condition.RESTED))
    uses = random.choice((None, None, 1, 3))
    return Token(condition, random.choice(((), ("acero",))), uses, random.random() < 0.3)


def make_clock(random: Random, name: str, known: tuple[str, ...], house: str | None = None) -> Clock:
    """A clock that won't be full so soon; what happens then is written."""
    event = random.choice(("cae la muralla", "llega la flota"))
    return Clock(name, 12, random.randint(0, 4), random.choice((-1, 0, 1)), house, event, known_to=known)


def make_balance(random: Random, name: str, known: tuple[str, ...]) -> Balance:
    """A balance near its middle."""
    left, right = random.sample(("gana el rey", "gana la reina", "no gana nadie"), 2)
    good = {key: random.choice(tuple(Side)) for key in HOUSES if random.random() < 0.5}
    return Balance(name, 12, random.randint(-3, 3), left, right, "El rey", "La reina", good, known)


def make_memory(random: Random, house: str) -> Memory:
    """A memory of a house, hidden from it or known to some."""
    known = tuple(key for key in HOUSES if key != house and random.random() < 0.3)
    size, sign = random.choice(tuple(Size)), random.choice((1, -1))
    return Memory(random.choice(TITLES), house, size, sign, random.random() < 0.2, known)


def begin_mission(random: Random, state: State, key: str) -> None:
    """A mission of free tokens that ends in this turn or later."""
    house, title = state.houses[key], random.choice(TITLES)
    free = [name for name, one in house.tokens.items() if one.here and one.busy_until is None]
    if not free or slug_of(title) in house.missions:
        return
    ends = NUMBER + random.choice((0, 0, 1, 3))
    one = Mission(title, started=1, resolves=ends, place=len(house.missions) + 1, tokens=(free[0],))
    one.known_to = tuple(other for other in HOUSES if other != key and random.random() < 0.2)
    house.missions[slug_of(title)] = one
    house.tokens[free[0]].busy_until = ends
    decide(random, state, key, one)


def decide(random: Random, state: State, key: str, one: Mission) -> None:
    """Give a mission other values in all that its house alone knows."""
    one.recipe = random.choice((None, *RECIPES))
    one.prefers = random.choice((None, Wanted(minor=1, improvements=1)))
    one.options = {Band.SLIGHT_SUCCESS.value: Wanted(minor=3)} if random.random() < 0.3 else {}
    one.consequences = random.choice(((), ("secretos",), ("herida",)))
    one.improvements = random.choice(((), ("mejorado",)))
    one.related = random.choice((None, "la-torre"))
    one.roleo, one.accepts = random.randint(0, 1), random.random() < 0.3
    one.difficulty = random.choice((None, *Difficulty))
    one.position, one.effect = random.choice((None, *Position)), random.choice((None, *Effect))
    one.factors = random.choice(((), (Factor("luna", Size.MAJOR, -1),)))
    one.place = random.randint(1, 9)
    one.advantage = ()
    others = [other for other in HOUSES if other != key]
    one.against = (Rival(random.choice(others), "La nada"),) if random.random() < 0.3 else ()
    own = [name for name, memory in state.memories.items() if memory.house == key and not memory.hidden]
    one.memories = tuple(own[:1]) if random.random() < 0.5 else ()


# what a house can't see


def change_secrets(random: Random, state: State, seat: str) -> None:
    """Give everything that isn't for a seat other values where it can."""
    known = {house: dict(_known(state, house, seat)) for house in HOUSES}
    for key in (one for one in HOUSES if one != seat):
        fill_house(random, state, key)
        state.houses[key].missions = dict(known[key])
    _change_memories(random, state, seat)
    _change_clocks(random, state, seat)
    for key in (one for one in HOUSES if one != seat):
        for mission in known[key].values():
            _rewrite_known(random, state, key, mission, seat)
        begin_mission(random, state, key)
        _hide_from(state, key, seat, known[key])


def _known(state: State, house: str, seat: str) -> Iterator[tuple[str, Mission]]:
    for slug, one in state.houses[house].missions.items():
        if seat in one.known_to or seat in one.supporters:
            yield slug, one


def _rewrite_known(random: Random, state: State, key: str, one: Mission, seat: str) -> None:
    """Of a mission that one only knows of neither the tokens nor how it is resolved are known."""
    decide(random, state, key, one)
    here = [name for name, token in state.houses[key].tokens.items() if token.here]
    one.tokens = tuple(here[:1])
    one.known_to = (seat, *(other for other in HOUSES if other not in (seat, key) and random.random() < 0.3))


def _hide_from(state: State, key: str, seat: str, known: dict[str, Mission]) -> None:
    for slug, one in state.houses[key].missions.items():
        if slug not in known:
            one.known_to = tuple(other for other in one.known_to if other != seat)


def _change_memories(random: Random, state: State, seat: str) -> None:
    """Memories that a seat knows of stay, save for who else does; others go, and new ones come."""
    seen = RULESET.view(state, seat, OPTIONS).memories
    for key in [one for one in state.memories if one not in seen]:
        del state.memories[key]
    for one in state.memories.values():
        if one.house != seat:
            others = (other for other in HOUSES if other not in (seat, one.house) and random.random() < 0.5)
            known = tuple(other for other in one.known_to if other in (seat, "public"))
            one.known_to = (*known, *others)
    for n in range(random.randint(0, 2)):
        made = make_memory(random, random.choice([one for one in HOUSES if one != seat]))
        made.known_to = tuple(other for other in made.known_to if other != seat)
        state.memories[f"otro-{n}"] = made


def _change_clocks(random: Random, state: State, seat: str) -> None:
    """What fills a clock and who else knows of it is hidden; of others nothing is known."""
    seen = RULESET.view(state, seat, OPTIONS)
    for table, there in ((state.clocks, seen.clocks), (state.balances, seen.balances)):
        hidden: dict[str, Any] = table
        for key in [one for one in hidden if one not in there]:
            del hidden[key]
        for one in hidden.values():
            others = [other for other in HOUSES if other != seat and random.random() < 0.5]
            one.known_to = (*(key for key in one.known_to if key in (seat, "public")), *others)
    for clock in state.clocks.values():
        clock.event = random.choice(("cae la muralla", "llega la flota", "nieva"))
    for balance in state.balances.values():
        balance.left, balance.right = random.sample(("gana el rey", "gana la reina", "nadie"), 2)
        balance.good = {key: one for key, one in balance.good.items() if key == seat}
    state.clocks["trama"] = make_clock(random, "La trama", random.choice(((), _another(random, seat))))
    if random.random() < 0.5:
        first = next(iter(state.clocks))
        state.clocks[first].chain = "cadena"
        state.clocks["cadena"] = Clock("La cadena", 4, event="nieva", waits=True, known_to=("public",))
    state.balances["pulso"] = make_balance(random, "El pulso", random.choice(((), _another(random, seat))))


def _another(random: Random, seat: str) -> tuple[str, ...]:
    return (random.choice([one for one in HOUSES if one != seat]),)


# orders


def write_block(random: Random, state: State, seat: str, lines: int = 3) -> str:
    """Orders that are mostly sensible for a house."""
    return "\n".join(_line(random, state, seat) for _ in range(lines))


def write_quiet(random: Random, state: State, seat: str) -> str:
    """Orders of which nobody but their house learns anything in this turn."""
    return "\n".join(_mission(random, state, seat, "larga") for _ in range(2))


def _mission(random: Random, state: State, seat: str, recipe: str | None) -> str:
    title = f"{random.choice(TITLES)} {random.randint(1, 99)}"
    token = random.choice([*state.houses[seat].tokens, "Nadie"])
    lines = [f'misión "{title}": {token}', *((f"  receta: {recipe}",) if recipe else ())]
    wishes = ("  secreta", "  acepto éxito con consecuencia", "  prefiero: mejora y consecuencia menor")
    return "\n".join((*lines, *random.sample(wishes, random.randint(0, 2))))


def _line(random: Random, state: State, seat: str) -> str:
    other = random.choice([one for one in HOUSES if one != seat])
    title, token = random.choice(TITLES), random.choice([*state.houses[seat].tokens])
    memory = random.choice([*(one.text for one in state.memories.values()), "Nada"])
    return random.choice(
        (
            _mission(random, state, seat, random.choice((None, *RECIPES))),
            f"{_mission(random, state, seat, None)}\n  conocida por: casa {other}",
            f'apoyar "{title}" de {other} con {token}',
            f'retirar {token} de "{title}"',
            f'abandonar "{title}"',
            f"rechazar apoyo de {other}",
            f'contar recuerdo "{memory}" a casa {other}',
        )
    )


def write_direction(random: Random, state: State, seat: str) -> str:
    """An override file: orders of the director about what a seat can't see."""
    other = random.choice([one for one in HOUSES if one != seat])
    seen = RULESET.view(state, seat, OPTIONS)
    written = [
        'crear reloj "Conjura" de 6',
        f'crear reloj "Asedio" de 4\nconocido por: {other}',
        'tirada de fortuna "¿Hay traición?" factores +1',
        f'tirada de fortuna "¿Llueve?" para {other}',
        f'crear recuerdo "Rencor" mayor malo para {other}',
        'crear balanza "Corte" de 8\nderecha: la reina cede',
        *(f'marcar reloj "{one.name}" 1' for key, one in state.clocks.items() if key not in seen.clocks),
    ]
    for key in (one for one in HOUSES if one != seat):
        for slug, one in state.houses[key].missions.items():
            if slug not in seen.houses[key].missions:
                written.append(f'factor +3 en "{one.title}" de {key} por "Luna"')
                written.append(f'posición desesperada en "{one.title}" de {key}')
    running = [one for one in written if '"La cadena"' not in one]
    chosen = random.sample(running, random.randint(0, 4))
    entries = ({"add": "director", "order": one, "reason": f"motivo {n}"} for n, one in enumerate(chosen))
    return "\n".join("[[override]]\n" + write_toml(one) for one in entries)
