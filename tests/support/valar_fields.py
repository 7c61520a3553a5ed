"""Each field of a `valar` state by who may know it; a new one stands nowhere here, so that tests fail."""

from __future__ import annotations

from typing import Any

from rules.valar.state import (
    Balance,
    Clock,
    Factor,
    Foe,
    Grades,
    House,
    Memory,
    Mission,
    Modifier,
    Recipe,
    Rival,
    State,
    Token,
    Wanted,
)

Field = tuple[type[Any], str]


def _fields(classes: dict[type[Any], str]) -> frozenset[Field]:
    return frozenset((owner, name) for owner, names in classes.items() for name in names.split())


PUBLIC = _fields(
    {
        State: "houses recipes clocks balances memories",
        House: "reputation shown article gender plural missions",
        Recipe: "name difficulty steps factors position effect can_fail grades efficacy quality scale",
        Factor: "name size sign",
        Grades: "brings unit",
    }
)
"""What everybody sees, of everything; of tables those entries that one may know of."""

KNOWN = _fields(
    {
        Grades: "clock",
        Clock: "name size marked sign house closed known_to waits",
        Balance: "name size at left_name right_name good known_to closed",
        Memory: "text house size sign hidden known_to",
        Mission: "title goal started resolves tokens supporters known_to succeeded",
    }
)
"""What those see who know of the thing, as far as it is for them."""

HIDDEN = _fields({Clock: "event chain", Balance: "left right"})
"""What the director alone knows until it happens."""

OWN = _fields(
    {
        House: "vassals groups resources tokens modifiers",
        Token: "condition keywords uses improved busy_until delay",
        Modifier: "value since recipe mission",
        Rival: "house title",
        Foe: "house mission",
        Wanted: "major minor improvements",
        Mission: "place recipe against accepted refused prefers options consequences improvements "
        "accepts memories related roleo difficulty position effect factors opposed advantage "
        "band total paid reached grade",
    }
)
"""What its house alone knows (and the director)."""
