"""Lines that a rule set suggests, in the language of the game: rule sets write them in Spanish."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from parsers.orders.understanding import understand
from rules.engine.diagnostics import Diagnostic
from rules.engine.grammar import Grammar
from rules.engine.plan import Plan
from rules.engine.printing import print_order


def reword(findings: Iterable[Diagnostic], grammar: Grammar, plan: Plan[Any]) -> tuple[Diagnostic, ...]:
    """The findings with their suggestions as the game's language writes them."""
    return tuple(
        replace(one, suggest=tuple(_shown(line, grammar, plan) for line in one.suggest))
        if one.suggest
        else one
        for one in findings
    )


def _shown(line: str, grammar: Grammar, plan: Plan[Any]) -> str:
    order = understand(line, grammar, plan).order
    if order is None or grammar.orders[order.name].also is None:
        return line
    return print_order(order, grammar, plan)
