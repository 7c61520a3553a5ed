"""The demo: its judge over a forum that lies, its pages, and a whole night against real Spirit."""

from __future__ import annotations

import hashlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jobs.cli import app
from jobs.commands import demo as command
from jobs.demo.browser import Browser, BrowserError
from jobs.demo.judge import Case, Reader, judge, read_case, write_case
from jobs.demo.night import NightFailed
from jobs.demo.pages import Wanted, save_pages
from jobs.demo.players import BOT, PLAYERS, TOPIC, password_of
from jobs.demo.spirit_server import Account, OpeningPost, SpiritServer
from jobs.demo.stage import GAMES
from jobs.demo.telling import shown
from jobs.folders import check_folder
from reporters.proof import build_proof, render_proof
from rules.engine.dice import Dice
from rules.engine.dice_sources import Ptd1Source
from tests.support.standin import StandIn

ROOT = Path(__file__).resolve().parents[1]
TURNERO = Path(sys.executable).with_name("turnero")
ANA, EVA, GM, ROBOT = (Account(name, f"pw-{name}") for name in ("ana", "eva", "gm", "robot"))
LOCK = "5e" * 32


@dataclass
class Published:
    """A night as it should be, in a stand-in forum. posts: id by kind of text."""

    forum: StandIn
    case: Case
    posts: dict[str, str]

    def post(self, topic: str, text: str) -> str:
        """A post of the bot's."""
        return self.forum.write_post(topic, ROBOT.name, text)

    def text(self, kind: str) -> str:
        """What stands in the forum for a kind of text."""
        return str(next(one["text"] for one in self.forum.posts() if one["id"] == self.posts[kind]))

    def topic(self, kind: str) -> str:
        """Where it stands."""
        return str(next(one["topic"] for one in self.forum.posts() if one["id"] == self.posts[kind]))

    def rewrite(self, kind: str, change: Callable[[str], str]) -> None:
        """Change what stands in the forum."""
        self.forum.edit_post(self.posts[kind], change(self.text(kind)))

    def verdict(self) -> list[str]:
        """What the judge says is wrong."""
        return [one.text for one in judge(self.case) if not one.holds]

    def change_proof(self, change: Callable[[dict[str, Any]], object]) -> None:
        """Change the proof's file."""
        path = Path(self.case.reports) / "proof.json"
        proof = json.loads(path.read_text())
        change(proof)
        path.write_text(json.dumps(proof))


def marked(kind: str, body: str, part: str = "1/1", hashed: bool = True) -> str:
    """A text with its marker, as the outbox writes it."""
    digest = f":{hashlib.sha256(body.encode()).hexdigest()[:8]}" if hashed else ""
    return f"{body}\n\nptd1:brisa:1.1:{kind}:{part}{digest}"


@pytest.fixture
def published(start_standin: Callable[..., StandIn], tmp_path: Path) -> Published:
    """A turn of a game of two, published as it should be."""
    forum = start_standin((GM, ROBOT, ANA, EVA), topics=(OpeningPost("Brisa", "hola", GM.name),))
    topic = forum.topics["Brisa"]
    source = Ptd1Source("brisa", 1, bytes(32))
    dice = Dice(source)
    dice.pool(8, 2**40, "viento", purpose="prueba")
    proof = build_proof(source, dice.rolls, lock=LOCK)
    (tmp_path / "proof.json").write_text(render_proof(proof))
    readers = (
        *(Reader(one.name, one.password, one.name) for one in (ANA, EVA)),
        Reader("gm", "pw-gm", "director"),
    )
    case = Case(forum.url, topic, forum.accounts[ROBOT.name], "brisa", 1, readers, str(tmp_path))
    night = Published(forum, case, {})
    report = f"# Turno 1\n\n- pasó algo\n\nSemilla: `{proof['seed']}`"
    (tmp_path / "report.md").write_text(f"{report}\n")
    night.posts["open"] = night.post(topic, marked("open", f"Compromiso: `{proof['commitment']}`"))
    night.posts["receipts"] = night.post(topic, marked("receipts", f"Sello: `{LOCK}`", hashed=False))
    forum.write_post(topic, ANA.name, f"> {marked('report', report)}\n\nvaya turno")
    night.posts["report"] = night.post(topic, marked("report", report))
    for reader in readers:
        members = tuple(forum.state.by_name(name).id for name in (ROBOT.name, reader.name))
        private = str(forum.state.add_topic(f"Brisa — {reader.name}", members).id)
        kinds = (
            ["digest"]
            if reader.slug == "director"
            else [f"{k}-{reader.slug}" for k in ("open", "receipt", "report")]
        )
        for kind in kinds:
            night.posts[kind] = night.post(private, marked(kind, f"{kind} para {reader.name}"))
    return night


def test_a_night_as_it_should_be_satisfies_the_judge(published: Published) -> None:
    """A player who quotes the report with its marker changes nothing."""
    assert [] == published.verdict()


SPOILT: dict[str, tuple[Callable[[Published], object], str]] = {
    "doubled report": (
        lambda night: night.post(night.topic("report"), night.text("report")),
        "«report» no está exactamente una vez, está en #5 (parte 1 de 1), #6 (parte 1 de 1)",
    ),
    "changed report": (
        lambda night: night.rewrite("report", lambda text: text.replace("algo", "otra cosa")),
        "«report» no es lo que se publicó",
    ),
    "report changed together with its hash": (
        lambda night: night.rewrite("report", lambda _: marked("report", "nada" + "0" * 64)),
        "«report» no es lo que se publicó",
    ),
    "report without its marker": (
        lambda night: night.rewrite("report", lambda text: text.rpartition("\n")[0]),
        "turnero ha escrito algo sin su marca",
    ),
    "removed report": (
        lambda night: night.forum.remove_post(night.posts["report"]),
        "«report» no está exactamente una vez, no está",
    ),
    "report that lacks a part": (
        lambda night: night.rewrite("report", lambda text: text.replace(":report:1/1", ":report:1/2")),
        "«report» no está exactamente una vez",
    ),
    "second set of receipts": (
        lambda night: night.post(night.topic("receipts"), night.text("receipts")),
        "en el tema: «receipts» no está exactamente una vez",
    ),
    "doubled private receipt": (
        lambda night: night.post(night.topic("receipt-eva"), night.text("receipt-eva")),
        "en los privados de eva: «receipt-eva» no está exactamente una vez",
    ),
    "somebody else's report": (
        lambda night: night.post(night.topic("report-ana"), night.text("report-eva")),
        "en los privados de ana: sobra algo de este turno (report-eva)",
    ),
    "private report in the open": (
        lambda night: night.post(night.case.topic, night.text("report-eva")),
        "en el tema: sobra algo de este turno (report-eva)",
    ),
    "another commitment": (
        lambda night: night.rewrite("open", lambda _: marked("open", "Compromiso: `00`")),
        "el compromiso de la prueba",
    ),
    "another lock tag": (
        lambda night: night.rewrite("receipts", lambda _: marked("receipts", "Sello: `00`", hashed=False)),
        "la etiqueta de cierre",
    ),
    "a changed value": (
        lambda night: night.change_proof(lambda proof: proof["rolls"][3].update(value=7)),
        "los dados se comprueban con `turnero verify` (proof/roll)",
    ),
    "a changed seed": (
        lambda night: night.change_proof(lambda proof: proof.update(seed="11" * 32)),
        "la semilla de la prueba",
    ),
    "no proof": (
        lambda night: (Path(night.case.reports) / "proof.json").unlink(),
        "no se puede leer",
    ),
}


@pytest.mark.parametrize("spoil", SPOILT)
def test_the_judge_sees_what_is_spoilt(published: Published, spoil: str) -> None:
    """Whatever is doubled, broken, missing or in the wrong hands, the judge says so."""
    change, said = SPOILT[spoil]
    change(published)
    assert [one for one in published.verdict() if said in one]


def judge_as_process(case: Path) -> subprocess.CompletedProcess[str]:
    """The judge as the demo starts it."""
    return subprocess.run(
        [sys.executable, "-m", "jobs.demo.judge", str(case)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_judge_ends_with_what_it_found(published: Published, tmp_path: Path) -> None:
    """0 where all holds, 1 where anything doesn't or where there is no forum to look at."""
    case = tmp_path / "case.json"
    write_case(case, published.case)
    assert (0o600, published.case) == (case.stat().st_mode & 0o777, read_case(case))
    assert (0, "") == ((done := judge_as_process(case)).returncode, done.stderr)
    published.forum.remove_post(published.posts["digest"])
    assert 1 == judge_as_process(case).returncode
    write_case(case, replace(published.case, url="http://127.0.0.1:9/"))
    assert 1 == (done := judge_as_process(case)).returncode
    assert "✘ el foro no se deja leer" in done.stdout


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
    assert (2, True) == (wrong.exit_code, "conquista" in wrong.output)


def test_posts_are_shown_in_plain_lines() -> None:
    """Lists, tables and code as a terminal can show them; the marker is left out."""
    html = (
        "<h1>Turno 1</h1>\n<p>Hola<br>\n<b>tú</b></p>\n<ol start='2'><li>dos</li><li><p>tres</p></li></ol>\n"
        "<table><tr><th>Facción</th><th>n</th></tr><tr><td>Tau</td><td>7</td></tr></table>\n"
        "<p>ptd1:a:1.1:report:1/1:00000000</p>"
    )
    assert "Turno 1\n\nHola\ntú\n\n2. dos\n3. tres\n\nFacción  n\nTau      7" == shown(html)


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


@pytest.fixture(scope="module")
def night(spirit_build: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Night]:
    """The command as people run it, with an empty HOME; most of its minutes are the deadline's."""
    folder, home = tmp_path_factory.mktemp("demo"), tmp_path_factory.mktemp("home")
    done = subprocess.run(
        [str(TURNERO), "demo", "--keep", "--folder", str(folder), "--forum", str(ROOT / "build" / "forum")],
        cwd=home,
        env={"HOME": str(home), "PATH": os.defpath, "LANG": "C.UTF-8", "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    keeper = re.search(r"kill (\d+)", done.stdout)
    try:
        yield Night(folder, done.stdout + done.stderr, done.returncode)
    finally:
        if keeper:
            os.kill(int(keeper.group(1)), signal.SIGTERM)


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
        assert said in " ".join(night.output.replace("│", " ").split()), night.output
    pages = night.folder / "paginas"
    first, last = (
        (pages / one / "privado-quique.html").read_text() for one in ("1-primeros-recibos", "2-final")
    )
    assert (True, False) == ("invdir" in first, "No conozco" in last)
    assert {f"privado-{one.name}.html" for one in PLAYERS} < {
        one.name for one in (pages / "2-final").iterdir()
    }
    assert "Todo en orden." in night.output


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
        demo.communicate()
    assert {signal.SIGINT: 130, signal.SIGTERM: 143}[number] == demo.returncode
    with pytest.raises(BrowserError):
        Browser(url).comments("topic/1/")


def test_the_example_game_is_sound(tmp_path: Path) -> None:
    """Its files pass `check`, once the forum's numbers stand in them."""
    for name in ("game.toml", "setup.toml"):
        text = (GAMES / "conquista" / name).read_text(encoding="utf-8")
        for word, value in (
            ("$url", "http://127.0.0.1:1/"),
            ("$zone", "Europe/Madrid"),
            ("$first", "2026-12-06T22:00:00"),
        ):
            text = text.replace(word, value)
        (tmp_path / name).write_text(re.sub(r"\$(\w+)", lambda found: str(hash_of(found[1])), text))
    assert () == check_folder(tmp_path).problems
    assert TOPIC == check_folder(tmp_path).loaded.game.title  # type: ignore[union-attr]


def hash_of(word: str) -> int:
    """A number of its own for each word."""
    return int.from_bytes(word.encode()[:4], "big")
