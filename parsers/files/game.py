"""`game.toml`: a game's forum, seats, schedule and settings, checked as a whole (design.md 3)."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import Any
from zoneinfo import ZoneInfo

from parsers.files.credentials import find_secrets, without_secrets
from parsers.files.errors import FileErrors, FileProblem
from parsers.files.game_rules import (
    FindRuleset,
    check_absences,
    check_forum,
    check_proof,
    check_questions,
    check_replacements,
    check_schedule,
    check_seats,
    check_software,
    find_ruleset,
    load_options,
)
from parsers.files.game_tables import GameTable, PoliciesTable, ScheduleTable
from parsers.files.models import check_table
from parsers.files.toml import TomlFile, read_toml
from rules.engine.messages import Name
from rules.engine.registry import load_ruleset
from rules.engine.ruleset import Ruleset
from rules.play.game import (
    CARRIED,
    FOLDER,
    UMBRIA,
    Absence,
    FormerPlayer,
    ForumSettings,
    Game,
    NmrPolicy,
    Policies,
    Schedule,
    Seat,
)

SOFTWARE = (
    "spirit",
    "flaskbb",
    "discourse",
    "mybb",
    "smf",
    "nodebb",
    "xenforo",
    "flarum",
    "misago",
    "phpbb",
    FOLDER,
    UMBRIA,
)
"""Forum programs with an adapter."""

SECRET_TABLES = ("forum", "director")
"""Tables besides the top in which somebody might write a password."""

_AGREES = {"el": ("m", False), "la": ("f", False), "los": ("m", True), "las": ("f", True)}


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game's file as read.

    game: with the names of seats that the file gives, else their ids (`name_seats` brings the rule set's).
    named: ids of the seats that the file names itself. file: for what later turns out to be wrong.
    """

    game: Game
    ruleset: Ruleset
    named: frozenset[str]
    file: TomlFile


def parse_game(
    text: str,
    name: str = "game.toml",
    *,
    find: FindRuleset = load_ruleset,
    software: Collection[str] = SOFTWARE,
) -> GameFile:
    """Read a game's file.

    find: rule set by id, raises RulesetError. software: forum programs with an adapter.

    Raises:
        FileErrors: the one syntax error, or else all other mistakes.
    """
    file = read_toml(text, name)
    problems = find_secrets(file, SECRET_TABLES)
    table, wrong = check_table(GameTable, without_secrets(file.data, SECRET_TABLES), file, ())
    problems += wrong
    problems += [
        *check_software(file, software),
        *check_forum(file),
        *check_proof(file),
        *check_schedule(file),
        *check_seats(file),
        *check_absences(file),
        *check_replacements(file),
    ]
    ruleset, wrong = find_ruleset(file, find)
    problems += wrong
    options: Any = None
    if ruleset is not None:
        options, wrong = load_options(file, ruleset)
        problems += [*wrong, *check_questions(file, ruleset)]
    if problems or table is None or ruleset is None:
        raise FileErrors(_one_each(problems))
    named = frozenset(seat for seat, one in table.seats.items() if one.name is not None)
    spoken = ruleset.speaking(table.language)
    return GameFile(_build_game(table, options), spoken, named, file)


def _one_each(problems: list[FileProblem]) -> list[FileProblem]:
    """One mistake gives one error: of several at the same key the first counts."""
    first: dict[tuple[int | None, str], FileProblem] = {}
    for one in problems:
        first.setdefault((one.line, one.key), one)
    return list(first.values())


def _build_game(table: GameTable, options: Any) -> Game:
    return Game(
        id=table.id,
        title=table.title,
        ruleset=table.ruleset,
        language=table.language,
        zone=table.zone,
        forum=_build_forum(table),
        schedule=_build_schedule(table.schedule),
        seats=tuple(_build_seat(seat, table) for seat in table.seats),
        policies=_build_policies(table.policies),
        options=options,
        proof=table.proof,
        first_turn=table.first_turn,
        director=table.director.login if table.director is not None else None,
        absences=tuple(Absence(one.seat, one.first, one.until) for one in table.absences),
    )


def _build_forum(game: GameTable) -> ForumSettings:
    table, carried = game.forum, game.forum.software in CARRIED
    return ForumSettings(
        software=table.software,
        url=(table.topic_url if carried else table.url) or "",
        topic=table.topic or "",
        account=table.account or "",
        zone=table.zone or game.zone,
        secret=table.secret,
        dialect=table.dialect or ("text" if table.software == FOLDER else ""),
        max_chars=table.max_chars,
        interval=table.interval,
        pictures=table.pictures,
        confirm=table.confirm is not False,
        notes=table.notes is True,
    )


def _build_schedule(table: ScheduleTable) -> Schedule:
    first = table.first
    at = table.at
    if at is None:
        at = first.time() if isinstance(first, datetime) else time(0)
    holidays = tuple(sorted(set(table.holidays or ())))
    moment = first if isinstance(first, datetime) else datetime.combine(first, at)
    return Schedule(at, moment, tuple(sorted(set(table.days or ()))), table.every, holidays, table.night)


def _build_seat(seat: str, game: GameTable) -> Seat:
    """The seat as its table names it, with its last player."""
    table = game.seats[seat]
    article = table.article or ""
    gender, plural = _AGREES.get(article, ("", False))
    shown = Name(
        table.name or seat,
        gender if table.gender is None else table.gender,
        plural if table.plural is None else table.plural,
        article,
    )
    account, login = table.account, table.login
    former: list[FormerPlayer] = []
    for one in game.replacements:
        if one.seat == seat:
            former.append(FormerPlayer(account, _to_utc(one.since, game.zone)))
            account, login = one.account, one.login
    if game.forum.software == FOLDER:
        login = login or account  # how a person is written to, where nothing else is said
    return Seat(seat, account, login, shown, tuple(former))


def _to_utc(moment: datetime, zone: str) -> datetime:
    local = moment if moment.tzinfo is not None else moment.replace(tzinfo=ZoneInfo(zone))
    return local.astimezone(UTC)


def _build_policies(table: PoliciesTable | None) -> Policies:
    """The settings that are given, over the defaults."""
    given = {name: getattr(table, name) for name in table.model_fields_set} if table is not None else {}
    if "nmr" in given:
        given["nmr"] = NmrPolicy(given["nmr"])
    return Policies(**given)
