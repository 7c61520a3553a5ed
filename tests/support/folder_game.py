"""A director's machine on which a game is played without a forum: the real commands, a clock set by hand."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from jobs.cli import app
from jobs.clock import SystemClock
from tests.support.hand_clock import HandClock

OPENED = datetime(2026, 12, 1, 10, 0, tzinfo=UTC)
DEADLINE = datetime(2026, 12, 6, 21, 0, tzinfo=UTC)
"""22:00 in Madrid."""

GAME = """\
id = "veth"
title = "Cruzada de Veth"
ruleset = "conquista"
zone = "Europe/Madrid"
[forum]
software = "folder"
{forum}
[schedule]
first = 2026-12-06
at = "22:00"
days = ["domingo"]
[seats]
Imperio = {{ account = "Marina77" }}
Tau = {{ account = "luis", name = "Tau", article = "" }}
Caos = {{}}
"""

SETUP = """\
[planets]
VE = { name = "Veth" }
[cells]
VE-1 = { owner = "Imperio" }
VE-2 = { adjacent = ["VE-1"] }
VE-3 = { owner = "Tau", adjacent = ["VE-2"] }
VE-4 = { owner = "Caos", adjacent = ["VE-3"] }
[factions]
Imperio = { supplies = 6, base = "VE-1", article = "el", gender = "m" }
Tau = { supplies = 6, base = "VE-3", block = 2 }
Caos = { base = "VE-4", block = 3 }
[armies]
E1 = { owner = "Imperio", cell = "VE-1", troops = 3 }
"""


@dataclass
class FolderStage:
    """A game's folder, the commands, and the time."""

    folder: Path
    clock: HandClock

    def run(self, *arguments: str, at: datetime | None = None) -> Result:
        """Type a command; `DIR` stands for the game's folder. at: when."""
        if at is not None:
            self.clock.set(at)
        typed = [str(self.folder) if one == "DIR" else one for one in arguments]
        return CliRunner().invoke(app, typed)

    def lines(self, *arguments: str, at: datetime | None = None) -> list[str]:
        """What a command prints, the game's folder as `DIR`."""
        return self.run(*arguments, at=at).output.replace(str(self.folder), "DIR").splitlines()

    def bring(self, name: str, text: str, turn: int = 1) -> Path:
        """Put a file into a turn's inbox, written now."""
        path = self.folder / "inbox" / f"turn-{turn:03}" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        stamp = self.clock.now().timestamp()
        os.utime(path, (stamp, stamp))
        return path

    def pasted(self, turn: int = 1) -> dict[str, str]:
        """The texts to paste, by their files."""
        root = self.folder / "reports" / f"turn-{turn:03}" / "pegar"
        found = [one for one in root.rglob("*") if one.is_file() and not one.name.startswith(".")]
        return {one.relative_to(root).as_posix(): one.read_text(encoding="utf-8") for one in sorted(found)}


def start_stage(folder: Path, monkeypatch: pytest.MonkeyPatch, forum: str = "") -> FolderStage:
    """A folder that is right and not yet registered. forum: further lines of `[forum]`."""
    game = folder / "veth"
    game.mkdir()
    (game / "game.toml").write_text(GAME.format(forum=forum), encoding="utf-8")
    (game / "setup.toml").write_text(SETUP, encoding="utf-8")
    clock = HandClock(OPENED)
    monkeypatch.setenv("TURNERO_DATA", str(folder / "data"))
    monkeypatch.delenv("TURNERO_DATABASE", raising=False)
    for name in ("now", "monotonic", "sleep"):
        ours = getattr(clock, name)
        monkeypatch.setattr(SystemClock, name, lambda _self, *given, ours=ours: ours(*given))
    return FolderStage(game, clock)


def copied(author: str, date: str, *lines: str, private: bool = False, turn: int = 1) -> str:
    """A text file with one post and an order block in it."""
    head = [f"autor: {author}", f"fecha: {date}", *(["privado: sí"] if private else [])]
    return "\n".join((*head, "", f"[órdenes turno {turn}]", *lines, "[/órdenes]", ""))
