"""Finding things by the names that players write: ids whole, names in full or shortened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rules.engine.forms import ARTICLES
from rules.engine.text import Token, fold, tokenize

LONGEST_NAME = 8
"""Words of a name that are looked at."""

SHORTEST_CUT = 3
"""Letters that a shortened word must keep."""

SAME = {"of": "de"}
"""English words that say in a name what the Spanish one does ("cell 33 of Corvus Majoris")."""

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """What stands at a place. ids: none, one, or several (ambiguous), sorted. end: token index behind it."""

    ids: tuple[str, ...]
    end: int


class NameIndex:
    """Names of things by folded words, with look-up of shortened names.

    Exact names win over shortened ones, longer ones over shorter. `nouns` are words that may stand
    in front of a name and say nothing ("ejército E3").
    """

    def __init__(self, names: Mapping[str, tuple[str, ...]], *, ids: bool, nouns: tuple[str, ...]) -> None:
        self._names = names
        self._with_ids = ids
        self._exact: dict[Key, set[str]] = {}
        self._by_start: dict[str, set[tuple[Key, str]]] = {}
        self._nouns = frozenset(fold(noun) for noun in nouns)
        for key, words in names.items():
            self._add(key, words)

    def _add(self, key: str, names: tuple[str, ...]) -> None:
        if self._with_ids:
            self._exact.setdefault((fold(key),), set()).add(key)
        for name in names:
            words = _words_of(name)
            if not words:
                continue
            self._exact.setdefault(words, set()).add(key)
            self._by_start.setdefault(words[0][:SHORTEST_CUT], set()).add((words, key))

    @property
    def shown(self) -> tuple[str, ...]:
        """How each thing is written first, sorted: candidates for suggestions."""
        return tuple(sorted({self.show(key) for key in self._names}))

    def show(self, key: str) -> str:
        """The id where ids may be written, else the first name, else the id."""
        names = self._names.get(key, ())
        return key if self._with_ids or not names else names[0]

    def only(self, word: str) -> str | None:
        """The one thing that a single folded word names in full, None for none or several."""
        ids = self._exact.get((word,), ())
        return next(iter(ids)) if len(ids) == 1 else None

    def find(self, tokens: Sequence[Token], at: int) -> Finding:
        """The thing named at `at`; where nothing is, `end` stands behind the words that look like a name."""
        start = self._skip(tokens, at)
        places = (at,) if start == at else (start, at)
        for look_up in (self._named, self._shortened):
            found = [one for place in places if (one := self._longest(tokens, place, look_up)) is not None]
            if found:
                return max(found, key=lambda one: one.end)
        return Finding((), self._end_of_name(tokens, start))

    def _skip(self, tokens: Sequence[Token], at: int) -> int:
        while at < len(tokens) and (tokens[at].folded in ARTICLES or tokens[at].folded in self._nouns):
            at += 1
        return at

    def _longest(
        self, tokens: Sequence[Token], at: int, look_up: Callable[[Key], set[str]]
    ) -> Finding | None:
        spoken = _spoken(tokens, at)
        for count in range(len(spoken), 0, -1):
            ids = look_up(tuple(word for word, _ in spoken[:count]))
            if ids:
                return Finding(tuple(sorted(ids)), spoken[count - 1][1])
        return None

    def _named(self, words: Key) -> set[str]:
        return self._exact.get(words, set())

    def _shortened(self, words: Key) -> set[str]:
        near = self._by_start.get(words[0][:SHORTEST_CUT], ())
        return {key for name, key in near if _shortens(words, name)}

    def _end_of_name(self, tokens: Sequence[Token], at: int) -> int:
        end = min(at + 1, len(tokens))
        if at < len(tokens) and tokens[at].kind == "word":
            while (
                end < len(tokens) and tokens[end].kind in ("word", "number") and len(tokens[end].folded) > 2
            ):
                end += 1
        return end


@lru_cache(maxsize=32_768)
def _words_of(name: str) -> Key:
    """The words of a name; kept, since each seat's block asks for the names of the same map."""
    return _words(tokenize(name))


def _words(tokens: Sequence[Token]) -> Key:
    said = (token.folded for token in tokens if token.kind != "punct" and token.folded not in ARTICLES)
    return tuple(SAME.get(word, word) for word in said)


def _spoken(tokens: Sequence[Token], at: int) -> list[tuple[str, int]]:
    """Words from `at` on with the token index behind each, without articles; a quoted name is one run."""
    if at < len(tokens) and tokens[at].kind == "string":
        inner = _words(tokenize(tokens[at].text[1:-1]))
        return [(word, at + 1) for word in inner] if inner else []
    spoken: list[tuple[str, int]] = []
    for place in range(at, min(len(tokens), at + 2 * LONGEST_NAME)):
        token = tokens[place]
        if token.kind not in ("word", "number", "id") or len(spoken) == LONGEST_NAME:
            break
        if token.folded not in ARTICLES:
            spoken.append((SAME.get(token.folded, token.folded), place + 1))
    return spoken


def _shortens(words: Key, name: Key) -> bool:
    if len(words) > len(name):
        return False
    return all(
        full == word or (len(word) >= SHORTEST_CUT and full.startswith(word))
        for word, full in zip(words, name, strict=False)
    )
