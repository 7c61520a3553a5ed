"""`game.toml` and `setup.toml`: what comes out of them, and every mistake at once, with its line."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from jobs.catalogues import load_catalogue
from jobs.cli import app
from parsers.files.credentials import is_secret
from parsers.files.errors import FileErrors
from parsers.files.game import GameFile, parse_game
from parsers.files.setup import SetupFile, join_files, parse_setup
from parsers.files.toml import read_toml
from parsers.files.toml_text import write_setup, write_toml
from rules.conquista import RULESET
from rules.conquista.options import Options
from rules.conquista.state import Army, Building, Cell, Faction, Feature, Planet, State
from rules.engine.arguments import Pick
from rules.engine.catalogue import Catalogue
from rules.engine.codec import load_state
from rules.engine.messages import Name
from rules.engine.orders import Clause, order
from rules.engine.plan import Plan
from rules.engine.questions import Hold, TakeDefault, Wait
from rules.engine.registry import RulesetError
from rules.engine.ruleset import Kind, Ruleset
from rules.play.game import Absence, NmrPolicy, Policies

SPANISH = load_catalogue("es", "rules.conquista")
ENGLISH = load_catalogue("en", "rules.conquista")

GAME = """\
id = "veth"
title = "Cruzada de Veth"
ruleset = "conquista"
zone = "Europe/Madrid"
[forum]
software = "spirit"
url = "https://foro.example.org/juegos"
topic = 12
account = "turnero"
[schedule]
first = 2026-12-06
at = "22:00"
days = ["domingo", "miercoles"]
[seats]
Imperio = { account = 17, login = "marina" }
Tau = { account = "23", login = "luis", name = "Tau de Alfrost", article = "los" }
Caos = {}
"""

SETUP = """\
[planets]
VE = { name = "Veth", bonus = 2 }

[cells]
VE-1 = { owner = "Imperio" }
VE-2 = { adjacent = ["VE-1"] }

[factions]
Caos = { block = 3 }
Imperio = { supplies = 6, base = "VE-1", article = "el", gender = "m" }
Tau = { block = 2 }

[armies]
E1 = { owner = "Imperio", cell = "VE-1", troops = 2 }
"""

FIVE_IN_THE_GAME = """\
id = "veth"
titulo = "Cruzada de Veth"
ruleset = "conquista"
zone = "Europa/Madrid"
[forum]
software = "spirit"
url = "https://foro.example.org/"
topic = 12
account = "turnero"
[schedule]
first = 2026-12-06
at = "02:30"
days = ["domingo"]
[seats]
Imperio = { account = 17, login = "marina" }
[policies]
quiet = "2 minutos"
[options]
steps = "dos"
"""

FIVE_IN_THE_SETUP = """\
[planets]
VE = { name = "Veth", bonus = "2" }
[cells]
VE-1 = { owner = "Imperio", feature = "mina" }
VE-2 = { owner = "Imperio", adyacent = ["VE-1"] }
[factions.Imperio]
base = ["VE-1"]
[armies]
E1 = { owner = "Imperio", cell = "VE-1" }
"""

SAID_OF_THE_GAME = """\
game.toml, línea 2, «titulo»: no conozco la clave «titulo». ¿Querías decir «title»?
game.toml, línea 4, «zone»: no conozco la zona horaria "Europa/Madrid". ¿Querías decir «Europe/Madrid»?
game.toml, línea 12, «schedule.at»: las 02:30 no existen la noche en que el reloj se adelanta y pasan dos veces si se atrasa. Elige una hora antes de las 02:00 o desde las 03:00; o pon night = true.
game.toml, línea 17, «policies.quiet»: el texto "2 minutos" no es una duración. Escribe "120s", "5m", "3h" o "2d".
game.toml, línea 19, «options.steps»: aquí está el texto "dos". Aquí va un número entero, sin comillas.
"""  # noqa: E501 - as they are read

SAID_OF_THE_SETUP = """\
setup.toml, línea 2, «planets.VE.bonus»: aquí está el texto "2". Aquí va un número entero, sin comillas.
setup.toml, línea 4, «cells.VE-1.feature»: aquí está el texto "mina". Aquí valen: "colmena", "manufactorum".
setup.toml, línea 5, «cells.VE-2.adyacent»: no conozco la clave «adyacent». ¿Querías decir «adjacent»?
setup.toml, línea 7, «factions.Imperio.base»: aquí está una lista. Aquí va un texto entre comillas.
setup.toml, línea 9, «armies.E1.troops»: falta la clave «troops». Añádela.
"""

SAID_OF_THE_GAME_IN_ENGLISH = """\
game.toml, line 2, “titulo”: I don't know the key “titulo”. Did you mean “title”?
game.toml, line 4, “zone”: I don't know the time zone "Europa/Madrid". Did you mean “Europe/Madrid”?
game.toml, line 12, “schedule.at”: 02:30 doesn't exist in the night in which clocks go forward, and comes twice in the one in which they go back. Choose a time before 02:00 or from 03:00 on; or set night = true.
game.toml, line 17, “policies.quiet”: the text "2 minutos" is no length of time. Write "120s", "5m", "3h" or "2d".
game.toml, line 19, “options.steps”: here stands the text "dos". A whole number belongs here, without quotation marks.
"""  # noqa: E501 - as they are read

SAID_OF_THE_SETUP_IN_ENGLISH = """\
setup.toml, line 2, “planets.VE.bonus”: here stands the text "2". A whole number belongs here, without quotation marks.
setup.toml, line 4, “cells.VE-1.feature”: here stands the text "mina". Here you may use: "colmena", "manufactorum".
setup.toml, line 5, “cells.VE-2.adyacent”: I don't know the key “adyacent”. Did you mean “adjacent”?
setup.toml, line 7, “factions.Imperio.base”: here stands a list. A text in quotation marks belongs here.
setup.toml, line 9, “armies.E1.troops”: the key “troops” is missing. Add it.
"""  # noqa: E501 - as they are read

SAID_BY_THE_RULE_SET = """\
setup.toml, línea 6, «cells.VE-2»: la casilla VE-2 tiene de vecina a VE-7, que no está en el mapa: corrige la clave o añade esa casilla a [cells].
setup.toml, línea 10, «factions.Imperio»: la Base de Mando de Imperio está en VE-2, que no es una casilla suya.
setup.toml, línea 14, «armies.E1»: el ejército E1 necesita una facción, una casilla del mapa y al menos una tropa.
"""  # noqa: E501 - as they are read

SAID_OF_BOTH = """\
game.toml, línea 14, «seats»: falta el puesto «Caos», que está en setup.toml. Añade `Caos = { account = 17, login = "…" }`, o `Caos = {}` si está vacante.
game.toml, línea 15, «seats.Imprio»: setup.toml no tiene ningún puesto «Imprio». ¿Querías decir «Imperio»?
"""  # noqa: E501 - as they are read


def with_line(key: str, line: str, text: str = GAME) -> str:
    """A file with another line for a key; an empty one takes the line away."""
    lines = [line if one.startswith(f"{key} =") else one for one in text.splitlines()]
    return "\n".join(one for one in lines if one) + "\n"


def found_in(text: str, **more: Any) -> list[tuple[int | None, str, str]]:
    """Line, key and code of all that is wrong with a game's file."""
    with pytest.raises(FileErrors) as raised:
        parse_game(text, **more)
    return [(one.line, one.key, one.code) for one in raised.value.problems]


def said_about(text: str, texts: Catalogue = SPANISH) -> list[str]:
    """What the director reads about a game's file."""
    with pytest.raises(FileErrors) as raised:
        parse_game(text)
    return raised.value.say(texts).splitlines()


def read_setup(text: str) -> SetupFile:
    """A setup of `conquista`."""
    return parse_setup(text, RULESET, Options())


def said_about_setup(text: str, texts: Catalogue = SPANISH) -> list[str]:
    """What the director reads about a setup."""
    with pytest.raises(FileErrors) as raised:
        read_setup(text)
    return raised.value.say(texts).splitlines()


# what comes out


def test_a_game_has_what_its_file_says() -> None:
    """Forum, schedule and seats; accounts may be numbers or texts, addresses end in a slash."""
    game = parse_game(GAME).game

    assert ("veth", "Cruzada de Veth", "conquista", "es", 1, None) == (
        game.id,
        game.title,
        game.ruleset,
        game.language,
        game.first_turn,
        game.director,
    )
    assert ("https://foro.example.org/juegos/", "12", True) == (
        game.forum.url,
        game.forum.topic,
        game.forum.secret,
    )
    assert "Europe/Madrid" == game.forum.zone
    assert (time(22), datetime.fromisoformat("2026-12-06T22:00"), (2, 6), None) == (
        game.schedule.at,
        game.schedule.first,
        game.schedule.weekdays,
        game.schedule.every_days,
    )
    assert [("Imperio", "17", "marina"), ("Tau", "23", "luis"), ("Caos", None, None)] == [
        (seat.id, seat.account, seat.login) for seat in game.seats
    ]
    assert (Policies(), Options()) == (game.policies, game.options)


def test_settings_are_durations_shares_and_policies() -> None:
    """`"90s"`, `"3h"`, `false` for no reminder, `"75 %"`, and a policy for each kind of question."""
    text = (
        GAME
        + """
[policies]
nmr = "standing"
quiet = "90s"
late = "2d"
reminder = false
breaker = "75 %"
[policies.questions]
oferta = "wait 48h"
lluvia = "hold"
aplauso = "default"
"""
    )
    asking = replace(RULESET, questions={"oferta": Hold(), "lluvia": Hold(), "aplauso": Hold()})
    policies = parse_game(text, find=lambda _: asking).game.policies

    assert NmrPolicy.STANDING is policies.nmr
    assert (timedelta(seconds=90), timedelta(days=2), None, 0.75) == (
        policies.quiet,
        policies.late,
        policies.reminder,
        policies.breaker,
    )
    assert {
        "oferta": Wait(timedelta(hours=48)),
        "lluvia": Hold(),
        "aplauso": TakeDefault(),
    } == policies.questions
    assert Policies().lease == policies.lease


def absence(seat: str = "Tau", first: str = "2026-12-01", last: str = "2026-12-14") -> str:
    """An announced absence."""
    return f'[[absences]]\nseat = "{seat}"\nfrom = {first}\nuntil = {last}\n'


def test_absences_are_days_of_a_seat() -> None:
    """From a day to a day, both included; how many missed turns warn and hold is said beside them."""
    text = GAME + "[policies]\nwarn_after = false\nhold_after = 3\n" + absence()
    game = parse_game(text).game

    assert (Absence("Tau", date(2026, 12, 1), date(2026, 12, 14)),) == game.absences
    assert (None, 3) == (game.policies.warn_after, game.policies.hold_after)


def relief(seat: str = "Tau", since: str = "2026-12-03T20:15:00", login: str = 'login = "nuria"\n') -> str:
    """Somebody takes over a seat."""
    return f'[[replacements]]\nseat = "{seat}"\nsince = {since}\naccount = 31\n{login}'


def test_who_takes_over_a_seat_has_it_from_then_on() -> None:
    """Local time or with an offset; the last one plays, and what was posted before was the former's."""
    text = GAME + relief() + '[[replacements]]\nseat = "Tau"\nsince = 2026-12-05T10:00:00\n'
    game = parse_game(text).game
    tau = game.seat("Tau")
    then = datetime(2026, 12, 3, 19, 15, tzinfo=UTC)

    assert (None, None) == (tau.account, tau.login)
    assert ["23", "31"] == [one.account for one in tau.former]
    assert (then, datetime(2026, 12, 5, 9, tzinfo=UTC)) == tuple(one.until for one in tau.former)
    assert ["23", "31", None] == [tau.account_at(then + timedelta(hours=hours)) for hours in (-1, 0, 48)]
    assert [["Tau"], []] == [
        [one.id for one in game.seats_at("23", then + timedelta(hours=hours))] for hours in (-1, 0)
    ]


def test_the_first_deadline_may_bring_its_hour() -> None:
    """A date with an hour needs no `at`; every n days is a number or `"7d"`."""
    text = with_line(
        "days", 'every = "7d"', with_line("at", "", with_line("first", "first = 2026-12-06T21:30:00"))
    )
    schedule = parse_game(text).game.schedule

    assert (time(21, 30), datetime.fromisoformat("2026-12-06T21:30"), (), 7) == (
        schedule.at,
        schedule.first,
        schedule.weekdays,
        schedule.every_days,
    )


@pytest.mark.parametrize("day", ["domingo", "Domingo", "DOMINGO", "sunday", "Sunday"])
def test_days_are_known_in_two_languages(day: str) -> None:
    """Spanish and English, in any case; accents don't matter."""
    assert (6,) == parse_game(with_line("days", f'days = ["{day}"]')).game.schedule.weekdays


def test_days_without_a_deadline() -> None:
    """In any order, each once."""
    text = with_line("days", "every = 2\nholidays = [2027-01-06, 2026-12-25, 2027-01-06]")
    assert (date(2026, 12, 25), date(2027, 1, 6)) == parse_game(text).game.schedule.holidays


def test_a_forum_s_own_limits() -> None:
    """An administrator may have other ones than the program; without them the program's hold."""
    text = GAME.replace("[forum]\n", '[forum]\nmax_chars = 9000\ninterval = "90s"\n')
    forum, usual = parse_game(text).game.forum, parse_game(GAME).game.forum
    assert (9000, timedelta(seconds=90)) == (forum.max_chars, forum.interval)
    assert (None, None) == (usual.max_chars, usual.interval)


UMBRIA = """\
[forum]
software = "umbria"
topic_url = "https://foro.example.org/partida/escena?pagina=1"
notes = true
"""


def with_forum(forum: str) -> str:
    """The game in another forum."""
    head, _, rest = GAME.partition("[forum]")
    return head + forum + rest[rest.index("[schedule]") :]


def test_a_scene_needs_its_address_alone() -> None:
    """It is read as Umbría shows it; a person carries the texts, and seats have accounts with their names."""
    game = parse_game(with_forum(UMBRIA)).game
    assert (True, "umbria", True, True) == (
        game.forum.carried,
        game.forum.markup,
        game.forum.notes,
        game.forum.confirm,
    )
    assert "https://foro.example.org/partida/escena?pagina=1" == game.forum.url
    assert ("17", "marina") == (game.seats[0].account, game.seats[0].login)


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ("topic_url =", "# topic_url =", (5, "forum.topic_url", "file/missing-key")),
        ("notes = true", 'url = "https://foro.example.org/"', (8, "forum.url", "game/forum")),
        ("notes = true", 'account = "turnero"', (8, "forum.account", "game/forum")),
        ("notes = true", "topic = 12", (8, "forum.topic", "game/forum")),
        ("notes = true", 'dialect = "phpbb"', (8, "forum.dialect", "game/forum")),
        ("notes = true", 'interval = "90s"', (8, "forum.interval", "game/forum")),
    ],
)
def test_what_is_no_setting_of_a_scene_is_told(old: str, new: str, found: tuple[int, str, str]) -> None:
    """There is nobody to log in, and its markup is known."""
    assert [found] == found_in(with_forum(UMBRIA).replace(old, new))


def test_a_scene_can_t_keep_the_hours_of_a_beacon() -> None:
    """A lock that a person pastes is too late."""
    text = with_forum(UMBRIA).replace("[forum]", 'proof = "beacon"\n[forum]')
    assert [(5, "proof", "game/proof")] == found_in(text)


def test_options_are_those_of_the_rule_set() -> None:
    """What is given replaces the default."""
    assert (
        Options(steps=3, actions=(1, 2))
        == parse_game(GAME + "[options]\nsteps = 3\nactions = [1, 2]").game.options
    )


def test_seats_are_named_by_the_rule_set_unless_the_file_names_them() -> None:
    """The names of the state, with gender and article; a name in the game's file goes before."""
    game = join_files(parse_game(GAME), read_setup(SETUP))

    assert [
        Name("Imperio", "m", article="el"),
        Name("Tau de Alfrost", "m", plural=True, article="los"),
        Name("Caos"),
    ] == [seat.shown for seat in game.seats]


# mistakes


def test_five_mistakes_in_a_game_give_five_errors() -> None:
    """Each with file, line and key, what is wrong and what would be right; all at once."""
    assert SAID_OF_THE_GAME.splitlines() == said_about(FIVE_IN_THE_GAME)
    assert SAID_OF_THE_GAME_IN_ENGLISH.splitlines() == said_about(FIVE_IN_THE_GAME, ENGLISH)


def test_five_mistakes_in_a_setup_give_five_errors() -> None:
    """A wrong type, a feature that doesn't exist, a misspelt key, a list for a text, a missing key."""
    assert SAID_OF_THE_SETUP.splitlines() == said_about_setup(FIVE_IN_THE_SETUP)
    assert SAID_OF_THE_SETUP_IN_ENGLISH.splitlines() == said_about_setup(FIVE_IN_THE_SETUP, ENGLISH)


def test_a_folder_is_checked_in_the_language_of_its_game(tmp_path: Path) -> None:
    """Ten mistakes in English, though the game's file can't be read."""
    (tmp_path / "game.toml").write_text(f'language = "en"\n{FIVE_IN_THE_GAME}', encoding="utf-8")
    (tmp_path / "setup.toml").write_text(FIVE_IN_THE_SETUP, encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(tmp_path)])
    said = result.stdout.splitlines()
    assert (1, 10) == (result.exit_code, len(said))
    assert "✘ game.toml, line 3, “titulo”: I don't know the key “titulo”. Did you mean “title”?" == said[0]
    assert f"✘ {SAID_OF_THE_SETUP_IN_ENGLISH.splitlines()[-1]}" == said[-1]


def test_what_belongs_to_no_game_is_said_in_the_language_asked_for(tmp_path: Path) -> None:
    """Spanish, or with `--language` English."""
    said = [
        CliRunner().invoke(app, [*options, "check", str(tmp_path)]).stderr.strip()
        for options in ((), ("--language", "en"), ("--language", "es"))
    ]
    spanish = f"✘ En {tmp_path} no hay ninguna partida: falta game.toml."
    assert [spanish, f"✘ There is no game in {tmp_path}: game.toml is missing.", spanish] == said


def test_what_the_rule_set_finds_wrong_has_its_line() -> None:
    """A setup of the right types is checked by the rule set; findings stand at what they name."""
    text = (
        SETUP.replace('["VE-1"]', '["VE-7"]')
        .replace('base = "VE-1"', 'base = "VE-2"')
        .replace("troops = 2", "troops = 0")
    )

    assert SAID_BY_THE_RULE_SET.splitlines() == said_about_setup(text)


def test_seats_and_setup_must_agree() -> None:
    """A misspelt seat is offered the right one and isn't missing besides; one that isn't there is missing."""
    text = GAME.replace("Imperio =", "Imprio =").replace("Caos = {}\n", "")
    with pytest.raises(FileErrors) as raised:
        join_files(parse_game(text), read_setup(SETUP))

    assert SAID_OF_BOTH.splitlines() == raised.value.say(SPANISH).splitlines()


def test_open_orders_need_logins_too_where_the_map_hides_something() -> None:
    """Armies and supplies are told in private whatever orders are, so whoever plays can be written to."""
    text = GAME.replace('account = "turnero"', 'account = "turnero"\nsecret = false').replace(
        ', login = "luis"', ""
    )
    with pytest.raises(FileErrors) as raised:
        join_files(parse_game(text), read_setup(SETUP))

    assert [(17, "seats.Tau", "game/login")] == [
        (one.line, one.key, one.code) for one in raised.value.problems
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (with_line("id", 'id = "Veth II"'), [(1, "id", "file/value")]),
        (with_line("id", 'id = "rehearse"'), [(1, "id", "file/value")]),
        (with_line("title", 'title = " "'), [(2, "title", "file/value")]),
        (with_line("title", ""), [(None, "title", "file/missing-key")]),
        (with_line("ruleset", 'ruleset = "conquest"'), [(3, "ruleset", "game/ruleset")]),
        (with_line("zone", "zone = 2"), [(4, "zone", "file/type")]),
        (with_line("zone", 'zone = "europe/madrid"'), [(4, "zone", "game/zone")]),
        (with_line("software", 'software = "ipb"'), [(6, "forum.software", "game/software")]),
        (with_line("url", 'url = "foro.example.org"'), [(7, "forum.url", "file/value")]),
        (with_line("url", 'url = "https://ana:x@foro.example.org"'), [(7, "forum.url", "game/secret")]),
        (with_line("url", 'url = "https://foro.example.org/?key=1"'), [(7, "forum.url", "file/value")]),
        (
            with_line("url", 'url = "https://foro.example.org/viewtopic.php?t=12"'),
            [(7, "forum.url", "file/value")],
        ),
        (with_line("url", 'url = "https://[foro"'), [(7, "forum.url", "file/value")]),
        (with_line("topic", "topic = true"), [(8, "forum.topic", "file/type")]),
        (with_line("account", 'acount = "turnero"'), [(9, "forum.acount", "file/unknown-key")]),
        (with_line("account", 'account = "marina"'), [(15, "seats.Imperio.login", "game/own-account")]),
        (with_line("first", 'first = "domingo"'), [(11, "schedule.first", "file/type")]),
        (with_line("first", "first = 2026-12-06T22:00:00Z"), [(11, "schedule.first", "file/value")]),
        (with_line("first", "first = 2026-12-06T02:00:00"), [(11, "schedule.first", "game/night")]),
        (with_line("at", "at = 22:00:30"), [(12, "schedule.at", "file/value")]),
        (with_line("at", "at = 02:00:00"), [(12, "schedule.at", "game/night")]),
        (with_line("at", 'at = "24:00"'), [(12, "schedule.at", "file/value")]),
        (with_line("at", ""), [(10, "schedule.at", "file/missing-key")]),
        (with_line("days", ""), [(10, "schedule", "game/schedule")]),
        (with_line("days", "days = []"), [(13, "schedule.days", "game/schedule")]),
        (with_line("days", 'dias = ["domingo"]'), [(13, "schedule.dias", "file/unknown-key")]),
        (with_line("days", 'days = ["dom"]'), [(13, "schedule.days#1", "file/value")]),
        (with_line("days", 'days = ["lunes"]\nevery = 7'), [(14, "schedule.every", "game/schedule")]),
        (with_line("days", "every = 2\nholidays = [2026-12-06]"), [(11, "schedule.first", "game/schedule")]),
        (with_line("days", 'every = 2\nholidays = ["navidad"]'), [(14, "schedule.holidays#1", "file/type")]),
        (with_line("days", "every = 0"), [(13, "schedule.every", "file/value")]),
        (with_line("Imperio", "Imperio = { account = 17 }"), [(15, "seats.Imperio", "game/login")]),
        (with_line("Imperio", 'Imperio = { login = "ana" }'), [(15, "seats.Imperio", "game/account")]),
        (with_line("Imperio", "Imperio = 17"), [(15, "seats.Imperio", "file/type")]),
        (
            with_line("Caos", 'Caos = { account = 17, login = "ana" }'),
            [(17, "seats.Caos.login", "game/login")],
        ),
        (with_line("Caos", "tau = {}"), [(17, "seats.tau", "game/seat")]),
        (with_line("Caos", "director = {}"), [(17, "seats.director", "game/seat")]),
        (with_line("Caos", '"Caos/2" = {}'), [(17, 'seats."Caos/2"', "game/seat")]),
        (GAME[: GAME.index("Imperio")], [(14, "seats", "game/no-seats")]),
        (GAME + '[policies]\nnmr = "nada"\n', [(19, "policies.nmr", "file/type")]),
        (GAME + '[policies]\nlease = "0s"\n', [(19, "policies.lease", "file/value")]),
        (GAME + '[policies]\nlate = "400d"\n', [(19, "policies.late", "file/value")]),
        (GAME + "[policies]\nreminder = true\n", [(19, "policies.reminder", "file/value")]),
        (GAME + "[policies]\nbreaker = 0.8\n", [(19, "policies.breaker", "file/value")]),
        (GAME + '[policies]\nbreaker = "0 %"\n', [(19, "policies.breaker", "file/value")]),
        (
            GAME + '[policies.questions]\nduelo = "hold"\n',
            [(19, "policies.questions.duelo", "game/question")],
        ),
        (
            GAME + '[policies.questions]\nduelo = "wait"\n',
            [(19, "policies.questions.duelo", "file/value")],
        ),
        (GAME + "[policies]\nwarn_after = 0\n", [(19, "policies.warn_after", "file/type")]),
        (GAME + absence("Tao"), [(19, "absences#1.seat", "game/seat")]),
        (GAME + absence(last="2026-11-30"), [(21, "absences#1.until", "game/absence")]),
        (GAME + absence(first='"lunes"'), [(20, "absences#1.from", "file/type")]),
        (GAME + relief("Tao"), [(19, "replacements#1.seat", "game/seat")]),
        (GAME + relief(login=""), [(18, "replacements#1", "game/login")]),
        (GAME + relief(since="2026-12-03"), [(20, "replacements#1.since", "file/type")]),
        (
            GAME + relief() + relief(since="2026-12-02T10:00:00"),
            [(25, "replacements#2.since", "game/replacement")],
        ),
        (GAME + "[options]\nstepps = 2\n", [(19, "options.stepps", "file/unknown-key")]),
        (GAME + "[options]\nactions = [1, true]\n", [(19, "options.actions#2", "file/wrong-type")]),
        (GAME + "[seat]\n", [(18, "seat", "file/unknown-key")]),
        ("id = ", [(1, "", "file/syntax")]),
    ],
)
def test_a_mistake_in_a_game_is_found_where_it_stands(
    text: str, expected: list[tuple[int | None, str, str]]
) -> None:
    """One mistake gives one error, at its line."""
    assert expected == found_in(text)


def test_whoever_gives_a_page_is_told_the_forum_s_folder() -> None:
    """Copied from the browser, with or without what stands behind the page."""
    for page in ("https://foro.example.org/foro/viewtopic.php?t=12", "https://foro.example.org/index.php"):
        (said,) = said_about(with_line("url", f'url = "{page}"'))
        folder = page.rpartition("/")[0]
        assert said.endswith(f'Pon sólo la carpeta del foro: url = "{folder}/".')


@pytest.mark.parametrize(
    ("old", "new", "line", "key"),
    [
        ('id = "veth"', 'id = "veth"\npassword = "hunter2"', 2, "password"),
        ("[schedule]", 'api_key = "hunter2"\n[schedule]', 10, "forum.api_key"),
        ("[schedule]", '"contraseña" = "hunter2"\n[schedule]', 10, 'forum."contraseña"'),
    ],
)
def test_secrets_are_refused_by_name_and_never_repeated(old: str, new: str, line: int, key: str) -> None:
    """The error says which variable to use instead; the secret itself stands in no message."""
    (said,) = said_about(GAME.replace(old, new))

    assert said.startswith(f"game.toml, línea {line}, «{key}»: ")
    assert "TURNERO_VETH_PASSWORD_FILE" in said
    assert "hunter2" not in said


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Password", True),
        ("forum_password", True),
        ("api-key", True),
        ("token", True),
        ("secret", False),
        ("topic", False),
    ],
)
def test_secrets_are_known_by_their_names(key: str, expected: bool) -> None:
    """`secret` itself is a setting of the forum: whether orders are secret."""
    assert expected is is_secret(key)


def test_a_broken_rule_set_is_named() -> None:
    """What keeps it from being used is told, and the rest of the file is checked all the same."""

    def find(name: str) -> Ruleset:
        raise RulesetError("broken", name, "otro-paquete")

    assert [(3, "ruleset", "game/ruleset"), (4, "zone", "game/zone")] == found_in(
        with_line("zone", 'zone = "Madrid"'), find=find
    )


def test_a_city_alone_is_offered_its_zone() -> None:
    """Directors write the city that they know."""
    assert [
        'game.toml, línea 4, «zone»: no conozco la zona horaria "Bogota". ¿Querías decir «America/Bogota»?'
    ] == (said_about(with_line("zone", 'zone = "Bogota"')))


# who acts in front of an order


@dataclass(slots=True)
class Crew:
    """State of a rule set whose orders begin with who acts."""

    folk: dict[str, str] = field(default_factory=dict)


def crew_files(name: str) -> tuple[GameFile, SetupFile]:
    """A game of one seat, with somebody of that name who may act."""
    hands = Pick(lambda plan: {key: (key,) for key in plan.view.state.folk}, "x/hands", ids=False)
    works = order(
        "work", "trabajar", actors=hands, clauses=(Clause("pay", ("a cambio",), ("{n}",)),), n=hands
    )
    ruleset = Ruleset(
        id="crew",
        version="1",
        title="Crew",
        state=Crew,
        options=Options,
        kinds={"day": Kind("day", orders=(works,), steps=(), plan=Plan)},
        seats=lambda _: {"Ana": Name("Ana")},
        groups=lambda _: {},
        view=lambda state, viewer, options: state,
    )
    head = GAME[: GAME.index("Imperio")] + 'Ana = { account = 17, login = "ana" }\n'
    game = parse_game(head, find=lambda _: ruleset)
    return game, parse_setup(f'[folk]\n"{name}" = "x"\n', ruleset, None)


@pytest.mark.parametrize("name", ["Trabajo", "si", "A cambio"])
def test_nobody_who_acts_is_named_like_a_verb_or_a_clause(name: str) -> None:
    """`Trabajo: …` would be read as something else than an actor."""
    with pytest.raises(FileErrors) as raised:
        join_files(*crew_files(name))

    assert [(2, "game/actor")] == [(one.line, one.code) for one in raised.value.problems]
    assert f"«{name}: …» se leería como" in raised.value.say(SPANISH)


def test_others_may_be_called_as_they_like() -> None:
    """A name that is no verb, clause or condition passes."""
    assert ["Ana"] == [seat.id for seat in join_files(*crew_files("Nico")).seats]


# a dumped state is a setup


def test_a_setup_is_written_as_a_director_would() -> None:
    """One line for each thing, defaults left out; reading and writing again changes nothing."""
    assert SETUP == write_setup(read_setup(SETUP).state)


letters = st.characters(exclude_characters="\x00", codec="utf-8")
"""What every text may hold: no post and no file brings the others into a state."""
names = st.text(letters, min_size=1, max_size=12).filter(lambda text: text.strip() and "/" not in text)
ids = st.one_of(st.from_regex(r"[A-Z]{1,3}-[0-9]{1,2}", fullmatch=True), names)
maybe_names = st.none() | names

states = st.builds(
    State,
    planets=st.dictionaries(ids, st.builds(Planet, name=names, bonus=st.integers()), max_size=3),
    cells=st.dictionaries(
        ids,
        st.builds(
            Cell,
            owner=maybe_names,
            adjacent=st.lists(ids, max_size=3).map(tuple),
            feature=st.none() | st.sampled_from(Feature),
            building=st.none() | st.sampled_from(Building),
            fortification=st.integers(0, 3),
            name=st.text(letters, max_size=10),
        ),
        max_size=4,
    ),
    factions=st.dictionaries(
        ids,
        st.builds(
            Faction,
            supplies=st.integers(),
            base=maybe_names,
            known=st.lists(names).map(tuple),
            plural=st.booleans(),
        ),
        max_size=3,
    ),
    armies=st.dictionaries(ids, st.builds(Army, owner=names, cell=ids, troops=st.integers()), max_size=3),
)


@given(states)
def test_a_dumped_state_is_a_valid_setup(state: State) -> None:
    """Whatever texts stand in it, loading what was written gives an equal state, and the same text again."""
    text = write_setup(state)
    loaded = load_state(State, read_toml(text, "setup.toml").data)

    assert state == loaded
    assert text == write_setup(loaded)


class Colour(StrEnum):
    """A choice in a nested state."""

    RED = "red"


@dataclass(slots=True)
class Leaf:
    """A thing inside a thing."""

    colour: Colour | None = None
    marks: tuple[int, ...] = ()


@dataclass(slots=True)
class Branch:
    """A thing with things."""

    leaves: dict[str, Leaf] = field(default_factory=dict)
    best: Leaf | None = None
    share: float = 0.0
    ready: bool = False


@dataclass(slots=True)
class Tree:
    """A state with values at the top and tables below tables."""

    year: int
    branches: dict[str, Branch] = field(default_factory=dict)
    rest: dict[str, int] = field(default_factory=dict)


leaves = st.builds(Leaf, st.none() | st.just(Colour.RED), st.lists(st.integers(), max_size=3).map(tuple))
branches = st.builds(
    Branch,
    st.dictionaries(ids, leaves, max_size=3),
    st.none() | leaves,
    st.floats(allow_nan=False, allow_infinity=False),
    st.booleans(),
)


@given(
    st.builds(
        Tree, st.integers(), st.dictionaries(ids, branches, max_size=3), st.dictionaries(ids, st.integers())
    )
)
def test_tables_below_tables_come_back_too(state: Tree) -> None:
    """However deep things stand in each other, loading what was written gives an equal state."""
    assert state == load_state(Tree, read_toml(write_setup(state), "setup.toml").data)


def test_what_toml_cannot_say_is_not_written() -> None:
    """A value that is no plain data is our mistake, not a silent text."""
    with pytest.raises(TypeError):
        write_toml({"when": object()})


@given(st.text(max_size=200))
def test_any_text_is_a_game_or_a_list_of_mistakes(text: str) -> None:
    """Nothing but FileErrors comes of a damaged file."""
    for damaged in (text, GAME + text, GAME[: len(text) * 3] + text):
        with suppress(FileErrors):
            assert parse_game(damaged).game.id
