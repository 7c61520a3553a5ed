"""One order line to an order, or to the one diagnostic that helps most.

The verb selects the declarations; each is tried strictly, then with argument words left out
(design.md 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from parsers.orders.explaining import explain, explain_verb, guess_forms
from parsers.orders.matching import (
    MOST_CHOICES,
    MOST_SUGGESTIONS,
    Reading,
    find_forms,
    find_place,
    match_line,
)
from rules.engine.arguments import Pick
from rules.engine.diagnostics import Diagnostic, Span
from rules.engine.grammar import Grammar
from rules.engine.matcher import Reader, TooLong
from rules.engine.messages import Code, msg
from rules.engine.orders import Args, Order, OrderForm, Test
from rules.engine.plan import Plan
from rules.engine.printing import print_form
from rules.engine.text import Token, confusables, foreign_digits, tokenize


@dataclass(frozen=True, slots=True)
class Understood:
    """What became of one line.

    order: without seat and number; None where there is a diagnostic.
    forms: declarations that the verb selects, also where the line is refused: clause lines belong to them.
    guessed: the verb isn't known, and the forms are those that it may have meant.
    """

    order: Order | None
    diagnostic: Diagnostic | None
    forms: tuple[OrderForm, ...] = ()
    guessed: bool = False


def understand(line: str, grammar: Grammar, plan: Plan[Any], start: int = 0) -> Understood:
    """Read the order that begins at character `start` of the line; spans count from the line's start."""
    plain = grammar.quick.read(line, plan) if start == 0 else None
    if plain is not None:
        order, form = plain
        return Understood(order, None, grammar.siblings(form))
    return understand_long(line, grammar, plan, start)


def understand_long(line: str, grammar: Grammar, plan: Plan[Any], start: int = 0) -> Understood:
    """Read the order through the matcher, whatever its form."""
    foreign = _foreign(line)
    tokens = tokenize(line)
    at = find_place(tokens, start)
    forms = find_forms(tokens, at, grammar)
    if foreign is not None:
        return Understood(None, foreign, forms)
    try:
        return _understand(line, tokens, at, grammar, plan, forms)
    except TooLong:
        return Understood(None, Diagnostic(msg("parse/too-long")), forms)


def _foreign(line: str) -> Diagnostic | None:
    """Digits of other scripts and letters that only look right are told, never guessed."""
    digits = foreign_digits(line)
    if digits:
        first = digits[0]
        message = msg(
            "parse/foreign-digits", word=Code(first.text), plain=Code(first.plain) if first.plain else None
        )
        return Diagnostic(message, span=Span(first.start, first.end))
    letters = confusables(line)
    if letters:
        found = letters[0]
        message = msg(
            "parse/look-alike", letter=Code(found.looks_like), script=msg(f"parse/script-{found.script}")
        )
        return Diagnostic(message, span=Span(found.index, found.index + 1))
    return None


def _understand(
    line: str,
    tokens: Sequence[Token],
    at: int,
    grammar: Grammar,
    plan: Plan[Any],
    forms: tuple[OrderForm, ...],
) -> Understood:
    if not forms:
        meant = guess_forms(tokens, at, grammar)
        return Understood(None, explain_verb(line, tokens, at, grammar, plan), meant, guessed=True)
    allowed = tuple(form for form in forms if form.who is None or form.who(plan.view))
    if not allowed:
        return Understood(None, Diagnostic(msg("parse/not-yours", word=Code(tokens[at].text))), forms)
    reader, readings, marks, wrong = match_line(line, tokens, at, allowed, grammar, plan)
    if len(readings) == 1:
        form, number, values = readings[0]
        text = line[tokens[at].start :].strip()
        return Understood(Order("", 0, form.name, Args(values, number), text, marks=marks), None, forms)
    if readings:
        return Understood(None, _several(readings, plan), forms)
    return Understood(None, wrong or explain(reader, at), forms)


def _several(readings: Sequence[Reading], plan: Plan[Any]) -> Diagnostic:
    shown = tuple(
        print_form(form.forms[number], Args(values, number), form.args, plan)
        for form, number, values in readings
    )
    return Diagnostic(msg("parse/two-readings"), suggest=shown[:MOST_SUGGESTIONS])


def read_test(line: str, start: int, end: int, grammar: Grammar, plan: Plan[Any]) -> Test | Diagnostic:
    """The condition that stands in characters [start, end) of the line."""
    tokens = tuple(token for token in tokenize(line) if start <= token.start < end)
    reader = Reader(line, tokens, plan, grammar)
    try:
        for form in grammar.conditions:
            for number, reached, values in reader.match_written(form.written, form.args, 0):
                if reached == len(tokens):
                    return Test(form.name, Args(values, number), line[start:end].strip())
    except TooLong:
        return Diagnostic(msg("parse/too-long"))
    choices = tuple(Code(form.forms[0]) for form in grammar.conditions[:MOST_CHOICES])
    message = msg("parse/unknown-condition", word=Code(line[start:end].strip()), choices=choices)
    return Diagnostic(message, span=Span(start, end))


def read_actor(
    line: str, forms: Sequence[OrderForm], end: int, grammar: Grammar, plan: Plan[Any]
) -> str | None:
    """The actor named in the characters before `end` (a colon), None where nobody is."""
    tokens = tuple(token for token in tokenize(line) if token.start < end)
    for actors in {id(form.actors): form.actors for form in forms if form.actors is not None}.values():
        reader = Reader(line, tokens, plan, grammar)
        try:
            for reached, value in actors.read(reader, 0):
                if reached == len(tokens):
                    return str(value)
        except TooLong:
            return None
    return None


def only_actor(forms: Sequence[OrderForm], plan: Plan[Any]) -> str | None:
    """Who acts where the line names nobody: as the declaration says, else the one thing that could."""
    for form in forms:
        if form.acting is not None:
            return form.acting(plan.view)
        if isinstance(form.actors, Pick):
            ids = tuple(form.actors.of(plan))
            return ids[0] if len(ids) == 1 else None
    return None
