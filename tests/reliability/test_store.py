"""The database: durability, transactions, migrations."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError, OperationalError, StatementError

from jobs.catalogues import load_catalogue
from processor.store import migrate
from processor.store.database import Database, TransactionOpen
from processor.store.migrate import SchemaTooNew, upgrade
from processor.store.tables import conversations, games, metadata
from tests.support.databases import new_url, open_database
from tests.support.hand_clock import DEADLINE

GAME = {
    "id": "g",
    "folder": "f",
    "title": "t",
    "ruleset": "r",
    "status": "active",
    "secret": "",
    "first_turn": 1,
    "registered_at": DEADLINE,
}


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A new database that several may open."""
    return new_url(tmp_path)


@pytest.fixture
def database(url: str) -> Database:
    """The same, opened."""
    return open_database(url)


@pytest.mark.sqlite
@pytest.mark.parametrize(
    ("pragma", "expected"),
    [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1), ("busy_timeout", 10000)],
)
def test_sqlite_runs_safely(pragma: str, expected: object, tmp_path: Path) -> None:
    """A commit is on the disk before anything else happens, and what is referred to exists (F2)."""
    with open_database(f"sqlite:///{tmp_path / 'a.db'}").read() as connection:
        assert expected == connection.exec_driver_sql(f"PRAGMA {pragma}").scalar()


def test_moments_come_back_aware_and_in_utc(database: Database) -> None:
    """21:00 in a zone two hours ahead is 19:00 UTC, also after the store."""
    local = datetime(2026, 7, 1, 21, 0, tzinfo=timezone(timedelta(hours=2)))
    with database.write() as connection:
        connection.execute(insert(games).values(**{**GAME, "registered_at": local}))
        found = connection.execute(select(games.c.registered_at)).scalar_one()
    assert (local, UTC) == (found, found.tzinfo)


def test_a_moment_without_zone_is_refused(database: Database) -> None:
    """An hour whose zone nobody knows is a wrong hour."""
    naive = GAME | {"registered_at": DEADLINE.replace(tzinfo=None)}
    with database.write() as connection, pytest.raises(StatementError):
        connection.execute(insert(games).values(**naive))


def test_what_is_referred_to_must_exist(database: Database) -> None:
    """SQLite keeps foreign keys only where it is told to."""
    with database.write() as connection, pytest.raises(IntegrityError, match=r"(?i)foreign key"):
        connection.execute(insert(conversations).values(game_id="none", recipient="x", topic="1"))


def test_an_error_does_not_quote_the_row(database: Database) -> None:
    """What is refused may hold a seed or an order, and errors reach logs (F33)."""
    with database.write() as connection, pytest.raises(IntegrityError) as refused:
        connection.execute(insert(games).values(**GAME | {"secret": "geheim-7", "title": None}))
    assert "title" in str(refused.value)
    assert "geheim-7" not in f"{refused.value} {refused.value.orig}"


def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    """All or nothing, whatever the exception."""
    with pytest.raises(KeyboardInterrupt):
        _store_then(database, KeyboardInterrupt())
    with database.read() as connection:
        assert [] == connection.execute(select(games.c.id)).all()


def _store_then(database: Database, error: BaseException) -> None:
    with database.write() as connection:
        connection.execute(insert(games).values(**GAME))
        raise error


def test_network_traffic_inside_a_transaction_is_refused(database: Database) -> None:
    """The hook that the tests put before every request (F25)."""
    database.assert_idle()
    with database.read(), pytest.raises(TransactionOpen):
        database.assert_idle()
    database.assert_idle()


@pytest.mark.parametrize("game", [None, "g"])
def test_a_writer_waits_for_another(game: str | None, database: Database, url: str) -> None:
    """Four processes' worth of writers at once: each sees what those before it left, none fails (F24)."""
    others = [open_database(url) for _ in range(4)]

    def store(number: int) -> None:
        for step in range(10):
            # Alternately as a writer of one game and of everything, which keep each other out.
            with others[number].write(game if step % 2 else None) as connection:
                known = len(connection.execute(select(games.c.id)).all())
                connection.execute(
                    insert(games).values(**GAME | {"id": f"{number}-{step}", "first_turn": known})
                )

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(store, range(4)))
    with database.read() as connection:
        assert [*range(40)] == sorted(connection.execute(select(games.c.first_turn)).scalars())


def test_a_database_locked_for_too_long_is_an_error(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bounded: whoever holds it for ever doesn't hold us for ever."""
    monkeypatch.setattr("processor.store.database.BUSY_MS", 10)
    database, holder = open_database(url), open_database(url)
    with holder.write(), pytest.raises(OperationalError), database.write("g"):
        pass
    with database.write("g") as connection:
        connection.execute(insert(games).values(**GAME))


@pytest.mark.sqlite
def test_processes_that_open_a_new_file_together_all_come_in(tmp_path: Path) -> None:
    """Only one of them makes it a file with a write-ahead log; SQLite would refuse the others at once."""

    def read(path: Path) -> object:
        with open_database(f"sqlite:///{path}").read() as connection:
            return connection.exec_driver_sql("PRAGMA journal_mode").scalar()

    with ThreadPoolExecutor(8) as pool:
        for number in range(30):
            path = tmp_path / f"{number}.db"
            assert ["wal"] * 8 == list(pool.map(read, [path] * 8))


def test_migrations_make_what_the_tables_say(database: Database) -> None:
    """A table that was changed without a migration would be found here."""
    with database.read() as connection:
        assert [] == compare_metadata(MigrationContext.configure(connection), metadata)


def test_the_newest_migration_is_known(database: Database) -> None:
    """A start without news doesn't load Alembic, so the number stands in two places."""
    script = ScriptDirectory(str(Path(migrate.__file__).parent / "migrations"))
    assert migrate.HEAD == script.get_current_head()


def test_migrating_again_changes_nothing(database: Database) -> None:
    """Every start does it."""
    upgrade(database)
    with database.read() as connection:
        assert [(migrate.HEAD,)] == [*map(tuple, connection.exec_driver_sql("SELECT * FROM alembic_version"))]


def test_a_newer_database_is_refused_with_one_line(database: Database) -> None:
    """Nothing is guessed about tables from the future (F27)."""
    with database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SchemaTooNew, match="9999") as refused:
        upgrade(database)
    said = load_catalogue("es").text(refused.value.said)
    assert "esquema 9999" in said
    assert 1 == len(said.splitlines())


def test_processes_that_start_together_migrate_once(tmp_path: Path) -> None:
    """The second finds the work done (F27)."""
    url = new_url(tmp_path, migrated=False)
    databases = [open_database(url) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(upgrade, databases))
    with databases[0].read() as connection:
        assert 1 == connection.exec_driver_sql("SELECT count(*) FROM alembic_version").scalar()
