"""What `turnero preview` tells a director of open missions in `valar`, against what the turn then does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from jobs import host
from jobs.cli import app
from jobs.commands.rehearse import catalogue_of
from parsers.files.scenario import load_scenario
from processor.pipeline import rehearsal
from processor.pipeline.rehearsal import RehearsedTurn, rehearse
from processor.pipeline.resolving import foretell_reading, resolve_reading
from processor.service.bundle import Service
from rules.engine.catalogue import Catalogue
from rules.engine.dice import Dice, Ptd1Source, ScriptedSource
from rules.engine.document import Document, Paragraph, Section, Table
from rules.engine.messages import Message, msg
from rules.engine.registry import load_ruleset
from rules.engine.resolution import foretell
from rules.engine.turn import Turn, TurnInput
from rules.valar import RULESET
from rules.valar.bands import BANDS, chances
from rules.valar.options import Options
from rules.valar.resolve import STEPS
from rules.valar.state import Factor, House, Mission, Size, State, Token
from tests.support.conquista_night import EARLY, ConquistaNight, start_night

pytestmark = pytest.mark.sqlite  # chances are computed, and stored nowhere

GOLDENS = sorted((Path(__file__).parent / "golden" / "valar").glob("*.toml"))
FACES = tuple(product(range(1, 11), repeat=3))
"""The 1,000 outcomes of 3d10."""

NO_DICE = Ptd1Source("g", 1, bytes(32))

ROLLED = "valar/mission-resolved"

Foretold = tuple[RehearsedTurn, Document | None]


def play(text: str, name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Foretold]:
    """The turns of a scenario, each with what would have been foretold of it."""
    told: list[Document | None] = []

    def resolve_and_foretell(*given: Any) -> Any:
        told.append(foretell_reading(*given))
        return resolve_reading(*given)

    monkeypatch.setattr(rehearsal, "resolve_reading", resolve_and_foretell)
    turns = rehearse(load_scenario(text, name), load_ruleset, catalogue_of).turns
    return zip(turns, told, strict=True)


def rolled_in(turn: RehearsedTurn) -> Iterator[Mapping[str, Any]]:
    """What is told of each mission's roll."""
    return (one.data for one in turn.result.resolution.events if one.id == ROLLED)


def sections_of(document: Document) -> dict[str, Section]:
    """By house and slug."""
    return {one.id.removeprefix("forecast-"): one for one in document.sections}


def facts_of(section: Section) -> tuple[Message, ...]:
    """The messages in front of the table."""
    facts = section.blocks[0]
    assert isinstance(facts, Paragraph)
    return facts.text if isinstance(facts.text, tuple) else (facts.text,)


def said_of(section: Section) -> dict[str, Mapping[str, Any]]:
    """What these messages say, by id."""
    return {one.id: one.params for one in facts_of(section)}


def rows_of(section: Section) -> Mapping[str, tuple[Message, ...]]:
    """By the id of the band's words."""
    table = section.blocks[-1]
    assert isinstance(table, Table)
    return {row[0].id: row for row in table.rows}


@pytest.mark.parametrize("path", GOLDENS, ids=lambda path: path.stem)
def test_every_golden_rolls_with_what_was_foretold(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Modifiers part by part, and a band that was said to be possible, with every correction and answer."""
    for turn, document in play(path.read_text(encoding="utf-8"), path.name, monkeypatch):
        sections = sections_of(document) if document is not None else {}
        for rolled in rolled_in(turn):
            section = sections[f"{rolled['house']}-{rolled['mission']}"]
            said = said_of(section)["valar/forecast-modifier"]
            names = ("tokens_bonus", "roleo", "factors", "advantage", "difficulty")
            assert {name: rolled[name] for name in names} == {name: said[name] for name in names}
            assert rolled["total"] - rolled["median"] == said["total"]
            assert f"valar/band-{BANDS.index(rolled['band'])}" in rows_of(section)


def modifier_of(number: int) -> dict[str, Any]:
    """A mission's tokens, roleo and factors that come to a number, −12 to 15."""
    tokens, bonus = ((), 0) if number < 3 else (("Capitana",), 3)
    rest = number - bonus
    major, minor = divmod(abs(rest), 3)
    sign = 1 if rest > 0 else -1
    factors = [Factor("f", Size.MAJOR, sign)] * major + [Factor("f", Size.MINOR, sign)] * minor
    return {"tokens": tokens, "factors": tuple(factors)}


@pytest.mark.parametrize("modifier", range(-12, 16))
def test_the_engine_agrees_with_the_chances_over_all_outcomes(modifier: int) -> None:
    """A mission for each of the 1,000 outcomes of 3d10, rolled in one turn: the bands come as often as
    foretold.
    """
    missions = {f"m{n}": Mission(f"m{n}", place=n, resolves=1, **modifier_of(modifier)) for n in range(1000)}
    state = State({"Aldana": House(tokens={"Capitana": Token()}, missions=missions)})
    dice = Dice(ScriptedSource({f"mission/Aldana/m{n}": FACES[n] for n in range(1000)}, NO_DICE))
    given = TurnInput(state, {"Aldana": ()}, Options())
    turn = Turn(RULESET, RULESET.main_kind, given, state, dice)
    for step in STEPS[: [one.name for one in STEPS].index("rolls") + 1]:
        step.run(turn)

    resolved: list[Mapping[str, Any]] = [
        one.data for one in turn.events if one.id == "valar/mission-resolved"
    ]
    assert {modifier} == {one["total"] - one["median"] for one in resolved}
    assert +Counter(chances(modifier)) == Counter(one["band"] for one in resolved)

    one = State({"Aldana": House(tokens={"Capitana": Token()}, missions={"m0": missions["m0"]})})
    document = foretell(
        RULESET, RULESET.main_kind, TurnInput(one, {}, Options()), Dice(ScriptedSource({}, NO_DICE))
    )
    assert document is not None
    told = {band: row[1].params for band, row in rows_of(document.sections[0]).items()}
    counted = {
        f"valar/band-{BANDS.index(band)}": {"whole": n // 10, "tenth": n % 10}
        for band, n in Counter(one["band"] for one in resolved).items()
    }
    assert counted == told


CROSSED = """
title = "Lo que se verá"
ruleset = "valar"

[state.houses.Aldana.tokens]
Capitana = {}
Explorador = {}
[state.houses.Brezo.tokens]
Senescal = { keywords = ["noche"] }
[state.recipes.paso]
name = "Paso"
position = "desesperada"
efficacy = ["noche"]
[state.recipes.obra]
name = "Obra"
steps = 3
can_fail = false

[[turn]]
number = 2
[turn.orders]
Aldana = '''
misión "Vigilar el vado": Capitana
  contra: casa Brezo
  opción éxito menor: mejora y consecuencia mayor
misión "El muro": Explorador
  receta: obra
'''
Brezo = '''
misión "Cruzar el vado": Senescal
  receta: paso
'''
"""


def words(section: Section, catalogue: Catalogue) -> list[list[str]]:
    """A section's facts, then the rows of its table."""
    facts = [catalogue.text(one) for one in facts_of(section)]
    return [facts, *([catalogue.text(cell) for cell in row] for row in rows_of(section).values())]


def test_a_director_reads_what_each_mission_can_come_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """Due ones first; later ones with their turn; each band with the option that its player has named."""
    ((turn, document),) = play(CROSSED, "cruce.toml", monkeypatch)
    assert document is not None
    note, vado, cruzar, muro = document.sections
    catalogue = turn.play.catalogue

    assert (msg("valar/forecast-unanswered"),) == facts_of(note)
    assert [
        [
            "Se tira en este turno,",
            "con +3 a la mediana: +3 (tokens).",
            "Posición arriesgada, efecto simple.",
        ],
        ["éxito superior", "2,8 %", "una mejora"],
        ["éxito menor", "32,4 %", "una consecuencia mayor y una mejora"],
        ["fracaso menor", "43,2 %", "una consecuencia menor"],
        ["fracaso mayor", "21,6 %", "una consecuencia mayor"],
    ] == words(vado, catalogue)
    assert "Posición desesperada, efecto simple." in words(cruzar, catalogue)[0]
    assert ["Se tira al final del turno 4; tal como está ahora,"] == words(muro, catalogue)[0][:1]
    assert ["fracaso mayor", "21,6 %", "2 consecuencias mayores; cuenta como éxito"] in words(muro, catalogue)


ANSWER = """
[[turn.override]]
ruling = "enfrentar/Aldana/vigilar-el-vado/Brezo"
answer = "Brezo/cruzar-el-vado"
reason = "Se cruzan"
"""


def test_what_the_director_has_ruled_enters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once the two are opposed who has the night has the advantage, and the rival is named."""
    ((_, document),) = play(CROSSED + ANSWER, "cruce.toml", monkeypatch)
    assert document is not None
    vado, cruzar = document.sections[:2]

    assert 0 == said_of(vado)["valar/forecast-modifier"]["advantage"]
    assert 4 == said_of(cruzar)["valar/forecast-modifier"]["total"]
    assert ["Brezo"] == [one.text for one in said_of(vado)["valar/forecast-opposed"]["rivals"]]


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConquistaNight:
    """An open turn of `valar` in which one house has sent a mission."""
    houses = {key: House(tokens={f"Token{key}": Token()}) for key in ("Liga", "Corona", "Gremio")}
    made = start_night(tmp_path / "g", State(houses), ruleset="valar")
    made.tick()
    made.whisper("Liga", 'misión "Vigilar el vado": TokenLiga')
    made.tick(at=EARLY)

    @contextmanager
    def open_service() -> Iterator[Service]:
        yield made.service

    monkeypatch.setattr(host, "open_service", open_service)
    return made


def test_preview_shows_the_chances_first_and_sends_them_to_nobody(night: ConquistaNight) -> None:
    """The director's terminal has them; no post, message or file of anybody's does, before or after."""
    before = list(night.forum.written)
    result = CliRunner().invoke(app, ["preview", str(night.folder)])

    lines = [one.strip() for one in result.output.splitlines()]
    assert 0 == result.exit_code, result.output
    assert "── Lo que puede salir en cada misión (sólo para ti)" in lines
    assert lines.index("── Informe público") > lines.index("«Vigilar el vado», de Liga")
    assert "fracaso menor         43,2 %  una consecuencia menor" in lines
    assert before == night.forum.written
    readers = ("Liga", "Corona", "Gremio", "director")
    assert [] == [one for one in (night.public(), *map(night.sent, readers)) if "43,2" in one]
