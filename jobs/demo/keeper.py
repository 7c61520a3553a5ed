"""Holds a forum that was left running: it lives as long as this process, and its folder no longer.

Started with the forum's two pipes and its folder as arguments; it imports nothing of Turnero.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from typing import NoReturn


def _stop(*_: object) -> NoReturn:
    raise SystemExit


def main() -> None:
    """Wait until told to stop or until the forum is gone; then remove its folder."""
    stdin, stdout, folder = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    signal.signal(signal.SIGTERM, _stop)
    signal.signal(signal.SIGINT, _stop)
    try:
        while os.read(stdout, 65536):
            pass
    finally:
        os.close(stdin)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
