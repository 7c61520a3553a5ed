"""Try the mutants of rule code, and say which ones no test notices (`make mutants`).

    python -m tools.mutants [--jobs N] [FILE OR FOLDER...]

Each `tests/mutants/*.toml` names a rule set's code, the tests that know it, and the survivors with their
reasons. Ends with 1 if one survives without a reason or if a listed one doesn't survive any more.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tools.mutants.listed import ListError, MutantList, Verdict, compare, load_list, show
from tools.mutants.mutating import Mutant, mutants_of
from tools.mutants.session import MutantSession

ROOT = Path(__file__).resolve().parent.parent.parent
LISTS = "tests/mutants/*.toml"
PYTEST = ("-qq", "-s", "--no-header", "--no-summary", "-p", "no:randomly", "-p", "no:cacheprovider")


def main(arguments: Sequence[str]) -> int:
    """Try the mutants of all lists, or those in the given files and folders."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants")
    parser.add_argument("paths", nargs="*", help="files and folders of the code; none: all")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="mutants at once")
    parser.add_argument("--root", type=Path, default=ROOT, help="the repository")
    given = parser.parse_args(arguments)
    root = given.root.resolve()
    os.chdir(root)
    sys.path.insert(0, str(root))
    try:
        return max(try_list(root, path, given.paths, given.jobs) for path in sorted(root.glob(LISTS)))
    except ListError as wrong:
        print(wrong, file=sys.stderr)
        return 2


def try_list(root: Path, path: Path, only: Sequence[str], jobs: int) -> int:
    """Try the mutants of one list. Returns 1 where it doesn't agree, 2 where tests fail without any."""
    started = time.monotonic()
    listed = load_list(path)
    files = files_of(root, listed, only)
    mutants = [mutant for file in files for mutant in mutants_of((root / file).read_text("utf-8"), file)]
    if only and not mutants:
        return 0
    survivors: list[Mutant] = []
    tried = 0

    def told(mutant: Mutant, killer: str | None) -> None:
        nonlocal tried
        tried += 1
        survivors.extend([mutant] if killer is None else [])
        if sys.stderr.isatty():
            print(
                f"\r{tried}/{len(mutants)}, {len(survivors)} survived ", end="", file=sys.stderr, flush=True
            )

    session = MutantSession(root, listed.package, mutants, jobs, told)
    pytest.main([*PYTEST, *listed.tests], plugins=[session])
    if session.faults or tried < len(mutants):
        print(
            "the tests have to pass without any mutant first:", *session.faults, sep="\n  ", file=sys.stderr
        )
        return 2
    verdict = compare(listed, mutants, survivors, None if not only else files)
    print_verdict(path.relative_to(root), verdict, tried, time.monotonic() - started)
    return 1 if verdict.unexplained or verdict.stale else 0


def files_of(root: Path, listed: MutantList, only: Sequence[str]) -> tuple[str, ...]:
    """Files of the list's code, those below the given paths where any are given; from the root, sorted."""
    found = {
        file
        for one in listed.code
        for file in ((root / one).rglob("*.py") if (root / one).is_dir() else [root / one])
    }
    wanted = [(root / one).resolve() for one in only] or [root]
    return tuple(
        sorted(
            file.relative_to(root).as_posix()
            for file in found
            if any(file.is_relative_to(one) for one in wanted)
        )
    )


def print_verdict(path: Path, verdict: Verdict, tried: int, seconds: float) -> None:
    """Say what came of a list, survivors without a reason as the list wants them."""
    survived = len(verdict.explained) + len(verdict.unexplained)
    minutes = f"{seconds / 60:.1f} min"
    print(f"{path}: {tried} mutants tried in {minutes}, {tried - survived} killed, {survived} survived")
    print(f"survivors with a reason: {len(verdict.explained)}")
    print(f"survivors without a reason: {len(verdict.unexplained)}")
    for mutant in verdict.unexplained:
        print(f"\n# {mutant.key.file}:{mutant.lines[0]}\n{show(mutant.key)}")
    print(f"stale entries of the list: {len(verdict.stale)}")
    for key in verdict.stale:
        print(f"\n{show(key)}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
