"""A game of `conquista` played to its end on the stand-in forum: the last report, and nothing behind it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from jobs import host
from jobs.cli import app
from jobs.pipeline import PIPELINE
from jobs.tick import tick
from processor.forums.http import ForumHttp
from processor.forums.spirit import SPIRIT, SpiritForum
from processor.gate import Gate
from processor.service.bundle import Service
from processor.service.registering import register_game
from processor.store import games, turns
from rules.engine import ptd1
from rules.play.turns import GameStatus, TurnStatus
from tests.support.databases import new_database
from tests.support.forum_fixtures import ALICE, BOB, BOT, GM, QUICK, SCENE, TITLE
from tests.support.hand_clock import DEADLINE, HandClock
from tests.support.small_night import make_service
from tests.support.standin import StandIn

GAME = """\
id = "veth"
title = "Cruzada de Veth"
ruleset = "conquista"
zone = "Europe/Madrid"
[forum]
software = "spirit"
url = "{url}/"
topic = {topic}
account = "turnero"
secret = true
[director]
login = "gamemaster"
[schedule]
first = 2026-12-06
at = "22:00"
days = ["domingo"]
[seats]
Imperio = {{ account = {alice}, login = "alice" }}
Tau = {{ account = {bob}, login = "bob" }}
Caos = {{ account = {gamemaster}, login = "gamemaster" }}
[policies]
nmr = "hold"
breaker = "30 %"
[options]
dominion_to_win = 3
"""

SETUP = """\
[planets]
VE = { name = "Veth" }
[cells]
VE-1 = { owner = "Imperio" }
VE-2 = { adjacent = ["VE-1"] }
VE-3 = { adjacent = ["VE-2"] }
VE-4 = { owner = "Tau", adjacent = ["VE-3"] }
[factions]
Imperio = { supplies = 4, base = "VE-1" }
Tau = { supplies = 6, base = "VE-4", block = 2 }
Caos = { block = 3 }
[armies]
E1 = { owner = "Imperio", cell = "VE-1", troops = 3 }
"""

SECRET_CORRECTION = """\
[[override]]
set = "factions/Tau/supplies"
value = 5
secret = true
reason = "Lo hablamos por privado"
"""


@dataclass
class Game:
    """A registered game on the stand-in."""

    folder: Path
    clock: HandClock
    forum: StandIn
    service: Service

    def whisper(self, name: str, *lines: str) -> None:
        """Orders by private message, now."""
        state = self.forum.state
        author = state.by_name(name)
        topic = state.add_topic("Mis órdenes", (author.id, state.by_name("turnero").id))
        state.add_post(topic.id, author, "\n".join(("[órdenes]", *lines, "[/órdenes]")))

    def play_until(self, days: int) -> None:
        """Tick through a night, so many days behind the first."""
        for minutes in (-60, 2, 10, 20):
            self.clock.set(DEADLINE + timedelta(days=days, minutes=minutes))
            tick(self.service, budget=10_000)

    def posts_of(self, turn: int, kind: str) -> str:
        """What was published of a turn, all parts of one kind together."""
        mark = re.compile(rf"ptd1:veth:{turn}\.1:{kind}:")
        return "\n".join(str(one["text"]) for one in self.forum.posts() if mark.search(str(one["text"])))

    def closing(self) -> dict[str, Any]:
        """The proof of the whole game, as it was written."""
        text = (self.folder / "reports" / "turn-002" / "game-proof.json").read_text(encoding="utf-8")
        found: dict[str, Any] = json.loads(text)
        return found

    def run(self, *arguments: str) -> Result:
        """Type a command."""
        return CliRunner().invoke(app, list(arguments))


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Game]:
    """Two nights are played: a secret die and a secret correction in the first, the goal in the second."""
    with StandIn((GM, ALICE, BOB, BOT), **SCENE | {"comments_per_page": 20}) as forum:
        clock = HandClock(DEADLINE - timedelta(hours=3))
        forum.follow_clock(clock.now)
        folder = _write_folder(tmp_path_factory.mktemp("veth"), forum)
        played = Game(folder, clock, forum, _make_service(clock, forum))

        @contextmanager
        def open_service() -> Iterator[Service]:
            yield played.service

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(host, "open_service", open_service)
            patch.setattr(host, "start_logging", lambda level=0: None)
            _play(played)
            yield played


def _write_folder(folder: Path, forum: StandIn) -> Path:
    (folder / "overrides").mkdir()
    accounts = {name: forum.accounts[name] for name in ("alice", "bob", "gamemaster")}
    told = GAME.format(url=forum.url, topic=forum.topics[TITLE], **accounts)
    (folder / "game.toml").write_text(told, encoding="utf-8")
    (folder / "setup.toml").write_text(SETUP, encoding="utf-8")
    (folder / "overrides" / "turn-001.toml").write_text(SECRET_CORRECTION, encoding="utf-8")
    return folder


def _make_service(clock: HandClock, forum: StandIn) -> Service:
    database, gate, random = new_database(), Gate(), iter(range(1, 200))
    http = ForumHttp(forum.url, limits=QUICK, checkpoint=gate, clock=clock.monotonic, sleep=clock.sleep)
    own = SpiritForum(forum.url, BOT.name, BOT.password, "UTC", http, SPIRIT)
    service = make_service(database, clock, own, random_bytes=lambda n: bytes([next(random)]) * n)
    return replace(service, pipeline=PIPELINE, gate=gate)


def _play(game: Game) -> None:
    register_game(game.service, game.folder)
    tick(game.service, budget=10_000)
    game.whisper("alice", "espiar Tau")
    game.whisper("bob", "producir")
    game.play_until(0)
    game.whisper("alice", "mover E1 a VE-2, VE-3")
    game.whisper("bob", "producir")
    game.play_until(7)


def test_a_game_that_reaches_its_goal_is_over(game: Game) -> None:
    """The last report has the final standing; no further turn, no deadline, no template, nothing to do."""
    with game.service.database.read() as connection:
        row, known = games.get_game(connection, "veth"), turns.list_turns(connection, "veth")
    public = game.posts_of(2, "report")
    private = game.posts_of(2, "report-imperio")

    assert (GameStatus.FINISHED, [TurnStatus.PUBLISHED] * 2) == (row.status, [one.status for one in known])
    assert "La meta era llegar a 3 de dominio. En cabeza: Imperio, con 3." in public
    assert ["1. Imperio", "2. Tau", "3. Caos"] == re.findall(r"^\d\. .*$", public, re.MULTILINE)
    for text in (public, private):
        assert [] == [word for word in ("Turno 3", "turno 3", "[órdenes", "róximo turno") if word in text]
    assert "Imperio: 2 suministros, 3 casillas, dominio 3." in private
    assert "róximo turno" in game.posts_of(1, "report-imperio")

    before = len(game.forum.posts())
    game.clock.set(DEADLINE + timedelta(days=21))
    ticked = tick(game.service)
    assert (0, None, before) == (ticked.steps, ticked.next_at, len(game.forum.posts()))


def test_the_status_of_a_game_that_is_over(game: Game) -> None:
    """It is told to be over and waits for nobody; there is nothing to try again."""
    status = game.run("status", str(game.folder))

    assert 0 == status.exit_code
    assert "Cruzada de Veth (veth, conquista): terminada" == status.output.splitlines()[0]
    assert "Turno 2: publicado" in status.output
    assert "Faltan las órdenes" not in status.output
    assert "no está detenida" in game.run("retry", str(game.folder)).output


def test_nobody_waits_for_a_faction_that_is_out(game: Game) -> None:
    """Without cells it is no seat without orders, neither for the policy nor for the breaker; no template."""
    out, playing = game.posts_of(1, "report-caos"), game.posts_of(1, "report-imperio")

    assert ("[órdenes turno 2]" in out, "[órdenes turno 2]" in playing) == (False, True)
    assert "Caos: 0 suministros, 0 casillas, dominio 0." in out
    assert re.search(r"Caos +fuera de la partida · sin órdenes", game.run("status", str(game.folder)).output)


def test_the_secret_of_a_game_is_shown_when_it_is_over(game: Game) -> None:
    """H was committed to in the opening, stands in the last report, and nowhere before."""
    secret = game.service.database
    with secret.read() as connection:
        told = games.get_game(connection, "veth").secret.hex()
    promised = ptd1.secret_commitment("veth", bytes.fromhex(told))
    last = game.posts_of(2, "report")

    assert promised in game.posts_of(1, "open")
    assert (told in last, promised in last) == (True, True)
    others = [str(one["text"]) for one in game.forum.posts() if str(one["text"]) not in last]
    assert [] == [text for text in others if told in text]


def test_everybody_can_verify_a_game_that_is_over(game: Game) -> None:
    """The proof of the whole game holds: secrets, secret dice, secret orders and corrections of each turn."""
    path = game.folder / "reports" / "turn-002" / "game-proof.json"
    result, closing = game.run("verify", str(path)), game.closing()

    assert 0 == result.exit_code, result.output
    assert "2 turnos: el secreto es el prometido" in result.output
    assert ["veth", "veth/@Caos", "veth/@Imperio", "veth/@Tau", "veth/@director"] == [
        one["game"] for one in closing["turns"][0]["proofs"]
    ]
    spied = closing["turns"][0]["proofs"][2]["rolls"]
    assert ["espionage/Tau/Imperio"] == [one["label"] for one in spied]
    texts = {(one["seat"], one["text"], one["private"]) for one in closing["turns"][0]["orders"]}
    assert {("Imperio", "espiar Tau", True), ("Tau", "producir", True)} == texts
    assert ["override#1"] == [one["source"] for one in closing["turns"][0]["hidden"]]
    assert '"path":["factions","Tau","supplies"]' in closing["turns"][0]["hidden"][0]["text"]


def test_the_last_turn_is_replayed_alike(game: Game) -> None:
    """Standing, secret and the proof of the whole game come out again, byte by byte, or are named."""
    replayed = ("verify", str(game.folder), "--turn", "2", "--replay")
    result = game.run(*replayed)
    assert (0, False) == (result.exit_code, "✘" in result.output), result.output
    path = game.folder / "reports" / "turn-002" / "game-proof.json"
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b"espiar Tau", b"espiar Caos"))
    try:
        spoilt = game.run(*replayed)
    finally:
        path.write_bytes(whole)
    assert (1, 1) == (spoilt.exit_code, spoilt.output.count("✘")), spoilt.output
    assert "game-proof.json" in spoilt.output


def test_the_proof_in_the_last_report_is_the_one_in_the_folder(game: Game) -> None:
    """Where it fits into a post it can be copied from there; else the report says where it lies."""
    fences = re.findall(r"```json\n(.*?)\n```", game.posts_of(2, "report"), re.DOTALL)
    whole = [json.loads(one) for one in fences if '"secret"' in one]
    told = "reports/turn-002/game-proof.json" in game.posts_of(2, "report")

    assert ([game.closing()], False) == (whole, told) or ([], True) == (whole, told)


def _change(closing: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    *above, last = (int(one) if one.isdigit() else one for one in path.split("/"))
    table: Any = closing
    for key in above:
        table = table[key]
    if value is None:
        del table[last]
    else:
        table[last] = value
    return closing


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ("secret", "00" * 32, "✘ `commitment`: el secreto de la partida no corresponde a su compromiso"),
        ("game", "otra", "✘ `turns[0].proofs[0].game`: «veth» no es de esta partida"),
        ("turns/0/orders/0/text", "espiar Caos", "✘ `turns[0].orders`: con estas órdenes y correcciones"),
        ("turns/0/orders/0/private", False, "✘ `turns[0].orders`: con estas órdenes"),
        ("turns/0/hidden", [], "✘ `turns[0].orders`: con estas órdenes"),
        ("turns/1/overrides", "# nada", "✘ `turns[1].orders`: con estas órdenes"),
        ("turns/0/proofs/1", None, "✘ `turns[0].proofs[0].groups`: con estas semillas el compromiso"),
        ("turns/0/proofs/2/rolls/0/value", 7, "✘ `turns[0].proofs[2].rolls[0].value`:"),
        ("turns/0/proofs/1/turn", 2, "✘ `turns[0].proofs[1].game`: «veth/@Caos» no es de"),
        ("turns/0/proofs", [], "✘ `turns[0].proofs[0]`: falta esta clave."),
        ("turns/0/orders/0/seat", None, "✘ `turns[0].orders[0].seat`: falta esta clave."),
        ("turns/0/orders/0/private", 1, "✘ `turns[0].orders[0].private`: aquí va verdadero o falso"),
        ("turns", 3, "✘ `turns`: aquí va una lista"),
        ("secret", "x", "✘ `secret`: van 64 cifras hexadecimales"),
    ],
)
def test_a_proof_of_a_game_that_was_changed_is_refused(
    game: Game, tmp_path: Path, path: str, value: object, expected: str
) -> None:
    """Whatever of it is touched: the secret, an order, a correction, a die, a group that is left out."""
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(_change(game.closing(), path, value)), encoding="utf-8")
    result = game.run("verify", str(changed))

    assert 1 == result.exit_code
    assert expected in result.output.replace("\n", " ")


def test_a_group_whose_seed_is_not_of_the_secret_is_refused(game: Game, tmp_path: Path) -> None:
    """A whole proof with another seed holds by itself, and gives the game away all the same."""
    closing = game.closing()
    forged = closing["turns"][0]["proofs"][1]
    seed = bytes(32)
    forged["seed"], forged["commitment"] = seed.hex(), ptd1.commitment(forged["game"], 1, seed)
    forged["K"] = ptd1.turn_key(forged["game"], 1, seed, ptd1.SEED).hex()
    forged["rolls"] = []
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(closing), encoding="utf-8")
    output = game.run("verify", str(changed)).output

    assert "✘ `turns[0].proofs[1].seed`: la semilla de `Caos` no sale del secreto de la partida." in output
    assert "✘ `turns[0].proofs[0].groups`" in output


def test_keys_that_nobody_checks_are_told(game: Game, tmp_path: Path) -> None:
    """They refuse nothing: a later version may add some."""
    closing = game.closing() | {"nota": 1}
    closing["turns"][0]["hora"] = 1
    closing["turns"][0]["proofs"][0]["x"] = 1
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(closing), encoding="utf-8")
    result = game.run("verify", str(changed))

    assert 0 == result.exit_code
    for where in ("nota", "turns[0].hora", "turns[0].proofs[0].x"):
        assert f"⚠ `{where}`: esta clave no es de una prueba" in result.output
