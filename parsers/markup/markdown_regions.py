"""Where forums end fences and quotes in another line than CommonMark does.

A quote that ends too early gives another's orders to the one who quotes, one that ends too late takes the
quoter's own away: so the ends are exactly those of the forum.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from parsers.markup.markdown_blocks import (
    ENDS_PARAGRAPH_AND_LIST,
    BlockRule,
    end_of_item,
    is_rule,
    line_text,
)

FindLine = Callable[[StateBlock, int, int], int]

_FENCE = re.compile(r"(`{3,}|~{3,}) *([^`\s]*) *")
_FENCE_MARK = re.compile(r" *(?:```|~~~)")
_QUOTE_MARK = re.compile(r"^ *> ?", re.MULTILINE)
_ENDS_LIST = re.compile(r">|#{1,6}(?:[ \t]|$)")
_NEAR_QUOTE_MARK = re.compile(r"^ {0,3}> ?", re.MULTILINE)
_SPOILER_MARK = re.compile(r"^ {0,3}! ?", re.MULTILINE)
_LAZY_END = re.compile(r"```|~~~|[*+-] |[0-9]+[.)] |([-*_])(?: *\1){2,} *$")


def loose_fences(parser: MarkdownIt) -> None:
    """A fence has at most one word; what it begins with ends it, at the end of any line; else it is text."""
    parser.block.ruler.at("fence", _fences(_find_loose_closing), {"alt": ENDS_PARAGRAPH_AND_LIST})


def outer_fences(parser: MarkdownIt) -> None:
    """A fence has at most one word and begins its line, in no quote or list; unclosed it is text."""
    parser.block.ruler.at("fence", _fences(_find_outer_closing), {"alt": ENDS_PARAGRAPH_AND_LIST})


def greedy_quotes(parser: MarkdownIt) -> None:
    """A quote goes on to the next empty line, whatever stands there, and in the next quote after that.

    In a list it ends at the next item, too.
    """
    parser.block.ruler.at("blockquote", _quotes(_find_end_of_greedy), {"alt": ENDS_PARAGRAPH_AND_LIST})


def greedy_quotes_to_headings(parser: MarkdownIt) -> None:
    """The same where fences, headings and rules are looked for before quotes, so that they end them."""

    def ends(state: StateBlock, line: int, end: int) -> bool:
        is_heading = line_text(state, line).startswith("#")
        return is_heading or is_rule(state, line) or _find_outer_closing(state, line, end) > 0

    def find_end(state: StateBlock, start: int, end: int) -> int:
        return _find_end_of_greedy(state, start, end, ends)

    parser.block.ruler.at("blockquote", _quotes(find_end), {"alt": ENDS_PARAGRAPH_AND_LIST})


def lazy_quotes(parser: MarkdownIt) -> None:
    """A quote goes on to the next empty line, list, rule or fence, also where no paragraph is open in it.

    Where each of its lines begins with `!` it is a spoiler, unless it stands in a quote or list.
    """
    rule = _quotes(_find_end_of_lazy, spoilers=True, mark=_NEAR_QUOTE_MARK)
    parser.block.ruler.at("blockquote", rule, {"alt": ENDS_PARAGRAPH_AND_LIST})


def _fences(find_closing: FindLine) -> BlockRule:
    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        closing = find_closing(state, start, end)
        if closing < 0:
            return False
        if not silent:
            opening = _FENCE.match(line_text(state, start))
            fence, word = ("", "") if opening is None else opening.groups()
            token = state.push("fence", "code", 0)
            token.info = word
            code = state.getLines(start + 1, closing + 1, state.sCount[start], False).rstrip()
            token.content = code[: -len(fence)]
            state.line = closing + 1
        return True

    return rule


def _quotes(find_end: FindLine, *, spoilers: bool = False, mark: re.Pattern[str] = _QUOTE_MARK) -> BlockRule:
    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        if not line_text(state, start).startswith(">") or state.is_code_block(start):
            return False
        if silent:
            return True
        after = find_end(state, start, end)
        rest = state.getLines(start + 1, after, state.blkIndent, False)
        text = mark.sub("", f"{line_text(state, start)}\n{rest}".removesuffix("\n"))
        kind = "blockquote"
        if spoilers and state.level == 0 and _is_spoiler(text):
            kind, text = "spoiler", _SPOILER_MARK.sub("", text)
        state.push(f"{kind}_open", "blockquote", 1)
        inner = StateBlock(text, state.md, state.env, state.tokens)
        inner.level = state.level
        state.env["quotes"] = state.env.get("quotes", 0) + 1
        state.md.block.tokenize(inner, 0, inner.lineMax)
        state.env["quotes"] -= 1
        state.push(f"{kind}_close", "blockquote", -1)
        state.line = after
        return True

    return rule


def _is_spoiler(text: str) -> bool:
    """Whether each line begins with the mark, save for one empty line at the end."""
    return all(map(_SPOILER_MARK.match, text.removesuffix("\n").split("\n")))


def _find_end_of_greedy(
    state: StateBlock, start: int, end: int, ends: Callable[[StateBlock, int, int], bool] | None = None
) -> int:
    limit = end_of_item(state, start, end)
    line = after = start + 1
    while line < limit:
        if not state.isEmpty(line):
            is_new = after < line and not line_text(state, line).startswith(">")
            if is_new or (ends is not None and ends(state, line, end)):
                break
            after = line + 1
        line += 1
    return after


def _find_end_of_lazy(state: StateBlock, start: int, end: int) -> int:
    first = line_text(state, start)[1:]
    takes_text = bool(first.strip()) and not first.startswith("     ") and not _FENCE_MARK.match(first)
    is_open = takes_text
    for line in range(start + 1, end):
        text = line_text(state, line)
        if state.sCount[line] < state.blkIndent and _ENDS_LIST.match(text):
            return line
        if text.startswith(">") and not state.is_code_block(line):
            is_open = takes_text and bool(text[1:].strip())
        elif not is_open or not text or (not state.is_code_block(line) and _LAZY_END.match(text)):
            return line
    return end


def _find_loose_closing(state: StateBlock, start: int, end: int) -> int:
    opening = _FENCE.fullmatch(line_text(state, start))
    if opening is None or state.is_code_block(start):
        return -1
    fence = opening.group(1)
    after = end_of_item(state, start, end)
    return _find_first(state, start, after, fence, lambda line, text: text != fence or line > start + 1)


def _find_outer_closing(state: StateBlock, start: int, end: int) -> int:
    opening = _FENCE.fullmatch(line_text(state, start))
    if opening is None or state.env.get("quotes") or state.tShift[start] > 0:
        return -1
    fence = opening.group(1)
    return _find_first(state, start, end, fence, lambda line, text: text == fence and not state.tShift[line])


def _find_first(
    state: StateBlock, start: int, end: int, fence: str, closes: Callable[[int, str], bool]
) -> int:
    """The line that closes a fence, -1 for none; that there is none is remembered, so that many vain
    searches take no longer.
    """
    vain: set[tuple[str, str, int]] = state.env.setdefault("unclosed", set())
    key = (state.src, fence, end)
    if key in vain:
        return -1
    for line in range(start + 1, end):
        text = line_text(state, line).rstrip()
        if text.endswith(fence) and closes(line, text):
            return line
    vain.add(key)
    return -1
