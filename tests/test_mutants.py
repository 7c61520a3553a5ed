"""tools/mutants: what it plants, and what it says of who survives."""

from __future__ import annotations

import itertools
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tools.mutants.forks import run_forks
from tools.mutants.listed import ListError, MutantList, compare, load_list, show
from tools.mutants.mutating import Key, code_of, compile_mutant, mutants_of

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = a < b", ["x = a <= b"]),
        ("x = a == b <= c", ["x = a != b <= c", "x = a == b < c"]),
        ("x = a and b", ["x = a or b", "x = b", "x = a"]),
        ("x = not a", ["x = a"]),
        ("x = -a // b", ["x = -a * b", "x = a // b"]),
        ("x = 3", ["x = 4"]),
        ("x = True", ["x = False"]),
        ("x = 'no'", ["x = 'XX'"]),
        ("x = a if b else c", ["x = a", "x = c"]),
        ("x = [a for a in b if c]", ["x = [a for a in b]"]),
        ("x = min(a, key=b)", ["x = max(a, key=b)", "x = min(a)"]),
        ("x = sorted(a)", ["x = list(a)"]),
        ("x = msg(a, b=c)", []),
        ("a.x = b", ["pass"]),
        ("a += b", ["a -= b", "pass"]),
        ("tell(a)", ["pass"]),
        ("if a:\n    tell(b)", ["if not a:", "pass"]),
        ("del a", ["pass"]),
        ('"""What it is."""\nfrom a import b\n__all__ = ["b"]\nx: int | None', []),
    ],
)
def test_what_is_planted(code: str, expected: list[str]) -> None:
    """Each small mistake once, nothing in docstrings, imports and types."""
    assert expected == [one.key.after for one in mutants_of(code, "a.py")]


CLASS = """
class A:
    limit: int = 3

    @property
    def full(self, least: int = 1):
        def inner():
            return least < 2
        return inner() or inner()
"""


def test_a_function_that_gives_another_away_is_loaded_anew() -> None:
    """What it made when the module was imported has its old code, which other code doesn't reach."""
    made = "def twice(a):\n    def inner(b):\n        return a + b\n    return inner\n\nADD = twice(2)\n"

    assert {("twice", False), ("", False)} == {
        (one.key.function, one.inside) for one in mutants_of(made, "a.py")
    }


def test_mutants_are_named_by_function_and_text() -> None:
    """Function with its class, the code before and after, a number where that isn't enough; no lines."""
    keys = [(one.key.function, one.key.after, one.key.nth, one.inside) for one in mutants_of(CLASS, "a.py")]
    assert [
        ("A", "limit: int = 4", 1, False),
        ("A.full", "2", 1, False),
        ("A.full", "return None", 1, True),
        ("A.full", "return least <= 2", 1, True),
        ("A.full", "return least < 3", 1, True),
        ("A.full", "return None", 1, True),
        ("A.full", "return inner() and inner()", 1, True),
        ("A.full", "return inner()", 1, True),
        ("A.full", "return inner()", 2, True),
    ] == keys


def test_a_planted_mistake_is_in_the_code() -> None:
    """The function's code is the mutant's, that of functions within it too."""
    mutant = next(one for one in mutants_of(CLASS, "a.py") if one.key.after == "return least <= 2")
    code = code_of(compile_mutant(CLASS, mutant, "a.py"), "A.full")
    assert "A.full" == code.co_qualname
    with pytest.raises(LookupError):
        code_of(compile_mutant(CLASS, mutant, "a.py"), "A.empty")


def test_a_fork_that_never_ends_is_ended() -> None:
    """A task that takes too long, or ends its process, harms no other."""

    def work(task: str) -> str:
        if task == "endless":
            for _ in itertools.count():
                pass
        if task == "exit":
            sys.exit(0)
        return task * 2

    assert {"a": "aa", "endless": None, "exit": None, "b": "bb"} == dict(
        run_forks(("a", "endless", "exit", "b"), work, 2, lambda task: 1)
    )


# lists

LIST = """
package = "planted"
code = ["planted"]
tests = ["tests/test_planted.py"]
"""
KEY = Key("a.py", "fits", "0 < n", "0 <= n")


def _list(tmp_path: Path, *entries: str) -> Path:
    path = tmp_path / "planted.toml"
    path.write_text("\n".join((LIST, *entries)), encoding="utf-8")
    return path


def test_a_list_reads_what_is_shown(tmp_path: Path) -> None:
    """What a run prints of a survivor is an entry of the list, as soon as it has a reason."""
    other = KEY._replace(before='«"ñ"»', nth=2)
    assert {KEY: "why", other: "because"} == load_list(
        _list(tmp_path, show(KEY, "why"), show(other, "because"))
    ).reasons


@pytest.mark.parametrize(
    ("entries", "expected"),
    [
        ([show(KEY)], "without a reason"),
        ([show(KEY, "why"), show(KEY, "why")], "listed twice"),
        (["[[mutant]]\nfile = 'a.py'"], "'function' is missing"),
    ],
)
def test_a_wrong_list_is_refused(tmp_path: Path, entries: list[str], expected: str) -> None:
    """Each survivor stands once, with a reason."""
    with pytest.raises(ListError, match=expected):
        load_list(_list(tmp_path, *entries))


def test_entries_of_files_that_were_not_tried_are_left_alone() -> None:
    """Where only some files are tried, the others' entries can't be stale."""
    listed = MutantList("", (), (), {KEY: "why", KEY._replace(file="b.py"): "why"})
    assert [["b.py"], ["a.py", "b.py"]] == [
        [key.file for key in compare(listed, [], [], files).stale] for files in (["b.py"], None)
    ]


# a whole run


def _write(root: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text), encoding="utf-8")


PLANTED = {
    "planted/__init__.py": """
        MOST = 3

        def fits(n):
            return 0 < n <= MOST
        """,
    "tests/test_planted.py": """
        from planted import fits

        def test_fits():
            assert [fits(n) for n in (1, 3, 4)] == [True, True, False]
        """,
}
SURVIVOR = Key("planted/__init__.py", "fits", "return 0 < n <= MOST", "return 0 <= n <= MOST")
STALE = SURVIVOR._replace(after="return 0 < n < MOST")


@pytest.mark.parametrize(
    ("listed", "without_reason", "stale", "status"),
    [
        (["SURVIVOR"], 0, 0, 0),
        ([], 1, 0, 1),
        (["SURVIVOR", "STALE"], 0, 1, 1),
    ],
)
def test_a_run_tells_who_survives(
    tmp_path: Path, listed: list[str], without_reason: int, stale: int, status: int
) -> None:
    """Survivors need a reason; mutants that a test notices, in functions and constants, need none."""
    entries = "\n".join(show({"SURVIVOR": SURVIVOR, "STALE": STALE}[one], "why") for one in listed)
    _write(tmp_path, {**PLANTED, "tests/mutants/planted.toml": LIST + entries})

    run = _run(tmp_path)

    assert (status, "") == (run.returncode, run.stderr)
    assert "5 mutants tried" in run.stdout
    assert "4 killed, 1 survived" in run.stdout
    assert f"survivors without a reason: {without_reason}\n" in run.stdout
    assert f"stale entries of the list: {stale}\n" in run.stdout
    assert (without_reason > 0) == (show(SURVIVOR) in run.stdout)
    assert (stale > 0) == (show(STALE) in run.stdout)


@pytest.mark.parametrize(
    ("wrong", "told"),
    [("3, 3", "tests/test_planted.py::test_fits"), ("3, ,", "(not all of them can be collected)")],
)
def test_tests_that_fail_anyway_prove_nothing(tmp_path: Path, wrong: str, told: str) -> None:
    """Where a test fails without any mutant, no mutant is tried."""
    failing = PLANTED["tests/test_planted.py"].replace("3, 4", wrong)
    _write(tmp_path, {**PLANTED, "tests/test_planted.py": failing, "tests/mutants/planted.toml": LIST})

    run = _run(tmp_path)

    assert 2 == run.returncode
    assert "tried" not in run.stdout
    assert told in run.stderr


def _run(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.mutants", "--root", str(root), "--jobs", "2"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
