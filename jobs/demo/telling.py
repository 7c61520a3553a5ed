"""What the demo says on the terminal while it runs: steps, what is being waited for, who wrote what."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from itertools import count

from bs4 import BeautifulSoup, Tag
from rich.box import SIMPLE
from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

_LINE_END = re.compile(r"<br ?/?>\n?")
_BLOCKS = ("p", "pre", "h1", "h2", "h3", "blockquote")
_EVERY = 20
"""Seconds between two lines about a long wait where there is no bar to watch."""


class Teller:
    """Speaks on a console; where that is no terminal, in plain lines.

    heed: asked with each step; raises where the night has been told to end.
    """

    def __init__(self, console: Console) -> None:
        self.console = console
        self.heed: Callable[[], None] = lambda: None
        self._began = time.monotonic()

    def step(self, text: str) -> None:
        """Something begins or has happened, with the time since the start."""
        self.heed()
        passed = timedelta(seconds=int(time.monotonic() - self._began))
        self.console.print(Text.assemble((f"{str(passed)[2:]}  ", "dim"), text))

    @contextmanager
    def waiting(self, text: str) -> Iterator[None]:
        """Say what is being waited for; on a terminal something turns meanwhile."""
        self.step(text)
        if not self.console.is_terminal:
            yield
            return
        with self.console.status("…"):
            yield

    def count_down(self, seconds: float, text: str) -> None:
        """Wait, and show for how long still."""
        self.step(f"{text} ({_seconds(seconds)})")
        ends = time.monotonic() + seconds
        columns = (TextColumn("       {task.description}"), BarColumn())
        with Progress(*columns, console=self.console, transient=True) as bar:
            task = bar.add_task("", total=seconds)
            told = seconds
            while (left := ends - time.monotonic()) > 0:
                self.heed()
                bar.update(task, completed=seconds - left, description=_seconds(left))
                if not self.console.is_terminal and told - left >= _EVERY:
                    told = left
                    self.step(f"… {_seconds(left)}")
                time.sleep(min(1.0, left))

    def quote(self, title: str, text: str, style: str = "cyan") -> None:
        """Something that somebody wrote, in a frame."""
        panel = Panel(
            Text(text.strip(), no_wrap=False, overflow="fold"),
            title=Text(title),
            title_align="left",
            border_style=style,
        )
        self.console.print(Padding(panel, (0, 0, 0, 7)))

    def table(self, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        """What belongs side by side."""
        table = Table(box=SIMPLE, padding=(0, 1))
        for head in heads:
            table.add_column(Text(head), overflow="fold")
        for row in rows:
            table.add_row(*(Text(cell, no_wrap=False, overflow="fold") for cell in row))
        self.console.print(Padding(table, (0, 0, 0, 6)))

    def blank(self) -> None:
        """An empty line."""
        self.console.print()


def _seconds(seconds: float) -> str:
    whole = max(0, round(seconds))
    return f"{'queda' if whole == 1 else 'quedan'} {whole} s"


def shown(html: str) -> str:
    """A post's body as a reader sees it, in plain lines; without the marker, which is for programs."""
    page = BeautifulSoup(_LINE_END.sub("<br>", html), "html.parser")
    for line_end in page("br"):
        line_end.replace_with("\n")
    for table in page("table"):
        table.replace_with(_rows(table))
    for items in page(("ol", "ul")):
        items.replace_with(_items(items))
    for block in page(_BLOCKS):
        block.append("\n")
    lines = [line.rstrip() for line in page.get_text().splitlines()]
    while lines and (not lines[-1] or lines[-1].startswith("ptd1:")):
        lines.pop()
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _rows(table: Tag) -> str:
    rows = [[cell.get_text(strip=True) for cell in row(("th", "td"))] for row in table("tr")]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(map(str.ljust, row, widths)).rstrip() for row in rows) + "\n"


def _items(items: Tag) -> str:
    first = int(str(items.get("start") or 1))
    marks = (f"{number}." if items.name == "ol" else "·" for number in count(first))
    texts = (" ".join(item.get_text().split()) for item in items.find_all("li", recursive=False))
    return "\n".join(f"{mark} {text}" for mark, text in zip(marks, texts, strict=False)) + "\n"
