"""What the engine and the rule sets say, as data: a stable id and parameters, never prose.

Texts stand in the catalogues (`locale/*.po` of each package); a catalogue turns a message into
inline pieces in a language, a renderer turns those into a dialect (design.md 8, *Messages*).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Quoted:
    """Words of a player or director, shown as they were written and always escaped."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Words to type or that were typed: shown in a fixed-width face and always escaped."""

    text: str


@dataclass(frozen=True, slots=True)
class Name:
    """A proper name with what a text needs to agree with it.

    gender: "m", "f" or "" where the language or the name has none.
    plural: whether verbs agree in the plural ("los Eldar").
    article: the article to put in front, "" for none ("el", "la", "los", "las").
    """

    text: str
    gender: str = ""
    plural: bool = False
    article: str = ""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to say: a catalogue id (`set/slug`) and its parameters."""

    id: str
    params: Mapping[str, Param] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "params", MappingProxyType(dict(self.params)))

    def __hash__(self) -> int:
        return hash((self.id, tuple(sorted((k, repr(v)) for k, v in self.params.items()))))


Param = str | int | Message | Quoted | Code | Name | None | tuple["Param", ...]


def msg(message_id: str, /, **params: Param) -> Message:
    """A message with its parameters as keywords: `msg("conquista/not-your-army", army="E7")`."""
    return Message(message_id, params)
