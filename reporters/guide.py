"""The players' guide of a rule set: how orders are given, and every order, from its declarations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reporters.blocks import Chapter, Heading, Piece
from reporters.guide_forms import FormWriter, spoken_forms
from reporters.guide_players import Limits, compose_manual
from reporters.layout import lay_out_block
from rules.engine.catalogue import Catalogue
from rules.engine.document import Align, Block, Document, Items, Paragraph, Section, Table
from rules.engine.messages import Code, Message, msg
from rules.engine.orders import Clause, OrderForm, TestForm
from rules.engine.ruleset import Kind, Ruleset

ORDER = "order/"
"""Beginning of the ids of sections about one verb; they stand below that of their kind of turn."""


def compose_guide(ruleset: Ruleset, catalogue: Catalogue, limits: Limits) -> Document:
    """The guide as data: a page on how orders are given, then each kind of turn with its orders.

    catalogue: with the rule set's texts; it decides the language. limits: those of reading.
    """
    sections = [*compose_manual(ruleset, limits)]
    for kind in ruleset.kinds.values():
        sections += _KindGuide(ruleset, kind, catalogue).compose()
    sections.append(Section("source", None, (Paragraph(msg("guide/source", ruleset=ruleset.id)),)))
    return Document(msg("guide/title", game=ruleset.title), tuple(sections))


def lay_out_guide(document: Document, catalogue: Catalogue) -> tuple[Chapter, ...]:
    """The guide as chapters, with a heading over each section, so that a page can link to it."""
    chapters = [Chapter("title", (Heading(catalogue.say(document.title), 1),))]
    for one in document.sections:
        pieces: list[Piece] = [piece for block in one.blocks for piece in lay_out_block(block, catalogue)]
        if one.title is not None:
            level = 3 if one.id.startswith(ORDER) else 2
            pieces.insert(0, Heading(catalogue.say(one.title), level))
        chapters.append(Chapter(one.id, tuple(pieces)))
    return tuple(chapters)


class _KindGuide:
    """What the guide says of one kind of turn."""

    def __init__(self, ruleset: Ruleset, kind: Kind, catalogue: Catalogue) -> None:
        self.ruleset, self.kind, self.catalogue = ruleset, kind, catalogue
        self.writer = FormWriter(catalogue)

    def compose(self) -> Iterator[Section]:
        yield Section(f"orders/{self.kind.name}", self._title(), (*self._overview(),))
        for verb in dict.fromkeys(form.verb for form in self.kind.orders):
            forms = [form for form in self.kind.orders if form.verb == verb]
            blocks = [block for form in forms for block in self._order(form)]
            yield Section(
                f"{ORDER}{self.kind.name}/{verb}", msg("guide/verb", verb=verb), (*blocks, *_said(forms))
            )
        yield from self._tests("conditions", self.kind.conditions)
        yield from self._tests("triggers", self.kind.triggers)

    def _title(self) -> Message:
        """The kind's own title where the rule set has a text for it; with one kind none is needed."""
        own = f"{self.ruleset.id}/kind-{self.kind.name}"
        if own in self.catalogue:
            return Message(own)
        several = self.kind.name if len(self.ruleset.kinds) > 1 else None
        return msg("guide/orders", game=self.ruleset.title, kind=several)

    def _overview(self) -> Iterator[Block]:
        yield Paragraph(msg("guide/reading"))
        rows = [
            (msg("guide/cell-example", line=Code(form.example)), _summary(form), _price(form))
            for form in self.kind.orders
        ]
        head = (msg("guide/head-example"), msg("guide/head-does"), msg("guide/head-cost"))
        yield Table(head, tuple(rows), (Align.LEFT,) * 3)

    def _order(self, form: OrderForm) -> Iterator[Block]:
        yield Paragraph(_summary(form))
        yield Items(tuple(self._facts(form)))

    def _facts(self, form: OrderForm) -> Iterator[Message]:
        yield msg("guide/written", forms=self._codes(form.forms, form))
        yield from self._explained(form)
        if form.example not in ("", *form.forms):
            yield msg("guide/example", line=Code(form.example))
        if form.cost:
            yield msg("guide/cost", cost=Message(form.cost))
        yield from self._circumstances(form)
        for one in form.clauses:
            yield from self._clause(one)
        for name in form.marks:
            yield msg("guide/mark", words=tuple(Code(f"({word})") for word in form.marks[name]))

    def _circumstances(self, form: OrderForm) -> Iterator[Message]:
        if form.free:
            yield msg("guide/free")
        if form.joint:
            yield msg("guide/joint")
        if form.who is not None:
            yield msg("guide/not-all")
        if form.actors is not None:
            line = f"{self.writer.name(form.actors)}: {form.example.rpartition(': ')[2] or form.verb}"
            yield msg("guide/actor", line=Code(line), needed=int(form.acting is None))

    def _clause(self, clause: Clause) -> Iterator[Message]:
        keys = [self.writer.write(key, clause.args) for key in clause.keys]
        lines = [Code(f"{keys[0]}: {self.writer.write(form, clause.args)}") for form in clause.forms]
        yield msg(
            "guide/clause",
            lines=tuple(lines) or (Code(keys[0]),),
            keys=tuple(Code(key) for key in keys[1:]),
            repeat=int(clause.repeat),
        )
        yield from self._explained(clause)

    def _codes(self, forms: Iterable[str], of: OrderForm | Clause | TestForm) -> tuple[Code, ...]:
        return tuple(Code(self.writer.write(form, of.args)) for form in forms)

    def _explained(self, of: OrderForm | Clause | TestForm) -> Iterator[Message]:
        for name, ways in self.writer.explain(of.args.values()).items():
            yield msg("guide/where", name=Code(name), ways=tuple(Code(way) for way in ways))

    def _tests(self, name: str, tests: tuple[TestForm, ...]) -> Iterator[Section]:
        """Conditions or triggers, where the kind has some."""
        if not tests:
            return
        items: list[Message] = []
        for test in tests:
            summary = Message(test.summary) if test.summary else None
            items.append(msg("guide/test", forms=self._codes(test.forms, test), summary=summary))
            items += self._explained(test)
        is_condition = int(name == "conditions")
        lead = Paragraph(msg("guide/tests-lead", condition=is_condition))
        title = msg("guide/tests", condition=is_condition)
        yield Section(f"{name}/{self.kind.name}", title, (lead, Items(tuple(items))))


def _summary(form: OrderForm) -> Message:
    return Message(form.summary) if form.summary else msg("guide/no-summary")


def _price(form: OrderForm) -> Message:
    """What an order costs; a free one needs no action either."""
    return msg("guide/cell-cost", cost=Message(form.cost) if form.cost else None, free=int(form.free))


def _said(forms: Sequence[OrderForm]) -> Iterator[Block]:
    words = spoken_forms(forms)
    if words:
        yield Paragraph(msg("guide/spoken", words=tuple(map(Code, words))))
