"""The order that begins at a place of a line: its declarations, its marks, its readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rules.engine.diagnostics import Diagnostic, Span
from rules.engine.grammar import Grammar
from rules.engine.matcher import Reader, Values, match_forms
from rules.engine.messages import Code, msg
from rules.engine.orders import OrderForm
from rules.engine.plan import Plan
from rules.engine.text import Token, tokenize

MOST_SUGGESTIONS = 3
MOST_CHOICES = 6

_STOPS = frozenset(".!;")
"""What ends a sentence and means nothing behind an order."""

Reading = tuple[OrderForm, int, Values]


def find_place(tokens: Sequence[Token], start: int) -> int:
    """The first token at or behind a character of the line."""
    return next((place for place, token in enumerate(tokens) if token.start >= start), len(tokens))


def find_forms(tokens: Sequence[Token], at: int, grammar: Grammar) -> tuple[OrderForm, ...]:
    """The declarations that the verb at a place selects, none where it is no verb or means several."""
    verbs = grammar.find_verb(tokens[at].folded) if at < len(tokens) else ()
    return tuple(form for verb in verbs for form in grammar.forms_for(verb)) if len(verbs) == 1 else ()


def end_of_order(tokens: Sequence[Token]) -> int:
    """The token index behind the order: before full stops, exclamation marks and semicolons."""
    end = len(tokens)
    while end and tokens[end - 1].kind == "punct" and set(tokens[end - 1].folded) <= _STOPS:
        end -= 1
    return end


def bare_words(tokens: Sequence[Token]) -> tuple[str, ...]:
    """The folded words of a line that may be said with emphasis: `¡Listo!`, `ninguna.`"""
    first = 1 if tokens and tokens[0].folded in ("¡", "!") else 0
    return tuple(token.folded for token in tokens[first : end_of_order(tokens)])


def match_line(
    line: str,
    tokens: Sequence[Token],
    at: int,
    forms: Sequence[OrderForm],
    grammar: Grammar,
    plan: Plan[Any],
) -> tuple[Reader, list[Reading], frozenset[str], Diagnostic | None]:
    """Read the order at a token: how far that came, its readings, the marks behind it, or what is wrong with
    these.

    A full stop and the like at the end counts where the order can be read with it (free text), else not.
    Raises TooLong.
    """
    whole = _match_tokens(line, tokens, at, forms, grammar, plan)
    end = end_of_order(tokens)
    if whole[1] or end == len(tokens):
        return whole
    return _match_tokens(line, tokens[:end], at, forms, grammar, plan)


def _match_tokens(
    line: str,
    tokens: Sequence[Token],
    at: int,
    forms: Sequence[OrderForm],
    grammar: Grammar,
    plan: Plan[Any],
) -> tuple[Reader, list[Reading], frozenset[str], Diagnostic | None]:
    end, marks, wrong = _peel_marks(tokens, at, forms)
    reader = Reader(line, tokens[:end], plan, grammar)
    return reader, match_forms(reader, forms, at) if wrong is None else [], marks, wrong


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


def lines_that_parse(lines: Iterable[str], start: int, grammar: Grammar, plan: Plan[Any]) -> tuple[str, ...]:
    """Those of the lines whose order from character `start` on is understood, without repetitions, the first
    few.
    """
    kept: list[str] = []
    for line in lines:
        if line in kept or not _parses(line, start, grammar, plan):
            continue
        kept.append(line)
        if len(kept) == MOST_SUGGESTIONS:
            break
    return tuple(kept)


def _parses(line: str, start: int, grammar: Grammar, plan: Plan[Any]) -> bool:
    tokens = tokenize(line)
    at = find_place(tokens, start)
    forms = find_forms(tokens, at, grammar)
    return bool(forms) and len(match_line(line, tokens, at, forms, grammar, plan)[1]) == 1
