"""How a declaration is written in another language than Spanish, the language that all are written in.

    order("move", "mover {army} a {path,}", en=english("move {army} to {path,}", example="move E1 to CM-5"))

Forms of a declaration correspond by their place: the first English one means what the first Spanish one
does. In a game in English its wording is the one that is shown, and the Spanish one is understood too
(design.md 2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Language = str
"""`es` or `en`."""

NATIVE: Language = "es"
"""The language of the declarations themselves; its words are understood in every game."""

ANY_NOUN = ("a",)
"""The English article that is no article in Spanish lines (`mover E1 a CM-5`)."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Words of an order, a clause or a test in one language.

    forms: as many as the declaration has. verbs: other verbs for the same. keys: of a clause.
    marks: mark name -> words in parentheses. example: a line that parses in the example game.
    """

    forms: tuple[str, ...] = ()
    verbs: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    marks: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    example: str = ""


def english(
    *forms: str,
    verbs: tuple[str, ...] = (),
    keys: tuple[str, ...] = (),
    marks: Mapping[str, tuple[str, ...]] | None = None,
    example: str = "",
) -> Wording:
    """Declare the English wording of an order, a clause or a test."""
    return Wording(forms, verbs, keys, marks or {}, example)


Written = tuple[tuple[int, str, bool], ...]
"""Ways to write something: the place of the form, the form, and whether it is one that is shown."""


def wordings(forms: tuple[str, ...], also: tuple[str, ...]) -> Written:
    """Every way to write something: the forms that are shown, then those also understood."""
    shown = ((number, form, True) for number, form in enumerate(forms))
    return (*shown, *((number, form, False) for number, form in enumerate(also)))


def check_places(name: str, forms: tuple[str, ...], other: tuple[str, ...]) -> None:
    """Raise ValueError where the forms of two languages can't correspond by their place."""
    if len(forms) != len(other):
        raise ValueError(f"{name!r}: {len(forms)} forms, but {len(other)} in English")
