"""Finding a rule set by its id among the installed packages (entry points `turnero.rulesets`)."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points

from rules.engine.ruleset import Ruleset

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

    Raises RulesetError where none or several packages offer it, it can't be imported, or it was
    written for another version of the protocol.
    """
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
        raise RulesetError("broken", point.name, f"{_origin(point)}: {cause}") from cause
    if not isinstance(loaded, Ruleset) or loaded.id != point.name:
        raise RulesetError("broken", point.name, f"{_origin(point)}: no Ruleset {point.name!r}")
    if loaded.api_version != API_VERSION:
        raise RulesetError("version", point.name, f"{loaded.api_version} != {API_VERSION}")
    return loaded


def _origin(point: EntryPoint) -> str:
    package = point.dist.name if point.dist else "?"
    return f"{package} ({point.value})"
