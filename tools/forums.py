"""What `make test-forums` needs here, said before anything is installed: python -m tools.forums."""

from __future__ import annotations

import sys

from jobs.demo import flaskbb_install, misago_install
from jobs.demo.environments import ForumBootError, need_python
from jobs.demo.postgres import NoPostgres, find_program


def find_missing() -> list[str]:
    """What is missing, in sentences; empty where everything is there."""
    missing: list[str] = []
    for forum, oldest, newest in (
        ("FlaskBB", flaskbb_install.OLDEST, None),
        ("Misago", misago_install.OLDEST, misago_install.NEWEST),
    ):
        try:
            need_python(forum, oldest, newest)
        except ForumBootError as error:
            missing.append(str(error))
    try:
        find_program("initdb")
    except NoPostgres as error:
        missing.append(f"Misago keeps its posts in PostgreSQL. {error}")
    return missing


if __name__ == "__main__":
    found = find_missing()
    sys.exit(
        "\n".join(("make test-forums can't run here:", *(f"- {one}" for one in found))) if found else None
    )
