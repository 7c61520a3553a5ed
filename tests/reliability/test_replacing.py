"""A post that can't be edited any more is replaced by a new one, which says so; no text is lost over it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.store import outbox_rows
from rules.play.joined import as_edition, edition_of
from rules.play.turns import TurnStatus
from tests.reliability.test_night import AFTER, kinds_of, status_of
from tests.reliability.test_queue import letters, pass_hours, states
from tests.support.memory_forum import CAPABILITIES, Fault
from tests.support.small_night import Night, start_night

OPENED = ["1.1:open:1/1"]


@pytest.fixture
def night(tmp_path: Path) -> Night:
    """A night whose turn is open, with receipts of one order."""
    begun = start_night(tmp_path / "g", director="gm")
    tick(begun.service)
    write(begun, "uno")
    return begun


def write(night: Night, word: str) -> None:
    """A player writes anew, and the receipts follow."""
    night.forum.write("2", f"[órdenes]\ntirar {word}\n[/órdenes]")
    pass_hours(night, 0.5)


def shown(night: Night) -> list[str]:
    """The words of the order that each of our posts confirms, oldest post first."""
    texts = [one.text for one in night.forum.by_bot() if ":receipt" in one.text.split("\n")[-1]]
    return ["dos" if "tirar dos" in one else "tres" if "tirar tres" in one else "uno" for one in texts]


def test_receipts_that_can_no_longer_be_edited_go_into_a_new_post(night: Night) -> None:
    """It leads to the old one; from then on the new post is edited."""
    old = night.forum.by_bot()[-1].id
    night.forum.post_faults.append(Fault.REFUSE)
    write(night, "dos")
    first, kinds = night.forum.by_bot()[-1].text.split("\n")[0], kinds_of(night)
    write(night, "tres")
    assert [*OPENED, "1.1:receipts:1/1", "1.1:receipts+2:1/1"] == kinds == kinds_of(night)
    assert f"Sustituye a mi mensaje anterior: http://foro.example/comment/{old}/find/" == first
    assert (["uno", "tres"], []) == (shown(night), letters(night))


def test_where_nothing_can_be_edited_each_receipt_is_a_new_post(night: Night) -> None:
    """Nothing is asked of the forum that it can't do, nothing is held, and nobody takes one for a twin."""
    night.forum.capabilities = replace(CAPABILITIES, edit=False)
    write(night, "dos")
    write(night, "tres")
    night.clock.set(AFTER)
    tick(night.service)
    edits = [what for what, _ in night.forum.log if what == "edit"]
    assert (TurnStatus.PUBLISHED, [], []) == (status_of(night), edits, letters(night))
    assert ["1.1:receipts:1/1", *(f"1.1:receipts+{n}:1/1" for n in (2, 3, 4))] == kinds_of(night)[1:5]
    assert ["uno", "dos", "tres", "tres"] == shown(night)


def test_private_receipts_are_answered_in_their_conversation(night: Night) -> None:
    """Many forums let nobody edit a private message: the next one says that it replaces the last."""
    topic = night.forum.whisper("3", "[órdenes]\ntirar dos\n[/órdenes]").topic
    pass_hours(night, 0.5)
    night.forum.write("3", "[órdenes]\ntirar tres\n[/órdenes]", topic)
    night.forum.post_faults.append(Fault.REFUSE)
    pass_hours(night, 0.5)
    first, second = (one for one in night.forum.by_bot() if ":receipt-sur" in one.text)
    assert (first.topic, "Sustituye a mi mensaje anterior.", ["dos", "tres"]) == (
        second.topic,
        second.text.split("\n")[0],
        shown(night)[-2:],
    )


def test_a_post_that_a_moderator_has_taken_away_is_written_again(night: Night) -> None:
    """Who has ordered what still wants to see it."""
    night.forum.remove(night.forum.by_bot()[-1].id)
    night.forum.write("2", "[órdenes]\ntirar dos\n[/órdenes]")
    pass_hours(night, 0.5)
    assert ([*OPENED, "1.1:receipts+2:1/1"], ["dos"]) == (kinds_of(night), shown(night))


def test_a_moment_s_refusal_of_an_edit_is_waited_for(night: Night) -> None:
    """And one whose fate is unknown is looked for: only a refusal for good makes a second post."""
    night.forum.post_faults.extend([Fault.REFUSE_FOR_NOW, Fault.STORE_THEN_DROP])
    write(night, "dos")
    assert ([*OPENED, "1.1:receipts:1/1"], ["dos"]) == (kinds_of(night), shown(night))


def test_a_replacing_post_that_is_refused_too_is_told(night: Night) -> None:
    """The topic was closed: the director has one letter."""
    night.forum.post_faults.extend([Fault.REFUSE, Fault.REFUSE])
    write(night, "dos")
    assert (["sent", "held"], 1) == (states(night, "receipts"), len(letters(night)))


def test_what_replaces_a_post_is_no_longer_than_the_forum_takes(night: Night) -> None:
    """A text that fills a post has no room for saying what it replaces."""
    night.forum.post_faults.append(Fault.REFUSE)
    with night.service.database.read() as connection:
        (old,) = outbox_rows.find_newest(connection, 1, "receipts")
    night.forum.capabilities = replace(CAPABILITIES, max_chars=len(old.text) + 40)
    write(night, "dos")
    assert (["uno", "dos"], False) == (shown(night), "Sustituye" in night.forum.by_bot()[-1].text)


def test_a_twin_that_can_not_be_edited_stops_nothing(night: Night) -> None:
    """It says the same as the post that it repeats."""
    twin = night.forum.by_bot()[-1]
    night.forum.write("1", twin.text)
    night.forum.post_faults.extend([Fault.REFUSE] * 2)
    pass_hours(night, 0.5)
    night.forum.post_faults.clear()
    night.clock.set(AFTER)
    tick(night.service)
    assert TurnStatus.PUBLISHED == status_of(night)


@pytest.mark.parametrize(
    ("where", "occurrence"),
    [
        (Checkpoint.RECEIPTS_QUEUED, 1),
        (Checkpoint.MARKED, 1),
        (Checkpoint.ANSWERED, 1),
        (Checkpoint.EDITED, 1),
        (Checkpoint.SETTLED, 1),
        (Checkpoint.MARKED, 2),
        (Checkpoint.ANSWERED, 2),
        (Checkpoint.POSTED, 1),
        (Checkpoint.SETTLED, 2),
    ],
)
def test_a_worker_that_dies_meanwhile_leaves_one_new_post(
    where: Checkpoint, occurrence: int, night: Night
) -> None:
    """Before and after the refusal, before and after the new post: nothing is told twice."""

    class Dead(BaseException):
        pass

    def die() -> None:
        raise Dead

    night.forum.write("2", "[órdenes]\ntirar dos\n[/órdenes]")
    night.clock.sleep(900)
    night.forum.freezes = True
    with pytest.raises(Dead):
        tick(night.worker("b", DieAt(where, occurrence, die)))
    night.service = night.worker("c")
    pass_hours(night, 1)
    assert ([*OPENED, "1.1:receipts:1/1", "1.1:receipts+2:1/1"], ["uno", "dos"]) == (
        kinds_of(night),
        shown(night),
    )


@pytest.mark.parametrize(
    ("marker", "edition", "second"),
    [
        ("ptd1:g:1.1:receipts:1/1", 1, "ptd1:g:1.1:receipts+2:1/1"),
        ("ptd1:g/duelo:1.1:receipt-sur-2+3:1/2", 3, "ptd1:g/duelo:1.1:receipt-sur-2+2:1/2"),
        ("ptd1:g:1.1:report:1/1:0123abcd", 1, "ptd1:g:1.1:report+2:1/1:0123abcd"),
        ("otra cosa", 1, "otra cosa"),
    ],
)
def test_which_post_of_a_text_it_is_stands_in_the_marker(marker: str, edition: int, second: str) -> None:
    """The first has no number."""
    assert (edition, second) == (edition_of(marker), as_edition(marker, 2))
    assert as_edition(marker, 1) == as_edition(second, 1)
