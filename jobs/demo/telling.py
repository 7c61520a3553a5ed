"""What the demo says on the terminal while it runs: steps, what is being waited for, who wrote what."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from bs4 import BeautifulSoup
from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.progress import BarColumn, Progress, TextColumn
from rich.text import Text

_LINE_END = re.compile(r"<br ?/?>\n?")
_BLOCKS = ("p", "pre", "h1", "h2", "h3", "tr", "ol", "ul", "blockquote")
_EVERY = 20
"""Seconds between two lines about a long wait where there is no bar to watch."""


class Teller:
    """Speaks on a console; where that is no terminal, in plain lines."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self._began = time.monotonic()

    def step(self, text: str) -> None:
        """Something begins or has happened, with the time since the start."""
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
                bar.update(task, completed=seconds - left, description=_seconds(left))
                if not self.console.is_terminal and told - left >= _EVERY:
                    told = left
                    self.step(f"… {_seconds(left)}")
                time.sleep(min(1.0, left))

    def quote(self, title: str, text: str, style: str = "cyan") -> None:
        """Something that somebody wrote, in a frame."""
        panel = Panel(Text(text.strip()), title=Text(title), title_align="left", border_style=style)
        self.console.print(Padding(panel, (0, 0, 0, 7)))

    def blank(self) -> None:
        """An empty line."""
        self.console.print()


def _seconds(seconds: float) -> str:
    whole = max(0, round(seconds))
    return f"{'queda' if whole == 1 else 'quedan'} {whole} s"


def shown(html: str) -> str:
    """A post's body as a reader sees it, in plain lines."""
    page = BeautifulSoup(_LINE_END.sub("<br>", html), "html.parser")
    for ordered in page("ol"):
        first = int(str(ordered.get("start") or 1))
        for number, item in enumerate(ordered.find_all("li", recursive=False), first):
            item.insert(0, f"{number}. ")
    for item in page.select("ul > li"):
        item.insert(0, "· ")
    for line_end in page("br"):
        line_end.replace_with("\n")
    for tag, ending in (("li", "\n"), ("th", "  "), ("td", "  "), *((block, "\n") for block in _BLOCKS)):
        for one in page(tag):
            one.append(ending)
    lines = [line.rstrip() for line in page.get_text().splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
