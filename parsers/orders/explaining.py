"""What is wrong with a line that isn't understood, and which lines would be.

The furthest place that the matcher came to tells what was expected, and what stands there is compared with
what could: a suggestion is kept only if the line then parses (design.md 2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rapidfuzz import fuzz, process

from parsers.orders.keywords import KEYWORDS, Keywords
from parsers.orders.matching import MOST_CHOICES, find_forms, find_place, lines_that_parse, match_line
from parsers.orders.numbers import NUMBER_WORDS
from rules.engine.diagnostics import Diagnostic, Span
from rules.engine.forms import OPTIONAL_WORDS
from rules.engine.grammar import Grammar
from rules.engine.matcher import Failure, Reader, TooLong
from rules.engine.messages import Code, Message, Param, msg
from rules.engine.orders import OrderForm
from rules.engine.plan import Plan
from rules.engine.text import Token, fold, tokenize

CLOSE_ENOUGH = 60
"""Score (0-100) from which a word counts as a close miss."""

FEW = 3
"""Of so few things that may stand at a place each is worth suggesting, however unlike."""

SINO = "sino"
"""`si no` in one word, as it is often written."""

_VERB_WITHIN = 4
"""Words in front of a verb that was written too late."""
_FALLBACKS = frozenset(way for one in KEYWORDS.values() for way in one.fallbacks if len(way) == 2)
_BETWEEN_ORDERS = frozenset((",", ";", ".", "y", "e", "and"))
_BRACKETS = str.maketrans("", "", "[]{}<>")


# a line whose verb isn't known


def explain_verb(
    line: str, tokens: Sequence[Token], at: int, grammar: Grammar, plan: Plan[Any]
) -> Diagnostic:
    """Why no order begins at a token."""
    if at >= len(tokens):
        return Diagnostic(
            msg("parse/incomplete", expected=tuple(Code(verb) for verb in grammar.verbs[:MOST_CHOICES]))
        )
    token = tokens[at]
    span = Span(token.start, token.end)
    meant = [grammar.shown(verb) for verb in grammar.find_verb(token.folded)]
    near = meant or [grammar.shown(verb) for verb in near_verbs(token.folded, grammar)]
    replaced = [line[: span.start] + verb + line[span.end :] for verb in near]
    moved = () if meant else _verb_first(line, tokens, at, grammar)
    lines = lines_that_parse((*replaced, *moved), span.start, grammar, plan)
    if len(meant) > 1:
        choices = tuple(map(Code, meant[:MOST_CHOICES]))
        return Diagnostic(
            msg("parse/ambiguous-verb", word=Code(token.text), choices=choices), span=span, suggest=lines
        )
    offered = dict.fromkeys((*near, *_verbs_of_seat(grammar, plan)))
    choices = tuple(map(Code, tuple(offered)[:MOST_CHOICES]))
    message = msg("parse/unknown-order", word=Code(token.text), choices=choices, near=int(bool(lines)))
    return Diagnostic(message, span=span, suggest=lines)


def _verbs_of_seat(grammar: Grammar, plan: Plan[Any]) -> Iterator[str]:
    """Verbs of orders that the seat has at all."""
    return (
        verb
        for verb in grammar.verbs
        if any(form.who is None or form.who(plan.view) for form in grammar.forms_for(fold(verb)))
    )


def _verb_first(line: str, tokens: Sequence[Token], at: int, grammar: Grammar) -> Iterator[str]:
    """The line with its verb in front, and without what stands before that: `E1: mover a CM-5`."""
    for place in range(at + 1, min(at + 1 + _VERB_WITHIN, len(tokens))):
        if grammar.is_verb(tokens[place].folded):
            before, verb, start = line[: tokens[at].start], tokens[place], tokens[at].start
            head = line[start : verb.start].strip(" :,")
            yield f"{before}{verb.text} {head}{line[verb.end :]}"
            yield before + line[verb.start :]
            return


def near_verbs(word: str, grammar: Grammar) -> list[str]:
    """Verbs of which some form is a close miss of a folded word, best first."""
    scored: dict[str, float] = {}
    for form, score, _ in process.extract(
        word, sorted(grammar.spoken), scorer=fuzz.ratio, limit=12, score_cutoff=CLOSE_ENOUGH
    ):
        verb = grammar.find_verb(form)[0]
        scored[verb] = max(score, scored.get(verb, 0))
    return sorted(scored, key=lambda verb: (-scored[verb], verb))


def guess_forms(tokens: Sequence[Token], at: int, grammar: Grammar) -> tuple[OrderForm, ...]:
    """The declarations that a misspelt verb may have meant: clauses below it belong to it, one mistake gives
    one error.
    """
    word = tokens[at].folded if at < len(tokens) else ""
    verbs = grammar.find_verb(word) or near_verbs(word, grammar)
    return tuple(form for verb in verbs for form in grammar.forms_for(verb))


# an order that stops making sense


def explain(reader: Reader, at: int) -> Diagnostic:
    """The furthest failure in the player's words, with lines that would parse."""
    place = max(reader.trail.furthest, 0)
    known = _second_order(reader, at, place) or _broken_number(reader, place)
    if known is not None:
        return known
    suggest = lines_that_parse(_corrected(reader), reader.tokens[at].start, reader.grammar, reader.plan)
    reason = reader.trail.reason
    if reason is not None and reason.reason is not None:
        return Diagnostic(reason.reason, span=_span(reader, reason.at, reason.end), suggest=suggest)
    return _explain_place(reader, place, suggest)


def _explain_place(reader: Reader, place: int, suggest: tuple[str, ...]) -> Diagnostic:
    failures = reader.trail.failures
    expected = _expected(failures)
    if place >= len(reader.tokens):
        end = reader.tokens[-1].end
        return Diagnostic(
            msg("parse/incomplete", expected=expected), span=Span(end, end + 1), suggest=suggest
        )
    if not expected or (not suggest and any(map(_is_left_over, failures))):
        return _left_over(reader, place, suggest)
    end = max(failure.end for failure in failures if failure.expected is not None or failure.candidates)
    message = msg("parse/expected", word=Code(reader.text(place, end)), expected=expected)
    return Diagnostic(message, span=_span(reader, place, end), suggest=suggest)


def _is_left_over(failure: Failure) -> bool:
    """Whether a whole order ends in front of this place."""
    return failure.expected is None and failure.reason is None and not failure.candidates


def _left_over(reader: Reader, place: int, suggest: tuple[str, ...]) -> Diagnostic:
    """Words behind a whole order; without them it would be understood."""
    rest = reader.text(place, len(reader.tokens))
    before = reader.line[: reader.tokens[place].start]
    if not suggest and before[-1:].isspace():
        suggest = lines_that_parse([before.rstrip()], 0, reader.grammar, reader.plan)
    span = _span(reader, place, len(reader.tokens))
    return Diagnostic(msg("parse/left-over", word=Code(rest)), span=span, suggest=suggest)


def _second_order(reader: Reader, at: int, place: int) -> Diagnostic | None:
    """Another order, or what else to do, on the same line: each has a line of its own."""
    tokens = reader.tokens
    for start in range(max(place, at + 1), min(place + 2, len(tokens))):
        if tokens[start - 1].folded not in _BETWEEN_ORDERS:
            continue
        span = Span(tokens[start].start, tokens[-1].end)
        rest = Code(reader.line[span.start : span.end])
        if tuple(token.folded for token in tokens[start : start + 2]) in _FALLBACKS:
            return Diagnostic(msg("parse/fallback-same-line", line=rest), span=span)
        forms = find_forms(tokens, start, reader.grammar)
        is_verb = reader.grammar.is_verb(tokens[start].folded) and forms
        if is_verb and match_line(reader.line, tokens, start, forms, reader.grammar, reader.plan)[1]:
            return Diagnostic(msg("parse/two-orders", line=rest), span=span)
    return None


def _broken_number(reader: Reader, place: int) -> Diagnostic | None:
    """`1.000` and `2.5`: a dot within digits."""
    around = reader.tokens[place - 1 : place + 2] if place else ()
    if len(around) < 3 or [token.kind for token in around] != ["number", "punct", "number"]:
        return None
    first, dot, last = around
    if dot.text not in (".", "'", "’") or first.end != dot.start or dot.end != last.start:
        return None
    span = Span(first.start, last.end)
    return Diagnostic(msg("parse/broken-number", word=Code(reader.line[span.start : span.end])), span=span)


def _expected(failures: Sequence[Failure]) -> tuple[Param, ...]:
    found: list[Message | Code] = []
    for failure in failures:
        one = failure.expected or (Code(failure.candidates[0]) if failure.candidates else None)
        if one is not None and one not in found:
            found.append(one)
    # An argument word that may be left out is no help beside the argument itself.
    needed = [one for one in found if not isinstance(one, Code) or fold(one.text) not in OPTIONAL_WORDS]
    return tuple((needed or found)[:MOST_CHOICES])


def _span(reader: Reader, at: int, end: int) -> Span:
    tokens = reader.tokens
    if at >= len(tokens):
        return Span(len(reader.line), len(reader.line) + 1)
    return Span(tokens[at].start, tokens[max(at, min(end, len(tokens)) - 1)].end)


def _corrected(reader: Reader) -> Iterator[str]:
    """The line with what failed replaced by close candidates, or with a missing word put in."""
    for failure in reader.trail.failures:
        yield from _replaced(reader, failure)
    place = reader.trail.furthest
    if 0 <= place < len(reader.tokens):
        token = reader.tokens[place]
        before, after = reader.line[: token.start], reader.line[token.end :]
        is_word_expected = any(one.expected is None and one.candidates for one in reader.trail.failures)
        if token.folded in OPTIONAL_WORDS and not is_word_expected:
            yield before + after.lstrip()
        if token.folded in NUMBER_WORDS:
            yield f"{before}{NUMBER_WORDS[token.folded]}{after}"
        if token.text in "[]{}<>":
            yield reader.line.translate(_BRACKETS)


def _replaced(reader: Reader, failure: Failure) -> Iterator[str]:
    span = _span(reader, failure.at, failure.end)
    before, word, after = (
        reader.line[: span.start],
        reader.line[span.start : span.end],
        reader.line[span.end :],
    )
    by_fold = {fold(one): one for one in failure.candidates}
    joined = _with_number(reader, failure)
    if joined is not None and joined[0] in by_fold:
        yield before + by_fold[joined[0]] + reader.line[joined[1] :]
    is_all = 0 < len(by_fold) <= FEW and failure.reason is None and failure.expected is not None
    for near, _, _ in process.extract(
        fold(word), list(by_fold), scorer=fuzz.ratio, limit=5, score_cutoff=0 if is_all and word else 50
    ):
        yield before + by_fold[near] + after
    if failure.expected is None and failure.candidates:
        if fold(word) in OPTIONAL_WORDS:
            yield before + failure.candidates[0] + after
        yield _inserted(before, failure.candidates[0], word + after)


def _with_number(reader: Reader, failure: Failure) -> tuple[str, int] | None:
    """`CM 5` and `CM- 5` as `cm-5`, with the place behind it."""
    at = failure.at
    if at >= len(reader.tokens) or reader.tokens[at].kind != "word":
        return None
    following = reader.tokens[at + 1 : at + 3]
    if following and following[0].kind == "punct" and following[0].folded == "-":
        following = following[1:]
    if not following or following[0].kind != "number":
        return None
    return f"{reader.tokens[at].folded}-{following[0].folded}", following[0].end


def _inserted(before: str, word: str, after: str) -> str:
    if word in ",:;":
        return f"{before.rstrip()}{word} {after}".rstrip()
    joint = "" if not before or before.endswith(" ") else " "
    return f"{before}{joint}{word} {after}".rstrip()


# who acts


def explain_actor(line: str, start: int, colon: int, grammar: Grammar, plan: Plan[Any]) -> Diagnostic | None:
    """What is wrong with the name in front of a colon (characters `start` to `colon`), where an order with an
    actor stands behind it; None where none does.
    """
    tokens = tokenize(line)
    behind = find_forms(tokens, find_place(tokens, colon + 1), grammar)
    actors = next((form.actors for form in behind if form.actors is not None), None)
    word = line[start:colon].strip()
    head = tuple(token for token in tokens if start <= token.start < colon)
    if actors is None or not head:
        return None
    reader = Reader(line, head, plan, grammar)
    try:
        list(actors.read(reader, 0))
    except TooLong:
        return None
    names = tuple(dict.fromkeys(name for one in reader.trail.failures for name in one.candidates))
    near = process.extract(word, names, processor=fold, scorer=fuzz.ratio, limit=5, score_cutoff=50)
    spaced = [line[:start].rstrip() + " " * bool(start) + name + line[colon:] for name, _, _ in near]
    suggest = tuple(
        one for one in spaced if lines_that_parse([one], len(one) - len(line) + colon + 1, grammar, plan)
    )[:FEW]
    reason = reader.trail.reason
    message = reason.reason if reason is not None else None
    known = tuple(map(Code, names[:MOST_CHOICES]))
    message = message or msg("parse/unknown-actor", word=Code(word), choices=known)
    return Diagnostic(message, span=Span(head[0].start, head[-1].end), suggest=suggest)


# conditions and fallbacks that lack their colon


def explain_conditional(
    line: str, tokens: Sequence[Token], keywords: Keywords, grammar: Grammar, plan: Plan[Any]
) -> Diagnostic | None:
    """What is wrong with a line that begins like a condition or a fallback and is no order; None for any
    other.
    """
    words = tuple(token.folded for token in tokens)
    if not words or grammar.find_verb(words[0]):
        return None
    way = next((one for one in (*keywords.fallbacks, (SINO,)) if words[: len(one)] == one), None)
    if way is not None:
        return _explain_fallback(line, tokens[: len(way)], keywords, grammar, plan)
    if words[0] not in keywords.conditions:
        return None
    comma = next((token for token in tokens if token.folded == ","), None)
    fixed = "" if comma is None else f"{line[: comma.start]}:{line[comma.end :]}"
    suggest = (fixed,) if comma is not None and _parses_from(fixed, comma.start + 1, grammar, plan) else ()
    return Diagnostic(msg("parse/condition-without-colon", word=Code(tokens[0].text)), suggest=suggest)


def _explain_fallback(
    line: str, said: Sequence[Token], keywords: Keywords, grammar: Grammar, plan: Plan[Any]
) -> Diagnostic:
    right = " ".join(keywords.fallbacks[-1]) + ":"
    rest = line[said[-1].end :].lstrip(" :,")
    suggest = (f"{right} {rest}",) if _parses_from(rest, 0, grammar, plan) else ()
    span = Span(said[0].start, said[-1].end)
    return Diagnostic(msg("parse/misspelt-fallback", right=Code(right)), span=span, suggest=suggest)


def _parses_from(line: str, start: int, grammar: Grammar, plan: Plan[Any]) -> bool:
    return bool(lines_that_parse([line], start, grammar, plan))
