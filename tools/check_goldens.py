"""Rehearse every golden scenario under two hash seeds.

Each must pass, and its `--json` output must be the same bytes both times: what depends on the order of a
set or on the address of an object differs between hash seeds and would break replays.

    python tools/check_goldens.py [FILE...]
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLAYER = Path(__file__).resolve().parent / "rehearse_each.py"
HASH_SEEDS = ("0", "4242")


@dataclass(frozen=True, slots=True)
class Run:
    """How a scenario ended under one hash seed: the exit code, and what was said."""

    code: int
    said: str


def rehearse(goldens: list[Path], hash_seed: str) -> list[Run]:
    """Play scenarios in a process of their own, since the hash seed is fixed at a process's start.

    Raises RuntimeError where the process itself breaks.
    """
    command = [sys.executable, str(PLAYER), *map(str, goldens)]
    environ = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, check=False, text=True)
    runs = [Run(**json.loads(line)) for line in done.stdout.splitlines()]
    if done.returncode != 0 or len(runs) != len(goldens):
        raise RuntimeError(f"{PLAYER.name} ended with {done.returncode}\n{done.stderr}")
    return runs


def find_fault(runs: tuple[Run, ...]) -> str | None:
    """What is wrong with a scenario, None where it passes alike under all hash seeds."""
    for hash_seed, run in zip(HASH_SEEDS, runs, strict=True):
        if run.code != 0:
            return f"exit {run.code} under PYTHONHASHSEED={hash_seed}\n{run.said.strip()}"
    if len({run.said for run in runs}) > 1:
        return f"output differs between PYTHONHASHSEED {' and '.join(HASH_SEEDS)}"
    return None


def main(arguments: list[str]) -> int:
    """Check the files given, else all goldens. Returns 1 if one fails or if there is none."""
    goldens = [Path(name) for name in arguments] or sorted(ROOT.glob("tests/golden/*/*.toml"))
    if not goldens:
        print("no goldens found in tests/golden/<set>/*.toml", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(len(HASH_SEEDS)) as pool:
        played = list(pool.map(lambda hash_seed: rehearse(goldens, hash_seed), HASH_SEEDS))
    faults = [find_fault(runs) for runs in zip(*played, strict=True)]
    for golden, fault in zip(goldens, faults, strict=True):
        if fault is not None:
            print(f"{os.path.relpath(golden)}: {fault}", file=sys.stderr)
    failed = sum(fault is not None for fault in faults)
    print(f"goldens: {len(goldens) - failed} of {len(goldens)} pass under {len(HASH_SEEDS)} hash seeds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
