"""BBCode that forums understand within Markdown: around blocks, and within a line."""

from __future__ import annotations

import re
from collections.abc import Mapping

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from parsers.markup.bbcode_tags import Closings, find_tags, pair_in_rounds
from parsers.markup.markdown_blocks import ENDS_PARAGRAPH, Change, line_text
from parsers.markup.markdown_inline import find_end, tokenize_within

# Lines of their own that stand for a tag while the text is parsed; no text may hold them.
_MARKS = {
    "\ue000": ("quote", 1), "\ue001": ("quote", -1), "\ue002": ("spoiler", 1), "\ue003": ("spoiler", -1),
}  # fmt: skip
_LINES = {value: mark for mark, value in _MARKS.items()}
_PRIVATE = re.compile("[\ue000-\ue003]")
_FENCES = re.compile("`{3,}")


def mark_regions(text: str) -> str:
    """`[quote]`, `[spoiler]` and `[code]` as lines that the parser's rules know; without a closing they are
    text.
    """
    text = _PRIVATE.sub("\ufffd", text)
    pieces: list[str] = []
    at = 0
    for tag in pair_in_rounds(find_tags(text, ("quote", "spoiler"))):
        mark = _LINES[tag.name, -1 if tag.closes else 1]
        pieces += (text[at : tag.start], f"\n\n{mark}\n\n")
        at = tag.end
    return fence_code("".join((*pieces, text[at:])))


def fence_code(text: str) -> str:
    """`[code]` as a fence, which goes from each opening to the next closing."""
    tags = list(find_tags(text, ("code",)))
    closings = Closings(tags)
    pieces: list[str] = []
    at = 0
    for place, tag in enumerate(tags):
        end = closings.find("code", place)
        if tag.closes or tag.start < at or end is None:
            continue
        code = _PRIVATE.sub("", text[tag.end : tags[end].start]).strip("\n").rstrip()
        fence = "`" * (1 + max((len(run) for run in _FENCES.findall(code)), default=2))
        word = tag.value.lstrip("=").strip("\"' ")
        pieces += (text[at : tag.start], f"\n\n{fence}{word}\n{code}\n{fence}\n\n")
        at = tags[end].end
    return "".join((*pieces, text[at:]))


def regions(parser: MarkdownIt) -> None:
    """What `mark_regions` has marked becomes an element around the blocks within."""

    def rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        mark = _MARKS.get(line_text(state, start))
        if mark is None or silent:
            return mark is not None
        kind, nesting = mark
        opened: list[str] = state.env.setdefault("regions", [])
        if nesting > 0:
            opened.append(kind)
            state.push(f"{kind}_open", "aside", 1)
        while nesting < 0 and kind in opened:
            nesting = 0 if opened[-1] == kind else nesting
            state.push(f"{opened.pop()}_close", "aside", -1)
        state.line = start + 1
        return True

    parser.block.ruler.before("table", "regions", rule, {"alt": ENDS_PARAGRAPH})


def inline_tags(tags: Mapping[str, str]) -> Change:
    """`[b]x[/b]` and the like: the tags of these names with the type of token that they make, `image` for
    what is no text. Without a closing they are text.
    """
    names = "|".join(map(re.escape, tags))
    opening = re.compile(rf"\[({names})(?:=[^\[\]\n]*)?\]", re.IGNORECASE)
    closings = {name: re.compile(re.escape(f"[/{name}]"), re.IGNORECASE) for name in tags}

    def rule(state: StateInline, silent: bool) -> bool:
        found = opening.match(state.src, state.pos, state.posMax)
        if found is None:
            return False
        name = found.group(1).lower()
        end = find_end(state, closings[name], found.end())
        if end is None:
            return False
        kind = tags[name]
        if not silent and kind != "image":
            state.push(f"{kind}_open", kind, 1)
            tokenize_within(state, found.end(), end.start())
            state.push(f"{kind}_close", kind, -1)
        state.pos = end.end()
        return True

    return lambda parser: parser.inline.ruler.before("link", "tags", rule)
