"""The checkout itself: its packages, its environment, its locks, what must not stand in it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tomllib
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("rules", "parsers", "reporters", "processor", "jobs")
BIN = ROOT / ".venv" / "bin"
FORUMS = (
    *("spirit-build", "spirit-requirements", "flaskbb-requirements"),
    *("misago-build", "misago-requirements"),
)
LOCKS = ("requirements.txt", *(f"jobs/demo/{name}.txt" for name in FORUMS))

# Written in pieces so that this file doesn't hold what it looks for.
# /opt/turnero is where the documentation puts an example installation.
FORBIDDEN = {
    "a path of one machine": re.compile(
        r"(?<![\w.<>-])/(?:work|root|opt(?!/turnero\b)|home/[a-z]+)" + r"/(?=\w)"
    ),
    "a package registry's host": re.compile(r"py" + r"pi\.org|python" + r"hosted\.org|npm" + r"js\.org"),
    "an index address": re.compile(r"--(?:extra-)?index-" + r"url|--find-" + r"links|--trusted-" + "host"),
    "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE" + " KEY-----"),
}


def list_tracked() -> list[Path]:
    """The files that belong to the checkout; without git all that aren't built."""
    git = shutil.which("git")
    if git is not None:
        run = subprocess.run([git, "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
        if run.returncode == 0 and run.stdout:
            names = run.stdout.decode().rstrip("\0").split("\0")
            return [ROOT / name for name in names if (ROOT / name).is_file()]
    built = re.compile(r"^(?:\.(?!ci|editorconfig|gitignore)|build/|.*__pycache__/|.*\.egg-info/)")
    files = [path for path in ROOT.rglob("*") if path.is_file()]
    return [path for path in files if not built.match(path.relative_to(ROOT).as_posix())]


def find_forbidden(text: str) -> list[str]:
    """What in a text must not be published, each with its line."""
    return [
        f"{number}: {what}: {line.strip()[:80]}"
        for number, line in enumerate(text.splitlines(), 1)
        for what, pattern in FORBIDDEN.items()
        if pattern.search(line)
    ]


def read_pins(lock: str) -> dict[str, str]:
    """Name and the whole entry (version, hashes, comments) of each distribution in a lock."""
    entries = re.split(r"(?m)^(?=[a-z])", (ROOT / lock).read_text())
    return {entry.split("==")[0]: entry for entry in entries if "==" in entry}


def run_installed(program: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a program of the checkout's environment elsewhere and without any variables, HOME included."""
    command = [str(BIN / program), *arguments]
    return subprocess.run(command, cwd=folder, env={}, capture_output=True, text=True, check=True)


def read_project() -> dict[str, Any]:
    """The content of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


def test_packages_come_from_this_checkout_wherever_python_is_started(tmp_path: Path) -> None:
    """The top-level names are generic, so another distribution's `rules` must never be taken for ours."""
    names = ", ".join(PACKAGES)
    code = f"import json, {names}; print(json.dumps([module.__file__ for module in ({names})]))"
    run = run_installed("python", "-P", "-c", code, folder=tmp_path)
    assert [str(ROOT / package / "__init__.py") for package in PACKAGES] == json.loads(run.stdout)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_running_tests_see_this_checkout(package: str) -> None:
    """The suite tests the files that lie beside it."""
    assert str(ROOT / package / "__init__.py") == __import__(package).__file__


@pytest.mark.parametrize("package", PACKAGES)
def test_packages_are_typed(package: str) -> None:
    """Rule sets of others are checked against our types."""
    assert (ROOT / package / "py.typed").is_file()


@pytest.mark.parametrize("program", ["turnero", "lint-imports"])
def test_the_environment_has_the_programs(program: str) -> None:
    """`.venv/bin` is where other programs look for them."""
    assert (BIN / program).is_file()


def test_the_command_tells_its_version(tmp_path: Path) -> None:
    """The installed command runs outside of the checkout and without a home."""
    version = read_project()["project"]["version"]
    run = run_installed("turnero", "--version", folder=tmp_path)
    assert run.stdout.strip().endswith(version)


def test_announced_rule_sets_load_under_their_ids() -> None:
    """Each entry point of pyproject.toml is installed and names a rule set with the same id."""
    announced = read_project()["project"]["entry-points"]["turnero.rulesets"]
    installed = {entry.name: entry.load().id for entry in entry_points(group="turnero.rulesets")}
    assert {name: name for name in announced} == installed


def test_tracked_files_hold_nothing_of_one_machine() -> None:
    """No machine's paths, no index addresses, no keys: the checkout works anywhere and gives nothing away."""
    found = []
    for path in list_tracked():
        text = path.read_bytes().decode(errors="replace")
        found += [f"{path.relative_to(ROOT)}:{fault}" for fault in find_forbidden(text)]
    assert [] == found


@pytest.mark.parametrize(
    "line",
    [
        "cd /wo~rk/main",
        'HOME = "/ro~ot/x"',
        "pip install --extra-index-~url=address",
        "https://py~pi.org/simple",
        "see /ho~me/ana/turnero",
    ],
)
def test_forbidden_text_is_found(line: str) -> None:
    """The search finds what it looks for (examples are broken by a ~, else it would find this file)."""
    assert ["1"] == [fault.split(":")[0] for fault in find_forbidden(line.replace("~", ""))]


@pytest.mark.parametrize("line", ["tests/work/main", "https://forum.example/home/x", "<a href='/topic/1/'>"])
def test_innocent_text_passes(line: str) -> None:
    """Relative paths and addresses of forums are no machine's paths."""
    assert [] == find_forbidden(line)


@pytest.mark.parametrize("lock", LOCKS)
def test_every_pin_has_hashes(lock: str) -> None:
    """Every line of a lock is a pin, a hash, or a comment, and no pin lacks its hash."""
    text = (ROOT / lock).read_text()
    strange = [
        x for x in text.splitlines() if not re.match(r"[a-z][a-z0-9.-]*==\S+|    --hash=sha256:|    #", x)
    ]
    assert ([], []) == (strange, [name for name, entry in read_pins(lock).items() if "--hash=" not in entry])


def test_the_lock_covers_what_the_project_declares() -> None:
    """A dependency that was declared and not locked would be missing from a fresh clone."""
    declared = read_project()
    wanted = declared["project"]["dependencies"] + declared["dependency-groups"]["dev"]
    names = {re.split(r"[^a-zA-Z0-9-]", requirement)[0] for requirement in wanted}
    assert set() == names - read_pins("requirements.txt").keys()


@pytest.mark.parametrize("forum", ["spirit", "misago"])
def test_a_forum_is_built_by_what_is_locked_for_it(forum: str) -> None:
    """The two locks of a forum agree, else the second install would replace the first's tools."""
    build = read_pins(f"jobs/demo/{forum}-build.txt")
    whole = read_pins(f"jobs/demo/{forum}-requirements.txt")
    assert {k: v.split()[0] for k, v in build.items()} == {
        k: v.split()[0] for k, v in whole.items() if k in build
    }


def test_the_service_asks_in_one_place_who_carries_the_posts() -> None:
    """What follows from a person carrying them has names of its own (`processor/service/carriage.py`)."""
    files = (ROOT / "processor" / "service").glob("*.py")
    assert ["carriage.py"] == [one.name for one in files if "by_hand" in one.read_text("utf-8")]
