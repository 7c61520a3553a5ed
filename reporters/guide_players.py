"""The players' page of a guide: the block, its lines, corrections, what counts, limits (design.md 2)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from reporters.orders_template import BlockHead, write_block
from rules.engine.document import Block, Items, Paragraph, Preformatted, Section
from rules.engine.messages import Message, msg
from rules.engine.ruleset import Kind, Ruleset

_SHOWN_TURN = 3
_SHOWN_ORDERS = 3


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading allows. orders, block_chars: of a block. line_chars: of a joined line."""

    orders: int
    block_chars: int
    line_chars: int


def compose_manual(ruleset: Ruleset, limits: Limits) -> Iterator[Section]:
    """How orders are given; the main kind's orders serve as the example.

    Clauses, conditions and answers are told where the rule set has such.
    """
    kind = ruleset.main_kind
    yield Section("lead", None, (Paragraph(msg("guide/lead", game=ruleset.title)),))
    yield Section("how", msg("guide/how"), (*_show_block(kind),))
    yield _list_section("lines", "guide/lines", _line_texts(ruleset))
    yield _list_section("changes", "guide/changes", _change_texts())
    yield _list_section("counts", "guide/counts", _count_texts())
    yield _list_section("otherwise", "guide/otherwise", _otherwise_texts(kind))
    facts = {"orders": limits.orders, "chars": limits.block_chars, "line": limits.line_chars}
    yield Section("limits", msg("guide/limits"), (Paragraph(msg("guide/limits-text", **facts)),))


def _list_section(name: str, title: str, texts: tuple[Message, ...]) -> Section:
    return Section(name, Message(title), (Items(texts),))


def _show_block(kind: Kind) -> Iterator[Block]:
    examples = [form.example for form in kind.orders if form.example][:_SHOWN_ORDERS]
    yield Paragraph(msg("guide/how-block"))
    yield Preformatted(write_block(BlockHead(_SHOWN_TURN), examples, kind.language))
    yield Items(
        (
            msg("guide/how-marks"),
            msg("guide/how-fence"),
            msg("guide/how-where"),
            msg("guide/how-seat"),
            msg("guide/how-standing"),
            msg("guide/how-receipt"),
        )
    )


def _line_texts(ruleset: Ruleset) -> tuple[Message, ...]:
    has_clauses = any(form.clauses for kind in ruleset.kinds.values() for form in kind.orders)
    return (
        msg("guide/lines-one"),
        msg("guide/lines-verb"),
        msg("guide/lines-names"),
        msg("guide/lines-words"),
        msg("guide/lines-marks"),
        msg("guide/lines-end"),
        msg("guide/lines-comments"),
        msg("guide/lines-continued"),
        *((msg("guide/lines-clauses"),) if has_clauses else ()),
        *((msg("guide/lines-reply"),) if ruleset.questions else ()),
    )


def _change_texts() -> tuple[Message, ...]:
    return (
        msg("guide/changes-newest"),
        msg("guide/changes-append"),
        msg("guide/changes-withdraw"),
        msg("guide/changes-edit"),
        msg("guide/changes-invalid"),
        msg("guide/changes-ready"),
    )


def _count_texts() -> tuple[Message, ...]:
    return (
        msg("guide/counts-deadline"),
        msg("guide/counts-no-block"),
        msg("guide/counts-skipped"),
        msg("guide/counts-account"),
    )


def _otherwise_texts(kind: Kind) -> tuple[Message, ...]:
    own = (msg("guide/otherwise-conditions"),) if kind.conditions else ()
    return (msg("guide/otherwise-fallback"), *own, msg("guide/otherwise-refused"))
