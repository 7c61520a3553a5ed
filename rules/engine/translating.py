"""Declarations in the language of a game: its wording is shown, the Spanish one is understood too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rules.engine.orders import Clause, OrderForm, TestForm
from rules.engine.wording import Wording

if TYPE_CHECKING:
    from rules.engine.arguments import Argument


@dataclass(slots=True)
class Translation:
    """Declarations of one kind of turn in English; an argument that several share stays one thing.

    What has no English wording keeps its own.
    """

    _made: dict[int, tuple[Argument, Argument]] = field(default_factory=dict)

    def order(self, form: OrderForm) -> OrderForm:
        """An order whose English forms are shown."""
        actors = None if form.actors is None else self.argument(form.actors)
        clauses = tuple(self.clause(one) for one in form.clauses)
        made = replace(form, args=self.arguments(form.args), actors=actors, clauses=clauses)
        if form.en is None:
            return made
        marks = {name: (*form.en.marks.get(name, ()), *words) for name, words in form.marks.items()}
        return replace(
            made,
            forms=form.en.forms,
            verbs=form.en.verbs,
            example=form.en.example,
            marks=marks,
            also=Wording(form.forms, form.verbs),
        )

    def clause(self, clause: Clause) -> Clause:
        """A clause whose English keys and forms are shown."""
        made = replace(clause, args=self.arguments(clause.args))
        if clause.en is None:
            return made
        keys = tuple(dict.fromkeys((*clause.en.keys, *clause.keys)))
        return replace(made, keys=keys, forms=clause.en.forms, also=clause.forms)

    def test(self, test: TestForm) -> TestForm:
        """A condition or trigger whose English forms are shown."""
        made = replace(test, args=self.arguments(test.args))
        return made if test.en is None else replace(made, forms=test.en.forms, also=test.forms)

    def arguments(self, args: Mapping[str, Argument]) -> Mapping[str, Argument]:
        """Arguments by name."""
        return {name: self.argument(one) for name, one in args.items()}

    def argument(self, argument: Argument) -> Argument:
        """An argument with its English words; the same one for the same one."""
        if id(argument) not in self._made:
            self._made[id(argument)] = argument, argument.in_english(self.argument)
        return self._made[id(argument)][1]
