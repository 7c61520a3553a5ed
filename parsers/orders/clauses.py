"""Lines `key: value` below an order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rapidfuzz import fuzz, process

from parsers.orders.explaining import explain
from parsers.orders.matching import MOST_CHOICES, MOST_SUGGESTIONS, end_of_order, find_place
from rules.engine.diagnostics import Diagnostic, Span
from rules.engine.forms import compile_form
from rules.engine.grammar import Grammar
from rules.engine.matcher import Reader, TooLong
from rules.engine.messages import Code, msg
from rules.engine.orders import Args, Clause
from rules.engine.plan import Plan
from rules.engine.text import Token, fold, tokenize

CLOSE_KEY = 70
"""Score (0-100) from which a word is a misspelt key."""


def find_key(line: str, clause: Clause, colon: int | None, grammar: Grammar, plan: Plan[Any]) -> int | None:
    """Which of a clause's keys a line begins with, None for none. colon: the token index of the line's first
    colon.
    """
    if (colon is None) == bool(clause.forms):
        return None
    tokens = tokenize(line)
    head = tokens[: end_of_order(tokens) if colon is None else colon]
    reader = Reader(line, head, plan, grammar)
    try:
        for number, key in enumerate(clause.keys):
            if any(end == len(head) for end, _ in reader.match(compile_form(key), clause.args, 0)):
                return number
    except TooLong:
        return None
    return None


def read_clause(
    line: str, clause: Clause, number: int, start: int, grammar: Grammar, plan: Plan[Any]
) -> Args | Diagnostic:
    """What stands behind a clause's key (from character `start` on), with the key's own arguments."""
    try:
        return _read_clause(line, clause, number, start, grammar, plan)
    except TooLong:
        return Diagnostic(msg("parse/too-long"))


def _read_clause(
    line: str, clause: Clause, number: int, start: int, grammar: Grammar, plan: Plan[Any]
) -> Args | Diagnostic:
    tokens = tokenize(line)
    reader = Reader(line, tokens, plan, grammar)
    head = dict[str, Any]()
    colon = next((p for p, token in enumerate(tokens) if token.end == start), len(tokens))
    for reached, values in reader.match(compile_form(clause.keys[number]), clause.args, 0):
        if reached == colon:
            head = values
    at = find_place(tokens, start)
    for end in dict.fromkeys((len(tokens), max(at, end_of_order(tokens)))):
        reader = Reader(line, tokens[:end], plan, grammar)
        found = _match_clause(reader, clause, at)
        if found is not None:
            return Args({**head, **found.values}, found.form)
    if not clause.forms and at >= len(tokens):
        return Args(head)
    return explain(reader, min(at, len(reader.tokens) - 1))


def _match_clause(reader: Reader, clause: Clause, at: int) -> Args | None:
    for reader.loose in (False, True):
        for form_number, reached, values in reader.match_written(clause.written, clause.args, at):
            if reached == len(reader.tokens):
                return Args(values, form_number)
            reader.trail.fail(reached, len(reader.tokens), None)
    return None


def near_keys(word: str, clauses: Sequence[Clause]) -> list[str]:
    """Keys without arguments that a word in front of a colon is a close miss of, best first."""
    keys = [key for clause in clauses for key in clause.keys if "{" not in key]
    found = process.extract(
        fold(word), keys, processor=fold, scorer=fuzz.ratio, limit=MOST_SUGGESTIONS, score_cutoff=CLOSE_KEY
    )
    return [key for key, _, _ in found]


def explain_clause(line: str, start: int, colon: int, clauses: Sequence[Clause]) -> Diagnostic:
    """That none of an order's clauses begins with what stands in characters [start, colon) of the line."""
    word = line[start:colon].strip()
    choices = tuple(Code(f"{clause.keys[0]}:") for clause in clauses[:MOST_CHOICES])
    suggest = tuple(line[:start] + key + line[colon:] for key in near_keys(word, clauses))
    message = msg("parse/unknown-clause", word=Code(word), choices=choices)
    return Diagnostic(message, span=Span(start, colon), suggest=suggest)


def explain_bare_key(line: str, tokens: Sequence[Token], clauses: Sequence[Clause]) -> Diagnostic | None:
    """That a line begins with a clause's key and lacks the colon behind it; None where it doesn't."""
    keys = {fold(key): key for clause in clauses if clause.forms for key in clause.keys if "{" not in key}
    said = next((end for end in range(len(tokens), 0, -1) if _folded(tokens[:end]) in keys), None)
    if said is None:
        return None
    key, last = keys[_folded(tokens[:said])], tokens[said - 1]
    suggest = (f"{line[: last.end]}:{line[last.end :]}",)
    message = msg("parse/clause-without-colon", word=Code(key))
    return Diagnostic(message, span=Span(tokens[0].start, last.end), suggest=suggest)


def _folded(tokens: Sequence[Token]) -> str:
    return " ".join(token.folded for token in tokens)
