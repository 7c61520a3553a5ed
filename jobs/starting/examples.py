"""The example game that a rule set brings along, in its package's folder `example/LANGUAGE`.

`example/es` is a whole game folder; other languages have the starting state and the corrections in it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from jobs.folders import GAME, SETUP
from rules.engine.ruleset import Ruleset

WHOLE = "es"
"""The language in which an example is a whole game."""

OVERRIDES = "overrides"


def find_example(ruleset: Ruleset, language: str = WHOLE) -> Traversable | None:
    """The folder of a rule set's example, None where it has none in that language."""
    folder = files(ruleset.package) / "example" / language
    return folder if (folder / SETUP).is_file() else None


def read_example(folder: Traversable) -> dict[str, str]:
    """The starting state and the corrections of an example: texts by their paths in a game's folder."""
    found = {SETUP: (folder / SETUP).read_text(encoding="utf-8")}
    overrides = folder / OVERRIDES
    if overrides.is_dir():
        for one in sorted(overrides.iterdir(), key=lambda entry: entry.name):
            if one.name.endswith(".toml"):
                found[f"{OVERRIDES}/{one.name}"] = one.read_text(encoding="utf-8")
    return found


def example_options(ruleset: Ruleset) -> Mapping[str, Any]:
    """The options that a rule set's example sets, as its game file writes them."""
    folder = find_example(ruleset)
    if folder is None or not (folder / GAME).is_file():
        return {}
    options = tomllib.loads((folder / GAME).read_text(encoding="utf-8")).get("options", {})
    return dict(options)
