"""Play scenarios one after another in one process: a line of JSON each, with the exit code and what was said.

python tools/rehearse_each.py FILE...
"""

from __future__ import annotations

import json
import sys

from typer.testing import CliRunner

from jobs.cli import app


def main(files: list[str]) -> None:
    """What `turnero rehearse FILE --json` says of each file."""
    for name in files:
        result = CliRunner().invoke(app, ["rehearse", name, "--json"])
        broken = "" if isinstance(result.exception, SystemExit | None) else repr(result.exception)
        print(json.dumps({"code": result.exit_code, "said": result.output + broken}))


if __name__ == "__main__":
    main(sys.argv[1:])
