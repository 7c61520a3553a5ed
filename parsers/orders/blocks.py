"""Finding the order blocks of a post, and naming everything that was meant to be one.

Nothing is lost in silence: a mark that opens or closes nothing, a misspelt mark, a fence that the forum made
something else of, each is a problem for the receipt; text that doesn't count is named as skipped (design.md
2).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal

from parsers.orders.header import HeaderRead, parse_header, says_header
from parsers.orders.keywords import KEYWORDS
from parsers.orders.limits import find_faults
from parsers.orders.marks import (
    Mark,
    NearMark,
    bare_header,
    describe_skip,
    ends_literal_fence,
    find_marks,
    find_near_mark,
    is_block_word,
    is_near_block_word,
    is_order_code,
    is_struck_fence,
    opens_block,
)
from rules.engine.diagnostics import Diagnostic, Span
from rules.engine.messages import Code, Message, msg
from rules.engine.text import fold
from rules.engine.wording import NATIVE, Language
from rules.play.blocks import Block, BlockProblem, BlockScan, Header, LinePart
from rules.play.lines import SeenLine, SeenText, Skip, SkipKind


def find_blocks(
    seen: SeenText,
    *,
    raw: bool = False,
    code_counts: bool = True,
    spoilers_count: bool = True,
    tracks: Sequence[str] = (),
    language: Language = NATIVE,
) -> BlockScan:
    """The order blocks of a post with all that is wrong around them. Never raises for a player's text.

    raw: the lines are text as typed, in which a backslash at a line's end continues it.
    code_counts, spoilers_count: the game's options.
    tracks: names of the game's tracks, so that none is taken for a misspelt header word.
    language: what suggestions are written in.
    """
    if seen.refused is not None:
        return BlockScan(problems=(BlockProblem(seen.refused, 1, ""),), skipped=seen.skipped)
    finder = _Finder(seen, raw, code_counts, tuple(tracks), language)

    def place(line: SeenLine) -> tuple[int, bool]:
        return line.fence_number, line.spoiler and not spoilers_count

    for (fence, is_hidden), group in groupby(seen.lines, key=place):
        lines = tuple(group)
        if is_hidden:
            finder.skip_part("spoiler", lines)
        elif fence:
            finder.read_code(lines)
        else:
            finder.read_lines(lines)
    return finder.finish()


@dataclass(slots=True)
class _OpenBlock:
    """A block whose closing has not been seen yet.

    meant_to_close: an opening without words inside another block; where nothing follows it lacks its slash.
    """

    kind: Literal["bracket", "fence"]
    line: SeenLine
    mark: str
    header: HeaderRead
    meant_to_close: bool = False
    parts: list[LinePart] = field(default_factory=list)
    struck: list[SeenLine] = field(default_factory=list)
    hidden: set[SkipKind] = field(default_factory=set)

    def add(self, line: SeenLine, start: int, end: int) -> None:
        """Take what stands on a line; beside a mark a colon or a bold mark's stars are nothing."""
        text = line.text[start:end]
        is_whole = end - start == len(line.text)
        if fold(text) if is_whole else any(char.isalnum() for char in text):
            self.parts.append(LinePart(line, start, end))


@dataclass(frozen=True, slots=True)
class _Broken:
    """A block that can't count and has been told of; what follows up to its closing is no news.

    deferred: told only once a closing shows that it was meant as a block. fence: ends with ``` too.
    """

    deferred: BlockProblem | None = None
    fence: bool = False


class _Finder:
    def __init__(
        self, seen: SeenText, raw: bool, code_counts: bool, tracks: tuple[str, ...], language: Language
    ) -> None:
        self._seen = seen
        self._raw = raw
        self._code_counts = code_counts
        self._tracks = tracks
        self._language = language
        self._open: _OpenBlock | None = None
        self._broken: _Broken | None = None
        self._blocks: list[Block] = []
        self._refused: list[Block] = []
        self._problems: list[BlockProblem] = []
        self._skipped: list[Skip] = list(seen.skipped)

    def finish(self) -> BlockScan:
        """End the post: what is still open is unclosed."""
        self._end_unclosed()
        problems = sorted(self._problems, key=lambda one: one.line)
        skipped = sorted(self._skipped, key=lambda one: one.line)
        return BlockScan(tuple(self._blocks), tuple(self._refused), tuple(problems), tuple(skipped))

    def skip_part(self, kind: SkipKind, lines: Sequence[SeenLine]) -> None:
        """Leave out lines which an option of the game, or a rule, excludes."""
        texts = [line.text for line in lines if line.text]
        has_block = kind == "code" and _is_order_code(lines)
        self._skipped.append(describe_skip(kind, lines[0].number, texts, has_block=has_block))
        if self._open is not None:
            self._open.hidden.add(kind)

    # code blocks

    def read_code(self, lines: Sequence[SeenLine]) -> None:
        """One code block: an order block, part of one, or an example."""
        if not self._code_counts:
            self.skip_part("code", lines)
        elif _is_order_code(lines):
            self._end_unclosed()
            self._broken = None
            self._read_order_code(lines)
        elif self._open is not None:
            self.read_lines(lines)
        else:
            if is_near_block_word(lines[0].fence or ""):
                right = Code(KEYWORDS[self._language].block)
                message = msg("parse/misspelt-fence", word=Code(lines[0].fence or ""), right=right)
                self._tell(message, lines[0])
            self.skip_part("code", lines)

    def _read_order_code(self, lines: Sequence[SeenLine]) -> None:
        first = lines[0]
        marks = find_marks(first.text)
        if marks and marks[0].kind == "open" and marks[0].leads:
            self.read_lines(lines)
            if self._open is not None and is_block_word(first.fence or ""):
                self._close(lines[-1])
            self._end_unclosed()
            return
        header = bare_header(first.text) or (
            (0, len(first.text)) if says_header(first.text, self._tracks) else None
        )
        read = HeaderRead(Header(), ()) if header is None else self._header(first.text, *header)
        mark = first.text if header is not None else f"```{first.fence}"
        self._broken = None
        opened = self._open = _OpenBlock("fence", first, mark, read)
        self.read_lines(lines if header is None else lines[1:])
        if self._open is opened:
            self._close(lines[-1])
        self._end_unclosed()

    def _header(self, text: str, start: int, end: int) -> HeaderRead:
        return parse_header(text, start, end, self._tracks, self._language)

    # lines

    def read_lines(self, lines: Sequence[SeenLine]) -> None:
        """Lines that count, outside of code or inside an order block's."""
        for line in lines:
            if line.struck:
                self._read_struck(line)
            elif line.inline_code and self._read_inline_code(line):
                continue
            elif line.partly_struck and find_marks(line.text):
                self._read_half_struck_mark(line)
            else:
                self._read_line(line)

    def _read_line(self, line: SeenLine) -> None:
        marks = find_marks(line.text)
        if not marks:
            self._read_without_marks(line)
            return
        at = 0
        for mark in marks:
            if self._open is not None:
                self._open.add(line, at, mark.start)
            if mark.kind == "open":
                self._begin(line, mark)
            else:
                self._end(line, mark)
            at = mark.end
        if self._open is not None:
            self._open.add(line, at, len(line.text))

    def _read_without_marks(self, line: SeenLine) -> None:
        near = find_near_mark(line.text, inside=self._open is not None, language=self._language)
        if near is not None:
            self._read_near_mark(line, near)
        elif self._open is not None:
            self._open.add(line, 0, len(line.text))
        elif self._broken is not None and self._broken.fence and ends_literal_fence(line.text):
            self._broken = None

    def _begin(self, line: SeenLine, mark: Mark) -> None:
        inside = self._open is not None and self._open.kind == "bracket"
        self._end_unclosed()
        text = line.text
        if mark.leads:
            self._broken = None
            header = self._header(text, *mark.words)
            lacks_slash = inside and not header.header.words
            self._open = _OpenBlock("bracket", line, text[mark.start : mark.end], header, lacks_slash)
            return
        # In the middle of a sentence the mark may only be spoken about; a closing one tells.
        message = msg("parse/mark-not-first", mark=Code(text[mark.start : mark.end]))
        problem = BlockProblem(Diagnostic(message, span=Span(mark.start, mark.end)), line.number, text)
        ends_line = not any(char.isalnum() for char in text[mark.end :])
        if ends_line:
            self._problems.append(problem)
        self._broken = _Broken(None if ends_line else problem)

    def _end(self, line: SeenLine, mark: Mark) -> None:
        if self._open is not None:
            self._close(line)
        elif self._broken is not None:
            self._end_broken()
        elif mark.leads or not any(char.isalnum() for char in line.text[mark.end :]):
            self._tell(msg("parse/close-without-open"), line, mark.start, mark.end)

    def _read_near_mark(self, line: SeenLine, near: NearMark) -> None:
        written = Code(line.text[near.start : near.end])
        if near.kind == "open":
            self._end_unclosed()
            code = "parse/fence-stayed-text" if near.fence else "parse/misspelt-open"
            message = msg(code, mark=written, right=Code(near.suggest))
            self._tell(message, line, near.start, near.end)
            self._broken = _Broken(fence=near.fence)
        elif self._open is None and self._broken is not None:
            self._end_broken()
        else:
            self._tell(
                msg("parse/misspelt-close", mark=written, right=Code(near.suggest)),
                line,
                near.start,
                near.end,
            )
            self._open = None

    def _read_struck(self, line: SeenLine) -> None:
        if self._open is not None:
            self._open.struck.append(line)
            self._skipped.append(describe_skip("struck", line.number, [line.text]))
        elif is_struck_fence(line.text):
            self._tell(msg("parse/fence-became-struck"), line)
        elif opens_block(line.text):
            self._skipped.append(describe_skip("struck", line.number, [line.text]))

    def _read_half_struck_mark(self, line: SeenLine) -> None:
        self._tell(msg("parse/half-struck-mark"), line)
        self._open = None
        self._broken = _Broken() if find_marks(line.text)[-1].kind == "open" else None

    def _read_inline_code(self, line: SeenLine) -> bool:
        """Deal with marks in inline code, which the forum shows as an example; False where there are none."""
        is_alone = fold(line.text) == fold(" ".join(line.inline_code))
        sources = [source.split("\n") for source in line.inline_code]
        kinds = [mark.kind for source in sources for part in source for mark in find_marks(part)]
        if any(bare_header(source[0]) and (is_alone or len(source) > 1) for source in sources):
            self._end_unclosed()
            self._tell(msg("parse/fence-became-inline-code"), line)
        elif not kinds:
            return False
        elif is_alone or {"open", "close"} <= set(kinds):
            self._read_marks_in_code(line, kinds)
        elif self._open is not None:
            self._open.add(line, 0, len(line.text))
        else:
            has_block = "open" in kinds
            self._skipped.append(describe_skip("code", line.number, [line.text], has_block=has_block))
        return True

    def _read_marks_in_code(self, line: SeenLine, kinds: Sequence[str]) -> None:
        if "open" in kinds:
            self._end_unclosed()
        if "open" in kinds or self._broken is None:
            self._tell(msg("parse/marks-in-inline-code"), line)
        self._open = None
        self._broken = _Broken() if kinds[-1] == "open" else None

    # ends

    def _end_broken(self) -> None:
        if self._broken is not None and self._broken.deferred is not None:
            self._problems.append(self._broken.deferred)
        self._broken = None

    def _end_unclosed(self) -> None:
        """What is open stays unclosed: a second opening, a code block's end or the post's end came first."""
        opened, self._open = self._open, None
        if opened is None:
            return
        if opened.meant_to_close and not opened.parts:
            self._problems.pop()  # that the block above isn't closed is the same mistake
            right = Code(KEYWORDS[self._language].closing)
            self._tell(msg("parse/misspelt-close", mark=Code(opened.mark), right=right), opened.line)
        else:
            self._tell(msg("parse/unclosed-block", mark=Code(opened.mark)), opened.line)

    def _close(self, line: SeenLine) -> None:
        opened, self._open = self._open, None
        if opened is None:
            return
        first, last = opened.line.number, line.number
        quoted = any(first < skip.line <= last for skip in self._seen.skipped)
        header, mark = opened.header.header, opened.mark
        parts, struck = tuple(opened.parts), tuple(opened.struck)
        block = Block(header, opened.kind, first, last, mark, parts, struck, quoted)
        faults = [BlockProblem(finding, first, opened.line.text) for finding in opened.header.findings]
        faults += find_faults(block, opened.line, tuple(sorted(opened.hidden)), raw=self._raw)
        self._problems.extend(faults)
        (self._refused if faults else self._blocks).append(block)
        if not self._raw:
            titles = [part for part in block.lines if part.text.startswith("##")]
            self._skipped.extend(describe_skip("heading", part.line.number, [part.text]) for part in titles)

    def _tell(
        self, message: Message, line: SeenLine, start: int | None = None, end: int | None = None
    ) -> None:
        span = None if start is None or end is None else Span(start, end)
        self._problems.append(BlockProblem(Diagnostic(message, span=span), line.number, line.text))


def _is_order_code(lines: Sequence[SeenLine]) -> bool:
    return is_order_code(lines[0].fence or "", lines[0].text)
