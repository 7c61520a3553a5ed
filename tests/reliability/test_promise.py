"""The post that published a turn's commitment is looked at again, at the lock and before its seed is told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from processor.checkpoints import Checkpoint, DieAt
from processor.pipeline.witnessing import Promise, Seen, looks_same, see
from processor.service.holding import retry
from processor.service.replaying import replay
from processor.service.verifying import find_kept
from processor.store import games
from rules.play.posts import Post, Precision, Visibility
from rules.play.sightings import Flaw
from tests.support.fair_night import CLOSED, FairNight, start_night
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import TOPIC, Fault, Kept

LOCK, REPORT = "al cerrar el turno", "al preparar este informe"
BOTH = f"{LOCK} y {REPORT}"


@pytest.fixture
def night(tmp_path: Path) -> FairNight:
    """A fair that has published its first commitment and was read once."""
    made = start_night(tmp_path / "g")
    made.tick()
    made.post("Ana", "trabajar")
    return made


def opening(night: FairNight) -> Kept:
    """The post with the first turn's commitment."""
    return night.forum.by_bot(TOPIC)[0]


def delete(night: FairNight) -> None:
    """Somebody takes the opening post out of the forum; what stands behind it moves up."""
    gone = opening(night)
    night.forum.posts.remove(gone)
    for one in night.forum.posts:
        if one.topic == TOPIC and one.number > gone.number:
            one.number -= 1


def hide(night: FairNight) -> None:
    """A moderator hides it."""
    opening(night).visibility = Visibility.REMOVED


def falsify(night: FairNight) -> None:
    """The author changes a word and leaves the commitment."""
    night.forum.rewrite(opening(night).id, opening(night).text.replace("La feria", "La verbena"))


def touch(night: FairNight) -> None:
    """It is edited, and edited back."""
    night.forum.rewrite(opening(night).id, opening(night).text)


def date_later(night: FairNight) -> None:
    """The forum says that it was written after the deadline."""
    opening(night).at = DEADLINE + timedelta(minutes=1)


def warnings(night: FairNight) -> list[str]:
    """What the public report says of the commitment's post."""
    report = next(one.text for one in night.forum.by_bot(TOPIC) if ":report:" in one.text)
    return [line.removeprefix("⚠ ").strip() for line in report.split("\n") if line.startswith("⚠ ")]


SAID = [
    (delete, "El mensaje que publicó este compromiso ya no estaba en el foro {}."),
    (hide, "El mensaje que publicó este compromiso ya no estaba en el foro {}."),
    (falsify, "El mensaje que publicó este compromiso decía otra cosa {}."),
    (
        touch,
        "El mensaje que publicó este compromiso estaba marcado como editado {}, con el mismo texto.",
    ),
    (date_later, "El foro fechaba el mensaje con este compromiso después de la hora límite, {}."),
]


def test_a_report_says_nothing_of_a_promise_that_stands(night: FairNight) -> None:
    """The post is as it was published: no line about it."""
    night.tick(at=CLOSED)
    assert [] == warnings(night)


@pytest.mark.parametrize(("change", "said"), SAID)
def test_what_was_done_before_the_lock_is_told(
    change: Callable[[FairNight], None], said: str, night: FairNight
) -> None:
    """Deleted, hidden, changed, edited or dated later: the report says which, and that it was so twice."""
    change(night)
    night.tick(at=CLOSED)
    assert [said.format(BOTH)] == warnings(night)


@pytest.mark.parametrize(("change", "said"), SAID)
def test_what_was_done_behind_the_lock_is_told(
    change: Callable[[FairNight], None], said: str, night: FairNight
) -> None:
    """The same, seen only when the report was made."""
    at_once(night, lambda: change(night))
    night.tick(at=CLOSED)
    assert [said.format(REPORT)] == warnings(night)


def test_what_is_put_right_behind_the_lock_was_wrong_at_the_lock(night: FairNight) -> None:
    """The text was another one at the lock; put back it is only marked as edited."""
    right = opening(night).text
    falsify(night)
    at_once(night, lambda: night.forum.rewrite(opening(night).id, right))
    night.tick(at=CLOSED)
    assert [SAID[2][1].format(LOCK), SAID[3][1].format(REPORT)] == warnings(night)


def at_once(night: FairNight, act: Callable[[], None]) -> None:
    """Have something done in the forum as soon as the turn is locked."""
    service = night.worker("a", DieAt(Checkpoint.LOCKED, 1, act))
    night.service = service


def test_looking_costs_one_request_at_the_lock_and_one_before_the_report(
    night: FairNight, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text as typed once, the post's page once; everything else was read anyway."""
    asked: list[str] = []
    for name in ("raw_text", "read_post"):
        real = getattr(night.forum, name)
        own = str(opening(night).id)

        def ask(*given: Any, name: str = name, real: Any = real, own: str = own) -> Any:
            asked.extend([name] * (own in map(str, given)))
            return real(*given)

        monkeypatch.setattr(night.forum, name, ask)
    night.tick(at=CLOSED)
    assert ["raw_text", "read_post"] == asked


def test_a_replay_says_the_same(night: FairNight) -> None:
    """What was found is kept with the result, so the report comes out again letter by letter."""
    falsify(night)
    night.tick(at=CLOSED)
    with night.service.database.read() as connection:
        row = games.get_game(connection, "feria")
    again = replay(find_kept(night.service, row, 1))
    assert [] == [one.code for one in again.checks if not one.passed]


def test_the_next_turn_looks_at_the_report_that_promised_it(night: FairNight) -> None:
    """From the second turn on the commitment stands in the last report."""
    night.tick(at=CLOSED)
    report = next(one for one in night.forum.by_bot(TOPIC) if ":report:" in one.text)
    night.post("Ana", "trabajar")
    report.visibility = Visibility.REMOVED
    night.tick(at=CLOSED + timedelta(days=7))
    retry(night.service, "feria")  # held after a week in which nothing ran
    night.tick(after=timedelta(minutes=1))
    second = [one.text for one in night.forum.by_bot(TOPIC) if ":report:" in one.text][-1]
    assert SAID[1][1].format(BOTH) in second


def test_a_turn_that_is_resolved_once_more_was_promised_in_the_same_post(night: FairNight) -> None:
    """The voided report repeats the commitment after the deadline; that isn't where it was promised."""
    night.tick(at=CLOSED)
    night.correct({"void": 1, "orders": "keep", "reason": "Otra vez"})
    for _ in range(3):
        night.tick(after=timedelta(minutes=20))
    reports = [one.text for one in night.forum.by_bot(TOPIC) if ":report:" in one.text]
    assert (2, []) == (len(reports), [text for text in reports if "⚠ El" in text])


def test_a_promise_that_came_too_late_is_told(tmp_path: Path) -> None:
    """The director has the turn go on all the same; the report says what the forum's clock says."""
    made = start_night(tmp_path / "g")
    made.tick(at=CLOSED)
    for _ in range(2):  # too late to open, and to have promised anything
        retry(made.service, "feria")
        made.tick(after=timedelta(minutes=5))
    assert [SAID[4][1].format(BOTH)] == warnings(made)


def test_a_promise_that_was_never_published_is_told(tmp_path: Path) -> None:
    """The forum refuses the opening post for good; who closes the turn all the same shows it."""
    made = start_night(tmp_path / "g")
    made.forum.post_faults.extend([Fault.REFUSE, Fault.REFUSE])
    made.tick()
    made.tick(at=CLOSED)
    retry(made.service, "feria")
    made.tick(after=timedelta(minutes=5))
    assert ["Ningún mensaje publicó este compromiso antes de la hora límite."] == warnings(made)


POST = Post("9", "7", "1", "bot", DEADLINE, Precision.MINUTE, "u", html="<p>abc <b>c0ffee</b></p>", number=3)
PROMISE = Promise("9", "abc **c0ffee**\n\nptd1:x", "c0ffee", DEADLINE)


def test_a_forum_may_trim_lines_and_append_texts() -> None:
    """What the forum does by itself is no change; an edit mark of a shared post isn't one either."""
    raw = "Otro texto.\r\n\r\nabc **c0ffee**  \r\n\r\nptd1:x\r\n"
    shared = Promise("9", PROMISE.text, "c0ffee", DEADLINE, shared=True)
    edited = Post("9", "7", "1", "bot", DEADLINE, Precision.MINUTE, "u", html=POST.html, edits=1)
    assert () == see(PROMISE, POST, raw).flaws
    assert ((), (Flaw.EDITED,)) == (see(shared, edited, raw).flaws, see(PROMISE, edited, raw).flaws)


def test_without_the_text_as_typed_the_commitment_has_to_be_seen() -> None:
    """A forum that gives no raw text shows at least whether the figures are there."""
    other = Promise("9", "abc", "decade", DEADLINE)
    assert ((), (Flaw.CHANGED,)) == (see(PROMISE, POST, None).flaws, see(other, POST, None).flaws)


def test_what_was_wrong_at_the_lock_proves_nothing_later() -> None:
    """A post that looks as it did is right only if it was right then."""
    right, wrong = see(PROMISE, POST, PROMISE.text), see(PROMISE, POST, "otra cosa")
    assert (True, False, False) == tuple(looks_same(POST, one) for one in (right, wrong, None))
    assert (right, None) == (Seen.load(right.dump()), Seen.load(""))
