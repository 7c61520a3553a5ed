"""Orders as a player would write them: what the matcher reads back to the same order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rules.engine.forms import Element, Literal, Maybe, Slot, compile_form
from rules.engine.grammar import Grammar
from rules.engine.orders import Args, Order
from rules.engine.plan import Plan

if TYPE_CHECKING:
    from rules.engine.arguments import Argument


def print_order(order: Order, grammar: Grammar, plan: Plan[Any]) -> str:
    """The order's own line in its shown form (clauses and conditions are lines of their own)."""
    form = grammar.orders[order.name]
    return print_form(form.forms[order.args.form], order.args, form.args, plan)


def print_form(form: str, values: Args, args: Mapping[str, Argument], plan: Plan[Any]) -> str:
    """A form with its values filled in; parts in brackets stand only where they have a value."""
    words = _words(compile_form(form), values, args, plan)
    return (
        " ".join(words)
        .replace(" :", ":")
        .replace(" ,", ",")
        .replace(" ;", ";")
        .replace("( ", "(")
        .replace(" )", ")")
    )


def _words(
    elements: tuple[Element, ...], values: Args, args: Mapping[str, Argument], plan: Plan[Any]
) -> list[str]:
    words: list[str] = []
    for element in elements:
        if isinstance(element, Literal):
            words.append(element.shown)
        elif isinstance(element, Maybe):
            if any(slot.name in values.values for slot in element.elements if isinstance(slot, Slot)):
                words += _words(element.elements, values, args, plan)
        elif element.many:
            words.append(", ".join(args[element.name].show(one, plan) for one in values[element.name]))
        else:
            words.append(args[element.name].show(values[element.name], plan))
    return words
