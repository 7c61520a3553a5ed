"""The director's corrections and answers: `overrides/turn-003.toml` and `[[turn.override]]` (design.md 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from parsers.files.errors import FileErrors, FileProblem
from parsers.files.models import Strict, check_table, nearest, quoted, what_is
from parsers.files.override_tables import KINDS, SHARED_KEYS
from parsers.files.positions import KeyPath, Positions
from parsers.files.toml import TomlFile, read_toml
from rules.engine.messages import msg
from rules.play.attempts import Orders


@dataclass(frozen=True, slots=True)
class OrderRef:
    """An order of the frozen block: `Imperio#2` is its number in the receipt, refused ones counted."""

    seat: str
    number: int

    def __str__(self) -> str:
        """As it stands in the file."""
        return f"{self.seat}#{self.number}"


@dataclass(frozen=True, slots=True)
class Entry:
    """What every entry has.

    reason: why; public unless `secret`. secret: only its seat sees the correction.
    line: line of the file, None where it came otherwise. place: position in the file, counted from 1.
    """

    reason: str
    secret: bool
    line: int | None
    place: int


@dataclass(frozen=True, slots=True)
class Replace(Entry):
    """Another order instead. was: what must stand there by now, None: anything. force: may break legality."""

    order: OrderRef
    text: str
    was: str | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class Cancel(Entry):
    """An order that doesn't count. was: what must stand there by now, None: anything."""

    order: OrderRef
    was: str | None = None


@dataclass(frozen=True, slots=True)
class Add(Entry):
    """A further order of a seat (or of `director`), behind its own. force: may break legality."""

    seat: str
    text: str
    force: bool = False


@dataclass(frozen=True, slots=True)
class IgnorePost(Entry):
    """A post whose blocks don't count; `post` is the forum's id."""

    post: str


@dataclass(frozen=True, slots=True)
class AcceptPost(Entry):
    """A late or doubtful post that counts after all; `post` is the forum's id."""

    post: str


@dataclass(frozen=True, slots=True)
class SetValue(Entry):
    """A value of the turn's input state. path: parts without `/`. value: as TOML gives it."""

    path: tuple[str, ...]
    value: Any


@dataclass(frozen=True, slots=True)
class SetDie(Entry):
    """Values of a roll's address, or ids for a draw, from its first die on."""

    address: str
    values: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Ruling(Entry):
    """The answer to a question. if_asked: no error where it is never asked."""

    question: str
    answer: str
    if_asked: bool = False


@dataclass(frozen=True, slots=True)
class SetDeadline(Entry):
    """Another deadline; without offset it is local time in the game's zone."""

    at: datetime


@dataclass(frozen=True, slots=True)
class Extend(Entry):
    """A later deadline. unit: `h` hours, or `d` days of the game's calendar (the hour of the day stays)."""

    amount: int
    unit: str


@dataclass(frozen=True, slots=True)
class Pause(Entry):
    """The turn's clock stands still."""


@dataclass(frozen=True, slots=True)
class Resume(Entry):
    """The turn's clock goes on; the deadline moves by the length of the pause."""


@dataclass(frozen=True, slots=True)
class Void(Entry):
    """An attempt at the turn doesn't count. attempt: its number. orders: whether they are given anew."""

    attempt: int
    orders: Orders


@dataclass(frozen=True, slots=True)
class UseBeacon(Entry):
    """What to do while the beacon doesn't answer. value: its signature in hex, or `FALL_BACK`: without it."""

    value: str


Override = (
    Replace
    | Cancel
    | Add
    | IgnorePost
    | AcceptPost
    | SetValue
    | SetDie
    | Ruling
    | SetDeadline
    | Extend
    | Pause
    | Resume
    | Void
    | UseBeacon
)


def load_overrides(text: str, name: str) -> tuple[Override, ...]:
    """Read an override file, in file order. Raises FileErrors."""
    file = read_toml(text, name)
    problems = [
        file.problem(
            (key,), "file/unknown-key", msg("files/unknown-key", key=key), msg("files/only-overrides")
        )
        for key in file.data
        if key != "override"
    ]
    overrides, wrong = read_overrides(file.data.get("override", []), file, ("override",))
    if problems or wrong:
        raise FileErrors([*problems, *wrong])
    return overrides


def parse_overrides(entries: Sequence[Mapping[str, Any]], name: str = "override") -> tuple[Override, ...]:
    """Check entries that don't come from a file of their own. Raises FileErrors."""
    overrides, wrong = read_overrides(list(entries), TomlFile(name, {}, Positions()), ("override",))
    if wrong:
        raise FileErrors(wrong)
    return overrides


def read_overrides(
    entries: object, file: TomlFile, path: KeyPath
) -> tuple[tuple[Override, ...], list[FileProblem]]:
    """Check the list of entries that stands at `path`: what is right of it, and all that is wrong."""
    if not isinstance(entries, list):
        return (), [file.problem(path, "file/type", what_is(entries), msg("files/write-override"))]
    overrides: list[Override] = []
    problems: list[FileProblem] = []
    for place, entry in enumerate(entries):
        made, wrong = _read_entry(entry, file, (*path, place))
        problems += wrong
        if made is not None:
            overrides.append(made)
    return tuple(overrides), problems


def _read_entry(entry: object, file: TomlFile, path: KeyPath) -> tuple[Override | None, list[FileProblem]]:
    if not isinstance(entry, dict):
        wrong = what_is(entry)
        return None, [file.problem(path, "file/type", wrong, msg("files/override-table"))]
    kinds = [key for key in entry if key in KINDS]
    if len(kinds) != 1:
        return None, [_no_single_kind(entry, kinds, file, path)]
    table, problems = check_table(KINDS[kinds[0]], _known(entry, kinds[0]), file, path)
    problems += _misplaced(entry, kinds[0], file, path)
    if table is None or problems:
        return None, problems
    return _build(kinds[0], table, file.positions.line_of(path), int(path[-1]) + 1), []


def _known(entry: dict[str, Any], kind: str) -> dict[str, Any]:
    """The entry without keys that belong to other kinds: those are said by `_misplaced`."""
    own = _keys(kind)
    others = {key for model in KINDS.values() for key in _model_keys(model)} - own
    return {key: value for key, value in entry.items() if key not in others}


def _keys(kind: str) -> set[str]:
    return set(_model_keys(KINDS[kind]))


def _model_keys(model: type[Strict]) -> tuple[str, ...]:
    return tuple(field.alias or name for name, field in model.model_fields.items())


def _misplaced(entry: dict[str, Any], kind: str, file: TomlFile, path: KeyPath) -> list[FileProblem]:
    own = sorted(_keys(kind) - {kind})
    right = msg("files/allowed", words=quoted(own))
    return [
        file.problem((*path, key), "file/misplaced-key", msg("files/misplaced", key=key, kind=kind), right)
        for key in entry
        if key not in _known(entry, kind)
    ]


def _no_single_kind(entry: dict[str, Any], kinds: list[str], file: TomlFile, path: KeyPath) -> FileProblem:
    if kinds:
        wrong = msg("files/several", two=int(len(kinds) == 2), kinds=quoted(kinds))
        return file.problem((*path, kinds[1]), "override/several", wrong, msg("files/one-each"))
    for key in entry:
        near = nearest(key, list(KINDS)) if key not in SHARED_KEYS else None
        if near:
            where = (*path, key)
            return file.problem(
                where, "file/unknown-key", msg("files/unknown-key", key=key), msg("files/meant", word=near)
            )
    right = msg("files/one-of-keys", words=quoted(KINDS))
    return file.problem(path, "override/nothing", msg("files/nothing-corrected"), right)


def _build(kind: str, table: Any, line: int | None, place: int) -> Override:
    """The entry as a value; the tables were checked before."""
    made: Override = _BUILD[kind](table, (table.reason, table.secret, line, place))
    return made


def _order_ref(text: str) -> OrderRef:
    seat, _, number = text.rpartition("#")
    return OrderRef(seat.strip(), int(number))


def _values(value: int | str | list[int | str]) -> tuple[int | str, ...]:
    return tuple(value) if isinstance(value, list) else (value,)


_BUILD: dict[str, Callable[[Any, tuple[str, bool, int | None, int]], Override]] = {
    "replace": lambda table, common: Replace(
        *common, _order_ref(table.replace), table.with_, table.was, table.force
    ),
    "cancel": lambda table, common: Cancel(*common, _order_ref(table.cancel), table.was),
    "add": lambda table, common: Add(*common, table.add, table.order, table.force),
    "ignore_post": lambda table, common: IgnorePost(*common, table.ignore_post),
    "accept_post": lambda table, common: AcceptPost(*common, table.accept_post),
    "set": lambda table, common: SetValue(*common, tuple(table.set.split("/")), table.value),
    "die": lambda table, common: SetDie(*common, table.die, _values(table.value)),
    "ruling": lambda table, common: Ruling(*common, table.ruling, table.answer, table.if_asked),
    "deadline": lambda table, common: SetDeadline(*common, table.deadline),
    "extend": lambda table, common: Extend(*common, int(table.extend[:-1]), table.extend[-1]),
    "pause": lambda _table, common: Pause(*common),
    "resume": lambda _table, common: Resume(*common),
    "void": lambda table, common: Void(*common, table.void, table.orders),
    "beacon": lambda table, common: UseBeacon(*common, table.beacon),
}
