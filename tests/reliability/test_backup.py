"""Backup and restore: everything in one file, and never half of it (reliability.md F26, F27, F33)."""

from __future__ import annotations

import hashlib
import random
import stat
import zipfile
from datetime import timedelta
from pathlib import Path
from threading import Event, Thread

import pytest
from sqlalchemy import MetaData, insert, select

from jobs.catalogues import load_catalogue
from jobs.tick import tick
from processor.backup import archive as archives
from processor.backup.archive import Writer, open_archive
from processor.backup.folders import Secrets
from processor.backup.manifest import FORMAT, MANIFEST, BackupError, Manifest, SavedGame
from processor.backup.restoring import Wanted
from processor.folder import write_file
from processor.store import migrate
from processor.store.database import Database
from processor.store.tables import games, outbox, switches
from rules.engine.codec import canonical_json
from tests.reliability.test_night import play_night
from tests.support.backups import add_game, new_database, new_sqlite, restore, rows_of, save
from tests.support.databases import new_url, open_database
from tests.support.hand_clock import DEADLINE
from tests.support.small_night import start_night

LATER = DEADLINE + timedelta(days=1)


def said(error: BackupError, language: str = "es") -> str:
    """What the host reads."""
    return load_catalogue(language).text(error.said)


def refused(database: Database, path: Path, wanted: Wanted | None = None) -> str:
    """Restore what can't be restored: one line, and the database is as it was."""
    before = rows_of(database)
    with pytest.raises(BackupError) as wrong:
        restore(database, path, wanted)
    assert before == rows_of(database)
    assert 1 == len(said(wrong.value).splitlines()) == len(said(wrong.value, "en").splitlines())
    return said(wrong.value)


def make_folder(folder: Path) -> Path:
    """A game's folder with all that belongs to it."""
    files = {
        "game.toml": "id = 'veth'\n",
        "setup.toml": "# mapa\n",
        "overrides/turn-001.toml": "# corrección\n",
        "overrides/duelo/turn-001.toml": "# otra\n",
        "inbox/turn-001/página 1.html": "<html>ñ</html>",
        "reports/turn-001/report.md": "# Turno 1\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def files_in(folder: Path) -> dict[str, str]:
    """Every file of a folder."""
    found = (one for one in folder.rglob("*") if one.is_file())
    return {one.relative_to(folder).as_posix(): one.read_text(encoding="utf-8") for one in found}


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """A backup of one game, whose folder is gone since."""
    database = new_database(tmp_path / "old")
    add_game(database, make_folder(tmp_path / "veth"))
    save(database, tmp_path / "copia.zip")
    database.close()
    (tmp_path / "veth").rename(tmp_path / "gone")
    return tmp_path / "copia.zip"


@pytest.fixture
def empty(tmp_path: Path) -> Database:
    """The database of another machine."""
    return new_database(tmp_path / "new")


# What goes in comes out.


def test_every_row_comes_back(tmp_path: Path, empty: Database) -> None:
    """After a night and a half: games, turns, orders, dice, texts, each row as it was."""
    night = start_night(tmp_path / "g", director="gm")
    play_night(night)
    night.clock.sleep(1000)
    night.forum.write("2", "[órdenes]\ntirar tres\n[/órdenes]")
    tick(night.service)
    with night.service.database.write() as connection:
        connection.execute(insert(switches).values(name="pause", since=DEADLINE))
    save(night.service.database, tmp_path / "copia.zip")
    restore(empty, tmp_path / "copia.zip")
    expected = rows_of(night.service.database)
    filled = {name for name, rows in expected.items() if rows}
    assert filled >= {
        "games",
        "seats",
        "turns",
        "states",
        "posts",
        "post_versions",
        "locks",
        "orders",
        "outbox",
    }
    assert expected == rows_of(empty)


def test_rows_are_the_same_on_either_database(tmp_path: Path, empty: Database) -> None:
    """From SQLite to the database that the tests run on and back: nothing is lost or rounded on the way."""
    night = start_night(tmp_path / "g", director="gm")
    play_night(night)
    first, last = new_sqlite(tmp_path / "first"), new_sqlite(tmp_path / "last")
    steps = ((night.service.database, first), (first, empty), (empty, last))
    for number, (source, target) in enumerate(steps):
        save(source, tmp_path / f"{number}.zip")
        restore(target, tmp_path / f"{number}.zip")
    expected = rows_of(night.service.database)
    assert [expected] * 3 == [rows_of(one) for one in (first, empty, last)]


def test_a_restored_database_numbers_on(tmp_path: Path, empty: Database) -> None:
    """The next night needs new numbers, which nothing of before may have."""
    night = start_night(tmp_path / "g")
    play_night(night)
    save(night.service.database, tmp_path / "copia.zip")
    restore(empty, tmp_path / "copia.zip")
    with empty.write() as connection:
        found = connection.exec_driver_sql("SELECT max(id) FROM outbox").scalar_one()
        row = connection.execute(select(outbox).where(outbox.c.id == found)).mappings().one()
        following = {name: value for name, value in row.items() if name != "id"} | {"number": 9}
        connection.execute(insert(outbox).values(**following))
        assert found + 1 == connection.exec_driver_sql("SELECT max(id) FROM outbox").scalar_one()


def test_folders_go_back_to_their_place(tmp_path: Path, saved: Path, empty: Database) -> None:
    """Files, overrides, inbox and reports, of the track too; letters of every kind in their names."""
    restore(empty, saved)
    assert files_in(tmp_path / "gone") == files_in(tmp_path / "veth")


def test_folders_go_elsewhere_where_told_so(tmp_path: Path, saved: Path, empty: Database) -> None:
    """The game is found in its new folder."""
    restore(empty, saved, Wanted(into=tmp_path / "partidas"))
    with empty.read() as connection:
        folder = connection.execute(select(games.c.folder)).scalar_one()
    assert str(tmp_path / "partidas" / "veth") == folder
    assert (files_in(tmp_path / "gone"), False) == (files_in(Path(folder)), (tmp_path / "veth").exists())


def test_a_pause_of_this_host_stays_one(saved: Path, empty: Database) -> None:
    """Who pauses everything before restoring wants nothing to happen behind it."""
    with empty.write() as connection:
        connection.execute(insert(switches).values(name="pause", since=LATER))
    restore(empty, saved)
    with empty.read() as connection:
        assert [LATER] == [*connection.execute(select(switches.c.since)).scalars()]


def test_an_older_schema_is_brought_to_ours(tmp_path: Path, empty: Database) -> None:
    """The rows go into the tables of their time, and from there through every migration."""
    old = open_database(new_url(tmp_path, migrated=False))
    with old.write() as connection:
        migrate.migrate(connection, "0002")
        found = MetaData()
        found.reflect(connection)
        rows = {name: b"" for name in found.tables if name != migrate.VERSION}
    told = dict.fromkeys(found.tables["games"].columns.keys())
    game = told | {"id": "veth", "folder": str(tmp_path / "veth"), "title": "Veth", "ruleset": "r"}
    game |= {"status": "active", "secret": "ab", "first_turn": 1, "failures": 0}
    rows["games"] = canonical_json(game | {"registered_at": LATER.isoformat()}).encode() + b"\n"
    rows["seats"] = b'{"account":"2","game_id":"veth","login":"a","seat":"Tau","shown":"{}"}\n'
    forge(
        tmp_path / "older.zip", {f"tables/{name}.jsonl": data for name, data in rows.items()}, schema="0002"
    )
    restore(empty, tmp_path / "older.zip")
    assert [b'"player":1' in one for one in rows_of(empty)["seats"]] == [True]
    assert migrate.HEAD == schema_of(empty)


def schema_of(database: Database) -> str:
    """The schema that a database says to have."""
    with database.read() as connection:
        return str(connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one())


def test_the_backups_of_the_program_before_can_be_read(tmp_path: Path, empty: Database) -> None:
    """They don't tell when files were changed, so those are as new as the restore."""
    database = new_database(tmp_path / "before")
    add_game(database, tmp_path / "veth")
    forge(
        tmp_path / "before.zip", tables_of(database) | {"games/veth/inbox/turn-001/a.txt": b"hola"}, version=1
    )
    restore(empty, tmp_path / "before.zip")
    assert "hola" == (tmp_path / "veth" / "inbox" / "turn-001" / "a.txt").read_text(encoding="utf-8")


def tables_of(database: Database) -> dict[str, bytes]:
    """The members with a database's rows."""
    return {f"tables/{name}.jsonl": b"".join(rows) for name, rows in rows_of(database).items()}


# While others work.


def test_a_backup_is_of_one_moment_while_others_write(tmp_path: Path, empty: Database) -> None:
    """A writer adds a game and a switch by turns; the backup never has one more switch than games."""
    database = new_database(tmp_path / "a")
    other = open_database(database.url.render_as_string(hide_password=False))
    add_game(database, tmp_path / "veth")
    going, stop = Event(), Event()

    def write() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            add_game(other, tmp_path / "veth", f"g{number}")
            with other.write() as connection:
                connection.execute(insert(switches).values(name=f"g{number}", since=DEADLINE))
            if number > 20:
                going.set()

    writer = Thread(target=write)
    writer.start()
    going.wait(60)
    manifest = save(database, tmp_path / "copia.zip")
    stop.set()
    writer.join()
    restore(empty, tmp_path / "copia.zip")
    rows = rows_of(empty)
    assert manifest.rows["games"] == len(rows["games"]) == len(manifest.games)
    # Tables are read one after another, so another moment for each would show more switches than games.
    assert 0 <= len(rows["games"]) - 1 - len(rows["switches"]) <= 1
    assert len(rows_of(database)["games"]) >= len(rows["games"])
    other.close()


# What stays outside.


def test_nothing_else_of_a_folder_is_taken(tmp_path: Path) -> None:
    """Only what belongs to the game; links are named and not followed, drafts are left."""
    folder = make_folder(tmp_path / "veth")
    (folder / "notas.txt").write_text("mías", encoding="utf-8")
    (folder / "overrides" / ".turn-001.toml.7.tmp").write_text("a medias", encoding="utf-8")
    (tmp_path / "fuera").mkdir()
    (tmp_path / "fuera" / "ajeno").write_text("ajeno", encoding="utf-8")
    (folder / "reports" / "enlace").symlink_to(tmp_path / "fuera")
    (folder / "inbox" / "enlace").symlink_to(tmp_path / "fuera" / "ajeno")
    database = new_database(tmp_path / "a")
    add_game(database, folder)
    manifest = save(database, tmp_path / "copia.zip")
    assert 6 == len(manifest.files_of("veth"))
    assert (("inbox/enlace", "link"), ("reports/enlace", "link")) == manifest.games[0].left_out


def test_no_password_is_in_a_backup(tmp_path: Path) -> None:
    """Neither the file that holds it, should it lie in the folder, nor one in which somebody noted it."""
    folder = make_folder(tmp_path / "veth")
    (folder / "inbox" / "clave").write_text("corta\n", encoding="utf-8")
    (folder / "inbox" / "apunte.txt").write_text("la contraseña es canario-7Q!x, ojo", encoding="utf-8")
    (folder / "inbox" / "otra").write_text("nada que ver", encoding="utf-8")
    database = new_database(tmp_path / "a")
    add_game(database, folder)
    secrets = Secrets((folder / "inbox" / "otra",), ("canario-7Q!x", "corta"))
    manifest = save(database, tmp_path / "copia.zip", secrets)
    left = {"inbox/apunte.txt", "inbox/clave", "inbox/otra"}
    assert left == {path for path, reason in manifest.games[0].left_out if reason == "secret"}
    with zipfile.ZipFile(tmp_path / "copia.zip") as opened:
        assert not any(b"canario" in opened.read(name) for name in opened.namelist())


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    """The rows are saved all the same."""
    database = new_database(tmp_path / "a")
    add_game(database, tmp_path / "nada")
    assert [False] == [one.found for one in save(database, tmp_path / "copia.zip").games]


# The file.


def test_only_its_owner_can_open_a_backup(saved: Path) -> None:
    """It holds the seeds of turns that are still open."""
    assert 0o600 == stat.S_IMODE(saved.stat().st_mode)


def test_a_backup_replaces_nothing_by_itself(tmp_path: Path, saved: Path) -> None:
    """Yesterday's backup is worth something until somebody says that it isn't."""
    database, before = new_database(tmp_path / "b"), saved.read_bytes()
    with pytest.raises(BackupError) as wrong:
        save(database, saved)
    assert ("ya está" in said(wrong.value), before) == (True, saved.read_bytes())
    save(database, saved, replace=True)
    assert before != saved.read_bytes()
    assert [] == [*tmp_path.glob(".*")]


def test_a_backup_that_fails_leaves_nothing(tmp_path: Path) -> None:
    """Not even the draft."""
    database = new_database(tmp_path / "a")
    add_game(database, tmp_path / "veth")

    def break_off(done: int, total: int) -> None:
        raise KeyboardInterrupt

    from processor.backup.making import Notes, make_backup  # noqa: PLC0415

    with pytest.raises(KeyboardInterrupt):
        make_backup(database, tmp_path / "copia.zip", Notes(DEADLINE, "test"), tell=break_off)
    assert [] == [one.name for one in tmp_path.iterdir() if "copia" in one.name]


def test_equal_content_is_an_equal_file(tmp_path: Path, saved: Path) -> None:
    """So that whoever keeps many can tell them apart."""
    (tmp_path / "gone").rename(tmp_path / "veth")
    database = new_database(tmp_path / "other")
    add_game(database, tmp_path / "veth")
    save(database, tmp_path / "otra.zip")
    assert saved.read_bytes() == (tmp_path / "otra.zip").read_bytes()


# What is refused.


def test_a_backup_goes_into_an_empty_database_only(tmp_path: Path, saved: Path) -> None:
    """What is there would be lost, or mixed with what comes."""
    database = new_database(tmp_path / "b")
    add_game(database, tmp_path / "otra", "otra")
    assert "ya tiene 1 partida" in refused(database, saved)


@pytest.mark.parametrize("seed", range(40))
def test_one_flipped_bit_is_noticed(seed: int, tmp_path: Path, saved: Path, empty: Database) -> None:
    """Wherever it is: in a row, in a hash, in the zip's own tables."""
    data = bytearray(saved.read_bytes())
    place = random.Random(seed).randrange(len(data) * 8)  # noqa: S311 - a test's choice
    data[place // 8] ^= 1 << place % 8
    saved.write_bytes(data)
    assert refused(empty, saved)
    assert not (tmp_path / "veth").exists()


@pytest.mark.parametrize("share", [0, 1, 3, 50, 90, 99])
def test_a_cut_file_is_noticed(share: int, saved: Path, empty: Database) -> None:
    """However much of it came through."""
    data = saved.read_bytes()
    saved.write_bytes(data[: len(data) * share // 100])
    assert refused(empty, saved)


def test_a_byte_more_is_noticed(saved: Path, empty: Database) -> None:
    """It isn't the file that was saved."""
    saved.write_bytes(saved.read_bytes() + b"0")
    assert refused(empty, saved)


def test_what_is_no_backup_is_named_so(tmp_path: Path, empty: Database) -> None:
    """Another file, another zip, none at all."""
    (tmp_path / "nota.txt").write_text("hola", encoding="utf-8")
    with zipfile.ZipFile(tmp_path / "fotos.zip", "w") as other:
        other.writestr("foto", "x")
    assert "no es una copia de Turnero" in refused(empty, tmp_path / "nota.txt")
    assert "está cortado, o no lo guardó" in refused(empty, tmp_path / "fotos.zip")
    assert "No puedo leer" in refused(empty, tmp_path / "nada.zip")


def forge(
    path: Path,
    members: dict[str, bytes],
    *,
    schema: str = migrate.HEAD,
    version: int = FORMAT,
    rows: dict[str, int] | None = None,
    hidden: dict[str, bytes] | None = None,
) -> None:
    """A backup with a right seal and whatever else in it. hidden: members that its manifest doesn't name."""
    tables = {
        one.split("/")[1].removesuffix(".jsonl"): data for one, data in members.items() if "tables/" in one
    }
    counts = {name: data.count(b"\n") for name, data in tables.items()} if rows is None else rows
    game = SavedGame("veth", "Veth", str(path.parent / "veth"), True, ())
    with path.open("w+b") as file:
        writer = Writer(file)
        for name, data in members.items():
            writer.add(name, (data,))
        told = tuple(writer.members)
        for name, data in (hidden or {}).items():
            writer.add(name, (data,))
        writer.close(Manifest(version, LATER.isoformat(), "9.9", schema, counts, (game,), told, {}))


@pytest.mark.parametrize(
    "name",
    [
        "games/veth/../../fuera",
        "games/veth/reports/../../fuera",
        "games/../fuera",
        "/etc/fuera",
        "games/veth/reports\\..\\fuera",
        "games/otra/game.toml",
        "games/veth/.ssh/config",
        "games/veth/notas.txt",
        "games/veth/reports/C:fuera",
        "tables/otra.jsonl",
        "fuera",
    ],
)
def test_nothing_leads_out_of_a_games_folder(name: str, tmp_path: Path, empty: Database) -> None:
    """A file that somebody has made to look like a backup writes nowhere else."""
    forge(tmp_path / "mala.zip", {name: b"x"})
    assert "no la uso" in refused(empty, tmp_path / "mala.zip")
    assert {"mala.zip"} == {one.name for one in tmp_path.iterdir() if one.name != "new"}


def test_a_bomb_is_not_opened(tmp_path: Path, empty: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small file that would fill the disk."""
    monkeypatch.setattr(archives, "_SMALL", 1 << 20)
    forge(tmp_path / "mala.zip", {"games/veth/reports/x": bytes(4 << 20)})
    assert "no lo abro" in refused(empty, tmp_path / "mala.zip")


def test_a_member_that_nobody_named_is_refused(tmp_path: Path, empty: Database) -> None:
    """Nothing comes in beside the manifest."""
    forge(tmp_path / "mala.zip", {}, hidden={"games/veth/game.toml": b"x"})
    assert "«games/veth/game.toml»" in refused(empty, tmp_path / "mala.zip")


@pytest.mark.parametrize(
    ("told", "words"),
    [({"schema": "9999"}, "esquema 9999"), ({"version": FORMAT + 1}, "más nuevo (9.9)")],
)
def test_a_newer_backup_is_refused(told: dict[str, str], words: str, tmp_path: Path, empty: Database) -> None:
    """Nothing is guessed about what a newer program has written."""
    forge(tmp_path / "nueva.zip", {}, **told)  # type: ignore[arg-type]
    assert words in refused(empty, tmp_path / "nueva.zip")


@pytest.mark.parametrize("line", [b"{}\n", b"[]\n", b"no\n", b'{"id":1}\n'])
def test_rows_that_are_none_are_refused(line: bytes, tmp_path: Path, saved: Path, empty: Database) -> None:
    """The database stays empty, and the tables that were loaded before are so too."""
    with open_archive(saved) as archive:
        tables = {
            one.name: archive.read(one.name) for one in archive.manifest.members if "tables" in one.name
        }
    forge(tmp_path / "mala.zip", tables | {"tables/outbox.jsonl": line})
    assert "La tabla «outbox»" in refused(empty, tmp_path / "mala.zip")
    forge(tmp_path / "corta.zip", {"tables/games.jsonl": tables["tables/games.jsonl"]})
    assert "Las tablas de la copia" in refused(empty, tmp_path / "corta.zip")


# Files that are there already.


def test_files_that_are_the_same_are_in_nobodys_way(tmp_path: Path, saved: Path, empty: Database) -> None:
    """A lost database, the folders still there: the most usual case."""
    (tmp_path / "gone").rename(tmp_path / "veth")
    restore(empty, saved)
    assert 1 == len(rows_of(empty)["games"])


@pytest.mark.parametrize(("wanted", "expected"), [("keep", "# de hoy\n"), ("overwrite", "# mapa\n")])
def test_files_that_differ_are_asked_about(
    wanted: str, expected: str, tmp_path: Path, saved: Path, empty: Database
) -> None:
    """Nothing is overwritten, and nothing left, without being told."""
    (tmp_path / "gone").rename(tmp_path / "veth")
    (tmp_path / "veth" / "setup.toml").write_text("# de hoy\n", encoding="utf-8")
    told = refused(empty, saved)
    assert ("Ya hay 1 archivo" in told, str(tmp_path / "veth" / "setup.toml") in told) == (True, True)
    restore(empty, saved, Wanted(keep=wanted == "keep", overwrite=wanted == "overwrite"))
    assert expected == (tmp_path / "veth" / "setup.toml").read_text(encoding="utf-8")


def test_nothing_is_written_through_a_link(tmp_path: Path, saved: Path, empty: Database) -> None:
    """A folder inside of the game's that leads elsewhere."""
    (tmp_path / "veth").mkdir()
    (tmp_path / "fuera").mkdir()
    (tmp_path / "veth" / "reports").symlink_to(tmp_path / "fuera")
    assert "es un enlace" in refused(empty, saved, Wanted(overwrite=True))
    assert [] == [*(tmp_path / "fuera").iterdir()]


def test_a_restore_that_fails_takes_everything_back(
    tmp_path: Path, saved: Path, empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the last file: the folder is as it was, the database empty."""
    from processor.backup import folders  # noqa: PLC0415

    (tmp_path / "veth").mkdir()
    (tmp_path / "veth" / "setup.toml").write_text("# de hoy\n", encoding="utf-8")
    real = write_file

    def write(path: Path, content: bytes) -> None:
        if path.name == "report.md":
            raise OSError(28, "No space left on device", str(path))
        real(path, content)

    monkeypatch.setattr(folders, "write_file", write)
    assert "No space left" in refused(empty, saved, Wanted(overwrite=True))
    assert {"setup.toml": "# de hoy\n"} == files_in(tmp_path / "veth")
    assert ["setup.toml"] == [one.name for one in (tmp_path / "veth").iterdir()]


def test_hashes_are_those_of_the_members(saved: Path) -> None:
    """Whoever has lost the program can still check and read the file with any zip tool."""
    with open_archive(saved) as archive:
        manifest: Manifest = archive.manifest
    with zipfile.ZipFile(saved) as opened:
        found = [
            (one.filename, one.file_size, hashlib.sha256(opened.read(one)).hexdigest())
            for one in opened.infolist()
            if one.filename != MANIFEST
        ]
    assert found == [(one.name, one.size, one.sha256) for one in manifest.members]
