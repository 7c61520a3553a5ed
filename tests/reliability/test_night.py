"""Nights on the forum in memory, from the opening post to the report."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

from sqlalchemy import select

from jobs.tick import tick
from processor.service.holding import retry
from processor.store import turns
from processor.store.tables import events, games, orders, outbox, post_versions, rolls
from rules.play.turns import TurnRef, TurnStatus
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC, Fault
from tests.support.small_night import Night, start_night

AFTER = DEADLINE + timedelta(minutes=2)


def play_night(night: Night) -> None:
    """Opening; a public block and a private one; the deadline."""
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.forum.whisper("3", "[órdenes]\ntirar secreto\n[/órdenes]")
    night.clock.set(DEADLINE - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(AFTER)
    tick(night.service)


def kinds_of(night: Night, topic: str | None = TOPIC) -> list[str]:
    """The bot's posts by marker, without game, turn and hash."""
    markers = [post.text.split("\n")[-1] for post in night.forum.by_bot(topic)]
    return [":".join(marker.split(":")[2:5]) for marker in markers]


def status_of(night: Night, number: int = 1) -> TurnStatus:
    """Where a turn is."""
    with night.service.database.read() as connection:
        turn = turns.find_attempt(connection, TurnRef("pequena", number))
    assert turn is not None
    return turn.status


def reason_of(night: Night, number: int = 1) -> tuple[str | None, str | None]:
    """Code and reason of a held turn."""
    with night.service.database.read() as connection:
        turn = turns.find_attempt(connection, TurnRef("pequena", number))
    assert turn is not None
    return turn.held_code, turn.reason


def test_each_text_of_a_night_stands_in_the_forum_once(tmp_path: Path) -> None:
    """Opening, receipts kept as one post that is edited, a report in two parts, and what is private apart."""
    night = start_night(tmp_path / "g")
    play_night(night)
    public = ["1.1:open:1/1", "1.1:receipts:1/1", "1.1:report:1/2", "1.1:report:2/2"]
    private = ["1.1:receipt-sur:1/1", "1.1:report-sur:1/1"]
    assert (public, private) == (kinds_of(night), kinds_of(night, "1001"))
    assert (TurnStatus.PUBLISHED, TurnStatus.OPEN) == (status_of(night), status_of(night, 2))


def test_nothing_secret_stands_in_the_topic(tmp_path: Path) -> None:
    """What was ordered in private is told in private."""
    night = start_night(tmp_path / "g")
    play_night(night)
    assert [] == [post for post in night.forum.by_bot(TOPIC) if "secreto" in post.text]


def test_a_published_turn_lies_in_the_folder(tmp_path: Path) -> None:
    """The report and its proof are written as files, with nothing half-written beside them."""
    night = start_night(tmp_path / "g")
    play_night(night)
    lies = tmp_path / "g" / "reports" / "turn-001"
    assert ["informe.md", "proof.json"] == sorted(path.name for path in lies.iterdir())
    assert {"game": "pequena", "turn": 1, "seed": "07" * 32} == json.loads((lies / "proof.json").read_text())


def test_orders_events_and_rolls_are_rows(tmp_path: Path) -> None:
    """Each order can be queried by its seat; values of 64-bit dice keep every digit."""
    night = start_night(tmp_path / "g")
    play_night(night)
    with night.service.database.read() as connection:
        ordered = connection.execute(
            select(orders.c.seat, orders.c.text, orders.c.accepted).order_by(orders.c.seat)
        )
        told = connection.execute(select(events.c.seat, events.c.audience).order_by(events.c.position))
        dice = connection.execute(
            select(rolls.c.label, rolls.c.n, rolls.c.value).order_by(rolls.c.position)
        ).all()
        expected = [("norte", "tirar dado", True), ("sur", "tirar secreto", True)]
        assert (expected, [("norte", '"public"'), ("sur", '["sur"]')]) == (
            [*map(tuple, ordered)],
            [*map(tuple, told)],
        )
    assert ("dado/norte/1", str(2**64), "17250841296276114573") == tuple(dice[0])


def test_every_version_of_a_post_is_kept(tmp_path: Path) -> None:
    """An edited order leaves both texts behind; an unchanged post is stored once however often it is read."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    post = night.forum.write("2", "[órdenes]\ntirar uno\n[/órdenes]")
    for _ in range(3):
        night.clock.sleep(900)
        tick(night.service)
    night.forum.rewrite(post.id, "[órdenes]\ntirar dos\n[/órdenes]")
    night.clock.sleep(900)
    tick(night.service)
    with night.service.database.read() as connection:
        texts = connection.execute(
            select(post_versions.c.raw)
            .where(post_versions.c.author_id == "2")
            .order_by(post_versions.c.version)
        )
        assert ["[órdenes]\ntirar uno\n[/órdenes]", "[órdenes]\ntirar dos\n[/órdenes]"] == [*texts.scalars()]


def test_receipts_follow_the_orders(tmp_path: Path) -> None:
    """One post, edited in place; its text is always that of the newest reading."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    for word in ("uno", "dos", "tres"):
        night.forum.write("2", f"[órdenes]\ntirar {word}\n[/órdenes]")
        night.clock.sleep(900)
        tick(night.service)
    shown = [post for post in night.forum.by_bot() if "receipts" in post.text]
    assert (1, 2, True) == (len(shown), shown[0].edits, "tirar tres" in shown[0].text)


def test_a_late_post_does_not_count_and_is_named(tmp_path: Path) -> None:
    """What was written after the deadline's minute is in the closing reading and out of the turn."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar pronto\n[/órdenes]")
    night.clock.set(DEADLINE + timedelta(minutes=1, seconds=5))
    night.forum.write("3", "[órdenes]\ntirar tarde\n[/órdenes]")
    tick(night.service)
    report = "\n".join(post.text for post in night.forum.by_bot())
    assert (True, True, False) == ("tirar pronto" in report, "Tarde: #4" in report, "tarde/sur" in report)


def test_the_minute_of_the_deadline_still_counts(tmp_path: Path) -> None:
    """Nothing is read for the last time before that minute is over by the forum's clock."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.clock.set(DEADLINE + timedelta(seconds=30))
    tick(night.service, patience=0)
    night.forum.write("2", "[órdenes]\ntirar justo\n[/órdenes]")
    night.clock.set(AFTER)
    tick(night.service)
    assert "justo/norte/1" in "".join(post.text for post in night.forum.by_bot())


def test_the_game_ends_with_its_last_turn(tmp_path: Path) -> None:
    """No further turn is planned, and nothing is due any more."""
    night = start_night(tmp_path / "g", last=1)
    play_night(night)
    with night.service.database.read() as connection:
        assert ["finished"] == connection.execute(select(games.c.status)).scalars().all()
        assert 1 == len(turns.list_turns(connection, "pequena"))
    assert None is tick(night.service).next_at


def test_a_game_that_failed_in_its_last_step_is_over_all_the_same(tmp_path: Path) -> None:
    """Where the reports could not be written the game was parked; once they can, it is finished for good."""
    night = start_night(tmp_path / "g", last=1)
    (tmp_path / "g" / "reports").touch()
    play_night(night)
    with night.service.database.read() as connection:
        assert "parked" == connection.execute(select(games.c.status)).scalar_one()

    (tmp_path / "g" / "reports").unlink()
    night.clock.sleep(1800)
    tick(night.service)
    retry(night.service, "pequena")
    with night.service.database.read() as connection:
        row = connection.execute(select(games.c.status, games.c.failures, games.c.note)).one()
    assert ("finished", 0, None) == tuple(row)
    assert (TurnStatus.PUBLISHED, None) == (status_of(night), tick(night.service).next_at)


def test_a_game_may_begin_at_any_turn(tmp_path: Path) -> None:
    """A dumped state is a setup: the opening post is that of turn 7."""
    night = start_night(tmp_path / "g", first_turn=7)
    tick(night.service)
    assert ["7.1:open:1/1"] == kinds_of(night)


def test_two_turns_follow_each_other(tmp_path: Path) -> None:
    """The second turn reads from where the first left off, and has its own receipts and report."""
    night = start_night(tmp_path / "g")
    play_night(night)
    night.forum.write("2", "[órdenes]\ntirar otra\n[/órdenes]")
    night.clock.set(AFTER + timedelta(days=7))
    tick(night.service)
    expected = ["2.1:receipts:1/1", "2.1:report:1/2", "2.1:report:2/2"]
    assert (expected, TurnStatus.OPEN) == (kinds_of(night)[4:], status_of(night, 3))
    assert "dado/norte/1" not in "".join(post.text for post in night.forum.by_bot()[6:])


def test_a_question_waits_for_the_director(tmp_path: Path) -> None:
    """The director gets a letter; once the override file answers, the turn goes on with the same dice."""
    night = start_night(tmp_path / "g", director="gm")
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\npreguntar algo\n[/órdenes]")
    night.clock.set(AFTER)
    tick(night.service)
    asked = (status_of(night), [post.text.split("\n")[0] for post in night.forum.by_bot("1000")])
    assert (TurnStatus.ASKING, ["Pregunta: duda/norte"]) == asked
    write_overrides(night, "respuesta")
    night.clock.sleep(900)
    tick(night.service)
    report = night.forum.by_bot(TOPIC)[-1].text
    assert (TurnStatus.PUBLISHED, True) == (status_of(night), "Correcciones tardías: respuesta" in report)
    assert "dado/norte/1 = 17250841296276114573" in report


def test_a_bad_override_file_holds_its_turn(tmp_path: Path) -> None:
    """The director reads what is wrong; after the file is mended `retry` goes on."""
    night = start_night(tmp_path / "g", director="gm")
    write_overrides(night, "mal")
    play_night(night)
    assert (TurnStatus.HELD, ("override", "turn-001.toml: mal")) == (status_of(night), reason_of(night))
    write_overrides(night, "bien")
    retry(night.service, "pequena")
    tick(night.service)
    assert (TurnStatus.PUBLISHED, 1) == (status_of(night), kinds_of(night).count("1.1:report:1/2"))


def test_a_turn_held_twice_writes_two_letters(tmp_path: Path) -> None:
    """The second obstacle is told as the first was, in a text of its own."""
    night = start_night(tmp_path / "g", director="gm")
    night.clock.set(DEADLINE - timedelta(minutes=30))
    tick(night.service)
    night.clock.set(AFTER)
    tick(night.service)
    assert "nmr" == reason_of(night)[0]
    write_overrides(night, "mal")
    retry(night.service, "pequena")
    tick(night.service)
    conversation = next(iter(night.forum.conversations))
    assert ["1.1:held:1/1", "1.1:held-2:1/1"] == kinds_of(night, conversation)


def test_nearly_nobody_with_orders_holds_the_turn(tmp_path: Path) -> None:
    """That is what a failed reading looks like; the director's `retry` lets the turn go on."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.clock.set(AFTER)
    tick(night.service)
    assert ("nmr", TurnStatus.HELD) == (reason_of(night)[0], status_of(night))
    retry(night.service, "pequena")
    tick(night.service)
    assert TurnStatus.PUBLISHED is status_of(night)


def test_a_turn_that_is_hours_late_waits_for_the_director(tmp_path: Path) -> None:
    """Up to six hours it is run by itself, later somebody has to say so."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.clock.set(DEADLINE + timedelta(hours=7))
    tick(night.service)
    assert ("late", TurnStatus.HELD) == (reason_of(night)[0], status_of(night))
    retry(night.service, "pequena")
    tick(night.service)
    assert TurnStatus.PUBLISHED is status_of(night)


def test_a_late_night_leaves_a_day_for_the_next(tmp_path: Path) -> None:
    """The next deadline is the first of the schedule at least 24 hours after the report."""
    night = start_night(tmp_path / "g", every_days=1)
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.clock.set(DEADLINE + timedelta(hours=3))
    tick(night.service)
    with night.service.database.read() as connection:
        following = turns.find_attempt(connection, TurnRef("pequena", 2))
    assert following is not None
    assert DEADLINE + timedelta(days=2) == following.due_at


def test_a_forum_whose_clock_is_off_holds_the_turn(tmp_path: Path) -> None:
    """The cut-off is the forum's; ten minutes between the clocks is no drift."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.forum.drift = timedelta(minutes=-11)
    night.clock.set(AFTER)
    tick(night.service)
    assert "skew" == reason_of(night)[0]


def test_the_forums_clock_decides_when_the_deadline_is_over(tmp_path: Path) -> None:
    """Where it is a few minutes behind ours, the closing reading waits for it."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.drift = timedelta(minutes=-5)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]", at=night.clock.now())
    night.clock.set(AFTER)
    tick(night.service)
    assert TurnStatus.OPEN is status_of(night)
    night.clock.sleep(300)
    tick(night.service)
    assert TurnStatus.PUBLISHED is status_of(night)


def test_a_missing_post_is_looked_for_twice_more(tmp_path: Path) -> None:
    """A known post that is gone in one reading may be a stale page; in three it is deleted."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.write("3", "[órdenes]\ntirar otro\n[/órdenes]")
    gone = night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.clock.sleep(900)
    tick(night.service)
    night.forum.posts.remove(gone)
    night.clock.set(AFTER)
    tick(night.service, patience=0)
    assert TurnStatus.OPEN is status_of(night)
    tick(night.service, patience=30)
    assert (TurnStatus.PUBLISHED, False) == (
        status_of(night),
        "dado/norte" in "".join(post.text for post in night.forum.by_bot()),
    )


def test_what_cannot_be_read_is_never_taken_for_silence(tmp_path: Path) -> None:
    """A login page at the deadline leaves the turn open; five in a row and the director is told."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.clock.set(AFTER)
    night.forum.read_faults.extend([Fault.LOGIN_PAGE] * 5)
    for _ in range(4):
        tick(night.service)
        assert TurnStatus.OPEN is status_of(night)
        night.clock.sleep(900)
    tick(night.service)
    assert ("forum", TurnStatus.HELD) == (reason_of(night)[0], status_of(night))
    retry(night.service, "pequena")
    tick(night.service)
    assert TurnStatus.PUBLISHED is status_of(night)


def test_a_forum_that_is_down_is_waited_for(tmp_path: Path) -> None:
    """No answer says nothing about anybody: the turn closes when the forum is back."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.clock.set(AFTER)
    night.forum.read_faults.extend([Fault.DOWN] * 9)
    for _ in range(12):
        tick(night.service)
        night.clock.sleep(900)
    assert (TurnStatus.PUBLISHED, 1) == (status_of(night), kinds_of(night).count("1.1:report:1/2"))


def test_a_broken_game_does_not_stop_the_others(tmp_path: Path) -> None:
    """Its folder can't be read, so it is parked for a while; the other game has its night."""
    night = start_night(tmp_path / "g")
    other = start_night(tmp_path / "h", id="otra")
    (tmp_path / "g" / "broken").touch()
    play_night(night)
    play_night(other)
    with night.service.database.read() as connection:
        parked = connection.execute(select(games.c.status, games.c.note)).one()
    assert ("parked", 0, 4) == (parked.status, len(night.forum.by_bot()), len(other.forum.by_bot(TOPIC)))
    (tmp_path / "g" / "broken").unlink()
    night.clock.sleep(1800)
    tick(night.service)
    with night.service.database.read() as connection:
        assert "active" == connection.execute(select(games.c.status)).scalar_one()


def test_an_idle_tick_asks_the_database_and_nobody_else(tmp_path: Path) -> None:
    """Nothing is due, so nothing is sent and no row changes."""
    night = start_night(tmp_path / "g")
    tick(night.service)
    before = night.forum.requests
    assert (0, before) == (tick(night.service, patience=0).steps, night.forum.requests)


def test_the_outbox_remembers_every_revision(tmp_path: Path) -> None:
    """What a receipt said earlier stays in the store."""
    night = start_night(tmp_path / "g")
    play_night(night)
    with night.service.database.read() as connection:
        rows = connection.execute(
            select(outbox.c.revision, outbox.c.state)
            .where(outbox.c.kind == "receipts")
            .order_by(outbox.c.revision)
        )
        assert [(1, "sent"), (2, "sent")] == [*map(tuple, rows)]


def write_overrides(night: Night, text: str) -> None:
    """The override file of turn 1."""
    path = night.folder / "overrides" / "turn-001.toml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
