"""A game's folder read and checked: `game.toml`, `setup.toml`, overrides (design.md 3)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jobs.catalogues import load_catalogue
from parsers.files.errors import FileErrors, FileProblem
from parsers.files.game import GameFile, parse_game
from parsers.files.override import load_overrides
from parsers.files.setup import SetupFile, join_files, parse_setup
from parsers.files.toml import MAX_BYTES
from processor.service.bundle import FolderFault, LoadedGame
from rules.engine.registry import RulesetError, load_ruleset
from rules.engine.ruleset import Ruleset
from rules.play.game import Game

GAME, SETUP = "game.toml", "setup.toml"

_TOPICS = {"spirit": "{url}topic/{topic}/"}


@dataclass(frozen=True, slots=True)
class CheckedFolder:
    """What a folder holds, and all that is wrong with it.

    loaded, state: None where problems keep them from being read. overrides: number of corrections by file.
    """

    problems: tuple[FileProblem, ...]
    loaded: LoadedGame | None = None
    state: Any = None
    overrides: tuple[tuple[str, int], ...] = ()


def load_game(folder: Path) -> LoadedGame:
    """The game of a folder with its rule set and texts. Raises FolderFault."""
    checked = _read(folder)
    if checked.loaded is None:
        raise FolderFault("\n".join(map(str, checked.problems)))
    return checked.loaded


def load_setup(folder: Path, loaded: LoadedGame) -> Any:
    """The state that the game of a folder starts from. Raises FolderFault."""
    try:
        text = _read_file(folder, SETUP)
        return parse_setup(text, loaded.ruleset, loaded.game.options, loaded.catalogue).state
    except FileErrors as wrong:
        raise FolderFault(str(wrong)) from wrong


def check_folder(folder: Path) -> CheckedFolder:
    """Read every file of a folder; of each either its one syntax error or all that is wrong with it."""
    checked = _read(folder)
    problems = list(checked.problems)
    counts: list[tuple[str, int]] = []
    for path in sorted((folder / "overrides").rglob("*.toml")):
        name = path.relative_to(folder).as_posix()
        try:
            counts.append((name, len(load_overrides(_read_file(folder, name), name))))
        except FileErrors as wrong:
            problems += wrong.problems
    return CheckedFolder(tuple(problems), checked.loaded, checked.state, tuple(counts))


def _read(folder: Path) -> CheckedFolder:
    """Both files that a game starts from; a broken one doesn't keep the other from being checked."""
    problems: list[FileProblem] = []
    game, setup = _try_game(folder, problems), None
    ruleset = game.ruleset if game is not None else _peek_ruleset(folder)
    if ruleset is not None:
        setup = _try_setup(folder, ruleset, game, problems)
    if game is None or setup is None:
        return CheckedFolder(tuple(problems))
    try:
        joined = join_files(game, setup)
    except FileErrors as wrong:
        return CheckedFolder((*problems, *wrong.problems))
    catalogue = load_catalogue(joined.language, game.ruleset.package)
    loaded = LoadedGame(joined, game.ruleset, catalogue, find_topic_url(joined))
    return CheckedFolder((), loaded, setup.state)


def _try_game(folder: Path, problems: list[FileProblem]) -> GameFile | None:
    try:
        return parse_game(_read_file(folder, GAME))
    except FileErrors as wrong:
        problems += wrong.problems
        return None


def _try_setup(
    folder: Path, ruleset: Ruleset, game: GameFile | None, problems: list[FileProblem]
) -> SetupFile | None:
    """The starting state; where the game's file is broken its options aren't known and the defaults serve."""
    options = game.game.options if game is not None else ruleset.options()
    language = game.game.language if game is not None else "es"
    try:
        return parse_setup(
            _read_file(folder, SETUP), ruleset, options, load_catalogue(language, ruleset.package)
        )
    except FileErrors as wrong:
        problems += wrong.problems
        return None


def _peek_ruleset(folder: Path) -> Ruleset | None:
    """The rule set that a broken game file names, as far as it can be told."""
    try:
        named = tomllib.loads(_read_file(folder, GAME)).get("ruleset")
        return load_ruleset(named) if isinstance(named, str) else None
    except (FileErrors, ValueError, RecursionError, RulesetError):
        return None


def _read_file(folder: Path, name: str) -> str:
    """A file's text in UTF-8. Raises FileErrors; never reads more than is allowed."""
    try:
        with (folder / name).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise _unread(
            name, "missing", f"no está en {folder}", "Créalo, o mira si es la carpeta buena"
        ) from None
    except OSError as fault:
        raise _unread(
            name, "unreadable", f"no lo puedo leer ({fault.strerror})", "Mira sus permisos"
        ) from None
    if len(data) > MAX_BYTES:
        raise _unread(
            name, "too-big", f"pasa de {MAX_BYTES // 1024} KB y no lo he leído", "Quita lo que sobre"
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise _unread(name, "encoding", "no está en UTF-8", "Guárdalo como UTF-8", line) from None


def _unread(name: str, code: str, wrong: str, right: str, line: int | None = None) -> FileErrors:
    return FileErrors([FileProblem(name, line, "", f"file/{code}", wrong, right)])


def find_topic_url(game: Game) -> str:
    """Where readers find the game's topic, "" for forum software whose addresses aren't known."""
    return _TOPICS.get(game.forum.software, "").format(url=game.forum.url, topic=game.forum.topic)


def read_game_file(folder: Path) -> GameFile:
    """A folder's `game.toml` alone. Raises FileErrors."""
    return parse_game(_read_file(folder, GAME))
