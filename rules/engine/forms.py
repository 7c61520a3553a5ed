"""Forms of orders compiled to elements that the matcher walks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from rules.engine.text import fold

OPTIONAL_WORDS = frozenset(
    fold(word)
    for word in (
        "en",
        "a",
        "al",
        "con",
        "de",
        "del",
        "desde",
        "contra",
        "hasta",
        "hacia",
        "in",
        "into",
        "to",
        "at",
        "with",
        "from",
        "on",
        "of",
        "against",
    )
)
"""Argument words that may be left out where nothing becomes ambiguous (design.md 2)."""

ARTICLES = frozenset(("el", "la", "los", "las", "un", "una", "unos", "unas", "the", "an"))
"""Words that never matter in front of a name."""

CONTRACTIONS = {"a": "al", "de": "del"}
"""What Spanish makes of a word in front of the article `el`; players write it where a form has the word."""

SEPARATORS = frozenset((",", ";", "y", "e", "and"))
"""What stands between the things of a list."""

_PART = re.compile(r"\{(\w+)(,?)\}|([\[\]])|([:(),;])|([^\s{}\[\]:(),;]+)")


@dataclass(frozen=True, slots=True)
class Literal:
    """A word of the form (`words`: it and its alternatives, folded), or a mark such as `:`."""

    words: tuple[str, ...]
    shown: str
    droppable: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """An argument; `many` reads a list."""

    name: str
    many: bool


@dataclass(frozen=True, slots=True)
class Maybe:
    """Elements that may be left out together."""

    elements: tuple[Element, ...]


Element = Literal | Slot | Maybe


def _contracted(words: tuple[str, ...]) -> tuple[str, ...]:
    """A word of a form and what it becomes in front of the article `el`: `navegar a Coral`, `al Faro`."""
    return tuple(dict.fromkeys((*words, *(CONTRACTIONS[one] for one in words if one in CONTRACTIONS))))


@lru_cache(maxsize=4096)
def compile_form(form: str) -> tuple[Element, ...]:
    """The elements of a form; `a/b` means either word. Raises ValueError for unbalanced brackets."""
    stack: list[list[Element]] = [[]]
    for slot, many, bracket, mark, word in _PART.findall(form):
        if bracket == "[":
            stack.append([])
        elif bracket == "]":
            if len(stack) == 1:
                raise ValueError(f"form {form!r}: ] without [")
            inner = stack.pop()
            stack[-1].append(Maybe(tuple(inner)))
        elif slot:
            stack[-1].append(Slot(slot, bool(many)))
        elif mark:
            stack[-1].append(Literal((mark,), mark, droppable=False))
        else:
            words = _contracted(tuple(fold(one) for one in word.split("/")))
            droppable = all(one in OPTIONAL_WORDS for one in words)
            stack[-1].append(Literal(words, word.split("/")[0], droppable))
    if len(stack) != 1:
        raise ValueError(f"form {form!r}: [ without ]")
    return tuple(stack[0])
