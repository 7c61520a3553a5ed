"""The demo's judge as the demo starts it: a process of its own, whose exit code counts."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def judge_as_process(case: Path) -> subprocess.CompletedProcess[str]:
    """The judge as the demo starts it."""
    return subprocess.run(
        [sys.executable, "-m", "jobs.demo.judge", str(case)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
