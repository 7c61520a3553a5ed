"""The judge of the demo, over a forum that lies."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from jobs.demo.judge import Case, Reader, judge, read_case, write_case
from jobs.demo.spirit_server import Account, OpeningPost
from reporters.proof import build_proof, render_proof
from rules.engine.audience import DIRECTOR_SEAT
from rules.engine.dice import Dice
from rules.engine.dice_sources import Ptd1Source
from rules.engine.ptd1 import groups_digest
from tests.support.judging import judge_as_process
from tests.support.standin import StandIn

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

    def change_proof(self, change: Callable[[dict[str, Any]], object], file: str = "proof.json") -> None:
        """Change a proof's file."""
        path = Path(self.case.reports) / file
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
    source = Ptd1Source("brisa", 1, bytes(32), secret=bytes(32))
    dice = Dice(source)
    dice.pool(8, 2**40, "viento", purpose="prueba")
    dice.pool(2, 6, "susurro", purpose="prueba", audience_group="Ana")
    dice.pool(1, 6, "sino", purpose="prueba", audience_group=DIRECTOR_SEAT)
    proof = build_proof(source, dice.rolls, lock=LOCK)
    (tmp_path / "proof.json").write_text(render_proof(proof))
    for group in ("Ana", "Eva", DIRECTOR_SEAT):  # the director's seed stands in the folder only
        own = build_proof(source, dice.rolls, group=group, lock=LOCK)
        (tmp_path / f"proof-{group}.json").write_text(render_proof(own))
    secret = groups_digest(source.commitments(("", "Ana", "Eva", DIRECTOR_SEAT)).values())
    readers = (
        *(Reader(one.name, one.password, one.name) for one in (ANA, EVA)),
        Reader("gm", "pw-gm", "director"),
    )
    case = Case(forum.url, topic, forum.accounts[ROBOT.name], "brisa", 1, readers, str(tmp_path))
    night = Published(forum, case, {})
    report = f"# Turno 1\n\n- pasó algo\n\nSemilla: `{proof['seed']}`"
    (tmp_path / "report.md").write_text(f"{report}\n")
    night.posts["open"] = night.post(
        topic, marked("open", f"Compromiso: `{proof['commitment']}`, de los secretos `{secret}`")
    )
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
            seed = f": {source.seed_of('Ana').hex()}" if kind == "report-ana" else ""
            night.posts[kind] = night.post(private, marked(kind, f"{kind} para {reader.name}{seed}"))
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
    "a changed value of a secret die": (
        lambda night: night.change_proof(lambda proof: proof["rolls"][1].update(value=7), "proof-Ana.json"),
        "proof-Ana.json: los dados no se comprueban (proof/value-range)",
    ),
    "a secret seed that its own can't read": (
        lambda night: night.rewrite("report-ana", lambda _: marked("report-ana", "sin semilla")),
        "proof-Ana.json: su semilla no está en los privados de los suyos",
    ),
    "a secret seed in the wrong hands": (
        lambda night: night.rewrite("report-eva", lambda _: marked("report-eva", night.text("report-ana"))),
        "proof-Ana.json: su semilla la leen otros (eva)",
    ),
    "a secret seed in the open": (
        lambda night: night.post(night.case.topic, marked("report", night.text("report-ana"))),
        "proof-Ana.json: su semilla la leen otros (public)",
    ),
    "a secret seed that was never promised": (
        lambda night: night.rewrite("open", lambda text: text.partition(", de")[0]),
        "los compromisos secretos no dan el del mensaje de apertura",
    ),
    "a lost secret proof": (
        lambda night: (Path(night.case.reports) / "proof-Eva.json").write_text("{"),
        "proof-Eva.json: los dados no se comprueban",
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
