"""The store fails: full, busy, or the machine loses its power (reliability.md 4: F2, F23, F24)."""

from __future__ import annotations

import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event, insert, select
from sqlalchemy.exc import DBAPIError, OperationalError
from typer.testing import CliRunner

from jobs import host
from jobs.cli import app
from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.service.bundle import Service
from processor.store import database as store
from processor.store.database import Database
from processor.store.rows import SendState
from processor.store.tables import outbox, switches, turns
from tests.support.databases import new_url, on_postgres, open_database
from tests.support.hand_clock import DEADLINE
from tests.support.small_night import IdleForum, Night, start_night

EVENING, LATER, CLOSED = (DEADLINE + timedelta(minutes=minutes) for minutes in (-120, -60, 2))
AGAIN = 8
"""So often each part of the night is tried: enough for a lease, a quiet time and what a failure waits."""
STEP = 31 if on_postgres() else 11
"""Every how manieth write is tried; a night on PostgreSQL takes three times as long."""
Texts = list[tuple[str, str]]


def play(night: Night, service: Service | None = None) -> None:
    """The night from where it stands; a tick may fail, the next comes two minutes later."""
    for moment in (EVENING, LATER, CLOSED):
        for count in range(AGAIN):
            night.clock.set(max(moment + count * timedelta(minutes=2), night.clock.now()))
            order(night)
            with suppress(DBAPIError):
                tick(service or night.service)


def order(night: Night) -> None:
    """Alice orders at her hours."""
    written = [post.text for post in night.forum.posts if post.author == "2"]
    for word, at in (("dado", EVENING + timedelta(minutes=30)), ("otro", LATER)):
        block = f"[órdenes]\ntirar {word}\n[/órdenes]"
        if at <= night.clock.now() and block not in written:
            night.forum.write("2", block, at=at)


def texts(night: Night) -> Texts:
    """What the forum has of us."""
    return sorted((post.topic, post.text) for post in night.forum.by_bot())


def status(database: Database) -> str:
    """Where the first turn is."""
    with database.read() as connection:
        return str(connection.execute(select(turns.c.status).where(turns.c.number == 1)).scalar_one())


@cache
def undisturbed(folder: Path) -> Texts:
    """What a night leaves whose database never fails."""
    night = start_night(folder / "whole")
    play(night)
    return texts(night)


@contextmanager
def full_at(database: Database, write: int) -> Iterator[list[str]]:
    """A database that has no room for its n-th write and the five after it; gives each write."""
    written: list[str] = []

    def note(what: str) -> None:
        written.append(what)
        if write <= len(written) < write + 6:
            full = sqlite3.OperationalError("database or disk is full")
            raise OperationalError(what, None, full, hide_parameters=True)

    def before_statement(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        if statement.startswith(("INSERT", "UPDATE")):
            note(statement)

    def before_commit(_connection: object) -> None:
        note("COMMIT")

    event.listen(database.engine, "before_cursor_execute", before_statement)
    event.listen(database.engine, "commit", before_commit)
    try:
        yield written
    finally:
        event.remove(database.engine, "before_cursor_execute", before_statement)
        event.remove(database.engine, "commit", before_commit)


def test_a_full_disk_at_any_write_costs_no_text_and_makes_none_twice(tmp_path: Path) -> None:
    """Nothing leaves that isn't marked in the store; once there is room the night ends like any other."""
    expected, unmarked = undisturbed(tmp_path), 0
    write, last = 1, 2
    while write < last:
        night = start_night(tmp_path / str(write))
        database = night.service.database

        def look(checkpoint: Checkpoint, database: Database = database) -> None:
            nonlocal unmarked
            if checkpoint is Checkpoint.LEAVING:
                with database.read() as connection:
                    marked = select(outbox.c.id).where(outbox.c.state == SendState.SENDING)
                    unmarked += connection.execute(marked).first() is None

        with full_at(database, write) as written:
            play(night, night.worker("a", look))
        assert (write, expected, "published") == (write, texts(night), status(database))
        last = len(written)
        write += STEP
    assert 0 == unmarked
    assert last > 60  # the night has enough writes for this to mean something


def test_a_full_disk_is_told_in_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends; what the database says is what the host reads."""
    night = start_night(tmp_path / "g")

    @contextmanager
    def full() -> Iterator[Service]:
        with host.told_to_the_host(), full_at(night.service.database, 1):
            yield night.service

    monkeypatch.setattr(host, "open_service", full)
    monkeypatch.setattr(host, "start_logging", lambda level=0: None)
    result = CliRunner().invoke(app, ["tick"])
    said = ["✘ No puedo usar la base de datos: database or disk is full"]
    assert (2, said) == (result.exit_code, result.output.splitlines())


class PowerLoss(BaseException):
    """Everything in memory is gone."""


@pytest.mark.sqlite
@pytest.mark.parametrize("request_number", [1, 2, 3, 4, 5])
def test_the_mark_of_a_text_is_on_the_disk_when_it_leaves(request_number: int, tmp_path: Path) -> None:
    """The files as they lie at that moment, without what the process knows, are enough to go on from (F2)."""
    night = start_night(tmp_path / "g", url=new_url(tmp_path))
    disk = tmp_path / "disk"
    disk.mkdir()

    def copy_files() -> None:
        for file in tmp_path.glob("turnero.db*"):
            shutil.copy(file, disk)

    def fail() -> None:
        raise PowerLoss

    leaves = DieAt(Checkpoint.LEAVING, request_number, copy_files)
    answered = DieAt(Checkpoint.ANSWERED, request_number, fail)

    def reach(checkpoint: Checkpoint) -> None:
        leaves(checkpoint)
        answered(checkpoint)

    with pytest.raises(PowerLoss):
        play(night, night.worker("a", reach))
    found = open_database(f"sqlite:///{disk / 'turnero.db'}")
    reopened = replace(
        night.service, database=found, owner="b", open_forum=lambda game: IdleForum(night.forum, found)
    )
    with found.read() as connection:
        marked = connection.execute(select(outbox.c.state).where(outbox.c.state == "sending")).all()
    play(night, reopened)
    assert 1 == len(marked)
    assert (undisturbed(tmp_path), "published") == (texts(night), status(found))


def test_a_database_locked_for_half_a_minute_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three of four waits in vain, and the transaction happens all the same (F24)."""
    assert store.BUSY_MS * store.TRIES > 30_000
    monkeypatch.setattr(store, "BUSY_MS", 20)
    url = new_url(tmp_path)
    database, holder = open_database(url), open_database(url)
    held, enough = threading.Event(), threading.Event()
    waits: list[Any] = []
    is_busy = store._is_busy

    def count(error: BaseException | None) -> bool:
        waits.append(error)
        if len(waits) == store.TRIES - 1:
            enough.set()
            holding.join()
        return is_busy(error)

    def hold() -> None:
        with holder.write() as connection:
            connection.execute(insert(switches).values(name="a", since=DEADLINE))
            held.set()
            enough.wait()

    monkeypatch.setattr(store, "_is_busy", count)
    holding = threading.Thread(target=hold)
    holding.start()
    held.wait()
    with database.write("g") as connection:
        seen = connection.execute(select(switches.c.name)).scalars().all()
        connection.execute(insert(switches).values(name="b", since=DEADLINE))
    assert (3, ["a"]) == (len(waits), seen)
