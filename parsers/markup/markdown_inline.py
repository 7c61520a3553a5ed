"""Where forums read marks within a line otherwise than CommonMark: each one a change of the parser.

Their renderers pair marks by regular expressions: blanks inside don't matter, the first end that fits closes.
Here the ends are searched so that it takes linear time.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from markdown_it import MarkdownIt
from markdown_it.common.utils import normalizeReference
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

_ESCAPED = "\\`*{}[]()#+-.!_>~|"
_SINGLE = {
    "*": re.compile(r"\*((?:\*\*|[^*])+?)\*(?!\*)"),
    "_": re.compile(r"_((?:__|[^_])+?)_\b"),
}
_DOUBLE_ENDS = {"**": re.compile(r"\*\*(?!\*)"), "__": re.compile(r"__(?!_)"), "~~": re.compile(r"(?<=\S)~~")}
_SPOILER_END = re.compile(r"!<|\n")
_BACKTICKS = re.compile("`+")
_TAGS = {"**": "strong", "__": "strong", "~~": "s", "*": "em", "_": "em"}
_LABEL = re.compile(r"!?\[((?:\[[^\[\]]*\]|[^\[\]])*)\]")
_REFERENCE = re.compile(r"\s*\[([^^\]]*)\]")
_DEFINITION = re.compile(r'\[([^^\]]+)\]: *<?([^\s>]+)>?(?: +["(][^\n]+[")])? *')


def any_length_code(parser: MarkdownIt) -> None:
    """Inline code ends at a run of backticks as long as the opening one, or as that one's end.

    It keeps its line breaks in the page's source, though no reader sees them.
    """
    parser.inline.ruler.at("backticks", _code)


def paired_marks(parser: MarkdownIt) -> None:
    r"""`*`, `_` and `~~` reach to the first end that fits; a `\` escapes few characters, no line break."""
    parser.inline.ruler2.disable(["balance_pairs", "emphasis", "strikethrough"])
    parser.inline.ruler.at("emphasis", _pair)
    parser.inline.ruler.at("strikethrough", _strike)
    parser.inline.ruler.at("escape", _escape)


def loose_strike(parser: MarkdownIt) -> None:
    """`~~` strikes up to the next `~~`, whatever stands between."""

    def rule(state: StateInline, silent: bool) -> bool:
        if not state.src.startswith("~~", state.pos):
            return False
        end = state.src.find("~~", state.pos + 3, state.posMax)
        return end >= 0 and _enclose(state, "~~", end, silent)

    parser.inline.ruler.at("strikethrough", rule)
    parser.inline.ruler2.disable("strikethrough")


def inline_spoilers(parser: MarkdownIt) -> None:
    """`>! x !<` within a line is a spoiler."""

    def rule(state: StateInline, silent: bool) -> bool:
        if not state.src.startswith(">!", state.pos):
            return False
        end = find_end(state, _SPOILER_END, state.pos + 3)
        if end is None or end.group() == "\n" or not state.src[state.pos + 2 : end.start()].strip():
            return False
        if not silent:
            state.push("spoiler_open", "span", 1)
            tokenize_within(state, state.pos + 2, end.start())
            state.push("spoiler_close", "span", -1)
        state.pos = end.end()
        return True

    parser.inline.ruler.before("link", "spoiler", rule)


def loose_links(parser: MarkdownIt) -> None:
    """What stands in a link's parentheses may be anything; a definition may stand amid a paragraph."""
    parser.inline.ruler.at("link", _link)
    parser.inline.ruler.at("image", _link)
    parser.block.ruler.at("reference", _define, {"alt": ["paragraph", "reference", "blockquote", "list"]})


def _escape(state: StateInline, silent: bool) -> bool:
    pos = state.pos
    if state.src[pos] != "\\" or pos + 1 >= state.posMax or state.src[pos + 1] not in _ESCAPED:
        return False
    if not silent:
        state.append_pending(state.src[pos + 1])
    state.pos = pos + 2
    return True


def _code(state: StateInline, silent: bool) -> bool:
    """Inline code, which any run of backticks ends that is as long as the opening one, or as its end."""
    start = state.pos
    if state.src[start] != "`":
        return False
    runs = _runs(state)
    width = 1
    while start + width < state.posMax and state.src[start + width] == "`":
        width += 1
    for length in range(width, 0, -1):
        ends = runs.get(length, [])
        at = bisect_left(ends, start + width + 1)
        if at < len(ends) and ends[at] + length <= state.posMax:
            if not silent:
                token = state.push("code_inline", "code", 0)
                token.content = state.src[start + length : ends[at]].strip()
            state.pos = ends[at] + length
            return True
    if not silent:
        state.append_pending("`" * width)
    state.pos = start + width
    return True


def _runs(state: StateInline) -> dict[int, list[int]]:
    """Where the runs of backticks begin, by their length."""
    known: dict[str, dict[int, list[int]]] = state.env.setdefault("backticks", {})
    if state.src not in known:
        runs = known[state.src] = {}
        for run in _BACKTICKS.finditer(state.src):
            runs.setdefault(len(run[0]), []).append(run.start())
    return known[state.src]


def _strike(state: StateInline, silent: bool) -> bool:
    pos = state.pos
    if not state.src.startswith("~~", pos) or state.src[pos + 2 : pos + 3].strip() == "":
        return False
    end = find_end(state, _DOUBLE_ENDS["~~"], pos + 3)
    return end is not None and _enclose(state, "~~", end.start(), silent)


def _pair(state: StateInline, silent: bool) -> bool:
    mark = state.src[state.pos]
    if mark not in _SINGLE:
        return False
    if state.src.startswith(mark * 2, state.pos):
        end = find_end(state, _DOUBLE_ENDS[mark * 2], state.pos + 3)
        if end is not None:
            return _enclose(state, mark * 2, end.start(), silent)
    found = _SINGLE[mark].match(state.src, state.pos, state.posMax)
    return found is not None and _enclose(state, mark, found.end(1), silent)


def find_end(state: StateInline, end: re.Pattern[str], start: int) -> re.Match[str] | None:
    """What ends a mark; that there is nothing is remembered, so that many vain searches take no longer."""
    vain: set[tuple[str, str]] = state.env.setdefault("vain", set())
    if (state.src, end.pattern) in vain:
        return None
    found = end.search(state.src, start)
    if found is None:
        vain.add((state.src, end.pattern))
    return found if found is not None and found.end() <= state.posMax else None


def _enclose(state: StateInline, mark: str, end: int, silent: bool) -> bool:
    """Read the text up to `end` as standing within a pair of marks."""
    start = state.pos
    if not silent:
        state.push(f"{_TAGS[mark]}_open", _TAGS[mark], 1)
        tokenize_within(state, start + len(mark), end)
        state.push(f"{_TAGS[mark]}_close", _TAGS[mark], -1)
    state.pos = end + len(mark)
    return True


def tokenize_within(state: StateInline, start: int, end: int) -> None:
    """Read a part of the text by itself."""
    before, maximum = state.pos, state.posMax
    state.pos, state.posMax = start, end
    state.md.inline.tokenize(state)
    state.pos, state.posMax = before, maximum


def _link(state: StateInline, silent: bool) -> bool:
    label = _LABEL.match(state.src, state.pos, state.posMax)
    if label is None:
        return False
    end = _find_end_of_link(state, label)
    if end is None:
        return False
    if not silent and state.src[state.pos] == "[":
        state.push("link_open", "a", 1)
        tokenize_within(state, label.start(1), label.end(1))
        state.push("link_close", "a", -1)
    state.pos = end
    return True


def _find_end_of_link(state: StateInline, label: re.Match[str]) -> int | None:
    if state.src.startswith("(", label.end()):
        end = state.src.find(")", label.end(), state.posMax)
        if end >= 0:
            return end + 1
    known = state.env.get("references", {})
    reference = _REFERENCE.match(state.src, label.end(), state.posMax)
    if reference is not None and normalizeReference(reference.group(1) or label.group(1)) in known:
        return reference.end()
    return label.end() if normalizeReference(label.group(1)) in known else None


def _define(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    found = _DEFINITION.fullmatch(state.src, state.bMarks[start] + state.tShift[start], state.eMarks[start])
    if found is None or state.is_code_block(start):
        return False
    if not silent:
        state.env.setdefault("references", {})[normalizeReference(found.group(1))] = {}
        state.line = start + 1
    return True
