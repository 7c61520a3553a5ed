"""One order line to an order, or to the one diagnostic that helps most.

The verb selects the declarations; each is tried strictly, then with argument words left out. Where
nothing fits, the furthest place tells what was expected, and what stands there is compared with what
could: a suggestion is kept only if the line then parses (design.md 2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rapidfuzz import fuzz, process

from rules.engine.arguments import Pick
from rules.engine.diagnostics import Diagnostic, Span
from rules.engine.forms import compile_form
from rules.engine.grammar import Grammar
from rules.engine.matcher import Failure, Reader, TooLong, Values, match_forms
from rules.engine.messages import Code, Message, Param, msg
from rules.engine.orders import Args, Clause, Order, OrderForm, Test
from rules.engine.plan import Plan
from rules.engine.printing import print_form
from rules.engine.text import Token, confusables, fold, foreign_digits, tokenize

MOST_SUGGESTIONS = 3
MOST_CHOICES = 6
CLOSE_ENOUGH = 60
"""Score (0-100) from which a word counts as a close miss."""

Reading = tuple[OrderForm, int, Values]


@dataclass(frozen=True, slots=True)
class Understood:
    """What became of one line.

    order: without seat and number; None where there is a diagnostic.
    forms: declarations that the verb selects, also where the line is refused: clause lines belong to them.
    """

    order: Order | None
    diagnostic: Diagnostic | None
    forms: tuple[OrderForm, ...] = ()


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
    at = next((place for place, token in enumerate(tokens) if token.start >= start), len(tokens))
    forms = _forms_at(tokens, at, grammar)
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


def _forms_at(tokens: Sequence[Token], at: int, grammar: Grammar) -> tuple[OrderForm, ...]:
    verbs = grammar.find_verb(tokens[at].folded) if at < len(tokens) else ()
    return tuple(form for verb in verbs for form in grammar.forms_for(verb)) if len(verbs) == 1 else ()


def _understand(
    line: str,
    tokens: Sequence[Token],
    at: int,
    grammar: Grammar,
    plan: Plan[Any],
    forms: tuple[OrderForm, ...],
) -> Understood:
    if not forms:
        return Understood(None, _unknown_verb(line, tokens, at, grammar, plan))
    allowed = tuple(form for form in forms if form.who is None or form.who(plan.view))
    if not allowed:
        return Understood(None, Diagnostic(msg("parse/not-yours", word=Code(tokens[at].text))), forms)
    end, marks, wrong = _peel_marks(tokens, at, allowed)
    if wrong is not None:
        return Understood(None, wrong, forms)
    reader = Reader(line, tokens[:end], plan, grammar)
    readings = match_forms(reader, allowed, at)
    if len(readings) == 1:
        form, number, values = readings[0]
        text = line[tokens[at].start :].strip()
        return Understood(Order("", 0, form.name, Args(values, number), text, marks=marks), None, forms)
    if readings:
        return Understood(None, _several(readings, plan), forms)
    return Understood(None, _explain(reader, at), forms)


def _several(readings: Sequence[Reading], plan: Plan[Any]) -> Diagnostic:
    shown = tuple(
        print_form(form.forms[number], Args(values, number), form.args, plan)
        for form, number, values in readings
    )
    choices = tuple(Code(one) for one in shown[:MOST_CHOICES])
    return Diagnostic(msg("parse/two-readings", choices=choices), suggest=shown[:MOST_SUGGESTIONS])


def _peel_marks(
    tokens: Sequence[Token], at: int, forms: Sequence[OrderForm]
) -> tuple[int, frozenset[str], Diagnostic | None]:
    """Marks in parentheses behind the line: token index before them, their names, or what is wrong."""
    words = {
        tuple(t.folded for t in tokenize(word)): name
        for form in forms
        for name, all_ in form.marks.items()
        for word in all_
    }
    end, marks = len(tokens), set[str]()
    while words and end - 1 > at and tokens[end - 1].folded == ")":
        opening = next((p for p in range(end - 2, at, -1) if tokens[p].folded == "("), None)
        if opening is None:
            break
        inner = tuple(token.folded for token in tokens[opening + 1 : end - 1])
        if inner not in words:
            span = Span(tokens[opening].start, tokens[end - 1].end)
            choices = tuple(Code(f"({' '.join(one)})") for one in sorted(words))[:MOST_CHOICES]
            return end, frozenset(), Diagnostic(msg("parse/unknown-mark", choices=choices), span=span)
        marks.add(words[inner])
        end = opening
    return end, frozenset(marks), None


def _unknown_verb(
    line: str, tokens: Sequence[Token], at: int, grammar: Grammar, plan: Plan[Any]
) -> Diagnostic:
    if at >= len(tokens):
        return Diagnostic(
            msg("parse/incomplete", expected=tuple(Code(verb) for verb in grammar.verbs[:MOST_CHOICES]))
        )
    token = tokens[at]
    span = Span(token.start, token.end)
    meant = grammar.find_verb(token.folded)
    if len(meant) > 1:
        choices = tuple(Code(grammar.shown(verb)) for verb in meant[:MOST_CHOICES])
        lines = _that_parse(
            (line[: span.start] + c.text + line[span.end :] for c in choices), span.start, grammar, plan
        )
        return Diagnostic(
            msg("parse/ambiguous-verb", word=Code(token.text), choices=choices), span=span, suggest=lines
        )
    near = [grammar.shown(verb) for verb in near_verbs(token.folded, grammar)]
    lines = _that_parse(
        (line[: span.start] + verb + line[span.end :] for verb in near), span.start, grammar, plan
    )
    choices = tuple(Code(verb) for verb in (near or grammar.verbs)[:MOST_CHOICES])
    message = msg("parse/unknown-order", word=Code(token.text), choices=choices, near=(bool(near) and 1) or 0)
    return Diagnostic(message, span=span, suggest=lines)


def near_verbs(word: str, grammar: Grammar) -> list[str]:
    """Verbs of which some form is a close miss of a folded word, best first."""
    scored: dict[str, float] = {}
    for form, score, _ in process.extract(
        word, sorted(grammar.spoken), scorer=fuzz.ratio, limit=12, score_cutoff=CLOSE_ENOUGH
    ):
        verb = grammar.find_verb(form)[0]
        scored[verb] = max(score, scored.get(verb, 0))
    return sorted(scored, key=lambda verb: (-scored[verb], verb))


def _explain(reader: Reader, at: int) -> Diagnostic:
    """The furthest failure in the player's words, with lines that would parse."""
    suggest = _suggestions(reader, at)
    known = reader.trail.reason
    if known is not None and known.reason is not None:
        return Diagnostic(known.reason, span=_span(reader, known.at, known.end), suggest=suggest)
    failures = reader.trail.failures
    place = max(reader.trail.furthest, 0)
    expected = _expected(failures)
    if place >= len(reader.tokens):
        end = len(reader.line.rstrip())
        return Diagnostic(
            msg("parse/incomplete", expected=expected), span=Span(end, end + 1), suggest=suggest
        )
    if not expected:
        rest = reader.text(place, len(reader.tokens))
        return Diagnostic(
            msg("parse/left-over", word=Code(rest)),
            span=_span(reader, place, len(reader.tokens)),
            suggest=suggest,
        )
    end = max(failure.end for failure in failures if failure.expected is not None or failure.candidates)
    message = msg("parse/expected", word=Code(reader.text(place, end)), expected=expected)
    return Diagnostic(message, span=_span(reader, place, end), suggest=suggest)


def _expected(failures: Sequence[Failure]) -> tuple[Param, ...]:
    found: list[Message | Code] = []
    for failure in failures:
        one = failure.expected or (Code(failure.candidates[0]) if failure.candidates else None)
        if one is not None and one not in found:
            found.append(one)
    return tuple(found[:MOST_CHOICES])


def _span(reader: Reader, at: int, end: int) -> Span:
    tokens = reader.tokens
    if at >= len(tokens):
        return Span(len(reader.line), len(reader.line) + 1)
    return Span(tokens[at].start, tokens[max(at, min(end, len(tokens)) - 1)].end)


def _suggestions(reader: Reader, at: int) -> tuple[str, ...]:
    start = reader.tokens[at].start
    return _that_parse(_corrected(reader), start, reader.grammar, reader.plan)


def _corrected(reader: Reader) -> Iterator[str]:
    """The line with what failed replaced by close candidates, or with a missing word put in."""
    for failure in reader.trail.failures:
        if not failure.candidates:
            continue
        span = _span(reader, failure.at, failure.end)
        before, word, after = (
            reader.line[: span.start],
            reader.line[span.start : span.end],
            reader.line[span.end :],
        )
        by_fold = {fold(one): one for one in failure.candidates}
        for near, _, _ in process.extract(
            fold(word), list(by_fold), scorer=fuzz.ratio, limit=5, score_cutoff=50
        ):
            yield before + by_fold[near] + after
        if failure.expected is None:
            yield _inserted(before, failure.candidates[0], word + after)


def _inserted(before: str, word: str, after: str) -> str:
    if word in ",:;":
        return f"{before.rstrip()}{word} {after}".rstrip()
    joint = "" if not before or before.endswith(" ") else " "
    return f"{before}{joint}{word} {after}".rstrip()


def _that_parse(lines: Iterable[str], start: int, grammar: Grammar, plan: Plan[Any]) -> tuple[str, ...]:
    """Those of the lines that are understood, without repetitions, the first few."""
    kept: list[str] = []
    for line in lines:
        tokens = tokenize(line)
        at = next((place for place, token in enumerate(tokens) if token.start >= start), len(tokens))
        forms = _forms_at(tokens, at, grammar)
        if not forms or line in kept:
            continue
        reader = Reader(line, tokens, plan, grammar)
        if len(match_forms(reader, forms, at)) == 1:
            kept.append(line)
        if len(kept) == MOST_SUGGESTIONS:
            break
    return tuple(kept)


def read_test(line: str, start: int, end: int, grammar: Grammar, plan: Plan[Any]) -> Test | Diagnostic:
    """The condition that stands in characters [start, end) of the line."""
    tokens = tuple(token for token in tokenize(line) if start <= token.start < end)
    reader = Reader(line, tokens, plan, grammar)
    for form in grammar.conditions:
        for number, reached, values in reader.match_written(form.written, form.args, 0):
            if reached == len(tokens):
                return Test(form.name, Args(values, number), line[start:end].strip())
    choices = tuple(Code(form.forms[0]) for form in grammar.conditions[:MOST_CHOICES])
    message = msg("parse/unknown-condition", word=Code(line[start:end].strip()), choices=choices)
    return Diagnostic(message, span=Span(start, end))


def read_clause(
    line: str, clause: Clause, number: int, start: int, grammar: Grammar, plan: Plan[Any]
) -> Args | Diagnostic:
    """What stands behind a clause's key (from character `start` on), with the key's own arguments."""
    tokens = tokenize(line)
    reader = Reader(line, tokens, plan, grammar)
    head = dict[str, Any]()
    colon = next((p for p, token in enumerate(tokens) if token.end == start), len(tokens))
    for reached, values in reader.match(compile_form(clause.keys[number]), clause.args, 0):
        if reached == colon:
            head = values
    at = next((place for place, token in enumerate(tokens) if token.start >= start), len(tokens))
    reader = Reader(line, tokens, plan, grammar)
    for loose in (False, True):
        reader.loose = loose
        for form_number, reached, values in reader.match_written(clause.written, clause.args, at):
            if reached == len(tokens):
                return Args(head | values, form_number)
            reader.trail.fail(reached, len(tokens), None)
    if not clause.forms and at >= len(tokens):
        return Args(head)
    return _explain(reader, min(at, len(tokens) - 1))


def read_actor(
    line: str, forms: Sequence[OrderForm], end: int, grammar: Grammar, plan: Plan[Any]
) -> str | None:
    """The actor named in the characters before `end` (a colon), None where nobody is."""
    tokens = tuple(token for token in tokenize(line) if token.start < end)
    for actors in {id(form.actors): form.actors for form in forms if form.actors is not None}.values():
        reader = Reader(line, tokens, plan, grammar)
        for reached, value in actors.read(reader, 0):
            if reached == len(tokens):
                return str(value)
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
