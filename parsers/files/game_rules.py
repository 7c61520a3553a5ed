"""What the parts of `game.toml` must have in common, judged on the file's data whether right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from parsers.files.errors import FileProblem
from parsers.files.game_tables import ForumTable, ReplacementTable, ScheduleTable, SeatTable
from parsers.files.models import Strict, nearest, offer
from parsers.files.positions import KeyPath
from parsers.files.state_problems import load_plain
from parsers.files.toml import TomlFile
from parsers.files.values import peek_night
from parsers.orders.keywords import HEADER_WORDS
from rules.engine.messages import Message, msg
from rules.engine.registry import RulesetError, ruleset_ids
from rules.engine.ruleset import Ruleset
from rules.engine.text import fold
from rules.play.game import CARRIED, FOLDER, UMBRIA

FindRuleset = Callable[[str], Ruleset]

_NEEDED = ("url", "topic", "account")
_REACHED = ("url", "account", "interval", "pictures")
_ONLY_CARRIED = ("topic_url", "dialect", "confirm", "notes")
_KEYS = {FOLDER: ((), _REACHED), UMBRIA: (("topic_url",), (*_REACHED, "topic", "dialect"))}
"""Keys that a forum whose texts are carried needs, and keys that are of others."""

NOT_SEATS = frozenset(("public", "director")) | HEADER_WORDS
"""Folded names that mean something else where a seat's name may stand."""

_NO_SUCH = {
    "unknown": "files/ruleset-unknown",
    "doubled": "files/ruleset-doubled",
    "broken": "files/ruleset-broken",
    "version": "files/ruleset-version",
}


def find_ruleset(file: TomlFile, find: FindRuleset) -> tuple[Ruleset | None, list[FileProblem]]:
    """The rule set that the file names; None where it names none, or with what is wrong with it."""
    name = file.data.get("ruleset")
    if not isinstance(name, str) or not name.strip():
        return None, []  # said by the model
    try:
        return find(name.strip()), []
    except RulesetError as fault:
        known = ruleset_ids()
        near = nearest(name, known)
        right = offer(near if fault.code == "unknown" else None, known, "files/there-are")
        wrong = Message(_NO_SUCH[fault.code], {"id": name, "detail": fault.detail})
        return None, [file.problem(("ruleset",), "game/ruleset", wrong, right)]


def check_software(file: TomlFile, software: Collection[str]) -> Iterable[FileProblem]:
    """A forum's program must have an adapter."""
    forum = file.data.get("forum")
    name = forum.get("software") if isinstance(forum, Mapping) else None
    if isinstance(name, str) and name.strip() and name not in software:
        wrong = msg("files/no-software", name=name)
        right = offer(nearest(name, sorted(software)), sorted(software), "files/there-are")
        yield file.problem(("forum", "software"), "game/software", wrong, right)


def check_forum(file: TomlFile) -> Iterable[FileProblem]:
    """A forum that is reached needs an address and an account; one that a person carries has neither, and
    where its pages are read all the same, their address.
    """
    forum = file.data.get("forum")
    if not isinstance(forum, Mapping) or _misspelt(forum, ForumTable):
        return
    needed, foreign = _KEYS.get(str(forum.get("software")), (_NEEDED, _ONLY_CARRIED))
    for key in needed:
        if key not in forum:
            yield from _missing_key(file, key)
    for key in foreign:
        if key in forum:
            wrong = msg("files/other-forum", key=key, software=str(forum.get("software")))
            yield file.problem(("forum", key), "game/forum", wrong, msg("files/take-key-out"))


def check_proof(file: TomlFile) -> Iterable[FileProblem]:
    """A lock has to stand in the forum within minutes: no person carries it there in time."""
    forum = file.data.get("forum")
    if (
        file.data.get("proof") == "beacon"
        and isinstance(forum, Mapping)
        and str(forum.get("software")) in CARRIED
    ):
        yield file.problem(("proof",), "game/proof", msg("files/beacon-carried"), msg("files/without-beacon"))


def _missing_key(file: TomlFile, key: str) -> Iterable[FileProblem]:
    right = msg("files/put", what=Message(ForumTable.model_fields[key].description or ""))
    yield file.problem(("forum", key), "file/missing-key", msg("files/missing-key", key=key), right)


def load_options(file: TomlFile, ruleset: Ruleset) -> tuple[Any, list[FileProblem]]:
    """The game's values of the rule set's options, or what is wrong with them."""
    given = file.data.get("options", {})
    if not isinstance(given, Mapping):
        return None, []  # said by the model
    return load_plain(ruleset.options, given, file, ("options",))


def check_questions(file: TomlFile, ruleset: Ruleset) -> Iterable[FileProblem]:
    """Policies are for kinds of question that the rule set asks."""
    policies = file.data.get("policies")
    given = policies.get("questions") if isinstance(policies, Mapping) else None
    for kind in given if isinstance(given, Mapping) else ():
        if kind not in ruleset.questions:
            known = sorted(ruleset.questions)
            right = offer(nearest(kind, known), known, "files/questions-there-are")
            yield file.problem(
                ("policies", "questions", kind),
                "game/question",
                msg("files/no-question", id=ruleset.id, kind=kind),
                right,
            )


def check_schedule(file: TomlFile) -> Iterable[FileProblem]:
    """The hour of the deadline, and one rule for the days that follow the first."""
    given = file.data.get("schedule")
    if not isinstance(given, Mapping) or _misspelt(given, ScheduleTable):
        return
    first = given.get("first")
    if "at" not in given and isinstance(first, date) and not isinstance(first, datetime):
        right = msg("files/add-at")
        yield file.problem(("schedule", "at"), "file/missing-key", msg("files/no-at"), right)
    yield from _check_night(file, given)
    yield from _check_holidays(file, given)
    both, right = "days" in given, msg("files/days-or-every")
    if both and "every" in given:
        wrong = msg("files/days-and-every")
        yield file.problem(("schedule", "every"), "game/schedule", wrong, right)
    elif not both and "every" not in given:
        wrong, right = msg("files/no-rhythm"), msg("files/add-days")
        yield file.problem(("schedule",), "game/schedule", wrong, right)
    elif given.get("days") == []:
        yield file.problem(("schedule", "days"), "game/schedule", msg("files/no-day"), msg("files/put-day"))


def _check_night(file: TomlFile, given: Mapping[str, Any]) -> Iterable[FileProblem]:
    """An hour that some night lacks or has twice is taken only where the director says so."""
    for key in ("first", "at"):
        at = peek_night(given.get(key))
        if at is not None and given.get("night") is not True:
            wrong, right = msg("files/night", at=f"{at:%H:%M}"), msg("files/not-night")
            yield file.problem(("schedule", key), "game/night", wrong, right)


def _check_holidays(file: TomlFile, given: Mapping[str, Any]) -> Iterable[FileProblem]:
    """The first deadline doesn't lie on a day that has none."""
    first, holidays = given.get("first"), given.get("holidays")
    day = first.date() if isinstance(first, datetime) else first
    if isinstance(holidays, list) and day in holidays:
        wrong, right = msg("files/first-on-holiday", day=str(day)), msg("files/move-first")
        yield file.problem(("schedule", "first"), "game/schedule", wrong, right)


def _misspelt(given: Mapping[str, Any], model: type[Strict]) -> bool:
    """Whether a key is unknown: what seems to be missing may stand there, and one mistake gives one error."""
    return any(key not in model.model_fields for key in given)


def check_seats(file: TomlFile) -> Iterable[FileProblem]:
    """Ids of seats, and that accounts and login names go together."""
    seats = file.data.get("seats")
    if not isinstance(seats, Mapping):
        return
    if not seats:
        right = msg("files/add-seats")
        yield file.problem(("seats",), "game/no-seats", msg("files/no-seats"), right)
    yield from _check_ids(file, tuple(seats))
    yield from _check_accounts(file, seats)


def check_absences(file: TomlFile) -> Iterable[FileProblem]:
    """Absences are of seats of the game, and end after they begin."""
    seats, given = file.data.get("seats"), file.data.get("absences")
    known = tuple(seats) if isinstance(seats, Mapping) else ()
    for place, entry in enumerate(given if isinstance(given, list) else ()):
        if not isinstance(entry, Mapping):
            continue
        seat, first, last = entry.get("seat"), entry.get("from"), entry.get("until")
        yield from _check_seat_of(file, ("absences", place, "seat"), seat, known)
        if type(first) is date and type(last) is date and last < first:
            wrong, right = msg("files/absence-backwards"), msg("files/mend-absence")
            yield file.problem(("absences", place, "until"), "game/absence", wrong, right)


def check_replacements(file: TomlFile) -> Iterable[FileProblem]:
    """Replacements are of seats of the game, in the order of time, with account and login name together."""
    seats, given = file.data.get("seats"), file.data.get("replacements")
    known = tuple(seats) if isinstance(seats, Mapping) else ()
    last: dict[str, datetime] = {}
    for place, entry in enumerate(given if isinstance(given, list) else ()):
        if not isinstance(entry, Mapping) or _misspelt(entry, ReplacementTable):
            continue
        seat, since = entry.get("seat"), entry.get("since")
        yield from _check_seat_of(file, ("replacements", place, "seat"), seat, known)
        yield from _check_pair(file, ("replacements", place), str(seat), entry)
        if isinstance(seat, str) and isinstance(since, datetime):
            before = last.setdefault(seat, since)
            if (before.tzinfo is None) != (since.tzinfo is None) or since < before:
                wrong, right = msg("files/replaced-before"), msg("files/mend-replacements")
                yield file.problem(("replacements", place, "since"), "game/replacement", wrong, right)
            last[seat] = since


def _check_seat_of(
    file: TomlFile, where: KeyPath, seat: object, known: tuple[str, ...]
) -> Iterable[FileProblem]:
    if known and isinstance(seat, str) and seat not in known:
        right = offer(nearest(seat, known), known, "files/there-are")
        yield file.problem(where, "game/seat", msg("files/no-such-seat", seat=seat), right)


def _check_ids(file: TomlFile, ids: tuple[str, ...]) -> Iterable[FileProblem]:
    taken: dict[str, str] = {}
    for seat in ids:
        where = ("seats", seat)
        if not seat.strip() or seat != seat.strip() or any(sign in seat for sign in "/#\n[]"):
            wrong = msg("files/bad-seat", seat=seat)
            yield file.problem(where, "game/seat", wrong, msg("files/seat-letters"))
        elif fold(seat) in NOT_SEATS:
            wrong = msg("files/reserved-seat", seat=seat)
            yield file.problem(where, "game/seat", wrong, msg("files/rename-seat"))
        elif taken.setdefault(fold(seat), seat) != seat:
            wrong = msg("files/same-seats", seat=seat, taken=taken[fold(seat)])
            yield file.problem(where, "game/seat", wrong, msg("files/rename-one"))


def _check_accounts(file: TomlFile, seats: Mapping[str, Any]) -> Iterable[FileProblem]:
    forum = file.data.get("forum")
    own = forum.get("account") if isinstance(forum, Mapping) else None
    logins: dict[str, tuple[str, str]] = {}
    for seat, entry in seats.items():
        if not isinstance(entry, Mapping) or _misspelt(entry, SeatTable):
            continue
        account, login = entry.get("account"), entry.get("login")
        if login is not None and login == own:
            wrong = msg("files/own-account", login=login)
            yield file.problem(
                ("seats", seat, "login"), "game/own-account", wrong, msg("files/players-account")
            )
        yield from _check_pair(file, ("seats", seat), seat, entry)
        if isinstance(account, str | int) and isinstance(login, str):
            first = logins.setdefault(str(account), (login, seat))
            if first[0] != login:
                other = {"other": first[0], "seat": first[1]}
                wrong = msg("files/two-logins", account=str(account), login=login, **other)
                yield file.problem(("seats", seat, "login"), "game/login", wrong, msg("files/mend-wrong"))


def _check_pair(file: TomlFile, where: KeyPath, seat: str, entry: Mapping[str, Any]) -> Iterable[FileProblem]:
    """An account and the name to log in belong together."""
    forum = file.data.get("forum")
    carried = isinstance(forum, Mapping) and forum.get("software") == FOLDER
    is_secret = not isinstance(forum, Mapping) or forum.get("secret", True) is not False
    account, login = entry.get("account"), entry.get("login")
    if account is None and login is not None:
        wrong, right = msg("files/no-account", seat=seat), msg("files/add-account")
        yield file.problem(where, "game/account", wrong, right)
    if account is not None and login is None and is_secret and not carried:
        yield file.problem(where, "game/login", msg("files/no-login", seat=seat), msg("files/add-login"))
