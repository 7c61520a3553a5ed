"""The state of a game: its islands, its crews, and where the chest lies."""

from __future__ import annotations

from dataclasses import dataclass, field

from rules.engine.messages import Name


@dataclass(slots=True)
class Island:
    """An island. beside: ids of neighbours; it is enough to name each pair on one of its sides."""

    name: str
    beside: tuple[str, ...] = ()


@dataclass(slots=True)
class Crew:
    """A crew. at: its island. food: days of it. searched: islands of which it knows that they are empty.

    article: in front of its name, "" for none.
    """

    at: str
    food: int = 0
    searched: tuple[str, ...] = ()
    article: str = ""


@dataclass(slots=True)
class State:
    """Everything. treasure: the island of the chest, None where the viewer can't know.

    finders: who has found it; several where they dug in the same turn.
    """

    islands: dict[str, Island]
    crews: dict[str, Crew]
    treasure: str | None = None
    finders: tuple[str, ...] = field(default=())


def name_of(state: State, crew: str) -> Name:
    """A crew's name as texts need it; ships are feminine."""
    return Name(crew, "f", article=state.crews[crew].article)


def neighbours(state: State, island: str) -> tuple[str, ...]:
    """Ids of the islands that lie beside one, sorted."""
    islands = state.islands
    return tuple(
        sorted(key for key, one in islands.items() if key in islands[island].beside or island in one.beside)
    )
