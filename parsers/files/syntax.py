"""What TOML's parser says in English, said to a director: what is wrong there and what to write."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rules.engine.messages import Message, Param, msg

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")

_CUT = ("files/cut", "files/close-all")
_SAID: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(said), wrong, right)
    for said, wrong, right in (
        (
            r"^Expected '=' after a key",
            "files/no-equals",
            "files/write-pair",
        ),
        (
            r"^Invalid initial character for a key part",
            "files/no-key",
            "files/quote-keys",
        ),
        (
            r"^Invalid value",
            "files/no-value",
            "files/values",
        ),
        (
            r"^Expected newline or end of document after a statement",
            "files/left-over",
            "files/key-a-line",
        ),
        (
            r"^Cannot declare \((?P<what>.*)\) twice",
            "files/table-twice",
            "files/join-tables",
        ),
        (r"^Cannot overwrite a value", "files/value-twice", "files/keep-one-value"),
        (
            r"^Duplicate inline table key (?P<what>.*)",
            "files/key-twice",
            "files/keep-one-key",
        ),
        (
            r"^Cannot (?:mutate immutable|redefine) namespace",
            "files/table-closed",
            "files/one-place",
        ),
        (
            r"^Unclosed array",
            "files/open-list",
            "files/close-list",
        ),
        (
            r"^Unclosed inline table",
            "files/open-table",
            "files/close-table",
        ),
        (
            r"^Expected ']",
            "files/open-head",
            "files/close-head",
        ),
        (
            r"^(?:Unterminated string|Expected (?:\"'\"|'\"'|'\\?\"\\?\"\\?\"'|\"'''\"))",
            "files/open-text",
            "files/close-text",
        ),
        (
            r"^Unescaped '\\' in a string",
            "files/bad-escape",
            "files/escape",
        ),
        (
            r"^(?:Invalid hex value|Escaped character is not a Unicode scalar value)",
            "files/bad-character",
            "files/character",
        ),
        (
            r"^Invalid date or datetime",
            "files/no-such-date",
            "files/dates",
        ),
        (
            r"^(?:Illegal character|Found invalid character) (?P<what>.*)",
            "files/control",
            "files/no-control",
        ),
        (
            r"^Invalid statement",
            "files/no-statement",
            "files/statement",
        ),
        (
            r"^Exceeds the limit .* for integer string conversion",
            "files/too-long",
            "files/few-digits",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class SyntaxFault:
    """Where TOML's parser stopped. line: 1-based, None where it doesn't say."""

    line: int | None
    wrong: Message
    right: Message


def explain_syntax(said: str, lines: int) -> SyntaxFault:
    """Translate what `tomllib` said. lines: number of lines of the text, for faults at its end."""
    found = _PLACE.search(said)
    message = said[: found.start()] if found else said
    line = int(found[1]) if found and found[1] else lines if found else None
    for form, wrong, right in _SAID:
        matched = form.search(message)
        if matched:
            return SyntaxFault(line, Message(wrong, _readable(matched.groupdict())), Message(right))
    if found and not found[1]:
        return SyntaxFault(line, *map(Message, _CUT))
    return SyntaxFault(
        line,
        msg("files/no-toml", said=message),
        msg("files/look-around"),
    )


def _readable(parts: dict[str, str]) -> dict[str, Param]:
    """The parser names a dotted key as a Python tuple: `('a', 'b'` is `a.b`."""
    return {name: what.strip(", '").replace("', '", ".") for name, what in parts.items()}
