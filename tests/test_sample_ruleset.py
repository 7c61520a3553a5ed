"""The sample rule set of the tutorial plays from its own package, installed as any author's is."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from jobs.catalogues import _load
from jobs.commands.paper import draw_chapters
from jobs.pipeline import PIPELINE
from jobs.testing import find_faults
from jobs.tick import tick
from processor.service.bundle import Service
from processor.service.foretelling import set_trial, tell_ahead
from processor.service.registering import register_game
from processor.store import games
from reporters.layout import lay_out
from rules.engine.registry import ruleset_ids
from tests.support.conquista_night import KeepingForum, block
from tests.support.databases import new_database
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.memory_forum import TOPIC
from tests.support.small_night import make_service

pytestmark = pytest.mark.sqlite  # the rows of a rule set from elsewhere are like others'

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "examples" / "rulesets" / "tesoro"
GOLDENS = sorted((SAMPLE / "golden").glob("*.toml"))
PIP = ("-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package in it, as pip puts it there; its sources lie elsewhere."""
    source = tmp_path_factory.mktemp("source") / "tesoro"
    target = tmp_path_factory.mktemp("installed")
    shutil.copytree(SAMPLE, source, ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
    subprocess.run([sys.executable, *PIP, str(target), str(source)], check=True)
    return target


@pytest.fixture
def at_hand(installed: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package can be imported, for one test."""
    with importable(installed, monkeypatch):
        yield


@contextmanager
def importable(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The package of a folder can be imported, and is forgotten afterwards."""
    monkeypatch.syspath_prepend(str(folder))
    _load.cache_clear()
    yield
    for name in [one for one in sys.modules if one.partition(".")[0] == "tesoro"]:
        del sys.modules[name]
    _load.cache_clear()


def run(installed: Path, *arguments: str, seed: str = "0") -> subprocess.CompletedProcess[str]:
    """Run Python where the package is installed."""
    path = os.pathsep.join((str(installed), str(ROOT)))
    environ = {**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": seed}
    return subprocess.run(
        [sys.executable, *arguments], env=environ, capture_output=True, check=False, text=True
    )


def turnero(installed: Path, *typed: str) -> subprocess.CompletedProcess[str]:
    """What a command says where the package is installed."""
    return run(installed, "-c", "from jobs.cli import main; main()", *typed)


def test_nothing_is_wrong_with_it(at_hand: None) -> None:
    """What its own test says: declarations, texts, examples and goldens fit."""
    assert [] == find_faults("tesoro", *GOLDENS)


MISTAKES = [
    (
        "locale/en.po",
        '"tesoro/sailed"',
        '"tesoro/sails"',
        "locale/en.po: no text for 'tesoro/sailed', which ",
    ),
    (
        "locale/en.po",
        '"tesoro/sailed"',
        '"tesoro/sails"',
        "locale: 'tesoro/sails' has a text in one language",
    ),
    ("locale/en.po", "sails to {island}.", "sails.", "locale: 'tesoro/sailed' says island in one language"),
    ("locale/es.po", "navega a {island}", "navega a {island", "locale/es.po: tesoro/sailed: "),
    ("locale/es.po", '"tesoro/option-acts"', '"tesoro/x"', "locale/es.po: no text for 'tesoro/option-acts'"),
    ("locale/es.po", '"tesoro/sailed"', '"report/title"', "tesoro has texts that another package has: "),
    ("orders.py", '"navegar a Coral"', '"zarpar a Coral"', "order 'sail' (es): 'zarpar a Coral' isn't "),
    ("orders.py", '"dig", example="dig"', '"dig"', "order 'dig' (en): the guide needs its summary and an "),
    ("example/en/setup.toml", '"coral"] }', '"koral"] }', "example/en: setup.toml"),
    ("example/es/setup.toml", "food = 4,", "foot = 4,", "example/es: setup.toml"),
    ("resolve.py", "crew.food -= 1\n    crew.at", "crew.at", "lo-que-no-puede-ser.toml: ✘ Turno 1, state/"),
    ("ruleset.py", 'id="tesoro"', 'id="oro"', "broken: tesoro: turnero-tesoro (tesoro:RULESET): its id is "),
]


@pytest.mark.parametrize(("file", "old", "new", "said"), MISTAKES, ids=range(len(MISTAKES)))
def test_each_mistake_of_an_author_is_told(
    installed: Path, file: str, old: str, new: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where it is, and what is wanted."""
    copied = tmp_path / "copied"
    shutil.copytree(installed, copied, ignore=shutil.ignore_patterns("__pycache__"))
    path = copied / "tesoro" / file
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with importable(copied, monkeypatch):
        found = find_faults("tesoro", *GOLDENS)

    assert [said] == sorted({one[: len(said)] for one in found if one.startswith(said)})


def test_its_own_tests_pass_where_it_is_installed(installed: Path) -> None:
    """An author runs pytest on the package's folder `tests`."""
    done = run(installed, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(SAMPLE / "tests"))

    assert (0, "1 passed") == (done.returncode, " ".join(done.stdout.splitlines()[-1].split()[:2]))


def test_it_is_not_there_unless_it_is_installed() -> None:
    """Nothing of it is built into Turnero."""
    assert "tesoro" not in ruleset_ids()


def test_its_goldens_give_the_same_bytes_whatever_the_hash_seed(installed: Path) -> None:
    """`turnero rehearse` plays each; nothing depends on the order of a set."""
    command = (str(ROOT / "tools" / "rehearse_each.py"), *map(str, GOLDENS))
    one, other = (run(installed, *command, seed=seed) for seed in ("0", "4242"))

    assert [0] * len(GOLDENS) == [json.loads(line)["code"] for line in one.stdout.splitlines()]
    assert one.stdout == other.stdout


@pytest.mark.parametrize(
    ("language", "line", "cost"),
    [("es", "navegar a Coral", "un día de víveres"), ("en", "sail to Coral", "a day of food")],
)
def test_its_guide_comes_from_its_own_texts(installed: Path, language: str, line: str, cost: str) -> None:
    """In both languages."""
    guide = turnero(installed, "guide", "tesoro", "--language", language)

    assert 0 == guide.returncode
    assert re.search(rf"(?m)^\| `{line}` \|.*\|\s+{cost} \|$", guide.stdout)


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_new_game_of_it_passes_check(installed: Path, language: str, tmp_path: Path) -> None:
    """`turnero new` explains its options and writes its example, and `check` has nothing against it."""
    folder = str(tmp_path / "isla")
    made = turnero(installed, "new", "tesoro", folder, "--language", language)
    checked = turnero(installed, "check", folder)

    assert (0, "") == (made.returncode, made.stderr)
    assert (0, "") == (checked.returncode, checked.stderr)
    assert "#depth = 4 " in (tmp_path / "isla" / "game.toml").read_text(encoding="utf-8")


def rehearse_without(installed: Path, text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Rehearse a golden where a text, or with "" the whole file of Spanish ones, is missing."""
    shutil.copytree(installed, folder)
    texts = folder / "tesoro" / "locale" / "es.po"
    if text:
        renamed = texts.read_text(encoding="utf-8").replace(f'"{text}"', f'"{text}-no-more"')
        texts.write_text(renamed, encoding="utf-8")
    else:
        texts.unlink()
    return turnero(folder, "rehearse", str(SAMPLE / "golden" / "el-cofre.toml"))


def test_a_text_that_is_missing_is_told_in_a_line(installed: Path, tmp_path: Path) -> None:
    """Which, and where it belongs; no traceback."""
    done = rehearse_without(installed, "tesoro/sailed", tmp_path / "copied")

    said = "✘ «tesoro/sailed» no tiene texto en este idioma. Le falta a quien escribió el reglamento"
    assert (2, f"{said}, en tesoro: locale/es.po.\n") == (done.returncode, done.stderr)


def test_a_file_of_texts_that_is_missing_is_told_in_a_line(installed: Path, tmp_path: Path) -> None:
    """An author who forgets `package-data` learns what didn't get into the package."""
    done = rehearse_without(installed, "", tmp_path / "copied")

    said = "✘ los textos de un paquete no se pueden usar: tesoro: locale/es.po: "
    assert (2, said) == (done.returncode, done.stderr[: len(said)])


GAME = """
id = "isla"
title = "El cofre"
ruleset = "tesoro"
language = "es"
zone = "Europe/Madrid"
[forum]
software = "spirit"
url = "https://foro.example.org/"
topic = 7
account = "turnero"
secret = true
[schedule]
first = 2026-12-06
at = "22:00"
every = 7
[seats]
Gaviota = { account = 2, login = "alice" }
Marea = { account = 3, login = "bob" }
Salitre = {}
"""


def foretold_in(service: Service) -> str:
    """What the director may know of the turn ahead of its dice, as `turnero preview` draws it."""
    with service.database.read() as connection:
        row = games.get_game(connection, "isla")
    trial = set_trial(service, row, service.clock.now())
    document = tell_ahead(service, trial)
    assert document is not None
    return draw_chapters(lay_out(document, trial.play.catalogue, titled=False))


def test_a_whole_turn_goes_through_the_pipeline(at_hand: None, tmp_path: Path) -> None:
    """Opening, orders by private message, receipts, deadline, reports: in the forum, and each to its crew."""
    folder = tmp_path / "isla"
    folder.mkdir()
    (folder / "game.toml").write_text(GAME, encoding="utf-8")
    shutil.copyfile(SAMPLE / "tesoro" / "example" / "es" / "setup.toml", folder / "setup.toml")
    database, clock = new_database(), HandClock()
    forum = KeepingForum(clock, accounts={"turnero": "1", "alice": "2", "bob": "3"})
    forum.write("2", "Aquí se juega.")
    service = replace(make_service(database, clock, forum), pipeline=PIPELINE)
    register_game(service, folder)

    tick(service)
    forum.whisper("2", block("navegar a Manglar", "cavar"))
    forum.whisper("3", block("navegar al Faro", "pescar"))
    clock.set(DEADLINE - timedelta(minutes=40))
    tick(service)
    foretold = foretold_in(service)
    clock.set(DEADLINE + timedelta(minutes=2))
    tick(service)
    texts = [post.text for post in forum.by_bot(TOPIC)]
    public = next(text for text in texts if ":report:" in text)
    receipt = next(post.text for post in forum.by_bot() if ":receipt-marea:" in post.text)

    assert "La Gaviota cava: llega al fondo con 3 de 6 caras del dado" in foretold
    assert "La Gaviota navega a Manglar." in public
    assert "Caváis" not in "".join(texts)
    assert "Faro no está al lado de Bonanza. Desde ahí se llega a Coral o Manglar." in receipt
    assert any("Caváis en Manglar" in post.text for post in forum.by_bot())
