"""The import contracts and the ban on clocks bite: each is tried with a violation in a copy."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
PACKAGES = ("rules", "parsers", "reporters", "processor", "jobs")

VIOLATIONS = {
    "layers": [
        ("rules/engine/wrong.py", "import parsers"),
        ("parsers/wrong.py", "import reporters"),
        ("reporters/wrong.py", "import parsers"),
        ("parsers/orders/wrong.py", "import processor.ports"),
        ("processor/wrong.py", "import jobs"),
    ],
    "rule-sets": [
        ("rules/engine/wrong.py", "import rules.play"),
        ("rules/engine/wrong.py", "import rules.toy"),
        ("rules/play/wrong.py", "import rules.toy"),
        ("rules/toy/wrong.py", "import rules.play.posts"),
        ("rules/toy/wrong.py", "import rules.other"),
    ],
    "pure": [
        (f"{folder}/wrong.py", f"import {module}")
        for folder, module in (
            ("rules/toy", "random"),
            ("rules/engine", "os.path"),
            ("parsers/files", "locale"),
            ("reporters", "time"),
            ("processor/pipeline", "secrets"),
            ("processor/pipeline", "sqlalchemy.orm"),
            ("parsers/pages", "requests"),
            ("rules/play", "apscheduler"),
        )
    ],
}
CASES = [(contract, file, line) for contract, cases in VIOLATIONS.items() for file, line in cases]


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages with two small rule sets that use the engine, as they may."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("toy", "other"):
        (folder / "rules" / name).mkdir()
        (folder / "rules" / name / "__init__.py").write_text("import rules.engine\n")
    return folder


def lint(folder: Path, contract: str) -> subprocess.CompletedProcess[str]:
    """Check one contract in a copy."""
    command = [str(BIN / "lint-imports"), "--no-logo", "--no-cache", "--contract", contract]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize("contract", VIOLATIONS)
def test_an_innocent_copy_keeps_the_contract(copy: Path, contract: str) -> None:
    """Without a violation each contract is kept, two rule sets that use the engine included."""
    run = lint(copy, contract)
    assert (0, True) == (run.returncode, "1 kept, 0 broken" in run.stdout), run.stdout + run.stderr


@pytest.mark.parametrize(("contract", "file", "line"), CASES)
def test_a_violation_breaks_the_contract(copy: Path, contract: str, file: str, line: str) -> None:
    """One forbidden import is reported and fails the check."""
    wrong = copy / file
    wrong.write_text(line + "\n")
    try:
        run = lint(copy, contract)
    finally:
        wrong.unlink()
    assert (1, True) == (run.returncode, "0 kept, 1 broken" in run.stdout), run.stdout + run.stderr


@pytest.mark.parametrize(
    "folder", ["rules/engine", "parsers", "reporters", "processor/pipeline", "processor"]
)
@pytest.mark.parametrize("call", ["datetime.datetime.now(datetime.UTC)", "datetime.date.today()"])
def test_the_core_may_not_ask_for_the_time(folder: str, call: str) -> None:
    """Time is passed in: a call for the present is refused in the core."""
    command = [
        str(BIN / "ruff"),
        "check",
        "--select",
        "TID251",
        "--stdin-filename",
        f"{folder}/wrong.py",
        "-",
    ]
    run = subprocess.run(
        command, cwd=ROOT, input=f"import datetime\n\n{call}\n", capture_output=True, text=True, check=False
    )
    assert (1, True) == (run.returncode, "Time is passed in" in run.stdout), run.stdout + run.stderr
