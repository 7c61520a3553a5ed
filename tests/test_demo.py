"""The demo: what it shows and saves, how it ends, and a whole night against real Spirit."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner

from jobs.cli import app
from jobs.commands import demo as command
from jobs.demo.browser import Browser, BrowserError
from jobs.demo.judge import read_case
from jobs.demo.night import Letter, NightFailed
from jobs.demo.pages import Wanted, save_pages
from jobs.demo.play import Play
from jobs.demo.players import BOT, password_of
from jobs.demo.plays import PLAYS
from jobs.demo.show import ended_by_signal
from jobs.demo.spirit_server import OpeningPost, SpiritServer
from jobs.demo.stage import copy_game
from jobs.demo.telling import Teller, shown
from jobs.folders import check_folder
from tests.support.judging import judge_as_process

ROOT = Path(__file__).resolve().parents[1]
TURNERO = Path(sys.executable).with_name("turnero")


def test_the_demo_ends_with_the_judges_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """0, 1; and 1 with a reason where the night breaks off, 2 for an example that doesn't exist."""

    def fail(*_: object, **__: object) -> int:
        raise NightFailed("esperando el informe")

    ends = []
    for night in (lambda *_, **__: 0, lambda *_, **__: 1, fail):
        monkeypatch.setattr(command, "run_night", night)
        ends.append(CliRunner().invoke(app, ["demo"]))
    assert [0, 1, 1] == [one.exit_code for one in ends]
    assert "esperando el informe" in ends[-1].output
    wrong = CliRunner().invoke(app, ["demo", "--game", "parchis"])
    assert (2, True) == (wrong.exit_code, "Los que hay: conquista, valar." in wrong.output)


def test_posts_are_shown_in_plain_lines() -> None:
    """Lists, tables and code as a terminal can show them; the marker is left out."""
    html = (
        "<h1>Turno 1</h1>\n<p>Hola<br>\n<b>tú</b></p>\n<ol start='2'><li>dos</li><li><p>tres</p></li></ol>\n"
        "<table><tr><th>Facción</th><th>n</th></tr><tr><td>Tau</td><td>7</td></tr></table>\n"
        "<p>ptd1:a:1.1:report:1/1:00000000</p>"
    )
    assert "Turno 1\n\nHola\ntú\n\n2. dos\n3. tres\n\nFacción  n\nTau      7" == shown(html)


def test_the_director_fills_in_what_the_letter_says_to_copy() -> None:
    """Her words where any will do; where the answers are named, the last, by which nothing is granted."""
    snippet = '[[override]]\nruling = "{}"\nanswer = "…"{}\nreason = "…"'
    letter = Letter(
        "", "\n\n".join((snippet.format("reloj/a", ""), snippet.format("exito/b", "  # sí | no")))
    )

    free, offered = letter.filled("Llueve", "Es abril").split("\n\n")
    assert '[[override]]\nruling = "reloj/a"\nanswer = "Llueve"\nreason = "Es abril"' == free
    assert '[[override]]\nruling = "exito/b"\nanswer = "no"\nreason = "Es abril"\n' == offered


def test_saved_pages_need_no_forum(start_spirit: Callable[..., SpiritServer], tmp_path: Path) -> None:
    """Style sheets, fonts, used emoji are saved and nothing else; links lead to saved posts; no scripts."""
    forum = start_spirit(topics=(OpeningPost("Tema", "hola", "alice"),))
    alice = Browser(forum.url)
    alice.log_in("alice", "Passw0rd-alice")
    topic = forum.topics["Tema"]
    first = alice.post(topic, "uno :smile:")
    alice.post(topic, f"mira [aquí](/comment/{first}/find/)")
    page = save_pages(tmp_path, [Wanted(alice, f"topic/{topic}/", "tema.html", "El tema")], "Una noche")[1]
    text = page.read_text(encoding="utf-8")
    named = set(re.findall(r'(?:href|src)="(static/[^"]+)"', text))
    for sheet in (tmp_path / "static").glob("*.css"):
        named |= {f"static/{one}" for one in re.findall(r'url\("([^":]+)"\)', sheet.read_text())}
    saved = {f"static/{one.name}" for one in (tmp_path / "static").iterdir()}
    assert (saved, set()) == (named & saved, saved - named)
    assert {".css", ".woff2", ".svg"} <= {Path(one).suffix for one in saved}
    assert ("<script" in text, 'href="tema.html#c2"' in text) == (False, True)
    assert '<a href="tema.html">El tema</a>' in (tmp_path / "index.html").read_text()


@dataclass(frozen=True)
class Night:
    """A whole night that `turnero demo --keep` has played."""

    folder: Path
    output: str
    code: int

    @property
    def words(self) -> str:
        """What the terminal showed, without frames."""
        return " ".join(self.output.replace("│", " ").split())


class Playing:
    """The command as people run it, with an empty HOME; most of its minutes are the deadline's."""

    def __init__(self, ruleset: str, folder: Path, home: Path) -> None:
        self.folder = folder
        self._output = folder.with_suffix(".txt").open("w+", encoding="utf-8")
        game = ("--game", ruleset, "--folder", str(folder))
        self._process = subprocess.Popen(
            [str(TURNERO), "demo", "--keep", *game, "--forum", str(ROOT / "build" / "forum")],
            cwd=home,
            env={"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8", "COLUMNS": "200"},
            stdout=self._output,
            stderr=subprocess.STDOUT,
        )

    def end(self) -> Night:
        """The night once it is over."""
        code = self._process.wait()
        self._output.seek(0)
        return Night(self.folder, self._output.read(), code)

    def stop(self) -> None:
        """Leave nothing running: neither a night that nobody waited for nor its forum."""
        if self._process.poll() is None:
            self._process.terminate()
        keeper = re.search(r"kill (\d+)", self.end().output)
        if keeper:
            os.kill(int(keeper.group(1)), signal.SIGTERM)
        self._output.close()


@pytest.fixture(scope="module")
def nights(spirit_build: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, Playing]]:
    """A night of every play, all at once: they wait for their deadlines together."""
    playing = {
        one: Playing(one, tmp_path_factory.mktemp(one), tmp_path_factory.mktemp("home")) for one in PLAYS
    }
    try:
        yield playing
    finally:
        for one in playing.values():
            one.stop()


@pytest.fixture
def night(nights: Mapping[str, Playing]) -> Night:
    """The one of `conquista`."""
    return nights["conquista"].end()


def test_a_whole_night_ends_well_and_breaks_when_the_report_does(night: Night) -> None:
    """Exit code 0; then a changed and a doubled report and a changed proof each give another one."""
    assert 0 == night.code, night.output
    case = night.folder / "caso.json"
    known = read_case(case)
    bot = Browser(known.url)
    bot.log_in(BOT, password_of(BOT))
    path = f"topic/{known.topic}/"
    report = next(one for one in bot.comments(path) if ":report:" in one.html)
    text = bot.text_of(known.topic, report.id)
    assert 0 == judge_as_process(case).returncode
    bot.edit(report.id, text.replace("Lo que ha pasado", "Lo que dicen que ha pasado"))
    assert 1 == judge_as_process(case).returncode
    bot.edit(report.id, text)
    assert 0 == judge_as_process(case).returncode
    proof = Path(known.reports) / "proof.json"
    kept = proof.read_text()
    proof.write_text(kept.replace('"turn": 1', '"turn": 2'))
    assert 1 == judge_as_process(case).returncode
    proof.write_text(kept)
    double = bot.post(known.topic, "otra vez")
    bot.edit(double, text)
    assert "no está exactamente una vez" in judge_as_process(case).stdout
    assert 1 == judge_as_process(case).returncode


def test_the_night_shows_how_people_order(night: Night) -> None:
    """The mistyped order and its answer, the quote, the warning, the late post; and the pages of it all."""
    for said in (
        "invdir TI-7 con E11",
        "¿Querías decir invadir TI-7 con E11?",
        "había un bloque dentro de una cita",
        "Estas órdenes están en el tema abierto",
        "Mover E22 a ES-6",
        "Llegaron tarde y no cuentan: Sindicato",
        "Espero al cierre",
    ):
        assert said in night.words, night.output
    pages = night.folder / "paginas"
    first, last = (
        (pages / one / "privado-quique.html").read_text() for one in ("1-primeros-recibos", "2-final")
    )
    assert (True, False) == ("invdir" in first, "No conozco" in last)
    assert {f"privado-{one.name}.html" for one in PLAYS["conquista"].people} < {
        one.name for one in (pages / "2-final").iterdir()
    }
    assert "Todo en orden." in night.output


def test_a_night_of_valar_is_held_and_goes_on_with_the_directors_answer(
    nights: Mapping[str, Playing],
) -> None:
    """Stories count by their words, quotations don't; a full clock asks; the answer is in the report."""
    night = nights["valar"].end()

    assert 0 == night.code, night.output
    for said in (
        '¿Querías decir misión "Comprar grano": Mercader?',
        "«Espiar el molino», de Aldana",
        "«Comprar grano», de Cardo Se tira en este turno, con +8 a la mediana: +5 (tokens) +3 (dificultad).",
        "espera una decisión tuya",
        'answer = "El hielo se parte y el vado queda abierto"',
        "Ya no se puede cruzar a pie",
        "¿Llega la caravana?",
        "Llegaron tarde y no cuentan: Brezo",
        "Todo en orden.",
    ):
        assert said in night.words, night.output
    roleo = {"Aldana": " +1 (roleo)", "Brezo": " +1 (roleo)", "Cardo": ""}
    assert roleo == {
        house: next(iter(re.findall(r" \+1 \(roleo\)", facts)), "")
        for house in roleo
        for facts in re.findall(rf"», de {house} Se tira en este turno,(.*?)Posición", night.words)
    }


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_night_leaves_nothing_running(
    spirit_build: object, tmp_path: Path, number: signal.Signals
) -> None:
    """Ctrl-C and SIGTERM end the forum too, and the command says so with its exit code."""
    # A process that is started in the background may have been told to ignore Ctrl-C.
    heed = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    start = f"{heed}; import jobs.cli; jobs.cli.main()"
    demo = subprocess.Popen(
        [
            sys.executable,
            "-c",
            start,
            "demo",
            "--folder",
            str(tmp_path),
            "--forum",
            str(ROOT / "build/forum"),
        ],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with demo:
        assert demo.stdout is not None
        url = next(found[1] for line in demo.stdout if (found := re.search(r"(http://\S+)topic/1/", line)))
        assert Browser(url).comments("topic/1/")
        demo.send_signal(number)
        said, _ = demo.communicate()
    assert {signal.SIGINT: 130, signal.SIGTERM: 143}[number] == demo.returncode, said
    with pytest.raises(BrowserError):
        Browser(url).comments("topic/1/")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interruption_that_python_loses_ends_the_night_with_its_next_step() -> None:
    """What a signal raises is lost where it comes while Python tidies up an object."""
    teller = Teller(Console(file=StringIO()))

    class Tidied:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    with ended_by_signal(teller):
        tidied = Tidied()
        del tidied
        with pytest.raises(SystemExit) as ended:
            teller.step("sigue")
    assert 143 == ended.value.code


@pytest.mark.parametrize("play", PLAYS.values(), ids=list(PLAYS))
def test_the_example_game_is_sound(play: Play, tmp_path: Path) -> None:
    """Its files pass `check`, once the forum's numbers stand in them."""
    folder = tmp_path / "game"
    copy_game(play, folder)
    for name in ("game.toml", "setup.toml"):
        text = (folder / name).read_text(encoding="utf-8")
        for word, value in (
            ("$url", "http://127.0.0.1:1/"),
            ("$zone", "Europe/Madrid"),
            ("$first", "2026-12-06T22:00:00"),
        ):
            text = text.replace(word, value)
        (folder / name).write_text(re.sub(r"\$(\w+)", lambda found: str(hash_of(found[1])), text))
    checked = check_folder(folder)
    assert () == checked.problems
    assert play.title == checked.loaded.game.title  # type: ignore[union-attr]


def hash_of(word: str) -> int:
    """A number of its own for each word."""
    return int.from_bytes(word.encode()[:4], "big")
