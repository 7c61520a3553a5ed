"""Recognising the marks of an order block, right ones and those that were meant to be."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from rapidfuzz.distance import OSA

from parsers.orders.keywords import HEADER_WORDS, KEYWORDS
from rules.engine.text import Folded, fold, fold_with_positions, unmask
from rules.engine.wording import NATIVE, Language
from rules.play.lines import Skip, SkipKind

BLOCK_WORDS = ("ordenes", "orders")
LONGEST_EXCERPT = 80
_LONGEST_MARK = 160
_FAR = 1_000

# All patterns run on folded text, in which blanks are single. None nests repetitions, and where two of them
# touch they are atomic: the time is linear in the line.
_MARKISH = re.compile(r"[\[\]{}()<>`~/\\［］｛｝（）＜＞／＼]")
_MARK = re.compile(r"\[ ?(/ ?)?(ordenes|orders)(?!\w)([^\[\]]*)\]")
_BEFORE_MARK = re.compile(r"(?>[^\w\[\]]*)(?:[0-9a-z]{1,3}[.)])?(?>[^\w\[\]]*)")
_NEAR = re.compile(
    r"((?:(?>[^\w]*)[0-9a-z]{1,3}[.)])?(?>[^\w]*))"  # a list mark, brackets, a slash, a fence
    r"((?:(?:fin|final|end)(?: (?:de|del|las|of|the))* )?)"
    r"(\w{4,12})(?!\w)(.*)"
)
_NEAR_CLOSE_INSIDE = re.compile(r"\[ ?[/\\] ?(\w{4,12})(?!\w) ?\]?")
_BARE_HEADER = re.compile(r"(ordenes|orders)(?=$|:| \w)")
_STRUCK_FENCE = re.compile(r"~+ ?(\w+)")


@dataclass(frozen=True, slots=True)
class Mark:
    """A right mark. start, end: of the mark in the line, brackets included; words: of its header words.

    leads: nothing but list marks and decoration stands between it and the mark or line start before it.
    """

    kind: Literal["open", "close"]
    start: int
    end: int
    words: tuple[int, int]
    leads: bool


@dataclass(frozen=True, slots=True)
class NearMark:
    """Something that was meant to be a mark. suggest: the right one; fence: it stands behind ``` or ~~~."""

    kind: Literal["open", "close"]
    start: int
    end: int
    suggest: str
    fence: bool = False


def find_marks(text: str) -> tuple[Mark, ...]:
    """The right marks of a line, from left to right."""
    if "[" not in text and "［" not in text:
        return ()
    folded = fold_with_positions(text)
    marks: list[Mark] = []
    last = 0
    for found in _MARK.finditer(folded.text):
        leads = _BEFORE_MARK.fullmatch(folded.text, last, found.start()) is not None
        if found.group(1) is not None or found.group(3).strip() not in ("/", "\\"):
            start, end = folded.span(found.start(), found.end())
            kind: Literal["open", "close"] = "open" if found.group(1) is None else "close"
            marks.append(Mark(kind, start, end, folded.span(found.start(3), found.end(3)), leads))
        last = found.end()
    return tuple(marks)


def opens_block(text: str) -> bool:
    """Whether a line holds an opening mark."""
    return any(mark.kind == "open" for mark in find_marks(text))


def is_block_word(word: str) -> bool:
    """Whether a code block's info word makes it an order block."""
    return fold(word).strip("[]{}:. ") in BLOCK_WORDS


def is_order_code(word: str, first_line: str) -> bool:
    """Whether a code block is an order block: by its info word or, since forums lose that, by its first
    line.
    """
    marks = find_marks(first_line)
    opens = bool(marks) and marks[0].kind == "open" and marks[0].leads
    return opens or is_block_word(word) or bare_header(first_line) is not None


def is_near_block_word(word: str) -> bool:
    """Whether an info word was probably meant to."""
    return _distance(fold(word).strip("[]{}:. ")) == 1


def bare_header(text: str) -> tuple[int, int] | None:
    """Where the header words stand in a line `órdenes …` without brackets, None where the line is none."""
    folded = fold_with_positions(text)
    found = _BARE_HEADER.match(folded.text)
    return None if found is None else folded.span(found.end(), len(folded.text))


def is_struck_fence(text: str) -> bool:
    """Whether a struck line is what a forum makes of `~~~órdenes turno 3`."""
    found = _STRUCK_FENCE.match(fold(text))
    return found is not None and found.group(1) in BLOCK_WORDS


def ends_literal_fence(text: str) -> bool:
    """Whether a line is a fence's end that the forum left as text."""
    return fold(text)[:3] in ("'''", "~~~")


def find_near_mark(text: str, *, inside: bool, language: Language = NATIVE) -> NearMark | None:
    """A mark that is misspelt, lacks a bracket or has others, at the line's start; `inside` a block a
    closing one anywhere. `language`: what suggestions are written in.

    Prose is no near mark: some bracket or fence must stand at the word, and the word must be close to a
    right one.
    """
    if not _MARKISH.search(text):
        return None
    folded = fold_with_positions(text if inside else text[:_FAR])
    found = _NEAR.match(folded.text[:_LONGEST_MARK])
    closing = KEYWORDS[language].closing
    near = None if found is None else _judge(folded, found, closing)
    if near is None and inside:
        return _find_near_close(folded, closing)
    return near


def _judge(folded: Folded, found: re.Match[str], closing: str) -> NearMark | None:
    before, ending, word, behind = found.groups()
    distance = _distance(unmask(word))
    if distance is None:
        return None
    closes = "/" in before or "\\" in before or bool(ending) or behind.lstrip()[:1] in ("/", "\\")
    fence = before.rstrip().endswith(("'''", "~~~"))
    if not fence and not _is_bracketed(before, behind, distance, closes=closes):
        return None
    header, bracket, _ = _cut_at_bracket(behind)
    start, end = folded.span(0, found.start(4) + len(header) + len(bracket))
    words = folded.origin[slice(*folded.span(found.start(4), found.start(4) + len(header)))].strip(" .:;,")
    opening = f"[{_nearest(unmask(word))} {words}".rstrip() + "]"
    return NearMark("close" if closes else "open", start, end, closing if closes else opening, fence)


def _is_bracketed(before: str, behind: str, distance: int, *, closes: bool) -> bool:
    """Whether there is enough of a mark around the word, so that prose isn't taken for one."""
    rest = behind.rstrip(" .:;,!")
    header = _says_header(rest)
    if "[" in before or "{" in before:
        return distance <= 1 or header
    if rest.endswith(("]", "}")) and "[" not in rest and "{" not in rest:
        return header
    if any(one in before and rest.endswith(other) for one, other in ("()", "<>", '""')):
        return header and (closes or not HEADER_WORDS.isdisjoint(re.findall(r"\w+", rest)))
    return distance == 0 and not rest and before.strip() in ("/", "\\")


def _says_header(rest: str) -> bool:
    """Whether what stands behind the word is nothing, or has a word that headers have."""
    words = re.findall(r"\w+", _cut_at_bracket(rest)[0])
    return not words or not HEADER_WORDS.isdisjoint(words)


def _cut_at_bracket(text: str) -> tuple[str, str, str]:
    found = re.search(r"[\])}>]", text)
    return (text, "", "") if found is None else (text[: found.start()], found.group(), text[found.end() :])


def _find_near_close(folded: Folded, closing: str) -> NearMark | None:
    for found in _NEAR_CLOSE_INSIDE.finditer(folded.text):
        if _distance(unmask(found.group(1))) is not None:
            return NearMark("close", *folded.span(found.start(), found.end()), closing)
    return None


def _distance(word: str) -> int | None:
    """Edits from a folded word to the nearest block word, None for more than two."""
    distance = min(int(OSA.distance(word, right, score_cutoff=2)) for right in BLOCK_WORDS)
    return distance if distance <= 2 else None


def _nearest(word: str) -> str:
    """The block word that was meant, as it is written."""
    is_english = OSA.distance(word, "orders") < OSA.distance(word, "ordenes")
    return "orders" if is_english else "órdenes"


def describe_skip(kind: SkipKind, line: int, texts: Sequence[str], *, has_block: bool = False) -> Skip:
    """What the receipt says of text that doesn't count; the excerpt is the block's opening where it has
    one.
    """
    opening = next((text for text in texts if opens_block(text)), None)
    excerpt = cut_excerpt(opening if opening is not None else next(iter(texts), ""))
    return Skip(kind, line, excerpt, has_block or opening is not None)


def cut_excerpt(text: str) -> str:
    """A line at a length at which a receipt shows it."""
    return text if len(text) <= LONGEST_EXCERPT else text[: LONGEST_EXCERPT - 1] + "…"
