"""`turnero new`: the folder that it writes, its settings, and what is still to be filled in."""

from __future__ import annotations

import re
import tomllib
from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel
from typer.testing import CliRunner, Result

from jobs import host
from jobs.adapters import ADAPTERS
from jobs.catalogues import LANGUAGES, load_catalogue
from jobs.cli import app
from jobs.folders import check_folder, find_topic_url
from jobs.starting.examples import example_options, find_example
from jobs.starting.game_file import NewGame, first_sunday, make_id, make_title, write_game_file
from jobs.starting.placeholders import describe_placeholders, has_example_address
from parsers.files.game import parse_game
from parsers.files.game_tables import GameTable
from rules.conquista import RULESET
from rules.engine.messages import Message
from rules.engine.questions import Hold, TakeDefault, Wait
from rules.play.game import Game, Policies

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "conquista"
TODAY = date(2026, 11, 29)


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "now", lambda: datetime(2026, 11, 29, 12, 0, tzinfo=UTC))


def type_new(folder: Path, *arguments: str) -> Result:
    """Type `turnero new conquista FOLDER`."""
    return CliRunner().invoke(app, ["new", "conquista", str(folder), *arguments])


def read_game(folder: Path) -> Game:
    """The game of a folder that is right."""
    found = check_folder(folder)
    assert () == found.problems
    assert found.loaded is not None
    return found.loaded.game


def turn_on(text: str) -> str:
    """A file with everything turned on, as its comments say: the `#` right in front is removed."""
    return re.sub(r"(?m)^#(?=\S)", "", text)


def keys_of(model: type[BaseModel]) -> set[str]:
    """The keys of a table's model, those of the tables inside it included."""
    keys = set(model.model_fields)
    for one in model.model_fields.values():
        for inner in (one.annotation, *get_args(one.annotation)):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                keys |= keys_of(inner)
    return keys


# The folder


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_new_folder_passes_check_as_it_is(
    language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In its own language, with a seat for each faction, and `check` says what is still to be filled in."""
    monkeypatch.setenv("TURNERO_DATA", str(tmp_path / "data"))
    folder = tmp_path / "Mareas Altas"
    assert 0 == type_new(folder, "--language", language).exit_code

    result = CliRunner().invoke(app, ["check", str(folder)])

    game = read_game(folder)
    assert 0 == result.exit_code
    assert ("mareas-altas", "Mareas Altas", language) == (game.id, game.title, game.language)
    assert {"Kappa", "Omega", "Sigma", "Tau"} == {seat.id for seat in game.seats}
    assert datetime(2026, 12, 6, 22, 0) == game.schedule.first  # noqa: DTZ001 (local)
    assert 2 == sum(line.startswith("⚠ game.toml:") for line in result.output.splitlines())
    assert 3 == result.output.count("⚠")  # also no director; nothing of corrections, of which there are none


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_folder_for_flaskbb_passes_check(language: str, tmp_path: Path) -> None:
    """Its accounts are known by name, and no zone is asked for, since FlaskBB's times have theirs."""
    assert 0 == type_new(tmp_path / "mar", "--language", language, "--forum", "flaskbb").exit_code
    text = (tmp_path / "mar" / "game.toml").read_text(encoding="utf-8")
    game = read_game(tmp_path / "mar")
    assert ("flaskbb", True) == (game.forum.software, game.forum.secret)
    assert "https://foro.example.org/topic/1" == find_topic_url(game)
    assert '{ account = "marina", login = "marina" }' in text
    assert "#zone" not in text


@pytest.mark.parametrize("software", sorted(ADAPTERS))
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_of_each_forum_can_be_read(language: str, software: str) -> None:
    """Its file names the forum, and the lines of its comments for seats can be copied."""
    game = NewGame("mar", ("Kappa",), TODAY, software)
    text = write_game_file(game, RULESET, load_catalogue(language, RULESET.package), {})
    assert software == parse_game(text).game.forum.software
    seats = re.findall(r"(?m)^# {5}(Kappa = .*)$", text)
    games = [parse_game(text.replace("\nKappa = {}", f"\n{line}")).game for line in seats]
    assert [True, True] == [bool(one.seat("Kappa").account) for one in games]


def test_what_is_written_is_told(tmp_path: Path) -> None:
    """The files, what to fill in, and the next commands."""
    result = type_new(tmp_path / "veth")
    lines = result.output.splitlines()
    assert "setup.toml y overrides/turn-001.toml." in lines[0]
    assert ["⚠", "⚠"] == [line[:1] for line in lines[1:3]]
    assert f"`turnero register {tmp_path / 'veth'}`" in lines[3]
    assert {"game.toml", "setup.toml", "overrides/turn-001.toml"} == {
        path.relative_to(tmp_path / "veth").as_posix() for path in (tmp_path / "veth").rglob("*.toml")
    }


@pytest.mark.parametrize("software", ["phpbb", "umbria", "folder"])
def test_the_forum_is_to_be_tried_out_before_the_game_begins(software: str, tmp_path: Path) -> None:
    """Where there is one that Turnero enters, or a scene that it reads."""
    told = type_new(tmp_path, "--forum", software).output
    tried = " --forum" if software != "folder" else ""
    assert f"Cuando esté: `turnero check {tmp_path}{tried}`, y `turnero register {tmp_path}`" in told


def test_an_empty_folder_is_used(tmp_path: Path) -> None:
    """It may have been made before."""
    assert 0 == type_new(tmp_path).exit_code


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    """Nothing is ever written over."""
    (tmp_path / "notas.txt").write_text("mías", encoding="utf-8")
    result = type_new(tmp_path)
    assert (2, ["notas.txt"]) == (result.exit_code, [path.name for path in tmp_path.iterdir()])
    assert "no está vacía" in result.stderr


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """Neither is a link to nowhere."""
    file, link = tmp_path / "veth", tmp_path / "enlace"
    file.write_text("", encoding="utf-8")
    link.symlink_to(tmp_path / "nada")
    assert [2, 2] == [type_new(one).exit_code for one in (file, link)]


def test_a_folder_below_a_file_cannot_be_written(tmp_path: Path) -> None:
    """The reason is told, without a trace of ours."""
    (tmp_path / "veth").write_text("", encoding="utf-8")
    result = type_new(tmp_path / "veth" / "dentro")
    assert 2 == result.exit_code
    assert result.stderr.startswith("✘ No puedo escribir en")


def test_a_rule_set_that_is_not_there_writes_nothing(tmp_path: Path) -> None:
    """The ones that are there are named."""
    result = CliRunner().invoke(app, ["new", "ajedrez", str(tmp_path / "x")])
    assert (2, False) == (result.exit_code, (tmp_path / "x").exists())
    assert "Los que hay: conquista y valar." in result.stderr


# Its settings


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_setting_that_exists_is_named(language: str, tmp_path: Path) -> None:
    """Each key of the models of game.toml and each option of the rule set stands there, on or off, in the
    file for a forum that Turnero enters or in the one for posts that a person carries.
    """
    text = ""
    for forum in ("spirit", "folder"):
        type_new(tmp_path / forum, "--language", language, "--forum", forum)
        text += (tmp_path / forum / "game.toml").read_text(encoding="utf-8")
    named = set(re.findall(r"(?<![\w-])(\w+) +=|\[(?:\w+\.)?(\w+)\]", text))
    expected = keys_of(GameTable) | {one.name for one in fields(RULESET.options)}
    assert set() == expected - {word for pair in named for word in pair}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_explained(language: str) -> None:
    """Each option has a text `conquista/option-NAME` in the rule set's catalogue, which `new` shows."""
    catalogue = load_catalogue(language, RULESET.package)
    names = [one.name for one in fields(RULESET.options)]
    assert [] == [name for name in names if f"conquista/option-{name}" not in catalogue]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_off_holds_as_it_says(language: str, tmp_path: Path) -> None:
    """Turned on, settings change nothing but the director; `every` stands instead of `days`."""
    type_new(tmp_path, "--language", language)
    text = (tmp_path / "game.toml").read_text(encoding="utf-8")
    before = parse_game(text).game
    after = parse_game(re.sub(r"(?m)^days = .*$", "", turn_on(text))).game

    assert ("elena", 7) == (after.director, after.schedule.every_days)
    assert replace(before, director="elena", schedule=after.schedule, forum=after.forum) == after
    assert replace(after.forum, max_chars=None, interval=None) == before.forum
    assert Policies() == before.policies


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("forum", ADAPTERS)
def test_the_limits_that_are_off_are_the_program_s(forum: str, language: str, tmp_path: Path) -> None:
    """Whoever turns them on sees what they change."""
    type_new(tmp_path, "--language", language, "--forum", forum)
    text = turn_on((tmp_path / "game.toml").read_text(encoding="utf-8"))
    told = parse_game(re.sub(r"(?m)^days = .*$", "", text)).game.forum
    usual = ADAPTERS[forum].capabilities
    assert (usual.max_chars, timedelta(seconds=int(usual.min_interval))) == (told.max_chars, told.interval)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_examples_of_seats_are_right(language: str, tmp_path: Path) -> None:
    """The lines in the comments can be copied."""
    type_new(tmp_path, "--language", language)
    text = (tmp_path / "game.toml").read_text(encoding="utf-8")
    seats = re.findall(r"(?m)^# {5}(Kappa = .*)$", text)
    games = [parse_game(text.replace("\nKappa = {}", f"\n{line}")).game for line in seats]
    assert ["17", "17"] == [game.seat("Kappa").account for game in games]
    assert games[1].seat("Kappa").shown.plural


def test_options_of_the_example_are_set() -> None:
    """The example's map needs them; all others are off."""
    assert {"cells_per_action": 3} == example_options(RULESET)


def test_questions_have_their_policies() -> None:
    """Each kind with the policy that the rule set gives it, off."""
    asking = replace(
        RULESET, questions={"fate": TakeDefault(), "clock": Hold(), "offer": Wait(timedelta(hours=48))}
    )
    text = write_game_file(NewGame("x", ("A b",), TODAY), asking, load_catalogue("es", RULESET.package), {})
    questions = tomllib.loads(turn_on(text.replace("#every", "# every")))["policies"]["questions"]
    assert {"fate": "default", "clock": "hold", "offer": "wait 48h"} == questions
    assert {"A b": {}} == tomllib.loads(text)["seats"]


@pytest.mark.parametrize(
    ("name", "game_id", "title"),
    [
        ("Mareas_Altas", "mareas-altas", "Mareas Altas"),
        ("Año ñu", "ano-nu", "Año ñu"),
        ("日本", "conquista", "日本"),
        ("...", "conquista", "Turnero"),
        ("rehearse", "conquista", "Rehearse"),
        ('a"b\\c', "a-b-c", "A b c"),
        ("x" * 39 + "-yz", "x" * 39, "X" + "x" * 38 + " yz"),
    ],
)
def test_ids_and_titles_come_from_the_folder(name: str, game_id: str, title: str) -> None:
    """What can't stand in an id is left out; where nothing is left the rule set's id serves."""
    assert (game_id, title) == (make_id(name, "conquista"), make_title(name))


@pytest.mark.parametrize("days", range(7))
def test_the_first_deadline_is_a_sunday_at_least_a_week_ahead(days: int) -> None:
    """And less than two weeks."""
    today = TODAY + timedelta(days=days)
    first = first_sunday(today)
    assert (6, True) == (first.weekday(), 7 <= (first - today).days < 14)


# What is still to be filled in


def test_register_refuses_an_address_that_no_forum_has(tmp_path: Path) -> None:
    """It says what to fill in, all at once, and registers nothing."""
    type_new(tmp_path)
    result = CliRunner().invoke(app, ["register", str(tmp_path)])
    lines = result.output.splitlines()
    assert (1, ["✘", "✘", "N"]) == (result.exit_code, [line[:1] for line in lines])
    assert "https://foro.example.org/" in lines[0]
    assert "todos los puestos están vacantes" in lines[1]


def test_the_address_to_fill_in_is_named_as_in_the_file(tmp_path: Path) -> None:
    """A scene has another key than a forum, and no number of a topic."""
    told = type_new(tmp_path, "--forum", "umbria").output
    assert "topic_url es una dirección de ejemplo" in told
    assert "número del tema" not in told


@pytest.mark.parametrize(
    ("url", "is_example"),
    [
        ("https://foro.example.org/", True),
        ("https://EXAMPLE.com:8443/x/", True),
        ("https://mi.example/", True),
        ("https://foro.example.org./", True),
        ("https://example.org.es/", False),
        ("https://miexample.org/", False),
        ("http://127.0.0.1:9/", False),
    ],
)
def test_addresses_for_examples(url: str, is_example: bool, tmp_path: Path) -> None:
    """Names that are kept free for examples, whatever stands in front, behind or in capitals."""
    type_new(tmp_path)
    game = read_game(tmp_path)
    assert is_example == has_example_address(replace(game, forum=replace(game.forum, url=url)))


def test_vacant_seats_are_told_until_somebody_plays(tmp_path: Path) -> None:
    """One seat with an account is enough; an address of one's own isn't mentioned."""
    type_new(tmp_path)
    game = read_game(tmp_path)
    own = replace(game, forum=replace(game.forum, url="https://foro.tierra.es/"))
    played = replace(own, seats=(replace(own.seats[0], account="17"), *own.seats[1:]))
    assert (1, 0) == (len(list(describe_placeholders(own))), len(list(describe_placeholders(played))))


def test_a_rule_set_without_example_is_told() -> None:
    """There is nothing to start from."""
    other = replace(RULESET, state=Message)  # of a package without one
    assert (None, {}) == (find_example(other), example_options(other))
