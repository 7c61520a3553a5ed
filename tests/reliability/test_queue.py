"""A forum keeps a text for a moderator: it is waited for, told of, and never sent twice by itself."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from jobs.commands.status_text import describe_game
from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.outbox import LONGEST_QUEUE, choose_row, next_row_at
from processor.service.holding import retry, send_again
from processor.service.looking import look_at
from processor.store import games, outbox_rows
from processor.store.rows import OutboxRow, SendState
from processor.store.tables import outbox
from rules.play.outgoing import TOPIC
from rules.play.turns import TurnRef, TurnStatus
from tests.reliability.test_night import AFTER, kinds_of, reason_of, status_of
from tests.reliability.test_outbox import WHOLE, make_row
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC as TOPIC_ID
from tests.support.memory_forum import Fault
from tests.support.small_night import Night, start_night

LETTER = re.compile(r":1\.1:(queued-|refused-|held)[^\n]*\Z")
ORDERS = "[órdenes]\ntirar dado\n[/órdenes]"


@pytest.fixture
def night(tmp_path: Path) -> Night:
    """A night that has not begun."""
    return start_night(tmp_path / "g", director="gm")


def states(night: Night, kind: str) -> list[str]:
    """The states of a text's rows."""
    with night.service.database.read() as connection:
        rows = connection.execute(select(outbox.c.state).where(outbox.c.kind == kind).order_by(outbox.c.id))
        return list(rows.scalars())


def letters(night: Night) -> list[str]:
    """What the director was written."""
    return [post.text for post in night.forum.by_bot() if LETTER.search(post.text)]


def play_to_report(night: Night, *faults: Fault | None) -> None:
    """Play up to the report. faults: of the requests from the closed receipts on."""
    tick(night.service)
    night.forum.write("2", ORDERS)
    night.clock.set(DEADLINE - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(AFTER)
    night.forum.post_faults.extend(faults)
    tick(night.service)


def pass_hours(night: Night, hours: float) -> None:
    """Let time pass, with a tick every ten minutes."""
    for _ in range(int(hours * 6)):
        night.clock.sleep(600)
        tick(night.service, patience=0)


def test_a_report_that_a_moderator_lets_through_goes_on(night: Night) -> None:
    """The first half waits; the second leaves after it, nothing is sent twice, and the turn ends as ever."""
    play_to_report(night, None, Fault.QUEUE)
    pass_hours(night, 5)
    waits = (status_of(night), states(night, "report"), kinds_of(night))
    night.forum.approve()
    pass_hours(night, 1)
    assert (TurnStatus.PUBLISHING, ["queued", "ready"], WHOLE[:2]) == waits
    assert (TurnStatus.PUBLISHED, WHOLE) == (status_of(night), kinds_of(night))


def test_the_director_is_told_once_which_text_waits(night: Night) -> None:
    """However often it is looked for, and whatever else of the text waits."""
    play_to_report(night, None, Fault.QUEUE)
    pass_hours(night, 8)
    (letter,) = letters(night)
    assert (True, True) == (
        "El foro ha tomado ptd1:pequena:1.1:report:1/2" in letter,
        "espera a que un moderador lo apruebe (el foro dice «new account»)." in letter,
    )


def test_what_waits_is_looked_for_ever_more_rarely(night: Night) -> None:
    """At first every few minutes, after some hours every half hour: a moderator sleeps, too."""
    play_to_report(night, None, Fault.QUEUE)
    pass_hours(night, 3)
    counts = []
    for hours in (2, 2):
        before = night.forum.requests
        pass_hours(night, hours)
        counts.append(night.forum.requests - before)
    assert [4, 4] == counts


def test_status_tells_what_waits_and_what_to_do(night: Night) -> None:
    """The director needn't have read the letter."""
    play_to_report(night, None, Fault.QUEUE)
    with night.service.database.read() as connection:
        row = games.get_game(connection, "pequena")
    lines = list(describe_game(night.service, look_at(night.service, row), night.clock.now(), "g"))
    with night.service.database.read() as connection:
        (marker,) = (one.marker for one in outbox_rows.list_rows(connection, 1, SendState.QUEUED))
    assert [
        f"⚠ `{marker}` espera a que un moderador del foro lo apruebe: el foro dice «new account»",
        (
            "  En cuanto se vea, lo encuentro yo. "
            "Si lo han rechazado, `turnero retry g --again` lo publica otra vez."
        ),
        "Por publicar: 1 texto.",
    ] == lines[-3:]


def test_a_rejected_report_is_published_again_when_the_director_says_so(night: Night) -> None:
    """No forum tells that a moderator has thrown a text away."""
    play_to_report(night, None, Fault.QUEUE)
    night.forum.queue.clear()
    pass_hours(night, 2)
    assert (1, []) == (send_again(night.service, "pequena"), kinds_of(night)[2:])
    tick(night.service)
    assert (TurnStatus.PUBLISHED, WHOLE) == (status_of(night), kinds_of(night))


def test_one_that_is_let_through_just_then_is_not_published_twice(night: Night) -> None:
    """The director says that it was rejected, and it wasn't: it is looked for before it is sent."""
    play_to_report(night, None, Fault.QUEUE)
    night.forum.approve()
    send_again(night.service, "pequena")
    tick(night.service)
    assert (TurnStatus.PUBLISHED, WHOLE) == (status_of(night), kinds_of(night))


def test_retry_for_another_reason_publishes_nothing_again(night: Night) -> None:
    """What waits for a moderator goes on waiting."""
    play_to_report(night, None, Fault.QUEUE)
    retry(night.service, "pequena")
    pass_hours(night, 1)
    assert (["queued", "ready"], 1) == (states(night, "report"), len(night.forum.queue))


def test_after_three_days_the_director_decides(night: Night) -> None:
    """The turn is held; `retry` looks for the report once more and then publishes it again."""
    play_to_report(night, None, Fault.QUEUE)
    night.forum.queue.clear()
    night.clock.sleep(LONGEST_QUEUE.total_seconds())
    tick(night.service)
    held = (status_of(night), reason_of(night)[0], "desde hace 3 días" in (reason_of(night)[1] or ""))
    retry(night.service, "pequena")
    tick(night.service)
    assert (TurnStatus.HELD, "unapproved", True) == held
    assert (TurnStatus.PUBLISHED, WHOLE) == (status_of(night), kinds_of(night))


def test_a_moderator_who_comes_after_that_is_not_too_late(night: Night) -> None:
    """What holds the turn is gone, so it goes on without the director."""
    play_to_report(night, None, Fault.QUEUE)
    night.clock.sleep(LONGEST_QUEUE.total_seconds())
    tick(night.service)
    assert TurnStatus.HELD == status_of(night)
    night.forum.approve()
    pass_hours(night, 1)
    assert (TurnStatus.PUBLISHED, WHOLE) == (status_of(night), kinds_of(night))


def test_orders_are_read_while_the_opening_waits(night: Night) -> None:
    """It is let through before the deadline, is known by the next reading, and the turn closes in time."""
    night.forum.post_faults.append(Fault.QUEUE)
    tick(night.service)
    night.forum.write("2", ORDERS)
    night.clock.sleep(1000)
    tick(night.service)
    assert ["1.1:receipts:1/1"] == kinds_of(night)
    night.forum.approve()
    pass_hours(night, 0.5)
    night.clock.set(AFTER)
    tick(night.service)
    assert (TurnStatus.PUBLISHED, sorted(WHOLE)) == (status_of(night), sorted(kinds_of(night)))


def test_an_opening_that_nobody_has_let_through_holds_the_turn(night: Night) -> None:
    """Its commitment isn't public before the deadline, so the dice can't be proven."""
    night.forum.post_faults.append(Fault.QUEUE)
    tick(night.service)
    night.forum.write("2", ORDERS)
    night.clock.set(AFTER)
    tick(night.service)
    assert (TurnStatus.HELD, "commitment") == (status_of(night), reason_of(night)[0])


def test_a_lost_answer_is_known_by_what_its_author_sees_of_the_queue(night: Night) -> None:
    """Where the forum shows us what waits, a text of unknown fate is not sent again."""
    night.forum.shows_queue = True
    play_to_report(night, None, Fault.QUEUE_THEN_DROP)
    pass_hours(night, 1)
    waits = (states(night, "report"), len(night.forum.queue))
    night.forum.approve()
    pass_hours(night, 1)
    assert (["queued", "ready"], 1) == waits
    assert (TurnStatus.PUBLISHED, WHOLE) == (status_of(night), kinds_of(night))


def test_receipts_that_wait_keep_no_report_waiting(night: Night) -> None:
    """They are let through days later, and are then edited to what they say at the end."""
    tick(night.service)
    night.forum.post_faults.append(Fault.QUEUE)
    night.forum.write("2", ORDERS)
    night.clock.set(DEADLINE - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(AFTER)
    tick(night.service)
    assert (TurnStatus.PUBLISHED, [WHOLE[0], *WHOLE[2:]]) == (status_of(night), kinds_of(night))
    pass_hours(night, 1)
    night.forum.approve()
    pass_hours(night, 1)
    (text,) = (one.text for one in night.forum.by_bot(TOPIC_ID) if ":receipts:" in one.text)
    assert (["sent", "sent"], True) == (states(night, "receipts"), "Cerrado" in text)


def test_an_edit_that_waits_is_looked_for_in_its_post(night: Night) -> None:
    """The old receipts stand there meanwhile; the next revision comes after."""
    tick(night.service)
    night.forum.write("2", ORDERS)
    night.clock.sleep(900)
    tick(night.service)
    night.forum.post_faults.append(Fault.QUEUE)
    night.forum.write("2", "[órdenes]\ntirar dos\n[/órdenes]")
    pass_hours(night, 0.5)
    before = (states(night, "receipts"), "tirar dos" in night.forum.by_bot()[1].text)
    night.forum.approve()
    pass_hours(night, 0.5)
    after = (states(night, "receipts"), "tirar dos" in night.forum.by_bot()[1].text)
    assert ((["sent", "queued"], False), (["sent", "sent"], True)) == (before, after)


@pytest.mark.parametrize(
    ("where", "occurrence"),
    [
        (Checkpoint.CLAIMED, 3),
        (Checkpoint.MARKED, 2),
        (Checkpoint.ANSWERED, 2),
        (Checkpoint.POSTED, 1),
        (Checkpoint.SETTLED, 2),
        (Checkpoint.RELEASED, 3),
        (Checkpoint.READ_BACK, 1),
        (Checkpoint.ADOPTED, 1),
    ],
)
def test_a_worker_that_dies_while_a_report_waits_changes_nothing(
    where: Checkpoint, occurrence: int, night: Night
) -> None:
    """Wherever it dies: each text stands in the forum once, and the director has one letter.

    Who dies before the answer is stored can't know of the queue: the text goes there once more, and what a
    moderator lets through twice is cleared away.
    """

    class Dead(BaseException):
        pass

    def die() -> None:
        raise Dead

    play_to_report_killed(night, DieAt(where, occurrence, die), Dead)
    stays = [kind for kind in kinds_of(night) if kind]  # what repeats another says so, and has no name
    assert (TurnStatus.PUBLISHED, WHOLE, True) == (status_of(night), stays, len(letters(night)) <= 1)


def play_to_report_killed(night: Night, reach: DieAt, dead: type[BaseException]) -> None:
    """The report waits for a moderator for an hour, and one of the workers dies meanwhile."""
    tick(night.service)
    night.forum.write("2", ORDERS)
    night.clock.set(DEADLINE - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(AFTER)
    night.forum.post_faults.extend([None, Fault.QUEUE])
    service = night.worker("b", reach)
    for step in range(9):
        try:
            tick(service, patience=0)
        except dead:
            service = night.worker("c")
        night.clock.sleep(900)
        if step >= 3:
            night.forum.approve(len(night.forum.queue))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((make_row(1, TOPIC, SendState.QUEUED, wait=-1), make_row(2, TOPIC, SendState.READY)), 1),
        ((make_row(1, TOPIC, SendState.QUEUED, wait=9), make_row(2, TOPIC, SendState.READY)), None),
        ((make_row(1, TOPIC, SendState.QUEUED, "open", 9), make_row(2, TOPIC, SendState.READY)), 2),
        ((make_row(1, "sur", SendState.QUEUED, "report-sur", 9), make_row(2, TOPIC, SendState.READY)), 2),
    ],
)
def test_what_waits_keeps_back_the_parts_behind_it(rows: tuple[OutboxRow, ...], expected: int | None) -> None:
    """And no other text."""
    chosen = choose_row(rows, DEADLINE)
    assert expected == (chosen.id if chosen else None)


def test_the_next_look_is_due_when_it_was_said() -> None:
    """A turn that only waits for a moderator comes back then."""
    rows = (make_row(1, TOPIC, SendState.QUEUED, wait=9), make_row(2, TOPIC, SendState.READY))
    assert DEADLINE + timedelta(seconds=9) == next_row_at(rows, DEADLINE)


def test_a_report_that_shows_after_the_next_deadline_loses_no_turn(tmp_path: Path) -> None:
    """Nobody could have ordered for the next turn: the director gives more time, and it is played."""
    night = start_night(tmp_path / "g", director="gm", every_days=1)
    play_to_report(night, None, Fault.QUEUE)
    night.clock.sleep(30 * 3600)
    night.forum.approve()
    pass_hours(night, 1)
    held = (status_of(night), status_of(night, 2), reason_of(night, 2)[0])
    later = '[[override]]\nextend = "24h"\nreason = "El informe esperaba a un moderador"\n'
    night.service.folder.write_overrides(night.folder, TurnRef("pequena", 2), later)
    retry(night.service, "pequena")
    tick(night.service)
    night.forum.write("2", ORDERS)
    night.clock.sleep(20 * 3600)
    tick(night.service)
    assert (TurnStatus.PUBLISHED, TurnStatus.HELD, "too-late") == held
    assert (TurnStatus.PUBLISHED, 1) == (status_of(night, 2), kinds_of(night).count("2.1:report:1/2"))
