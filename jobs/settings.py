"""What the host sets, from the environment: where the database lies, passwords, what is told while working.

Secrets never stand in a game's files and never reach a log.
"""

from __future__ import annotations

import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rules.engine.catalogue import Catalogue
from rules.engine.messages import Message, msg

DATABASE = "TURNERO_DATABASE"
DATA = "TURNERO_DATA"
KILL_AT = "TURNERO_KILL_AT"
BEACON = "TURNERO_BEACON"
DRAND = "https://api.drand.sh"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


class SettingsError(Exception):
    """A setting that can't be used; `said` tells which and what would be right."""

    def __init__(self, said: Message) -> None:
        super().__init__(f"{said.id} {dict(said.params)}")
        self.said = said

    def say(self, catalogue: Catalogue) -> str:
        """What is wrong, in a language."""
        return catalogue.text(self.said)


@dataclass(frozen=True, slots=True)
class Settings:
    """The host's settings. database: URL. data: folder for the database and sessions, made when needed.

    kill_at: checkpoint at which the process kills itself (tests only), None for none. beacon: address of one
    of drand's servers or a mirror, asked only for games that are proved by it.
    """

    database: str = field(repr=False)  # it may hold a password
    data: Path
    kill_at: str | None = None
    beacon: str = DRAND


def read_settings(environ: Mapping[str, str]) -> Settings:
    """The settings of an environment.

    Raises SettingsError where it names no place for the data, or a file with the URL that can't be used.
    """
    data = _find_data(environ)
    url = read_secret(environ, DATABASE) or f"sqlite:///{data / 'turnero.db'}"
    return Settings(url, data, environ.get(KILL_AT) or None, environ.get(BEACON) or DRAND)


def _find_data(environ: Mapping[str, str]) -> Path:
    if environ.get(DATA):
        return Path(environ[DATA])
    if environ.get("XDG_DATA_HOME"):
        return Path(environ["XDG_DATA_HOME"]) / "turnero"
    if environ.get("HOME"):
        return Path(environ["HOME"]) / ".local" / "share" / "turnero"
    raise SettingsError(msg("cli/no-data-folder", variable=DATA))


def read_secret(environ: Mapping[str, str], name: str) -> str | None:
    """A secret from the file named by `NAME_FILE`, else from `NAME` itself; None where neither is set.

    Raises SettingsError for a file that can't be read, is empty, or that others than its owner can open.
    """
    named = environ.get(f"{name}_FILE")
    if not named:
        return environ.get(name) or None
    path = Path(named)
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        why = type(error).__name__
        raise SettingsError(msg("cli/secret-unreadable", name=name, path=str(path), why=why)) from error
    if mode & (stat.S_IRWXO if _is_credential(environ, path) else _OTHERS):
        raise SettingsError(msg("cli/secret-open", name=name, path=str(path)))
    if not text:
        raise SettingsError(msg("cli/secret-empty", name=name, path=str(path)))
    return text


def _is_credential(environ: Mapping[str, str], path: Path) -> bool:
    """Whether systemd keeps the file for this service alone: its ACL looks like a right of the group."""
    folder = environ.get("CREDENTIALS_DIRECTORY")
    return bool(folder) and path.parent == Path(str(folder))


def list_secrets(environ: Mapping[str, str]) -> tuple[tuple[Path, ...], tuple[str, ...]]:
    """The files that hold this machine's secrets, and the secrets themselves as far as they can be read."""
    ours = {name: value for name, value in environ.items() if name.startswith("TURNERO_") and value}
    files = tuple(Path(value) for name, value in ours.items() if name.endswith("_FILE"))
    texts = [value for name, value in ours.items() if "PASS" in name and not name.endswith("_FILE")]
    texts += [_read_quietly(one) for one in files]
    return files, tuple(one for one in texts if one)


def _read_quietly(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return ""
