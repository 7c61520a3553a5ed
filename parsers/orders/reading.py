"""The lines of one order block to orders, with a finding for each line that isn't understood.

Lines are read in sequence against the seat's plan, so that later ones may use what earlier ones make.
A line with `X: …` is, in this order: a clause of the order above, `si no:`, `si …:`, an actor, else an
order with a colon of its own (design.md 2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from parsers.orders.clauses import explain_bare_key, explain_clause, find_key, near_keys, read_clause
from parsers.orders.explaining import SINO, explain_actor, explain_conditional, near_verbs
from parsers.orders.keywords import KEYWORDS, NOTHING_WORDS, READY_WORDS, REPLY_WORDS
from parsers.orders.lines import MAX_LINE_CHARS, LogicalLine
from parsers.orders.matching import bare_words
from parsers.orders.replies import read_reply
from parsers.orders.rewording import reword
from parsers.orders.understanding import Understood, only_actor, read_actor, read_test, understand
from rules.engine.diagnostics import Diagnostic, error, refuses, warning
from rules.engine.messages import Code
from rules.engine.orders import Args, Clause, Order, OrderForm, Test, adopt
from rules.engine.plan import Plan
from rules.engine.ruleset import Kind
from rules.engine.text import Token, tokenize
from rules.play.reading import LineRead


@dataclass(frozen=True, slots=True)
class BlockReading:
    """What the lines of a block say.

    lines: the order lines, refused ones included, in the order written; their numbers count from `first`.
    ready: a line `listo`. nothing: the only line is `ninguna`. replies: handle and words of each `responder`.
    """

    lines: tuple[LineRead, ...]
    ready: bool = False
    nothing: bool = False
    replies: tuple[tuple[str, str], ...] = ()


@dataclass(slots=True)
class _Part:
    """An order line or one of its `si no` lines, before it is complete."""

    line: LogicalLine
    understood: Understood
    condition: Test | None = None
    actor: str | None = None
    clauses: dict[str, list[Args]] = field(default_factory=dict)


@dataclass(slots=True)
class _Entry:
    """One numbered order: its own line and its fallbacks, first error first."""

    number: int
    parts: list[_Part]
    findings: list[tuple[LogicalLine, Diagnostic]] = field(default_factory=list)


def read_orders(
    lines: Sequence[LogicalLine],
    kind: Kind,
    plan: Plan[Any],
    *,
    post: str | None = None,
    secret: bool = False,
    first: int = 1,
) -> BlockReading:
    """Read the logical lines of a block for the seat whose plan this is. Never raises for a player's text."""
    reader = _BlockReader(kind, plan, post, secret, first)
    for line in lines:
        reader.read(line)
    return reader.close()


class _BlockReader:
    def __init__(self, kind: Kind, plan: Plan[Any], post: str | None, secret: bool, first: int) -> None:
        self.kind = kind
        self.grammar = kind.grammar
        self.keywords = KEYWORDS[kind.language]
        self.plan = plan
        self.post = post
        self.secret = secret
        self.next = first
        self.entry: _Entry | None = None
        self.done: list[LineRead] = []
        self.ready = False
        self.nothing: LogicalLine | None = None
        self.replies: list[tuple[str, str]] = []
        self._actors = any(form.actors is not None for form in kind.orders)

    def read(self, line: LogicalLine) -> None:
        """Take the next logical line."""
        if self._read_plainly(line):
            return
        tokens = tokenize(line.text)
        words = tuple(token.folded for token in tokens)
        said = bare_words(tokens)
        if len(line.text) > MAX_LINE_CHARS:  # a correction's; no block has such a line
            long = error("parse/line-too-long", size=len(line.text), limit=MAX_LINE_CHARS)
            self._begin(line, Understood(None, long))
        elif line.partly_struck:
            self._begin(line, Understood(None, error("parse/partly-struck")))
        elif len(said) == 1 and said[0] in READY_WORDS:
            self.ready = True
        elif len(said) == 1 and said[0] in NOTHING_WORDS:
            self.nothing = line
        elif words[:1] and words[0] in REPLY_WORDS and not self.grammar.is_verb(words[0]):
            self._reply(line)
        elif self.entry is None or not self._clause(self.entry, line, tokens):
            self._order(line, tokens)

    def _read_plainly(self, line: LogicalLine) -> bool:
        """Whether it was an order in plain form, which needs no tokens (`rules.engine.quick`).

        A line that begins with a verb is an order wherever nobody acts in front and the order above, if
        there is one, has no clauses. Words that stand alone may say `listo` or `ninguna`.
        """
        head, blank, _ = line.text.partition(" ")
        above = self.entry.parts[-1].understood.forms if self.entry is not None else ()
        if not blank or line.partly_struck or self._actors or not self.grammar.quick.knows(head):
            return False
        if any(form.clauses for form in above):
            return False
        self._finish()  # before this line is understood: it may use what the one above makes
        plain = self.grammar.quick.read(line.text, self.plan)
        if plain is None:
            return False
        order, form = plain
        self._begin(line, Understood(order, None, self.grammar.siblings(form)))
        return True

    def _reply(self, line: LogicalLine) -> None:
        reply = read_reply(line.text)
        if reply is not None:
            self.replies.append(reply)
        else:
            self._begin(line, Understood(None, error("parse/incomplete-reply")))

    def close(self) -> BlockReading:
        """Finish the last order and let the plan look at the block as a whole."""
        self._finish()
        orders = tuple(one.order for one in self.done if one.order is not None)
        for number, found in self.plan.close(orders):
            self._add(number, *reword((found,), self.grammar, self.plan))
        said = self.nothing
        if said is not None and self.done:
            doubt = warning("block/none-and-orders", word=Code(said.text))
            self.done.append(LineRead(0, said.first_number, said.text, None, None, (doubt,)))
        nothing = said is not None and not self.done
        return BlockReading(tuple(self.done), self.ready, nothing, tuple(self.replies))

    def _add(self, number: int, finding: Diagnostic) -> None:
        for place, one in enumerate(self.done):
            if one.number == number:
                refused = refuses([finding])
                order = None if refused else one.order
                told = None if refused else one.told
                self.done[place] = replace(one, order=order, told=told, findings=(*one.findings, finding))

    # which kind of line

    def _clause(self, entry: _Entry, line: LogicalLine, tokens: Sequence[Token]) -> bool:
        """A clause of the order above, also where that one is refused."""
        part = entry.parts[-1]
        colon = _colon(tokens)
        for clause in _clauses(part.understood.forms):
            number = find_key(line.text, clause, colon, self.grammar, self.plan)
            if number is not None:
                self._take_clause(entry, clause, number, line, tokens, colon)
                return True
        return self._wrong_clause(entry, line, tokens, colon)

    def _take_clause(
        self,
        entry: _Entry,
        clause: Clause,
        number: int,
        line: LogicalLine,
        tokens: Sequence[Token],
        colon: int | None,
    ) -> None:
        part = entry.parts[-1]
        start = tokens[colon].end if colon is not None else len(line.text)
        found = read_clause(line.text, clause, number, start, self.grammar, self.plan)
        if isinstance(found, Diagnostic):
            entry.findings.append((line, found))
        elif clause.name in part.clauses and not clause.repeat:
            entry.findings.append((line, error("parse/clause-twice", word=Code(clause.keys[0]))))
        else:
            part.clauses.setdefault(clause.name, []).append(found)

    def _wrong_clause(
        self, entry: _Entry, line: LogicalLine, tokens: Sequence[Token], colon: int | None
    ) -> bool:
        """`palabra: …` below an order with clauses, which is no clause, condition, actor or verb."""
        above = entry.parts[-1].understood
        clauses = _clauses(above.forms)
        if colon is None and tokens and not self.grammar.find_verb(tokens[0].folded):
            bare = explain_bare_key(line.text, tokens, clauses)
            entry.findings += [(line, bare)] if bare is not None else []
            return bare is not None
        if above.guessed or colon is None or colon == 0 or not clauses or self._is_condition(tokens):
            return False
        if self._behind_fallback(tokens) is not None or tokens[0].folded == SINO:
            return False
        start, end = tokens[0].start, tokens[colon].start
        if not near_keys(line.text[start:end], clauses):
            if self.grammar.find_verb(tokens[0].folded) or near_verbs(tokens[0].folded, self.grammar):
                return False
            if self._actors and self._names_actor(line, start, end):
                return False
        entry.findings.append((line, explain_clause(line.text, start, end, clauses)))
        return True

    def _is_condition(self, tokens: Sequence[Token]) -> bool:
        return bool(tokens) and tokens[0].folded in self.keywords.conditions

    def _behind_fallback(self, tokens: Sequence[Token]) -> int | None:
        """Where the order of a line `si no: …` or `si no, …` begins, None where the line is none."""
        words = tuple(token.folded for token in tokens[:3])
        for way in self.keywords.fallbacks:
            if words[: len(way)] == way and words[len(way) : len(way) + 1] in ((":",), (",",)):
                return tokens[len(way)].end
        return None

    def _names_actor(self, line: LogicalLine, start: int, end: int) -> bool:
        """Whether somebody who may act stands in front of a colon, or a verb with actors behind it."""
        forms, grammar, plan = self.kind.orders, self.grammar, self.plan
        return bool(
            read_actor(line.text, forms, end, grammar, plan)
            or explain_actor(line.text, start, end, grammar, plan)
        )

    def _order(self, line: LogicalLine, tokens: Sequence[Token]) -> None:
        behind = self._behind_fallback(tokens)
        if behind is not None:
            self._fallback(line, behind)
            return
        self._finish()  # before this line is understood: it may use what the one above makes
        colon = _colon(tokens)
        if self._is_condition(tokens) and colon is not None:
            self._begin(line, *self._conditional(line, tokens[0].end, tokens[colon].start, tokens[colon].end))
            return
        broken = explain_conditional(line.text, tokens, self.keywords, self.grammar, self.plan)
        if broken is not None:
            self._begin(line, Understood(None, broken))
        else:
            self._begin(line, *self._plain(line, 0))

    def _plain(self, line: LogicalLine, start: int) -> tuple[Understood, None, str | None]:
        """An order from character `start` on, with or without an actor in front."""
        tokens = tuple(token for token in tokenize(line.text) if token.start >= start)
        colon = _colon(tokens)
        if not self._actors or colon is None:
            return understand(line.text, self.grammar, self.plan, start), None, None
        end = tokens[colon].start
        head = " " * start + line.text[start:end]
        actor = read_actor(head, self.kind.orders, end, self.grammar, self.plan)
        if actor is not None:
            return understand(line.text, self.grammar, self.plan, tokens[colon].end), None, actor
        if not self.grammar.find_verb(tokens[0].folded):
            wrong = explain_actor(line.text, start, end, self.grammar, self.plan)
            if wrong is not None:
                below = understand(line.text, self.grammar, self.plan, tokens[colon].end)
                return replace(below, order=None, diagnostic=wrong), None, None
        return understand(line.text, self.grammar, self.plan, start), None, None

    def _conditional(
        self, line: LogicalLine, start: int, end: int, behind: int
    ) -> tuple[Understood, Test | None, str | None]:
        test = read_test(line.text, start, end, self.grammar, self.plan)
        understood, _, actor = self._plain(line, behind)
        if isinstance(test, Diagnostic):
            return replace(understood, order=None, diagnostic=test), None, actor
        return understood, test, actor

    def _fallback(self, line: LogicalLine, start: int) -> None:
        if self.entry is None:
            self._begin(line, Understood(None, error("parse/fallback-alone")))
            return
        tokens = tuple(token for token in tokenize(line.text) if token.start >= start)
        colon = _colon(tokens)
        if self._is_condition(tokens) and colon is not None:
            behind = tokens[colon].end
            read = self._conditional(line, tokens[0].end, tokens[colon].start, behind)
        else:
            read = self._plain(line, start)
        self._part(self.entry, line, *read)

    # building orders

    def _begin(
        self,
        line: LogicalLine,
        understood: Understood,
        condition: Test | None = None,
        actor: str | None = None,
    ) -> None:
        self._finish()
        self.entry = _Entry(self.next, [])
        self.next += 1
        self._part(self.entry, line, understood, condition, actor)

    def _part(
        self,
        entry: _Entry,
        line: LogicalLine,
        understood: Understood,
        condition: Test | None,
        actor: str | None,
    ) -> None:
        part = _Part(line, understood, condition, actor)
        entry.parts.append(part)
        if understood.diagnostic is not None:
            entry.findings.append((line, understood.diagnostic))
        elif actor is None and any(form.actors for form in understood.forms):
            upper = entry.parts[-2].actor if len(entry.parts) > 1 else None
            part.actor = upper or only_actor(understood.forms, self.plan)
            if part.actor is None:
                entry.findings.append((line, error("parse/who-acts")))

    def _finish(self) -> None:
        entry, self.entry = self.entry, None
        if entry is None:
            return
        order = None if entry.findings else self._build(entry)
        if order is None:
            self._refuse(entry)
            return
        verdict = self.plan.accept(order)
        line = entry.parts[0].line
        located = reword(verdict.findings, self.grammar, self.plan)
        if refuses(located):
            self.plan.refused(order, order.text)
            self.done.append(LineRead(entry.number, line.first_number, line.text, None, None, located))
            return
        read = LineRead(entry.number, line.first_number, line.text, verdict.order, verdict.told, located)
        self.done.append(read)

    def _build(self, entry: _Entry) -> Order | None:
        order: Order | None = None
        for part in reversed(entry.parts):
            if part.understood.order is None:
                return None
            made = replace(
                part.understood.order,
                seat=self.plan.seat,
                number=entry.number,
                actor=part.actor,
                condition=part.condition,
                otherwise=order,
                post=self.post,
                secret=self.secret,
            )
            clauses = {name: adopt(tuple(values), made) for name, values in part.clauses.items()}
            order = replace(made, args=adopt(made.args, made), clauses=clauses)
        return order

    def _refuse(self, entry: _Entry) -> None:
        """One line gives one error: the first; names that it would have made count as known below."""
        line, finding = entry.findings[0]
        for part in entry.parts:
            self.plan.refused(part.understood.order, part.line.text)
        self.done.append(LineRead(entry.number, _place(line, finding), line.text, None, None, (finding,)))


def _place(line: LogicalLine, finding: Diagnostic) -> int:
    """The post's own line in which the mistake stands, where an order runs over several."""
    span = finding.span
    return line.first_number if span is None else line.locate(span.start, span.end).line.number


def _colon(tokens: Sequence[Token]) -> int | None:
    return next(
        (place for place, token in enumerate(tokens) if token.kind == "punct" and token.text == ":"), None
    )


def _clauses(forms: Sequence[OrderForm]) -> tuple[Clause, ...]:
    return tuple({clause.name: clause for form in forms for clause in form.clauses}.values())
