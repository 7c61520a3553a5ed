"""Rehearse every golden scenario under two hash seeds.

Each must pass, and its `--json` output must be the same bytes both times: what depends on the order of a
set or on the address of an object differs between hash seeds and would break replays.

    python tools/check_goldens.py [FILE...]
"""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TURNERO = Path(sys.executable).parent / "turnero"
HASH_SEEDS = ("0", "4242")


def rehearse(golden: Path, hash_seed: str) -> subprocess.CompletedProcess[bytes]:
    """Play one scenario in a process of its own, since the hash seed is fixed at a process's start."""
    command = [str(TURNERO), "rehearse", str(golden), "--json"]
    return subprocess.run(
        command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, check=False
    )


def find_fault(golden: Path) -> str | None:
    """What is wrong with a scenario, None where it passes alike under all hash seeds."""
    runs = [rehearse(golden, hash_seed) for hash_seed in HASH_SEEDS]
    for hash_seed, run in zip(HASH_SEEDS, runs, strict=True):
        if run.returncode != 0:
            said = (run.stderr + run.stdout).decode(errors="replace").strip()
            return f"exit {run.returncode} under PYTHONHASHSEED={hash_seed}\n{said}"
    if len({run.stdout for run in runs}) > 1:
        return f"output differs between PYTHONHASHSEED {' and '.join(HASH_SEEDS)}"
    return None


def main(arguments: list[str]) -> int:
    """Check the files given, else all goldens. Returns 1 if one fails or if there is none."""
    goldens = [Path(name) for name in arguments] or sorted(ROOT.glob("tests/golden/*/*.toml"))
    if not goldens:
        print("no goldens found in tests/golden/<set>/*.toml", file=sys.stderr)
        return 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        faults = list(pool.map(find_fault, goldens))
    for golden, fault in zip(goldens, faults, strict=True):
        if fault is not None:
            print(f"{os.path.relpath(golden)}: {fault}", file=sys.stderr)
    failed = sum(fault is not None for fault in faults)
    print(f"goldens: {len(goldens) - failed} of {len(goldens)} pass under {len(HASH_SEEDS)} hash seeds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
