"""A game's folder read and checked: `game.toml`, `setup.toml`, overrides (design.md 3)."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from jobs.adapters import ADAPTERS
from jobs.catalogues import LANGUAGES, load_catalogue
from jobs.speech import peek_language
from parsers.files.errors import FileErrors, FileProblem
from parsers.files.game import GameFile, parse_game
from parsers.files.override import load_overrides
from parsers.files.setup import SetupFile, join_files, parse_setup
from parsers.files.toml import MAX_BYTES
from processor.service.bundle import FolderFault, LoadedGame
from rules.engine.catalogue import Catalogue
from rules.engine.messages import Message, msg
from rules.engine.registry import RulesetError, load_ruleset
from rules.engine.ruleset import Ruleset
from rules.play.game import Game

GAME, SETUP = "game.toml", "setup.toml"


@dataclass(frozen=True, slots=True)
class CheckedFolder:
    """What a folder holds, and all that is wrong with it.

    loaded, state: None where problems keep them from being read. overrides: number of corrections by file.
    catalogue: texts in the game's language, as far as it can be told.
    """

    problems: tuple[FileProblem, ...]
    catalogue: Catalogue
    loaded: LoadedGame | None = None
    state: Any = None
    overrides: tuple[tuple[str, int], ...] = ()

    def say(self) -> tuple[str, ...]:
        """All that is wrong, one line each."""
        return tuple(one.say(self.catalogue) for one in self.problems)


def load_game(folder: Path) -> LoadedGame:
    """The game of a folder with its rule set and texts. Raises FolderFault."""
    checked = _read(folder)
    if checked.loaded is None:
        raise FolderFault("\n".join(checked.say()))
    return checked.loaded


def load_setup(folder: Path, loaded: LoadedGame) -> Any:
    """The state that the game of a folder starts from. Raises FolderFault."""
    try:
        text = _read_file(folder, SETUP)
        return parse_setup(text, loaded.ruleset, loaded.game.options).state
    except FileErrors as wrong:
        raise FolderFault(wrong.say(loaded.catalogue)) from wrong


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
    return replace(checked, problems=tuple(problems), overrides=tuple(counts))


def _read(folder: Path) -> CheckedFolder:
    """Both files that a game starts from; a broken one doesn't keep the other from being checked."""
    problems: list[FileProblem] = []
    game, setup = _try_game(folder, problems), None
    ruleset = game.ruleset if game is not None else _peek_ruleset(folder)
    language = game.game.language if game is not None else peek_language(folder / GAME) or LANGUAGES[0]
    catalogue = load_catalogue(language, *((ruleset.package,) if ruleset is not None else ()))
    if ruleset is not None:
        setup = _try_setup(folder, ruleset, game, problems)
    if game is None or setup is None:
        return CheckedFolder(tuple(problems), catalogue)
    try:
        joined = join_files(game, setup)
    except FileErrors as wrong:
        return CheckedFolder((*problems, *wrong.problems), catalogue)
    loaded = LoadedGame(joined, game.ruleset, catalogue, find_topic_url(joined))
    return CheckedFolder((), catalogue, loaded, setup.state)


def _try_game(folder: Path, problems: list[FileProblem]) -> GameFile | None:
    try:
        return read_game_file(folder)
    except FileErrors as wrong:
        problems += wrong.problems
        return None


def _try_setup(
    folder: Path, ruleset: Ruleset, game: GameFile | None, problems: list[FileProblem]
) -> SetupFile | None:
    """The starting state; where the game's file is broken its options aren't known and the defaults serve."""
    options = game.game.options if game is not None else ruleset.options()
    try:
        return parse_setup(_read_file(folder, SETUP), ruleset, options)
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
            name, "missing", msg("files/not-there", folder=str(folder)), msg("files/make-it")
        ) from None
    except OSError as fault:
        raise _unread(
            name, "unreadable", msg("files/unreadable", strerror=fault.strerror), msg("files/permissions")
        ) from None
    if len(data) > MAX_BYTES:
        raise _unread(
            name, "too-big", msg("files/too-big-here", given=MAX_BYTES // 1024), msg("files/remove-some")
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = data.count(b"\n", 0, fault.start) + 1
        raise _unread(name, "encoding", msg("files/no-utf8"), msg("files/save-utf8"), line) from None


def _unread(name: str, code: str, wrong: Message, right: Message, line: int | None = None) -> FileErrors:
    return FileErrors([FileProblem(name, line, "", f"file/{code}", wrong, right)])


def find_topic_url(game: Game) -> str:
    """Where readers find the game's topic, "" where a person carries the posts and gave no address."""
    if game.forum.carried:
        return game.forum.url
    return ADAPTERS[game.forum.software].topic.format(url=game.forum.url, topic=game.forum.topic)


def read_game_file(folder: Path) -> GameFile:
    """A folder's `game.toml` alone. Raises FileErrors."""
    read = parse_game(_read_file(folder, GAME))
    if not read.game.forum.carried:
        return read
    forum = replace(read.game.forum, folder=str(folder.resolve()))
    return replace(read, game=replace(read.game, forum=forum))
