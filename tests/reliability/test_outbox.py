"""Each text once: what becomes of it when requests go wrong (reliability.md 2.1)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.cleaning import OwnPost, Twin, find_own_posts, find_strangers, find_twins, is_in_twin
from processor.outbox import MOST_UNKNOWNS, choose_row, next_row_at
from processor.service.holding import retry
from processor.store import outbox_rows
from processor.store.outbox_rows import TextChanged
from processor.store.rows import OutboxRow, SendState
from processor.store.tables import outbox
from rules.play.outgoing import TOPIC, Outgoing
from rules.play.posts import Post, Precision, Reading
from rules.play.turns import TurnRef, TurnStatus
from tests.reliability.test_night import AFTER, kinds_of, play_night, reason_of, status_of
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import BOT, Fault
from tests.support.memory_forum import TOPIC as TOPIC_ID
from tests.support.small_night import Night, start_night

WHOLE = ["1.1:open:1/1", "1.1:receipts:1/1", "1.1:report:1/2", "1.1:report:2/2"]


@pytest.fixture
def night(tmp_path: Path) -> Night:
    """A night that has not begun."""
    return start_night(tmp_path / "g", director="gm")


def states(night: Night) -> list[tuple[str, str, int]]:
    """Kind, state and unknowns of every row of the outbox."""
    with night.service.database.read() as connection:
        rows = connection.execute(
            select(outbox.c.kind, outbox.c.state, outbox.c.unknowns).order_by(outbox.c.id)
        )
        return [tuple(row) for row in rows]


def open_only(night: Night) -> None:
    """Open the turn and work for a quarter of an hour."""
    tick(night.service)
    for _ in range(8):
        night.clock.sleep(125)
        tick(night.service)


@pytest.mark.parametrize("fault", [Fault.STORE_THEN_DROP, Fault.DROP_BEFORE_STORE, Fault.REFUSE_FOR_NOW])
@pytest.mark.parametrize("request_number", range(8))
def test_a_request_that_goes_wrong_leaves_one_text(fault: Fault, request_number: int, night: Night) -> None:
    """Lost before or after it was stored, or refused for the moment: the n-th of a night, post or edit."""
    night.forum.post_faults.extend([*[None] * request_number, fault])
    play_night(night)
    for _ in range(3):
        night.clock.sleep(130)
        tick(night.service)
    assert (WHOLE, TurnStatus.PUBLISHED) == (kinds_of(night), status_of(night))
    assert 6 == len(night.forum.by_bot())


def test_nothing_is_looked_for_before_the_quiet_time_is_over(night: Night) -> None:
    """A text that the forum shows late is found, not sent again."""
    night.forum.lag = timedelta(seconds=110)
    night.forum.post_faults.append(Fault.STORE_THEN_DROP)
    tick(night.service, patience=0)
    night.clock.sleep(100)
    tick(night.service, patience=0)
    assert [("open", "sending", 0)] == states(night)
    night.clock.sleep(25)
    tick(night.service, patience=0)
    assert ([("open", "sent", 0)], 1) == (states(night), len(night.forum.by_bot()))


def test_a_text_that_shows_up_after_the_quiet_time_is_cleared_away(night: Night) -> None:
    """The forum kept the first for longer than anybody waits: the older post stays, the newer says so."""
    night.forum.lag = timedelta(seconds=200)
    night.forum.post_faults.append(Fault.STORE_THEN_DROP)
    tick(night.service)
    night.clock.sleep(125)
    night.forum.lag = timedelta()
    tick(night.service)
    assert ["1.1:open:1/1"] * 2 == kinds_of(night)
    night.clock.sleep(1000)
    tick(night.service)
    texts = [post.text for post in night.forum.by_bot()]
    assert (2, "*Duplicado de #102.*") == (len(texts), texts[1])


def test_a_receipt_that_stands_twice_is_edited_in_the_older_post(night: Night) -> None:
    """Later revisions go where the receipt is read, not into its twin."""
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar uno\n[/órdenes]")
    night.forum.lag = timedelta(seconds=200)
    night.forum.post_faults.append(Fault.STORE_THEN_DROP)
    night.clock.sleep(900)
    tick(night.service)
    night.clock.sleep(125)
    night.forum.lag = timedelta()
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dos\n[/órdenes]")
    night.clock.sleep(900)
    tick(night.service)
    tick(night.service)
    old, new = (post.text for post in night.forum.by_bot()[1:])
    assert (True, "*Duplicado de #104.*") == ("tirar dos" in old, new)


def test_a_request_that_would_leave_after_the_lease_stays(night: Night) -> None:
    """An adapter may log in, fetch a form or wait; the last look at the clock comes after that."""
    waits = [400.0]

    def take_long() -> None:
        if waits and night.forum.requests == 2:  # the first is the start-up check's
            night.clock.sleep(waits.pop())

    night.forum.on_request = take_long
    tick(night.service, patience=0)
    assert ([], [("open", "sending", 0)]) == (night.forum.by_bot(), states(night))
    night.clock.sleep(500)
    tick(night.service, patience=0)
    assert ["1.1:open:1/1"] == kinds_of(night)


def test_a_row_left_by_a_dead_worker_waits_for_lease_and_quiet_time(night: Night) -> None:
    """Its request may have left in the last moment of the lease, and show up a quiet time later."""

    class Dead(BaseException):
        pass

    def die() -> None:
        raise Dead

    with pytest.raises(Dead):
        tick(night.worker("b", DieAt(Checkpoint.MARKED, 1, die)))
    with night.service.database.read() as connection:
        (row,) = outbox_rows.list_rows(connection, 1)
    assert night.clock.now() + timedelta(minutes=5, seconds=120) == row.not_before


def test_after_five_unknowns_the_director_is_asked(night: Night) -> None:
    """A forum that swallows a report again and again gets no sixth one by itself; `retry` looks first."""
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.clock.set(DEADLINE - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(AFTER)
    night.forum.post_faults.extend([None, *[Fault.DROP_BEFORE_STORE] * MOST_UNKNOWNS])
    for _ in range(MOST_UNKNOWNS + 1):
        tick(night.service)
        night.clock.sleep(125)
    assert (TurnStatus.HELD, "outbox") == (status_of(night), reason_of(night)[0])
    retry(night.service, "pequena")
    tick(night.service)
    assert (TurnStatus.PUBLISHED, 1) == (status_of(night), kinds_of(night).count("1.1:report:1/2"))


def test_a_report_that_the_forum_does_not_take_holds_the_turn(night: Night) -> None:
    """Refused for good: resolved stays resolved, and the director is told."""
    tick(night.service)
    night.forum.write("2", "[órdenes]\ntirar dado\n[/órdenes]")
    night.clock.set(DEADLINE - timedelta(minutes=40))
    tick(night.service)
    night.clock.set(AFTER)
    night.forum.post_faults.extend([None, Fault.REFUSE])
    tick(night.service)
    letter = [post.text for post in night.forum.by_bot("1000")]
    assert (TurnStatus.HELD, True) == (
        status_of(night),
        "No he podido publicar ptd1:pequena:1.1:report:1/2" in letter[0],
    )
    retry(night.service, "pequena")
    tick(night.service)
    assert (TurnStatus.PUBLISHED, 1) == (status_of(night), kinds_of(night).count("1.1:report:1/2"))


def test_a_merged_text_counts_as_sent(night: Night) -> None:
    """The forum appended it to the post before; it is there, once."""
    night.forum.post_faults.append(Fault.MERGE)
    open_only(night)
    assert ([("open", "sent", 0)], 1) == (states(night), len(night.forum.by_bot()))


def test_a_private_text_that_fails_does_not_keep_the_game_waiting(tmp_path: Path) -> None:
    """A mailbox that takes nothing is between the player and the director; the report is for everybody."""
    night = start_night(tmp_path / "g", accounts={"norte": ["2", "alice"], "sur": ["3", None]})
    play_night(night)
    assert (WHOLE, TurnStatus.PUBLISHED) == (kinds_of(night), status_of(night))
    assert ("receipt-sur", "skipped", 0) in states(night)


def test_a_read_back_that_fails_changes_nothing(night: Night) -> None:
    """Whether the text is there isn't known, so it is neither adopted nor sent again."""
    night.forum.post_faults.append(Fault.STORE_THEN_DROP)
    tick(night.service)
    night.forum.read_faults.extend([Fault.CUT_PAGE] * 3)
    for _ in range(3):
        night.clock.sleep(130)
        tick(night.service, patience=0)
    assert [("open", "sending", 0)] == states(night)
    night.clock.sleep(900)
    tick(night.service)
    assert ([("open", "sent", 0)], 1) == (states(night), len(night.forum.by_bot()))


def test_a_marker_in_a_players_post_is_not_ours(night: Night) -> None:
    """Whoever quotes a report copies its marker; only our own posts are looked at."""
    night.forum.post_faults.append(Fault.DROP_BEFORE_STORE)
    tick(night.service)
    with night.service.database.read() as connection:
        marker = connection.execute(select(outbox.c.marker)).scalar_one()
    night.forum.write("2", f"Mirad:\n\n{marker}")
    night.clock.sleep(130)
    tick(night.service)
    assert ["1.1:open:1/1"] == kinds_of(night)


def test_a_report_that_we_did_not_write_raises_the_alarm(night: Night) -> None:
    """A post of our account with a marker of this game and another hash: nothing is cleaned, all stops."""
    play_night(night)
    strange = "Otro informe\n\nptd1:pequena:1.1:report:1/2:00000000"
    night.forum.write(BOT, strange)
    night.clock.sleep(1000)
    tick(night.service)
    assert ("alarm", strange) == (reason_of(night, 2)[0], night.forum.by_bot()[-2].text)


def test_a_conversation_that_others_can_read_is_left(night: Night) -> None:
    """Somebody was added to it, so what is secret goes into a new one."""
    tick(night.service)
    night.forum.whisper("3", "[órdenes]\ntirar uno\n[/órdenes]")
    night.clock.sleep(900)
    tick(night.service)
    title, people = night.forum.conversations["1001"]
    night.forum.conversations["1001"] = (title, people | {"2"})
    night.clock.set(AFTER)
    tick(night.service)
    assert (["1.1:receipt-sur:1/1"], ["1.1:report-sur:1/1"]) == (
        kinds_of(night, "1001"),
        kinds_of(night, "1002"),
    )


def test_bodies_do_not_change_under_a_marker(night: Night) -> None:
    """A text that can't be edited is put in once; other words under its name are our bug."""
    ref, changed = TurnRef("pequena", 1), (Outgoing("report", TOPIC, ("otro",)),)
    with night.service.database.write() as connection:
        outbox_rows.put(connection, 1, ref, (Outgoing("report", TOPIC, ("uno",)),), {}, "—")
        outbox_rows.put(connection, 1, ref, (Outgoing("report", TOPIC, ("uno",)),), {}, "—")
        with pytest.raises(TextChanged):
            outbox_rows.put(connection, 1, ref, changed, {}, "—")


def test_a_revision_that_never_left_is_replaced(night: Night) -> None:
    """Three readings before the first receipt could be sent make one post, not three."""
    ref = TurnRef("pequena", 1)
    with night.service.database.write() as connection:
        for word in ("uno", "dos", "tres"):
            outbox_rows.put(
                connection, 1, ref, (Outgoing("receipts", TOPIC, (word,), editable=True),), {}, "—"
            )
        rows = outbox_rows.list_rows(connection, 1)
    assert [(1, "replaced"), (2, "replaced"), (3, "ready")] == [(row.revision, row.state) for row in rows]


def test_a_part_that_is_no_longer_needed_says_so(night: Night) -> None:
    """A receipt that shrinks from two posts to one leaves no old half behind."""
    ref = TurnRef("pequena", 1)
    with night.service.database.write() as connection:
        for parts in (("a", "b"), ("c",)):
            outbox_rows.put(connection, 1, ref, (Outgoing("receipts", TOPIC, parts, editable=True),), {}, "—")
        newest = outbox_rows.find_newest(connection, 1, "receipts")
    markers = ["ptd1:pequena:1.1:receipts:1/2", "ptd1:pequena:1.1:receipts:2/2"]
    assert ("c", "—", markers) == (
        newest[0].body,
        newest[1].body,
        [row.marker for row in newest],
    )


def make_row(
    number: int, recipient: str, state: SendState, kind: str = "report", wait: int | None = None
) -> OutboxRow:
    """A row of the outbox. wait: seconds until it may be worked on."""
    return OutboxRow(
        id=number,
        turn_id=1,
        ref=TurnRef("g", 1),
        kind=kind,
        part=number,
        parts=9,
        revision=1,
        recipient=recipient,
        title="",
        editable=False,
        body="",
        body_sha256="",
        marker=f"m{number}",
        state=state,
        attempts=0,
        unknowns=0,
        not_before=None if wait is None else DEADLINE + timedelta(seconds=wait),
        sending_since=None,
        sent_at=None,
        forum_topic=None,
        forum_post_id=None,
        reason=None,
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ((make_row(1, TOPIC, SendState.SENT), make_row(2, TOPIC, SendState.READY)), 2),
        ((make_row(1, TOPIC, SendState.SENDING, wait=9), make_row(2, TOPIC, SendState.READY)), None),
        ((make_row(1, TOPIC, SendState.READY, wait=9), make_row(2, "sur", SendState.READY)), 2),
        ((make_row(1, TOPIC, SendState.HELD), make_row(2, TOPIC, SendState.READY)), None),
        ((make_row(1, TOPIC, SendState.HELD, "receipts"), make_row(2, TOPIC, SendState.READY)), 2),
        ((make_row(1, TOPIC, SendState.SENDING, wait=-1),), 1),
        ((), None),
    ],
)
def test_texts_to_one_recipient_go_in_order(rows: tuple[OutboxRow, ...], expected: int | None) -> None:
    """The next part waits for the one before; other recipients don't."""
    chosen = choose_row(rows, DEADLINE)
    assert expected == (chosen.id if chosen else None)


def test_a_held_part_lets_nothing_wait_behind_it() -> None:
    """Where only the director can go on, no moment is due."""
    rows = (make_row(1, TOPIC, SendState.HELD), make_row(2, TOPIC, SendState.READY))
    assert None is next_row_at(rows, DEADLINE)


def make_post(post_id: str, html: str, author: str = BOT) -> Post:
    """A post as a page shows it."""
    return Post(post_id, TOPIC_ID, author, "x", DEADLINE, Precision.MINUTE, "", html=html)


MARKER = "ptd1:g:3.1:report:1/1:0123abcd"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (f"<p>Informe</p><p>{MARKER}</p>", MARKER),
        (f"<p>Informe<br>\n{MARKER}</p>\n", MARKER),
        ("<p>&quot;a&quot;</p><p>ptd1:g/duelo:3.1:receipts:1/1</p>", "ptd1:g/duelo:3.1:receipts:1/1"),
        (f"<p>{MARKER}</p><p>y más</p>", None),
        ("<p>sin marca</p>", None),
    ],
)
def test_an_own_post_is_known_by_its_last_line(html: str, expected: str | None) -> None:
    """The marker stands alone at the end of the page's text."""
    reading = Reading(TOPIC_ID, (make_post("9", html),), 1, 1, DEADLINE)
    assert ([expected] if expected else []) == [one.marker for one in find_own_posts([reading], BOT)]


def test_the_oldest_twin_stays() -> None:
    """Lowest id by number, not by letters."""
    own = [OwnPost(post_id, MARKER, DEADLINE) for post_id in ("100", "99", "101")]
    assert (Twin("100", "99", MARKER), Twin("101", "99", MARKER)) == find_twins(own)


@pytest.mark.parametrize(
    ("marker", "inside"),
    [("ptd1:g:3.1:report:1/1:ffffffff", True), ("ptd1:g:3.1:report:2/2:0123abcd", False), ("otra", False)],
)
def test_a_twin_takes_no_other_text_along(marker: str, inside: bool) -> None:
    """Of the texts that share its post only that which it repeats is looked for in the older one."""
    row = make_row(1, TOPIC, SendState.SENT)
    object.__setattr__(row, "marker", marker)
    object.__setattr__(row, "forum_post_id", "101")
    assert inside == is_in_twin(row, Twin("101", "99", MARKER))
    assert not is_in_twin(row, Twin("102", "99", MARKER))


@pytest.mark.parametrize(
    ("marker", "strange"),
    [
        ("ptd1:g:1.1:report:1/1:ffffffff", True),
        ("ptd1:g:1.1:report:1/1:0123abcd", False),
        ("ptd1:g:1.2:report:1/1:ffffffff", False),
        ("ptd1:otra:1.1:report:1/1:ffffffff", False),
    ],
)
def test_only_our_own_names_are_watched(marker: str, strange: bool) -> None:
    """Other games, attempts and turns have texts of their own."""
    row = make_row(1, TOPIC, SendState.SENT)
    object.__setattr__(row, "marker", "ptd1:g:1.1:report:1/1:0123abcd")
    assert strange == bool(find_strangers([OwnPost("7", marker, DEADLINE)], [row]))
