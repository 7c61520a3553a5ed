"""What directors and players read stands in the catalogues: no code holds Spanish of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOPS = ("processor", "parsers", "reporters", "jobs")

SPANISH = re.compile(
    r"[áéíóúüñÁÉÍÓÚÑ¿¡«»]|\b(?:el|la|los|las|del|que|un|una|para|por|con|sin|hay|falta|como|pon|escribe|quita|usa|corrige|deja"
    r"|tiene|puede|partida|turno|orden|puesto|cuenta|carpeta|archivo|jugador|casilla|lista|tabla|texto|clave|vale|su|sus|ya"
    r"|no se|lo que|de un)\b",
    re.IGNORECASE,
)

EXEMPT = {
    "jobs/demo": "the demo is a show, told in one language",
    "jobs/commands/demo.py": "the demo is a show, told in one language",
    "parsers/orders/keywords.py": "words that players type",
    "parsers/orders/header.py": "words that players type",
    "parsers/orders/marks.py": "words that players type",
    "parsers/pages/django_time.py": "dates as a forum writes them",
    "parsers/pages/smf_time.py": "dates as a forum writes them",
    "parsers/pages/saved.py": "names of forums",
    "parsers/pages/shapes.py": "classes of their pages",
    "parsers/files/credentials.py": "names of keys that hold secrets",
    "parsers/files/values.py": "names of days in files",
    "reporters/orders_template.py": "words that players type",
    "reporters/markdown.py": "a pattern of letters and marks",
    "reporters/game_verdict.py": "both languages side by side, like verification",
    "reporters/verification.py": "both languages side by side, for a program of one file",
}
"""Files and folders with Spanish that is no prose of ours, each with the reason."""

TYPER = ("help", "metavar")
"""Keywords of the command line's own help, which is fixed before any language is known."""


SHORTEST = 4
"""Letters of a text that is looked at: `el` and `del` are data."""


def literals(tree: ast.AST) -> Iterator[str]:
    """Texts of a module, without docstrings and the command line's help."""
    skipped = set[int]()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        for one in body if isinstance(body, list) else ():
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                skipped.add(id(one.value))
        if isinstance(node, ast.keyword) and node.arg in TYPER:
            skipped |= {id(inner) for inner in ast.walk(node.value)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield node.value


def spanish_of(source: str) -> list[str]:
    """Texts of a module that are Spanish."""
    return [one for one in literals(ast.parse(source)) if len(one) >= SHORTEST and SPANISH.search(one)]


def is_exempt(path: str) -> bool:
    """Whether Spanish may stand in a file."""
    return any(path == one or path.startswith(f"{one}/") for one in EXEMPT)


@pytest.mark.parametrize("top", TOPS)
def test_no_code_speaks_spanish(top: str) -> None:
    """Every text is in a catalogue, so that a game in English is in English."""
    files = {path.relative_to(ROOT).as_posix(): path for path in sorted((ROOT / top).rglob("*.py"))}
    found = {
        name: said
        for name, path in files.items()
        if not is_exempt(name) and (said := spanish_of(path.read_text(encoding="utf-8")))
    }
    assert {} == found


def test_every_exemption_is_needed() -> None:
    """One that nothing needs any more goes."""
    needless = []
    for name in EXEMPT:
        path = ROOT / name
        files = [path] if path.is_file() else sorted(path.rglob("*.py"))
        if not any(spanish_of(one.read_text(encoding="utf-8")) for one in files):
            needless.append(name)
    assert [] == needless


def test_what_the_scan_finds() -> None:
    """Words and letters, also inside f-strings; no docstrings, no help."""
    source = '"""El turno."""\nhello("no hay", help="la carpeta")\nx = f"{a} falta {b}"\ny = "wrong"\n'
    assert ["no hay", " falta "] == spanish_of(source)
