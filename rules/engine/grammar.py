"""The language of one kind of turn: its verbs, orders, conditions and triggers, ready for the matcher."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rules.engine.matcher import match_forms
from rules.engine.orders import OrderForm, TestForm, Value
from rules.engine.quick import QuickForms
from rules.engine.text import fold
from rules.engine.verbs import forms_of

if TYPE_CHECKING:
    from rules.engine.matcher import Reader

SHORTEST_VERB = 3
"""Letters that a shortened verb must keep."""


class Grammar:
    """Verbs to declarations, in every form that players use.

    Raises ValueError where a form is shared by two verbs, or an order is declared twice.
    """

    def __init__(
        self,
        orders: Sequence[OrderForm],
        conditions: Sequence[TestForm] = (),
        triggers: Sequence[TestForm] = (),
    ) -> None:
        self.orders = {form.name: form for form in orders}
        if len(self.orders) != len(orders):
            raise ValueError("two orders of one name")
        self.conditions = tuple(conditions)
        self.triggers = tuple(triggers)
        self._by_verb: dict[str, list[OrderForm]] = {}
        self._forms: dict[str, str] = {}
        self._heads: dict[str, str] = {}
        for form in orders:
            self._register(form)
        self.quick = QuickForms([(word, self._by_verb[verb]) for word, verb in sorted(self._forms.items())])

    def _register(self, form: OrderForm) -> None:
        verb = fold(form.verb)
        self._by_verb.setdefault(verb, []).append(form)
        for head in _heads(form):
            self._heads.setdefault(head, verb)
        for word in sorted(_spoken(form)):
            other = self._forms.setdefault(word, verb)
            if other != verb:
                raise ValueError(f"form {word!r} is shared by the verbs {other!r} and {verb!r}")

    @property
    def verbs(self) -> tuple[str, ...]:
        """The verbs as they are shown, sorted."""
        return tuple(sorted({form.verb for form in self.orders.values()}))

    @property
    def spoken(self) -> frozenset[str]:
        """Every folded form of every verb."""
        return frozenset(self._forms)

    def is_verb(self, word: str) -> bool:
        """Whether a folded word is a verb in full."""
        return word in self._forms

    def find_verb(self, word: str) -> tuple[str, ...]:
        """Verbs that a folded word may mean: one, none, or several where it is cut too short."""
        if word in self._forms:
            return (self._forms[word],)
        if len(word) < SHORTEST_VERB:
            return ()
        return tuple(sorted({verb for head, verb in self._heads.items() if head.startswith(word)}))

    def forms_for(self, verb: str) -> tuple[OrderForm, ...]:
        """The declarations that begin with a verb."""
        return tuple(self._by_verb.get(verb, ()))

    def siblings(self, form: OrderForm) -> tuple[OrderForm, ...]:
        """The declarations with the same verb, this one among them."""
        return self.forms_for(fold(form.verb))

    def shown(self, verb: str) -> str:
        """A verb as its declaration writes it."""
        return self._by_verb[verb][0].verb

    def tests(self, triggers: bool) -> tuple[TestForm, ...]:
        """The declared triggers, or conditions."""
        return self.triggers if triggers else self.conditions

    def match_order(self, reader: Reader, at: int) -> Iterator[tuple[OrderForm, int, dict[str, Value]]]:
        """Readings of a whole order from token `at` to the end, as an argument of another order."""
        token = reader.token(at)
        verbs = self.find_verb(token.folded) if token is not None else ()
        if len(verbs) != 1:
            reader.trail.fail(at, at + 1, None, candidates=self.verbs)
            return
        loose = reader.loose
        yield from match_forms(reader, self.forms_for(verbs[0]), at)
        reader.loose = loose


def _heads(form: OrderForm) -> tuple[str, ...]:
    """The folded verb of each language, which may be cut to its beginning.

    Raises ValueError where the forms of one language have two.
    """
    heads: list[str] = []
    for forms in (form.forms, form.also.forms if form.also is not None else ()):
        verbs = {fold(one.split()[0]) for one in forms}
        if len(verbs) > 1:
            raise ValueError(f"order {form.name!r}: forms with two verbs; declare the second as `verbs`")
        heads += verbs
    return tuple(heads)


def _spoken(form: OrderForm) -> frozenset[str]:
    """Every folded form of the verb: as English ones stand, Spanish ones with what derives from them."""
    if form.also is None:
        return _conjugated(form.verb, form.verbs)
    native = _conjugated(form.also.forms[0].split()[0], form.also.verbs)
    return native.union(fold(word) for word in (form.verb, *form.verbs))


def _conjugated(verb: str, others: tuple[str, ...]) -> frozenset[str]:
    return frozenset().union(*(forms_of(word) for word in (verb, *others)))
