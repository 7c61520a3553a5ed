"""A post as its reader sees it: lines, and what on the page is not the author's own live text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rules.engine.diagnostics import Diagnostic

SkipKind = Literal["quote", "signature", "struck", "code", "spoiler", "hidden", "heading"]


@dataclass(frozen=True, slots=True)
class SeenLine:
    """One line with text. Immutable; two readings of the same post give equal lines.

    number: from 1, counting the author's own lines with text: empty lines, quotes and signatures take no
    number, so that the rendered page and the raw text of a post number alike.
    text: without markup; smileys as their alternative text; headings begin with `# ` (as many as their
    level).
    fence: None outside of code blocks, else the block's info word, "" where it has none or the forum lost it.
    fence_number: which code block of the post, from 1; 0 outside. An empty code block is one line without
    text.
    struck: all that matters of the line is struck through; partly_struck: some of it is.
    inline_code: texts of the inline code that begins in this line, with the line breaks of their source.
    spoiler: the line stands in a spoiler.
    """

    number: int
    text: str
    fence: str | None = None
    struck: bool = False
    partly_struck: bool = False
    inline_code: tuple[str, ...] = ()
    spoiler: bool = False
    fence_number: int = 0


@dataclass(frozen=True, slots=True)
class Skip:
    """Text that doesn't count, to be named in the receipt.

    kind: `heading` is a line inside a block that the forum shows as a title of the second or a lower level,
    which happens to an order above a line of dashes.
    line: its number; for what takes no number (quotes, signatures, hidden text) that of the next own line.
    excerpt: at most 80 characters, where it has a block the line that opens it.
    has_block: whether it holds the opening mark of an order block.
    """

    kind: SkipKind
    line: int
    excerpt: str
    has_block: bool


@dataclass(frozen=True, slots=True)
class SeenText:
    """The lines of one post, in reading order, and what was left out of them.

    refused: why the post was not read at all (too big, broken markup), None where it was; then it has no
    lines.
    """

    lines: tuple[SeenLine, ...] = ()
    skipped: tuple[Skip, ...] = ()
    refused: Diagnostic | None = None
