"""Finding a rule set by its id among the installed packages (entry points `turnero.rulesets`)."""

from __future__ import annotations

import sys
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from traceback import extract_tb

from rules.engine.ruleset import Ruleset
from rules.engine.soundness import find_faults

GROUP = "turnero.rulesets"
API_VERSION = 1


class RulesetError(Exception):
    """A rule set can't be used; `code` is `unknown`, `doubled`, `broken` or `version`."""

    def __init__(self, code: str, ruleset: str, detail: str) -> None:
        super().__init__(f"{code}: {ruleset}: {detail}")
        self.code = code
        self.ruleset = ruleset
        self.detail = detail


def ruleset_ids() -> tuple[str, ...]:
    """Ids of the rule sets that are installed, sorted; none of them is loaded."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def load_ruleset(ruleset_id: str) -> Ruleset:
    """Load one rule set, and only that one: a broken other package must not stop a game.

    Raises RulesetError where none or several packages offer it, it can't be imported, its declarations
    can't hold, or it was written for another version of the protocol.
    """
    return _find(ruleset_id, tuple(sys.path))


@cache
def _find(ruleset_id: str, _searched: tuple[str, ...]) -> Ruleset:
    """The same, once for each search path: every step of a game asks, and would open each package again."""
    points = tuple(entry_points(group=GROUP, name=ruleset_id))
    if not points:
        raise RulesetError("unknown", ruleset_id, ", ".join(ruleset_ids()))
    if len(points) > 1:
        raise RulesetError("doubled", ruleset_id, ", ".join(_origin(point) for point in points))
    return _load(points[0])


def _load(point: EntryPoint) -> Ruleset:
    try:
        loaded = point.load()
    except Exception as cause:
        raise _broken(point, f"{_said(cause)}{_last_line(cause)}") from cause
    if not isinstance(loaded, Ruleset):
        raise _broken(point, f"it is a {type(loaded).__name__}, no Ruleset")
    if loaded.id != point.name:
        raise _broken(point, f"its id is {loaded.id!r}, its entry point is called {point.name!r}")
    if loaded.api_version != API_VERSION:
        raise RulesetError("version", point.name, f"{loaded.api_version} != {API_VERSION}")
    faults = find_faults(loaded)
    if faults:
        raise _broken(point, "; ".join(faults))
    return loaded


def _said(cause: Exception) -> str:
    return f"{type(cause).__name__}: {cause}"


def _last_line(cause: Exception) -> str:
    """Where it went wrong: the innermost line that isn't of the import itself, `""` where there is none."""
    frames = [one for one in extract_tb(cause.__traceback__)[1:] if "importlib" not in one.filename]
    return f" ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else ""


def _broken(point: EntryPoint, why: str) -> RulesetError:
    return RulesetError("broken", point.name, f"{_origin(point)}: {why}")


def _origin(point: EntryPoint) -> str:
    package = point.dist.name if point.dist else "?"
    return f"{package} ({point.value})"
