"""`setup.toml`: the starting state in the rule set's own terms, and how it fits `game.toml` (design.md 3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.game import GameFile
from parsers.files.models import nearest, offer
from parsers.files.positions import KeyPath
from parsers.files.state_problems import load_plain
from parsers.files.toml import TomlFile, read_toml
from rules.engine.audience import EVERYBODY
from rules.engine.codec import dump_state
from rules.engine.messages import Code, Message, Name, Param, Quoted, msg
from rules.engine.ruleset import Ruleset
from rules.engine.text import fold
from rules.play.game import Game

IF_WORDS = ("si", "si no", "if", "if not", "otherwise")
"""What a line with a colon is read as before an actor is looked for (design.md 2)."""


@dataclass(frozen=True, slots=True)
class SetupFile:
    """A starting state as read. file: for what later turns out to be wrong."""

    state: Any
    file: TomlFile


def parse_setup(text: str, ruleset: Ruleset, options: Any, name: str = "setup.toml") -> SetupFile:
    """Read a starting state; a dumped state is one.

    options: the game's values of the rule set's options.

    Raises:
        FileErrors: the one syntax error, or else all other mistakes.
    """
    file = read_toml(text, name)
    state, problems = load_plain(ruleset.state, file.data, file, ())
    if not problems:
        problems = [_found(one, file) for one in ruleset.check(state, options)]
    if problems:
        raise FileErrors(problems)
    return SetupFile(state, file)


def join_files(game: GameFile, setup: SetupFile) -> Game:
    """The game with its seats named as the rule set names them.

    Raises:
        FileErrors: seats that only one of the two files has, or names that would be read as something else.
    """
    names = game.ruleset.seats(setup.state)
    problems = [*_check_seats(game, names), *_check_actors(game, setup), *_check_logins(game, setup)]
    if problems:
        raise FileErrors(problems)
    return name_seats(game, names)


def name_seats(game: GameFile, names: Mapping[str, Name]) -> Game:
    """The game with names for the seats that its file doesn't name itself."""
    seats = tuple(
        one if one.id in game.named or one.id not in names else replace(one, shown=names[one.id])
        for one in game.game.seats
    )
    return replace(game.game, seats=seats)


def _found(message: Message, file: TomlFile) -> FileProblem:
    """A finding of the rule set, at the line of the first thing that it names."""
    where = next((place for text in _named(message) if (place := _place_of(text, file.data))), ())
    return file.problem(where, message.id, message)


def _named(message: Message) -> Iterable[str]:
    for value in message.params.values():
        yield from _texts(value)


def _texts(value: Param) -> Iterable[str]:
    if isinstance(value, Code | Quoted | Name):
        yield value.text
    elif isinstance(value, str):
        yield value
    elif isinstance(value, tuple):
        for one in value:
            yield from _texts(one)


def _place_of(text: str, data: Mapping[str, Any]) -> KeyPath:
    """Where the thing with that id stands, in one of the top tables; or the value at a path `table/id`."""
    path = tuple(text.split("/"))
    if len(path) > 1 and path[0] in data:
        return path
    return next(
        ((table, text) for table, things in data.items() if isinstance(things, Mapping) and text in things),
        (),
    )


def _check_seats(game: GameFile, names: Mapping[str, Name]) -> Iterable[FileProblem]:
    """Every seat of the game is one of the state, and the other way round."""
    given = [one.id for one in game.game.seats]
    missing = [one for one in names if one not in given]
    for seat in given:
        if seat not in names:
            near = _near(seat, missing)
            missing = [one for one in missing if one != near]
            wrong = msg("files/unknown-seat", seat=seat)
            right = offer(near, names, "files/it-has")
            yield game.file.problem(("seats", seat), "game/unknown-seat", wrong, right)
    for seat in missing:
        wrong = msg("files/missing-seat", seat=seat)
        right = msg("files/add-seat", seat=_key(seat))
        yield game.file.problem(("seats",), "game/missing-seat", wrong, right)


def _check_logins(game: GameFile, setup: SetupFile) -> Iterable[FileProblem]:
    """With open orders too a seat needs its login where the map hides something that it alone may know."""
    if game.game.forum.secret:
        return  # asked for already

    def look(viewer: str) -> Any:
        return dump_state(game.ruleset.view(setup.state, viewer, game.game.options))

    public = look(EVERYBODY)
    if all(look(seat.id) == public for seat in game.game.seats):
        return
    for seat in game.game.seats:
        if seat.account is not None and seat.login is None:
            wrong = msg("files/no-login-secrets", seat=seat.id)
            yield game.file.problem(("seats", seat.id), "game/login", wrong, msg("files/add-login"))


def _near(word: str, words: list[str]) -> str | None:
    found = nearest(fold(word), [fold(one) for one in words])
    return next((one for one in words if fold(one) == found), None)


def _key(text: str) -> str:
    return text if text.isascii() and text.replace("-", "").replace("_", "").isalnum() else f'"{text}"'


def _check_actors(game: GameFile, setup: SetupFile) -> Iterable[FileProblem]:
    """Nobody who may stand in front of an order is named like a verb or a clause (design.md 2)."""
    kind = game.ruleset.main_kind
    words = {fold(word): msg("files/quoted", word=word) for word in IF_WORDS}
    words |= {
        word: msg("files/the-verb", verb=kind.grammar.shown(kind.grammar.find_verb(word)[0]))
        for word in kind.grammar.spoken
    }
    words |= {
        fold(key): msg("files/quoted", word=f"{key}:")
        for form in kind.orders
        for clause in form.clauses
        for key in clause.keys
    }
    told: set[str] = set()
    for actor, name in _actors(game, setup):
        if fold(name) in words and name not in told:
            told.add(name)
            wrong = msg("files/read-as", name=name, words=words[fold(name)])
            where = _place_of(actor, setup.file.data)
            yield setup.file.problem(where, "game/actor", wrong, msg("files/rename"))


def _actors(game: GameFile, setup: SetupFile) -> Iterable[tuple[str, str]]:
    """Ids and names of whoever may act in front of an order, for each seat."""
    kind = game.ruleset.main_kind
    for seat in game.ruleset.seats(setup.state):
        view = game.ruleset.look(
            setup.state, seat, game.game.options, kind=kind.name, track="", number=game.game.first_turn
        )
        for argument in {
            id(one.actors): one.actors for one in kind.orders if one.actors is not None
        }.values():
            of = getattr(argument, "of", None)
            for actor, names in of(kind.plan(view)).items() if of is not None else ():
                yield from ((actor, name) for name in (actor, *names))
