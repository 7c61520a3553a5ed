"""Where forums' Markdown has other blocks than CommonMark: each difference is one change of the parser.

What matters is only which lines come out and what counts in them; how they are nested does not. The rules are
written after what the forums' renderers were seen to make of posts.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, list_block, table

Change = Callable[[MarkdownIt], None]
BlockRule = Callable[[StateBlock, int, int, bool], bool]

ENDS_PARAGRAPH = ["paragraph", "reference", "blockquote"]
ENDS_PARAGRAPH_AND_LIST = [*ENDS_PARAGRAPH, "list"]

_BULLET = re.compile(r" *(?:[*+-]|[0-9]+\.) ")
_PARENTHESIS = re.compile(r"[0-9]{1,9}\)")
_HEADING = re.compile(r"(#{1,6})(?!#) *([^\n]+)")
_RULE = re.compile(r"[-*_](?: *[-*_]){2,} *")
_UNDERLINE = re.compile(r" *[=-]*([=-]) *")
_INDENTED_MARK = re.compile(r" {4,}(?:(?:[*+-]|[0-9]+\.) |>.|#+ *[^\s#])")


def without(*names: str) -> Change:
    """Rules that a software doesn't have."""

    def change(parser: MarkdownIt) -> None:
        parser.disable(list(names))

    return change


def lists(*, amid_paragraphs: bool) -> Change:
    """`1)` is text. A list with any number may begin in the line after a paragraph's, or none may."""

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if _PARENTHESIS.match(line_text(state, start)):
            return False
        if not silent or state.parentType != "paragraph":
            return list_block(state, start, end, silent)
        if not amid_paragraphs and state.blkIndent == 0:
            return False
        state.parentType = "root"
        found = list_block(state, start, end, silent)
        state.parentType = "paragraph"
        return found

    return lambda parser: parser.block.ruler.at("list", rule, {"alt": ENDS_PARAGRAPH})


def tight_headings(*, in_lists: bool) -> Change:
    """`#x` is a heading as `# x` is; where lists have none, it is their text."""

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        found = _HEADING.fullmatch(line_text(state, start))
        if found is None or state.is_code_block(start) or (not in_lists and is_in_list(state, start)):
            return False
        if not silent:
            text = found.group(2).rstrip()
            _push_heading(state, len(found.group(1)), text.rstrip("#").rstrip() or text, start + 1)
        return True

    alt = ENDS_PARAGRAPH_AND_LIST if in_lists else ENDS_PARAGRAPH
    return lambda parser: parser.block.ruler.at("heading", rule, {"alt": alt})


def underlined_line(*, amid_paragraphs: bool) -> Change:
    """Only the line right above `---` or `===` is a heading, also where it looks like a list's item."""

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        text = line_text(state, start)
        if start + 1 >= end or state.is_code_block(start) or not text or _HEADING.fullmatch(text):
            return False
        found = _UNDERLINE.fullmatch(state.src, state.bMarks[start + 1], state.eMarks[start + 1])
        if found is None or is_rule(state, start) or _ends_list(state, start):
            return False
        if not silent:
            _push_heading(state, 1 if found.group(1) == "=" else 2, text.rstrip(), start + 2)
        return True

    def change(parser: MarkdownIt) -> None:
        parser.block.ruler.disable("lheading")
        alt = ENDS_PARAGRAPH if amid_paragraphs else []
        parser.block.ruler.before("blockquote", "underlined", rule, {"alt": alt})

    return change


def detached_tables(parser: MarkdownIt) -> None:
    """A table doesn't begin amid a paragraph, and each line of it has a `|`."""

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        after = next_lines(state, "no cells", lambda text: "|" not in text)[start]
        return after > start and table(state, start, min(after, end), silent)

    parser.block.ruler.at("table", rule)


def indented_marks_end_paragraphs(parser: MarkdownIt) -> None:
    """A list, quote or heading ends a paragraph however far it is indented, though it may then be code."""

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        ends = state.md.block.ruler.getRules("paragraph")
        before, state.parentType = state.parentType, "paragraph"
        line = start + 1
        while line < end and not state.isEmpty(line):
            is_mark = state.blkIndent == 0 and _INDENTED_MARK.match(state.src, state.bMarks[line])
            if is_mark or any(ends_here(state, line, end, True) for ends_here in ends):
                break
            line += 1
        state.parentType = before
        state.push("paragraph_open", "p", 1)
        _push_inline(state, state.getLines(start, line, state.blkIndent, False).strip())
        state.push("paragraph_close", "p", -1)
        state.line = line
        return True

    parser.block.ruler.at("paragraph", rule)


def line_text(state: StateBlock, line: int) -> str:
    """A line without its indentation."""
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def is_rule(state: StateBlock, line: int) -> bool:
    """Whether a line is `---` or the like."""
    return _RULE.fullmatch(line_text(state, line)) is not None


def is_in_list(state: StateBlock, line: int) -> bool:
    """Whether a line belongs to a list: an item stands above it, without an empty line between."""
    is_near = state.blkIndent > 0 or (bool(state.tokens) and state.tokens[-1].type.endswith("list_close"))
    return is_near and _lines_behind_items(state)[line]


def end_of_item(state: StateBlock, line: int, end: int) -> int:
    """Where the item of a list ends that a line belongs to; `end` for a line in none."""
    if not is_in_list(state, line) and not _stands_behind_mark(state, line):
        return end
    ends = next_lines(state, "end of item", lambda text: not text.strip() or _begins_item(text))
    return min(ends[line + 1], end) if line + 1 < len(ends) else end


def _stands_behind_mark(state: StateBlock, line: int) -> bool:
    """Whether a line is what an item begins with."""
    return state.blkIndent > 0 and _begins_item(state.src[state.bMarks[line] : state.eMarks[line]])


def next_lines(state: StateBlock, name: str, holds: Callable[[str], bool]) -> list[int]:
    """For each line of the text the first, from itself on, for which something holds; found only once."""
    known: dict[tuple[str, str], list[int]] = state.env.setdefault("next lines", {})
    key = (name, state.src)
    if key not in known:
        texts = state.src.split("\n")
        known[key] = found = [len(texts)] * (len(texts) + 1)
        for line in range(len(texts) - 1, -1, -1):
            found[line] = line if holds(texts[line]) else found[line + 1]
    return known[key]


def _lines_behind_items(state: StateBlock) -> list[bool]:
    known: dict[str, list[bool]] = state.env.setdefault("behind items", {})
    if state.src not in known:
        known[state.src] = behind = []
        has_item = False
        for text in state.src.split("\n"):
            has_item = has_item and text.strip() != ""
            behind.append(has_item)
            has_item = has_item or _begins_item(text)
    return known[state.src]


def _begins_item(text: str) -> bool:
    return _BULLET.match(text) is not None and _RULE.fullmatch(text.strip()) is None


def _ends_list(state: StateBlock, line: int) -> bool:
    """Whether a line of a list has a rule under it, which ends the list."""
    return is_in_list(state, line) and is_rule(state, line + 1)


def _push_heading(state: StateBlock, level: int, text: str, after: int) -> None:
    state.push("heading_open", f"h{level}", 1)
    _push_inline(state, text)
    state.push("heading_close", f"h{level}", -1)
    state.line = after


def _push_inline(state: StateBlock, text: str) -> None:
    token = state.push("inline", "", 0)
    token.content = text
    token.children = []
