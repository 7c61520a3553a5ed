"""The examples of tests/diagnostics.toml: posts that lead to a finding, read as a forum's posts are read."""

from __future__ import annotations

import re
import sys
import tomllib
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from jobs.catalogues import load_catalogue
from jobs.folders import check_folder
from processor.pipeline.context import PlayContext
from processor.pipeline.reading import Choice, read_turn
from processor.pipeline.texts import setting_of
from reporters.blocks import Fence, Heading, Lines, Piece
from reporters.findings import MARKS, capitalised, say_finding
from reporters.markdown import MarkdownRenderer
from rules.conquista import RULESET
from rules.engine.diagnostics import Diagnostic
from rules.engine.inline import Text
from rules.engine.orders import order
from rules.play.game import Policies
from rules.play.turns import Deadline, TurnRef
from tests.support.fair import ACCOUNTS, BOT, DEADLINE, Topic, make_play
from tests.toy.orders import DAY, HANDS, WHO

ROOT = Path(__file__).resolve().parent.parent.parent
FILE = ROOT / "tests" / "diagnostics.toml"
MANY = re.compile(r"⟦(\d+) × (.*?)⟧", re.DOTALL)
MARKS_OF = {"es": ("[órdenes turno 3]", "[/órdenes]"), "en": ("[orders turn 3]", "[/orders]")}
TITLES = {
    "es": (
        "Los mensajes del acuse",
        (
            "Lo que el acuse puede decir de un mensaje tuyo, cada cosa con un ejemplo y con su clave. ✘ es "
            "lo que no vale, ⚠ lo que vale pero conviene mirar, ℹ lo que está bien saber. Los ejemplos son "
            "de la partida de prueba de Conquista; los que hablan de puestos y de trabajar, de una feria "
            "inventada."
        ),
    ),
    "en": (
        "What a receipt says",
        (
            "What a receipt may say about your post, each with an example and its code. ✘ is what doesn't "
            "count, ⚠ what counts but deserves a look, ℹ what is worth knowing. The examples are from the "
            "example game of Conquista; those about stalls and work, from a made-up fair with Spanish orders."
        ),
    ),
}
SWEEP = order("sweep", "barrer", actors=HANDS)
CARRY = order("carry", "llevar {a,} y {b,} y {c,}", a=WHO, b=WHO, c=WHO)


@dataclass(frozen=True, slots=True)
class Example:
    """One entry. code: of the finding that it shows. told: the keys of the file."""

    code: str
    told: dict[str, Any]

    def source(self, language: str = "es") -> str:
        """The post as it is written in the file: what stands for many is still short."""
        if "lines" in self.told:
            lines = self.told["en"] if language == "en" and "en" in self.told else self.told["lines"]
            marks = (
                ("[orders turn 3]", "[/orders]") if language == "en" else ("[órdenes turno 3]", "[/órdenes]")
            )
            return "\n".join((marks[0], *lines, marks[1]))
        other = self.told.get("post-en") if language == "en" else None
        return str(other or self.told.get("post") or self.told["html"])

    def shown(self, language: str = "es") -> str:
        """The post as the page shows it: what stands for many is told."""
        times = "times" if language == "en" else "veces"
        return MANY.sub(lambda many: f"{many[2].strip()} … ({many[1]} {times}) ", self.source(language))

    def post(self, language: str = "es") -> str:
        """The post in full."""
        html = self.told.get("html")
        return MANY.sub(lambda many: many[2] * int(many[1]), html or self.source(language))

    def findings(self, language: str = "es") -> list[Diagnostic]:
        """All that is found about the post, in reading order."""
        topic = Topic()
        who = "Ana"
        minutes = self.told.get("at", 60)
        post_id = topic.post(who, self.post(language), minutes, private=self._private)
        play = self.play(language)
        if "html" in self.told:
            topic.versions[0] = replace(
                topic.versions[0],
                post=replace(topic.versions[0].post, id=post_id, html=self.post(language), raw=None),
            )
        accepted = frozenset((post_id,)) if self.told.get("accepted") else frozenset()
        seats = read_turn(play, topic.versions, BOT, Choice(accepted=accepted)).seats
        blocks = [block for seat in seats for block in (*seat.in_force, *seat.rejected)]
        return [
            found
            for block in blocks
            for found in (*block.problems, *(one for line in block.lines for one in line.findings))
        ]

    @property
    def _private(self) -> bool:
        return self.told.get("game") != "feria" and not self.told.get("public")

    def play(self, language: str = "es") -> PlayContext:
        """The turn in which the post is read."""
        software = "spirit" if "html" in self.told else self.told.get("software", "text")
        policies = Policies(**self.told.get("options", {}))
        if self.told.get("game") == "feria":
            play = make_play(software=software, policies=policies)
            kind = replace(play.kind, orders=(*DAY, SWEEP, CARRY), language=language)
            return replace(play, kind=kind, catalogue=load_catalogue(language))
        play = _conquista(language, software, policies, two=bool(self.told.get("seats")))
        if not self.told.get("open"):
            return play
        return replace(play, game=replace(play.game, forum=replace(play.game.forum, secret=False)))


def _conquista(language: str, software: str, policies: Policies, *, two: bool) -> PlayContext:
    """The example game, in which Ana plays Sigma (and Tau)."""
    found = check_folder(ROOT / "examples" / "conquista")
    assert found.loaded is not None
    game = found.loaded.game
    accounts = {"Sigma": ACCOUNTS["Ana"], "Tau": ACCOUNTS["Ana"] if two else "12"}
    seats = tuple(replace(seat, account=accounts.get(seat.id, seat.id)) for seat in game.seats)
    forum = replace(game.forum, software=software)
    game = replace(game, seats=seats, forum=forum, language=language, policies=policies)
    ruleset = RULESET.speaking("en" if language == "en" else "es")
    return PlayContext(
        game=game,
        ruleset=ruleset,
        kind=ruleset.main_kind,
        state=found.state,
        ref=TurnRef(game.id, 3),
        deadline=Deadline(DEADLINE, "Europe/Madrid"),
        catalogue=load_catalogue(language, ruleset.package),
        forum=make_play().forum,
    )


@cache
def load_examples() -> tuple[Example, ...]:
    """All of them, in the file's order."""
    told = tomllib.loads(FILE.read_text(encoding="utf-8"))
    return tuple(Example(code, keys) for code, keys in told.items())


def write_page(language: str) -> str:
    """The page that shows every finding with its example."""
    title, lead = TITLES[language]
    pieces: list[Piece] = [Heading((Text(title),), 1), Lines(((Text(lead),),))]
    for example in load_examples():
        found = next(one for one in example.findings(language) if one.code == example.code)
        setting = setting_of(example.play(language))
        said = (Text(f"{MARKS[found.severity]} "), *capitalised(say_finding(setting, found)))
        pieces += [Heading((Text(example.code),), 2), Fence(example.shown(language)), Lines((said,))]
    return MarkdownRenderer().render(pieces) + "\n"


if __name__ == "__main__":
    sys.stdout.write(write_page(sys.argv[1]))
