"""The report's maps stand in the forum where it takes pictures, and no report waits long for one."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.ports import LoginFailed, Unreachable
from processor.service.holding import retry
from processor.service.replaying import replay
from processor.service.stepping import MOST_FAILURES
from processor.service.uploading import FIRST_WAIT, LONGEST_WAIT, MOST_ATTEMPTS, can_show
from processor.service.verifying import find_kept, verify_kept
from processor.store import games, turns
from processor.store.rows import TurnRow
from processor.store.tables import results, uploads
from reporters.pictures.drawing import DRAW, draw_gif
from rules.conquista.state import Army, Cell, Faction, Odds, Planet, State
from rules.engine.messages import msg
from rules.play.posts import PictureKind, Refused, Unknown, Uploaded
from tests.support import conquista_night
from tests.support.conquista_night import CLOSED, ConquistaNight
from tests.support.memory_forum import TOPIC
from tests.support.secret_night import ShowingForum

PICTURES = ("dominion", "map-ce", "map-ve")
ANSWER: dict[str, Refused | Unknown] = {
    "try": Refused("slow down", 3.0),
    "never": Refused("no pictures here"),
    "lost": Unknown("no answer"),
}


class Killed(BaseException):
    """The process ends here."""


@pytest.fixture
def night(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ConquistaNight:
    """A game with two planets and an army that nobody else sees, on a forum that takes pictures. Those in the
    folder, which take half of the time, are drawn by other tests.
    """
    monkeypatch.setattr("processor.folder.draw_png", lambda svg: svg.encode())
    cells = {
        "CE-1": Cell("Liga"),
        "CE-2": Cell("Corona", ("CE-1",)),
        "CE-3": Cell("Gremio", ("CE-2",)),
        "VE-1": Cell("Liga"),
        "VE-2": Cell(None, ("VE-1",)),
    }
    factions = {"Liga": Faction(9, "CE-1", 1), "Corona": Faction(5, None, 2), "Gremio": Faction(5, None, 3)}
    planets = {"CE": Planet("Ceniza"), "VE": Planet("Vesta")}
    state = State(planets, cells, factions, {"E1": Army("Liga", "CE-1", 6)}, Odds(1, 1, 1))
    night = conquista_night.start_night(tmp_path / "g", state, kind=ShowingForum)
    night.tick()
    night.whisper("Liga", "producir")
    night.post("Corona", "esperar")
    night.post("Gremio", "esperar")
    return night


def forum_of(night: ConquistaNight) -> ShowingForum:
    """Its forum."""
    assert isinstance(night.forum, ShowingForum)
    return night.forum


def close(night: ConquistaNight, minutes: float = 0) -> None:
    """The deadline is over by some time."""
    night.tick(at=CLOSED + timedelta(minutes=minutes))


def report(night: ConquistaNight) -> str:
    """The public report, "" while there is none."""
    posts = (post.text for post in night.forum.by_bot(TOPIC))
    return "\n".join(text for text in posts if ":report:" in text.split("\n")[-1])


def digest_of(night: ConquistaNight) -> str:
    """What the director is told of the turn."""
    found = night.folder.glob("reports/turn-001/digest*.md")
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(found))


def wrong(night: ConquistaNight) -> list[str]:
    """What `verify --replay` says that doesn't fit."""
    with night.service.database.read() as connection:
        row = games.get_game(connection, "marcas")
    kept = find_kept(night.service, row, 1)
    return [one.code for one in (*verify_kept(kept), *replay(kept).checks) if not one.passed]


def test_the_report_shows_the_maps_of_everybody(night: ConquistaNight) -> None:
    """Each public picture once, as the file in the folder shows it; none of a faction's own."""
    close(night)
    forum = forum_of(night)
    drawn = [night.folder / f"reports/turn-001/{name}.svg" for name in PICTURES]
    assert [(f"{path.stem}.gif", draw_gif(path.read_text("utf-8"))) for path in drawn] == forum.pictures
    shown = [f"](/media/{number}-{name}.gif)" for number, name in enumerate(PICTURES, 1)]
    assert [1, 1, 1] == [report(night).count(one) for one in shown]
    assert "map-ce-liga.svg" in {path.name for path in drawn[0].parent.iterdir()}
    assert not any("/media/" in night.sent(seat) for seat in ("Liga", "Corona", "director"))
    assert [] == wrong(night)


def test_a_turn_s_texts_are_made_again_with_their_pictures(night: ConquistaNight) -> None:
    """Where the forum keeps them is part of what the texts rest on; any other place is a difference."""
    close(night)
    with night.service.database.write() as connection:
        told = connection.execute(select(results.c.circumstances)).scalar_one()
        spoilt = json.dumps(json.loads(told) | {"pictures": [{"map-ce": "/media/7.gif"}, []]})
        connection.execute(results.update().values(circumstances=spoilt))
    assert ["texts", "files", "folder"] == wrong(night)


@pytest.mark.parametrize("answer", ["try", "lost"])
def test_what_is_refused_for_the_moment_is_tried_again(night: ConquistaNight, answer: str) -> None:
    """The report waits for it, for seconds, and so do the other pictures: the forum is left alone."""
    forum = forum_of(night)
    forum.uploading.append(ANSWER[answer])
    tick(night.service)
    night.clock.set(CLOSED)
    tick(night.service, patience=0)
    names = {name for name, _ in forum.pictures}
    assert ("", set()) == (report(night), names - {"dominion.gif"})
    night.clock.sleep(FIRST_WAIT.total_seconds())
    tick(night.service, patience=0)
    assert 3 == report(night).count("](/media/")
    assert ".png" not in digest_of(night)
    assert [] == wrong(night)


@pytest.mark.parametrize("answer", ["try", "lost"])
def test_a_report_goes_without_what_the_forum_does_not_take(night: ConquistaNight, answer: str) -> None:
    """After four attempts in all, within minutes, however many pictures there are: the words that say the
    same stand there, the director is told.
    """
    forum = forum_of(night)
    forum.uploading.extend([ANSWER[answer]] * (MOST_ATTEMPTS + 1))
    for attempt in range(MOST_ATTEMPTS):
        assert not report(night)
        night.clock.set(CLOSED + attempt * LONGEST_WAIT)
        tick(night.service, patience=0)
    assert 1 == len(forum.uploading)
    assert report(night)
    assert "/media/" not in report(night)
    said = {"try": "slow down", "lost": "no answer"}[answer]
    assert [1, 1, 1] == [digest_of(night).count(f"`{name}.png`: el foro dice «{said}».") for name in PICTURES]
    assert [] == wrong(night)


def test_what_was_not_even_tried_lacks_for_the_same_reason(
    night: ConquistaNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there are more pictures than attempts."""
    monkeypatch.setattr("processor.service.uploading.MOST_ATTEMPTS", 2)
    forum = forum_of(night)
    forum.uploading.extend([ANSWER["try"]] * 3)
    close(night)
    assert 1 == len(forum.uploading)
    assert [1, 1, 1] == [
        digest_of(night).count(f"`{name}.png`: el foro dice «slow down».") for name in PICTURES
    ]


def test_one_picture_that_never_gets_through_costs_the_others_nothing(night: ConquistaNight) -> None:
    """After an attempt that failed another goes first."""
    forum = forum_of(night)
    forum.uploading.extend([ANSWER["try"], None, None, *[ANSWER["try"]] * MOST_ATTEMPTS])
    close(night)
    assert ["map-ce.gif", "map-ve.gif"] == [name for name, _ in forum.pictures]
    assert 1 == len(forum.uploading)
    assert 2 == report(night).count("](/media/")
    assert 1 == digest_of(night).count(".png`: ")


def test_what_is_refused_for_good_is_not_tried_again(night: ConquistaNight) -> None:
    """Nobody waits; the other picture stands in the report."""
    forum = forum_of(night)
    forum.uploading.append(ANSWER["never"])
    close(night)
    assert ["map-ce.gif", "map-ve.gif"] == [name for name, _ in forum.pictures]
    assert 2 == report(night).count("](/media/")
    assert "`dominion.png`: el foro dice «no pictures here»." in digest_of(night)
    assert "Está en la carpeta del informe" in digest_of(night)
    assert [] == wrong(night)


def test_a_forum_that_is_down_while_a_picture_goes_is_an_attempt_lost(night: ConquistaNight) -> None:
    """An error of a single request is that picture's alone."""
    forum_of(night).uploading.append(Unreachable("forum/down", "no answer"))
    close(night)
    close(night, 1)
    assert 3 == report(night).count("](/media/")


def test_a_picture_that_is_too_big_is_not_sent(night: ConquistaNight) -> None:
    """How big it is and may be is told."""
    forum = forum_of(night)
    takes = forum.capabilities.uploads
    assert takes is not None
    forum.capabilities = replace(forum.capabilities, uploads=replace(takes, max_bytes=2048))
    close(night)
    assert [] == forum.pictures
    assert report(night)
    assert "KB y el foro admite 2 KB" in digest_of(night)


def test_who_dies_with_a_picture_in_the_forum_hands_it_over_again(night: ConquistaNight) -> None:
    """The forum has it twice and shows it once; there is one report."""

    def die() -> None:
        raise Killed

    dying = replace(night.service, owner="b", reach=DieAt(Checkpoint.UPLOADED, 2, die))
    night.clock.set(CLOSED)
    with pytest.raises(Killed):
        tick(dying)
    assert ("", 2) == (report(night), len(forum_of(night).pictures))
    close(night, 15)
    names = [name for name, _ in forum_of(night).pictures]
    assert ["dominion.gif", "map-ce.gif", "map-ce.gif", "map-ve.gif"] == names
    assert [1, 0, 1, 1] == [report(night).count(f"](/media/{number}-") for number in range(1, 5)]
    assert [] == wrong(night)


def test_a_correction_while_a_picture_waits_changes_the_map(night: ConquistaNight) -> None:
    """What the report shows is the turn as it is told, whatever the forum had before."""
    forum = forum_of(night)
    forum.uploading.extend([None, None, ANSWER["try"]])
    night.clock.set(CLOSED)
    tick(night.service, patience=0)
    before = dict(forum.pictures)
    night.correct({"set": "cells/CE-2/owner", "value": "Gremio", "reason": "Se me olvidó"})
    close(night, 1)
    newest = {name: (number, content) for number, (name, content) in enumerate(forum.pictures, 1)}
    number, content = newest["map-ce.gif"]
    assert before["map-ce.gif"] != content
    assert f"](/media/{number}-map-ce.gif)" in report(night)
    assert 3 == report(night).count("](/media/")
    assert [] == wrong(night)


def test_handles_go_with_the_first_text_that_shows_their_picture(night: ConquistaNight) -> None:
    """Some forums want them with the post; one handle may stand for all pictures."""
    forum = forum_of(night)
    forum.handle = "clave-7"
    close(night)
    with night.service.database.read() as connection:
        kept = connection.execute(select(uploads.c.handle)).scalars().all()
    assert (["clave-7"] * 3, [("clave-7",)]) == (kept, forum.enclosed)
    assert 3 == report(night).count("](/media/")


def test_a_correction_takes_all_of_a_post_s_files_anew(night: ConquistaNight) -> None:
    """A forum may show whatever lies with a post: the chart from before the correction doesn't."""
    forum = forum_of(night)
    forum.uploading.extend([None, None, ANSWER["try"]])
    forum.handle = "clave-1"
    night.clock.set(CLOSED)
    tick(night.service, patience=0)
    assert ["dominion.gif", "map-ce.gif"] == [name for name, _ in forum.pictures]
    night.correct({"set": "cells/VE-2/owner", "value": "Gremio", "reason": "Se me olvidó"})
    forum.handle = "clave-2"
    close(night, 1)
    assert [("clave-2",)] == forum.enclosed
    assert ["dominion.gif", "map-ce.gif", "map-ve.gif"] == sorted(name for name, _ in forum.pictures[2:])
    assert [True] * 3 == [f"](/media/{number}-" in report(night) for number in (3, 4, 5)]
    assert [] == wrong(night)


def test_an_address_that_no_text_can_show_is_none(night: ConquistaNight) -> None:
    """The picture lacks in the forum then, and the director is told so."""
    forum_of(night).places.append("javascript:alert(1)")
    close(night)
    assert 2 == report(night).count("](/media/")
    assert "`dominion.png`: la dirección que da el foro no sirve para enseñarla." in digest_of(night)
    assert "javascript" not in night.public()
    assert [] == wrong(night)


def test_what_can_be_shown_depends_on_the_forum_s_markup() -> None:
    """Addresses of the web, of the forum itself where its markup takes them, and numbers of its own files."""
    places = {
        "https://foro.example/a (1).png": {"spirit", "smf", "xenforo"},
        "/media/a.png": {"spirit"},
        "upload://abc.png": {"spirit"},
        "attachment:12": {"xenforo"},
    }
    nowhere = (
        "javascript:alert(1)",
        "data:image/gif;,",
        "//evil.example/a.png",
        "a",
        "",
        "/" + "x" * 600,
        "attachment:" + "9" * 5000,
    )
    for place in (*places, *nowhere):
        able = {one for one in ("spirit", "smf", "xenforo") if can_show(one, Uploaded(place))}
        assert (place, places.get(place, set())) == (place, able)


def test_an_address_stays_within_its_brackets(night: ConquistaNight) -> None:
    """Whatever a forum says of where it keeps a picture; and what goes along with it does."""
    forum = forum_of(night)
    forum.handle = "clave-7"
    forum.places.append("/media/mi mapa (1).gif\n) ¡hola! [b]\ud800")
    close(night)
    assert "](/media/mi%20mapa%20%281%29.gif%0A%29%20%C2%A1hola%21%20%5Bb%5D?)" in report(night)
    assert [("clave-7",)] == forum.enclosed
    assert [] == wrong(night)


def test_a_picture_that_can_not_be_drawn_keeps_no_report(
    night: ConquistaNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However that comes; the game isn't parked for it."""

    def refuse(svg: str) -> bytes:
        raise MemoryError(svg[:0])

    monkeypatch.setitem(DRAW, PictureKind.GIF, refuse)
    close(night)
    assert report(night)
    assert 3 == digest_of(night).count("no se ha podido dibujar para el foro")


def test_a_text_that_is_refused_for_its_pictures_goes_alone(night: ConquistaNight) -> None:
    """The forum may have thrown the files away by the time that it gets the text."""
    forum = forum_of(night)
    forum.handle, forum.refusing = "clave-7", Refused("the key is unknown")
    close(night)
    assert [("clave-7",)] == forum.enclosed
    assert 1 == len([post for post in forum.by_bot(TOPIC) if ":report:" in post.text.split("\n")[-1]])
    assert ["published", "open"] == [turn.status for turn in turns_of(night)]


def test_what_is_refused_for_itself_keeps_its_pictures(night: ConquistaNight) -> None:
    """A closed topic says nothing of them: once it is open again the report comes with all of them."""
    forum = forum_of(night)
    forum.handle, forum.refusing = "clave-7", Refused(msg("sent/closed"))
    close(night)
    assert "held" == turns_of(night)[0].status
    forum.refusing = None
    retry(night.service, "marcas")
    close(night, 1)
    assert [("clave-7",)] * 2 == forum.enclosed
    assert 3 == report(night).count("](/media/")


def test_an_account_that_is_locked_out_stops_a_turn_that_resolves(night: ConquistaNight) -> None:
    """As while publishing: nobody could find out otherwise why no report comes."""
    forum = forum_of(night)
    forum.shut = LoginFailed("forum/login-refused", "banned")
    close(night)
    for hours in range(1, MOST_FAILURES + 1):
        close(night, 60 * hours)
    (turn,) = turns_of(night)
    assert ("held", "forum", "resolving") == (turn.status, turn.held_code, turn.held_from)
    forum.shut = None
    retry(night.service, "marcas")
    close(night, 600)
    assert 3 == report(night).count("](/media/")
    assert [] == wrong(night)


def test_a_forum_that_is_down_while_a_turn_resolves_is_waited_for(night: ConquistaNight) -> None:
    """For hours, without an attempt that counts: the report couldn't be published either. It has its maps."""
    forum = forum_of(night)
    forum.shut = Unreachable("forum/down", "no answer")
    for hours in range(MOST_FAILURES + MOST_ATTEMPTS):
        close(night, 60 * hours)
    assert (["dominion.gif"], "resolving") == (
        [name for name, _ in forum.pictures],
        turns_of(night)[0].status,
    )
    forum.shut = None
    close(night, 900)
    assert ["dominion.gif", "map-ce.gif", "map-ve.gif"] == [name for name, _ in forum.pictures]
    assert 3 == report(night).count("](/media/")


def test_who_was_overtaken_with_a_picture_under_way_writes_nothing(night: ConquistaNight) -> None:
    """The answer comes when another worker has the turn: its report stands, once, with its own pictures."""

    def sleep_on() -> None:
        night.clock.sleep(3600)
        tick(night.service)

    slow = replace(night.service, owner="b", reach=DieAt(Checkpoint.UPLOADED, 2, sleep_on))
    night.clock.set(CLOSED)
    tick(slow)
    assert ["dominion.gif", "map-ce.gif", "map-ce.gif", "map-ve.gif"] == [
        name for name, _ in forum_of(night).pictures
    ]
    assert [1, 0, 1, 1] == [report(night).count(f"](/media/{number}-") for number in range(1, 5)]
    assert [] == wrong(night)


def turns_of(night: ConquistaNight) -> list[TurnRow]:
    """Its turns."""
    with night.service.database.read() as connection:
        return list(turns.list_turns(connection, "marcas"))
