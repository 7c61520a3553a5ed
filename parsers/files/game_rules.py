"""What the parts of `game.toml` must have in common, judged on the file's data whether right or wrong."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from typing import Any

from parsers.files.errors import FileProblem
from parsers.files.game_tables import ScheduleTable, SeatTable
from parsers.files.models import Strict, nearest
from parsers.files.state_problems import load_plain
from parsers.files.toml import TomlFile
from rules.engine.registry import RulesetError, ruleset_ids
from rules.engine.ruleset import Ruleset
from rules.engine.text import fold

FindRuleset = Callable[[str], Ruleset]

NOT_SEATS = (
    "public",
    "director",
    "turno",
    "turn",
    "como",
    "as",
    "permanentes",
    "standing",
    "añade",
    "append",
)
"""Names that mean something else where a seat's name may stand."""

_NO_SUCH = {
    "unknown": "no conozco el reglamento «{id}»",
    "doubled": "hay más de un reglamento «{id}» instalado: {detail}",
    "broken": "el reglamento «{id}» está instalado, pero no se puede usar: {detail}",
    "version": "el reglamento «{id}» es para otra versión de Turnero",
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
        listed = "Los que hay: " + ", ".join(f'"{one}"' for one in known)
        right = f"¿Querías decir «{near}»?" if near and fault.code == "unknown" else listed
        wrong = _NO_SUCH[fault.code].format(id=name, detail=fault.detail)
        return None, [file.problem(("ruleset",), "game/ruleset", wrong, right)]


def check_software(file: TomlFile, software: Collection[str]) -> Iterable[FileProblem]:
    """A forum's program must have an adapter."""
    forum = file.data.get("forum")
    name = forum.get("software") if isinstance(forum, Mapping) else None
    if isinstance(name, str) and name.strip() and name not in software:
        near = nearest(name, sorted(software))
        listed = "Los que hay: " + ", ".join(f'"{one}"' for one in sorted(software))
        wrong = f"Turnero no sabe hablar con «{name}»"
        right = f"¿Querías decir «{near}»?" if near else listed
        yield file.problem(("forum", "software"), "game/software", wrong, right)


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
            near = nearest(kind, sorted(ruleset.questions))
            listed = ", ".join(f"«{one}»" for one in sorted(ruleset.questions))
            known = f"Las que hay: {listed}" if listed else "Este reglamento no pregunta nada: quítala"
            yield file.problem(
                ("policies", "questions", kind),
                "game/question",
                f"«{ruleset.id}» no hace preguntas de la clase «{kind}»",
                f"¿Querías decir «{near}»?" if near else known,
            )


def check_schedule(file: TomlFile) -> Iterable[FileProblem]:
    """The hour of the deadline, and one rule for the days that follow the first."""
    given = file.data.get("schedule")
    if not isinstance(given, Mapping) or _misspelt(given, ScheduleTable):
        return
    first = given.get("first")
    if "at" not in given and isinstance(first, date) and not isinstance(first, datetime):
        right = 'Añade, por ejemplo: at = "22:00"'
        yield file.problem(("schedule", "at"), "file/missing-key", "falta la hora del cierre", right)
    both, right = "days" in given, 'Deja una de las dos: days = ["domingo"] o every = 7'
    if both and "every" in given:
        wrong = "hay «days» y también «every»"
        yield file.problem(("schedule", "every"), "game/schedule", wrong, right)
    elif not both and "every" not in given:
        wrong, right = "no se sabe cada cuánto se cierra", 'Añade days = ["domingo"] o every = 7'
        yield file.problem(("schedule",), "game/schedule", wrong, right)
    elif given.get("days") == []:
        yield file.problem(("schedule", "days"), "game/schedule", "no hay ningún día", 'Pon uno: ["domingo"]')


def _misspelt(given: Mapping[str, Any], model: type[Strict]) -> bool:
    """Whether a key is unknown: what seems to be missing may stand there, and one mistake gives one error."""
    return any(key not in model.model_fields for key in given)


def check_seats(file: TomlFile) -> Iterable[FileProblem]:
    """Ids of seats, and that accounts and login names go together."""
    seats = file.data.get("seats")
    if not isinstance(seats, Mapping):
        return
    if not seats:
        right = 'Añade uno por línea: Imperio = { account = 17, login = "marina" }'
        yield file.problem(("seats",), "game/no-seats", "la partida no tiene puestos", right)
    yield from _check_ids(file, tuple(seats))
    yield from _check_accounts(file, seats)


def _check_ids(file: TomlFile, ids: tuple[str, ...]) -> Iterable[FileProblem]:
    taken: dict[str, str] = {}
    reserved = {fold(word) for word in NOT_SEATS}
    for seat in ids:
        where = ("seats", seat)
        if not seat.strip() or seat != seat.strip() or any(sign in seat for sign in "/#\n[]"):
            wrong = f"«{seat}» no vale como nombre de un puesto"
            yield file.problem(where, "game/seat", wrong, "Usa letras, cifras, espacios y guiones")
        elif fold(seat) in reserved:
            wrong = f"«{seat}» significa otra cosa en las órdenes y no puede ser un puesto"
            yield file.problem(where, "game/seat", wrong, "Ponle otro nombre, también en setup.toml")
        elif taken.setdefault(fold(seat), seat) != seat:
            wrong = f"«{seat}» y «{taken[fold(seat)]}» se escriben igual para quien juega"
            yield file.problem(where, "game/seat", wrong, "Ponle otro nombre a uno de los dos")


def _check_accounts(file: TomlFile, seats: Mapping[str, Any]) -> Iterable[FileProblem]:
    forum = file.data.get("forum")
    own = forum.get("account") if isinstance(forum, Mapping) else None
    is_secret = not isinstance(forum, Mapping) or forum.get("secret", True) is not False
    logins: dict[str, tuple[str, str]] = {}
    for seat, entry in seats.items():
        if not isinstance(entry, Mapping) or _misspelt(entry, SeatTable):
            continue
        account, login = entry.get("account"), entry.get("login")
        if login is not None and login == own:
            wrong = f"«{login}» es la cuenta de Turnero y no puede jugar"
            yield file.problem(("seats", seat, "login"), "game/own-account", wrong, "Pon la de quien juega")
        if account is None and login is not None:
            wrong = f"«{seat}» tiene login y no tiene cuenta"
            right = (
                "Pon su número en account (`turnero seats` lo dice), o quita login si el puesto está vacante"
            )
            yield file.problem(("seats", seat), "game/account", wrong, right)
        if account is not None and login is None and is_secret:
            wrong = f"«{seat}» no tiene login, y sin él no le llegan los mensajes privados"
            yield file.problem(("seats", seat), "game/login", wrong, 'Añade, por ejemplo: login = "marina"')
        if isinstance(account, str | int) and isinstance(login, str):
            first = logins.setdefault(str(account), (login, seat))
            if first[0] != login:
                one, other = f"aquí entra como «{login}»", f"en «{first[1]}», como «{first[0]}»"
                wrong = f"la cuenta {account} {one} y {other}"
                yield file.problem(("seats", seat, "login"), "game/login", wrong, "Corrige el que no sea")
