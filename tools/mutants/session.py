"""Trying mutants inside of one pytest session: all is imported once, each mutant gets a fork of it.

A mutant in a function's body replaces the function's code; one at module level loads the rule set and the
tests anew. Only tests that run the changed lines are tried, the quickest first, until one fails.
"""

from __future__ import annotations

import gc
import math
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tools.mutants.forks import run_forks
from tools.mutants.mutating import Mutant, code_of, compile_mutant
from tools.mutants.planting import MutatedModule, forget_modules, swap_code

EXAMPLES = 10
"""Examples of each property, the same ones for each mutant: who survives today does so tomorrow."""

CRASHED = "(never ended, or brought the process down)"
"""What notices a mutant if no test can say so."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A test without any mutant. seconds: of processor time.

    lines: which of each file it ran; None for a property, which may run any and is too slow to trace.
    """

    passed: bool
    seconds: float
    lines: Mapping[str, frozenset[int]] | None

    def runs(self, file: str, first: int, last: int) -> bool:
        """Whether it may run one of these lines."""
        return self.lines is None or not self.lines.get(file, frozenset()).isdisjoint(range(first, last + 1))


class MutantSession:
    """A pytest plugin that tries mutants instead of running the tests.

    package: the rule set's, loaded anew for mutants at module level. jobs: forks at once.
    told: called with each mutant and the test that noticed it, None where none did.
    """

    def __init__(
        self,
        root: Path,
        package: str,
        mutants: Sequence[Mutant],
        jobs: int,
        told: Callable[[Mutant, str | None], None],
    ) -> None:
        self.root = root
        self.package = package
        self.mutants = mutants
        self.jobs = jobs
        self.told = told
        self.faults: tuple[str, ...] = ()
        self._items: dict[str, pytest.Item] = {}
        self._measured: dict[str, Measured] = {}
        self._noticed: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
        self._failed = False

    def pytest_collection(self) -> None:
        """Properties get few examples, behind conftest's own profile."""
        from hypothesis import Phase, settings  # noqa: PLC0415 - pytest warns of what is imported before it

        phases = (Phase.explicit, Phase.generate)
        few = settings(
            max_examples=EXAMPLES,
            derandomize=True,
            database=None,
            deadline=None,
            phases=phases,
            print_blob=False,
        )
        settings.register_profile("mutants", few)
        settings.load_profile("mutants")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note that a test failed."""
        self._failed = self._failed or report.failed

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Measure the tests, then try each mutant; True, so that pytest doesn't run the tests itself."""
        self._items = {item.nodeid: item for item in session.items}
        gc.freeze()  # a fork would copy what it collects
        self._measure()
        self.faults = tuple(name for name, one in self._measured.items() if not one.passed)
        if session.testsfailed or not self._items:
            self.faults = (*self.faults, "(not all of them can be collected)")
        if self.faults:
            return True
        for mutant, said in run_forks(self.mutants, self._try, self.jobs, self._seconds):
            killer = said["killer"] if said is not None else CRASHED
            noticed = self._noticed[mutant.key.file, mutant.key.function]
            if killer in self._items and killer not in noticed:
                noticed.append(killer)
            self.told(mutant, killer)
        return True

    def _measure(self) -> None:
        files = {str(self.root / mutant.key.file): mutant.key.file for mutant in self.mutants}

        def measure(name: str) -> dict[str, Any]:
            lines: defaultdict[str, set[int]] = defaultdict(set)
            traced = not _is_property(self._items[name])
            start = time.process_time()
            sys.settrace(_tracer(files, lines) if traced else None)
            passed = self._passes(self._items[name])
            sys.settrace(None)
            told = {file: sorted(numbers) for file, numbers in lines.items()} if traced else None
            return {"passed": passed, "seconds": time.process_time() - start, "lines": told}

        for name, said in run_forks(self._items, measure, self.jobs, lambda name: 600):
            one = said or {"passed": False, "seconds": 0.0, "lines": {}}
            lines = {file: frozenset(numbers) for file, numbers in (one["lines"] or {}).items()}
            ran = None if one["lines"] is None else lines
            self._measured[name] = Measured(one["passed"], one["seconds"], ran)

    def _tests(self, mutant: Mutant) -> list[str]:
        """Tests that can notice a mutant: what noticed others of its function, then the quickest."""
        file = mutant.key.file
        names = [
            name for name, one in self._measured.items() if not mutant.inside or one.runs(file, *mutant.lines)
        ]
        noticed = self._noticed[mutant.key.file, mutant.key.function]
        return sorted(names, key=lambda name: (name not in noticed, self._measured[name].seconds))

    def _seconds(self, mutant: Mutant) -> int:
        return 5 + 2 * math.ceil(sum(self._measured[name].seconds for name in self._tests(mutant)))

    def _try(self, mutant: Mutant) -> dict[str, str | None]:
        try:
            items = self._plant(mutant)
        except Exception as refused:  # noqa: BLE001 - whatever stops the import of a mutant has noticed it
            return {"killer": f"import: {type(refused).__name__}"}
        killer = next((name for name in self._tests(mutant) if not self._passes(items[name])), None)
        return {"killer": killer}

    def _plant(self, mutant: Mutant) -> Mapping[str, pytest.Item]:
        """Put the mutant in the place of the code; the tests to try it with."""
        path = self.root / mutant.key.file
        module = ".".join(Path(mutant.key.file).with_suffix("").parts).removesuffix(".__init__")
        code = compile_mutant(path.read_text(encoding="utf-8"), mutant, str(path))
        if mutant.inside:
            swap_code(module, mutant.key.function, code_of(code, mutant.key.function))
            return self._items
        forget_modules(self.package, self.root / "tests")
        sys.meta_path.insert(0, MutatedModule(module, path, code))
        session = next(iter(self._items.values())).session
        session.perform_collect()
        return {item.nodeid: item for item in session.items}

    def _passes(self, item: pytest.Item) -> bool:
        self._failed = False
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=None)
        return not self._failed


def _is_property(item: pytest.Item) -> bool:
    return bool(getattr(getattr(item, "obj", None), "is_hypothesis_test", False))


def _tracer(files: Mapping[str, str], lines: defaultdict[str, set[int]]) -> Callable[..., Any]:
    """A trace function that notes the lines of some files."""

    def trace(frame: FrameType, event: str, arg: object) -> Callable[..., Any] | None:
        file = files.get(frame.f_code.co_filename)
        if file is None:
            return None
        seen = lines[file]
        seen.add(frame.f_lineno)

        def local(frame: FrameType, event: str, arg: object) -> Callable[..., Any]:
            seen.add(frame.f_lineno)
            return local

        return local

    return trace
