"""What the parts of a scenario must have in common; judged on the file's data as they are, right or wrong."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from parsers.files.errors import FileProblem
from parsers.files.positions import KeyPath
from parsers.files.scenario_tables import HeadTable, TurnTable
from parsers.files.toml import TomlFile
from rules.engine.messages import msg

HEAD_KEYS = tuple(HeadTable.model_fields)
TURN_KEYS = tuple(TurnTable.model_fields)

NOT_WHEN_RESUMED = ("orders", "post", "seed")
"""A turn that goes on keeps its frozen orders and its dice."""

TurnPlace = tuple[KeyPath, dict[str, Any]]


def check_turns(file: TomlFile, turns: list[TurnPlace]) -> list[FileProblem]:
    """All that is wrong between tables: form of the file, tracks, sequence of turns, what excludes what.

    That a turn's track exists can't be judged here: a turn may open tracks.
    """
    problems = [*_check_form(file, turns), *_check_tracks(file), *_check_sequence(file, turns)]
    for path, turn in turns:
        problems += _check_posts(file, path, turn)
        problems += _check_addresses(file, path, turn)
        problems += _check_expected(file, path, turn)
    return problems


def _check_form(file: TomlFile, turns: list[TurnPlace]) -> Iterable[FileProblem]:
    given = file.data.get("turn")
    if given is not None and not isinstance(given, list):
        yield file.problem(
            ("turn",),
            "scenario/turn-list",
            msg("files/turns-list"),
            msg("files/two-brackets"),
        )
    elif given == []:
        yield file.problem(("turn",), "scenario/turn-list", msg("files/no-turn"), msg("files/add-turn"))
    elif given is not None and len(turns) != len(given):
        yield file.problem(("turn",), "scenario/turn-list", msg("files/turn-table"), msg("files/write-turn"))
    if isinstance(file.data.get("track"), str):
        # At the top of a file `track` is the list of tracks, so that a turn in the short form can't name one.
        wrong = msg("files/short-tracks")
        yield file.problem(("track",), "scenario/track-in-short-form", wrong, msg("files/use-long"))


def _check_tracks(file: TomlFile) -> Iterable[FileProblem]:
    tracks = file.data.get("track")
    seen: set[object] = set()
    for place, track in enumerate(tracks if isinstance(tracks, list) else ()):
        name = track.get("name") if isinstance(track, dict) else None
        if isinstance(name, str) and name in seen:
            wrong = msg("files/track-twice", name=name)
            yield file.problem(
                ("track", place, "name"), "scenario/track-twice", wrong, msg("files/rename-track")
            )
        seen.add(name if isinstance(name, str) else None)


def _check_sequence(file: TomlFile, turns: list[TurnPlace]) -> Iterable[FileProblem]:
    """Each track counts on by one; only the turn just before can be taken up again."""
    last: dict[object, int] = {}
    before: tuple[object, object] | None = None
    for path, turn in turns:
        number, track = turn.get("number"), turn.get("track", "")
        if not isinstance(number, int) or not isinstance(track, str):
            before = None
            continue
        if before == (track, number):
            yield from _check_resumed(file, path, turn)
        elif track in last and number != last[track] + 1:
            wrong = msg("files/sequence", last=last[track], number=number)
            right = msg("files/sequence-right", given=last[track] + 1)
            yield file.problem((*path, "number"), "scenario/sequence", wrong, right)
        before = (track, number)
        last[track] = number


def _check_resumed(file: TomlFile, path: KeyPath, turn: dict[str, Any]) -> Iterable[FileProblem]:
    for key in NOT_WHEN_RESUMED:
        if key in turn:
            wrong = msg("files/resumed", key=key)
            yield file.problem((*path, key), "scenario/resumed", wrong, msg("files/resumed-right"))


def _check_posts(file: TomlFile, path: KeyPath, turn: dict[str, Any]) -> Iterable[FileProblem]:
    posts = turn.get("post")
    if not isinstance(posts, list):
        return
    if "orders" in turn:
        wrong = msg("files/posts-and-orders")
        yield file.problem(
            (*path, "post"),
            "scenario/orders-and-posts",
            wrong,
            msg("files/posts-or-orders"),
        )
    zones: set[bool] = set()
    for place, post in enumerate(posts):
        if not isinstance(post, dict):
            continue
        where = (*path, "post", place)
        if ("seat" in post) == ("author" in post):
            wrong = msg("files/post-of")
            yield file.problem(where, "scenario/author", wrong, msg("files/seat-or-author"))
        if isinstance(post.get("time"), datetime):
            zones.add(post["time"].tzinfo is None)
    if len(zones) > 1:
        wrong = msg("files/mixed-times")
        yield file.problem((*path, "post"), "scenario/mixed-times", wrong, msg("files/times-alike"))


def _check_addresses(file: TomlFile, path: KeyPath, turn: dict[str, Any]) -> Iterable[FileProblem]:
    dice = turn.get("dice")
    for address in dice if isinstance(dice, dict) else ():
        if not _is_path(address):
            wrong = msg("files/no-roll", address=address)
            right = msg("files/write-address")
            yield file.problem((*path, "dice", address), "scenario/address", wrong, right)


def _check_expected(file: TomlFile, path: KeyPath, turn: dict[str, Any]) -> Iterable[FileProblem]:
    expect = turn.get("expect")
    if not isinstance(expect, dict):
        return
    absent = expect.get("absent")
    for place, gone in enumerate(absent if isinstance(absent, list) else ()):
        if isinstance(gone, str) and not _is_path(gone):
            where = (*path, "expect", "absent", place)
            yield file.problem(
                where, "scenario/path", msg("files/gone-no-path", gone=gone), msg("files/gone-path")
            )
    events = expect.get("events")
    for place, event in enumerate(events if isinstance(events, list) else ()):
        if isinstance(event, dict) and event and not isinstance(event.get("id"), str):
            where = (*path, "expect", "events", place)
            yield file.problem(where, "file/missing-key", msg("files/missing-id"), msg("files/event-id"))


def _is_path(text: str) -> bool:
    return all(part.strip() == part != "" for part in text.split("/"))
