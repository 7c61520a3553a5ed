"""What is wrong, or worth a warning, with a line of a player: data with a place, never an exception."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from rules.engine.messages import Message, Param, msg


class Severity(StrEnum):
    """ERROR: the line doesn't count. WARNING: it counts, look again. NOTE: worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Span:
    """Characters [start, end) of the order's own line, counted from 0."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding about one order line.

    message: its id is the stable code (`parse/unknown-order`, `conquista/not-your-army`).
    span: None where the whole line is meant.
    suggest: at most three lines that would be understood, best first.
    """

    message: Message
    severity: Severity = Severity.ERROR
    span: Span | None = None
    suggest: tuple[str, ...] = ()

    @property
    def code(self) -> str:
        """The stable code of this kind of finding."""
        return self.message.id

    def at(self, span: Span | None) -> Diagnostic:
        """The same finding at another place; a span that is already known is kept."""
        return self if self.span or span is None else replace(self, span=span)


def error(code: str, /, **params: Param) -> Diagnostic:
    """A finding that refuses the line."""
    return Diagnostic(msg(code, **params))


def warning(code: str, /, **params: Param) -> Diagnostic:
    """A finding that lets the line stand."""
    return Diagnostic(msg(code, **params), Severity.WARNING)


def note(code: str, /, **params: Param) -> Diagnostic:
    """A remark; the line stands."""
    return Diagnostic(msg(code, **params), Severity.NOTE)


def refuses(diagnostics: tuple[Diagnostic, ...] | list[Diagnostic]) -> bool:
    """Whether one of the findings refuses the line."""
    return any(one.severity is Severity.ERROR for one in diagnostics)
