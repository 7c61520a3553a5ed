"""What `rules/valar/RULES.md` says is in the code, and what is in the code it says."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from rules.valar.options import Options
from rules.valar.questions import POLICIES
from rules.valar.resolve import STEPS

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "rules" / "valar"
PAGE = (FOLDER / "RULES.md").read_text(encoding="utf-8")
GOLDENS = {path.stem for path in (ROOT / "tests" / "golden" / "valar").glob("*.toml")}
CODE = re.compile(r"`([\w/]+\.py):(\w+)`")

pytestmark = pytest.mark.docs


def names_in(path: Path) -> set[str]:
    """What a module defines at its top."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {one.id for one in targets if isinstance(one, ast.Name)}
    return found


def test_code_that_is_named_exists() -> None:
    """Each `file.py:name`."""
    named = CODE.findall(PAGE)

    assert len(named) > 20
    assert [] == [one for one in named if one[1] not in names_in(FOLDER / one[0])]


def test_every_golden_is_named() -> None:
    """None is left out; `tests/test_valar_entries.py` has those of the catalogues the other way round."""
    words = set(re.findall(r"[a-z][a-z-]*[a-z]", PAGE))

    assert set() == GOLDENS - words


def test_every_option_question_and_step_is_named() -> None:
    """Options and kinds of question in code marks, steps in their order."""
    marked = set(re.findall(r"`([\w-]+)`", PAGE))

    assert set() == {one.name for one in fields(Options)} - marked
    assert set() == POLICIES.keys() - marked
    assert ", ".join(one.name for one in STEPS) in re.sub(r"\s+", " ", PAGE)
