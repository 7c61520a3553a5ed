"""The block to copy for the next turn: an opening mark that fits, facts behind `#`, orders filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reporters.cleaning import clean_line
from rules.engine.catalogue import Catalogue
from rules.engine.messages import Message, Name, msg
from rules.engine.ruleset import Template

_MARKS = {"es": ("órdenes", "turno", "como"), "en": ("orders", "turn", "as")}


@dataclass(frozen=True, slots=True)
class BlockHead:
    """What stands on a block's opening mark. seat: only for who controls several, "" else."""

    turn: int
    track: str = ""
    seat: str = ""


def write_block(head: BlockHead, body: list[str], language: str) -> str:
    """A whole block, from `[órdenes turno 4]` to `[/órdenes]`."""
    block, turn, as_seat = _MARKS[language]
    words = [block, *([head.track] if head.track else []), turn, str(head.turn)]
    words += [as_seat, head.seat] if head.seat else []
    return "\n".join([f"[{' '.join(words)}]", *body, f"[/{block}]"])


def write_template(
    head: BlockHead, template: Template, catalogue: Catalogue, shown: Name | None = None
) -> str:
    """One seat's block. shown: whose it is, where others can read it too."""
    body = [*_comments(template, catalogue, shown), *map(_one_line, template.lines)]
    return write_block(head, body or [_write_here(catalogue)], catalogue.language)


def write_common_template(
    head: BlockHead, templates: Sequence[tuple[Name, Template]], catalogue: Catalogue
) -> str:
    """One block for everybody, with each seat's facts on a line of its own."""
    body = [line for shown, template in templates for line in _comments(template, catalogue, shown)]
    return write_block(head, body or [_write_here(catalogue)], catalogue.language)


def _comments(template: Template, catalogue: Catalogue, shown: Name | None) -> list[str]:
    if not template.comments:
        return []
    if shown is None:
        return [f"# {_one_line(catalogue.text(one))}" for one in (*template.comments, *_examples(template))]
    facts = " ".join(_one_line(catalogue.text(one)) for one in template.comments)
    return [f"# {_one_line(shown.text)}: {facts}"]


def _examples(template: Template) -> tuple[Message, ...]:
    """Orders to start from: who takes the mark away in front of one has ordered it."""
    return (msg("template/for-example"), *template.examples) if template.examples else ()


def _write_here(catalogue: Catalogue) -> str:
    return f"# {catalogue.text(msg('template/write-here'))}"


def _one_line(text: str) -> str:
    return clean_line(text).strip()
