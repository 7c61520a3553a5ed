"""What is wrong with a line, as its author reads it: the line, where, why, and what to write instead."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from reporters.blocks import Fence, Lines, Piece, Run
from reporters.cleaning import LONGEST_EXCERPT, clean_line, excerpt
from reporters.setting import Setting
from rules.engine.diagnostics import Diagnostic, Severity, Span
from rules.engine.inline import Fixed, Strong, Text
from rules.engine.messages import Code
from rules.play.reading import LineRead

MARKS = {Severity.ERROR: "✘", Severity.WARNING: "⚠", Severity.NOTE: "ℹ"}
LONGEST_SUGGESTION = 160
"""Characters up to which a suggestion is worth showing whole; shortened it would be no use."""


def say_finding(setting: Setting, finding: Diagnostic) -> Run:
    """What is wrong and what to write instead, beginning in lower case."""
    reason = setting.catalogue.say(finding.message)
    offers = tuple(Code(one) for one in finding.suggest if len(one) <= LONGEST_SUGGESTION)
    return (*reason, Text(" "), *setting.say("finding/suggest", choices=offers)) if offers else reason


def draw_line(setting: Setting, line: LineRead, *, carets: bool) -> Iterable[Run | Piece]:
    """One order line with its findings: runs that follow each other as lines, fences on their own.

    carets: whether a mistake is shown under the line even where a suggestion tells what to write.
    """
    error = next((one for one in line.findings if one.severity is Severity.ERROR), None)
    if error is None:
        yield (*_number(setting, line), *_told(setting, line))
    else:
        yield from _refused(setting, line, error, carets)
    for finding in line.findings:
        if finding is not error:
            yield (Text(f"{MARKS[finding.severity]} "), *say_finding(setting, finding))


def _number(setting: Setting, line: LineRead) -> Run:
    return (Strong((Text(f"{line.number}."),)), Text(" ")) if line.number else ()


def _told(setting: Setting, line: LineRead) -> Run:
    return setting.catalogue.say(line.told) if line.told is not None else (Fixed(excerpt(line.text)),)


def _refused(setting: Setting, line: LineRead, error: Diagnostic, carets: bool) -> Iterable[Run | Piece]:
    mark = (*_number(setting, line), Text(f"{MARKS[Severity.ERROR]} "))
    under = point_at(line.text, error.span) if carets or not error.suggest else None
    if under is None:
        shown: Run = (Fixed(excerpt(line.text)), Text(" — ")) if line.text.strip() else ()
        yield (*mark, *shown, *say_finding(setting, error))
        return
    yield (*mark, *setting.say("finding/line", line=line.line))
    yield Fence(under)
    yield capitalised(say_finding(setting, error))


def point_at(text: str, span: Span | None) -> str | None:
    """The line with carets under the span, cut around it to a readable length; None for the whole line."""
    if span is None or not 0 <= span.start < span.end <= len(text) + 1:
        return None
    if span.start == 0 and span.end >= len(text.rstrip()):
        return None
    first, last = _window(text, span)
    end = min(span.end, last)
    before, inside, behind = map(_shown, (text[first : span.start], text[span.start : end], text[end:last]))
    lead, tail = "…" if first else "", "…" if last < len(text) else ""
    carets = "^" * max(1, _width(inside))
    return f"{lead}{before}{inside}{behind}{tail}".rstrip() + f"\n{' ' * _width(lead + before)}{carets}"


def _window(text: str, span: Span) -> tuple[int, int]:
    """The characters of a long line that are shown: those around the span."""
    if len(text) <= LONGEST_EXCERPT:
        return 0, len(text)
    room = LONGEST_EXCERPT - 2  # for an ellipsis at each end
    first = max(0, min(span.start - room // 2, len(text) - room))
    return first, min(len(text), first + room)


def _shown(text: str) -> str:
    return "".join(map(clean_line, text))


def _width(text: str) -> int:
    """Columns of a text in a fixed-width face."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def capitalised(run: Run) -> Run:
    """The same sentence with a capital letter in front, unless code or a mark stands there."""
    if run and isinstance(run[0], Text):
        first = run[0].text
        return (Text(first[:1].upper() + first[1:]), *run[1:])
    return run


def gather(drawn: Iterable[Run | Piece]) -> tuple[Piece, ...]:
    """Runs between fences joined to blocks of lines; the line above a fence stays with it."""
    pieces: list[Piece] = []
    lines: list[Run] = []
    for one in drawn:
        if isinstance(one, tuple):
            lines.append(one)
            continue
        pieces += [Lines(tuple(lines), keep=True)] if lines else []
        lines = []
        pieces.append(one)
    pieces += [Lines(tuple(lines))] if lines else []
    return tuple(pieces)
