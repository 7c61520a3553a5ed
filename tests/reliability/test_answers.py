"""A turn that asks its players: answers from the forum, offers that end, kills in between (design.md 8)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select

from jobs.commands.status_text import describe_game
from jobs.tick import tick
from processor.checkpoints import Checkpoint, DieAt
from processor.store.tables import answers, locks, orders, post_versions, rolls
from rules.play.turns import TurnStatus
from tests.support.fair_night import CLOSED, FairNight, block, start_night
from tests.support.hand_clock import DEADLINE
from tests.support.memory_forum import Fault

LATER = timedelta(minutes=16)
"""Long enough for the next reading."""
SELL = "vender peluche en Tómbola"
OFFER = "oferta/Ana"


@pytest.fixture
def night(tmp_path: Path) -> FairNight:
    """Ana sells her bear; the turn asks her whether she takes what the stall offers."""
    return ask_ana(tmp_path)


def ask_ana(folder: Path, *, bea: str = "trabajar") -> FairNight:
    """A night up to where the turn asks Ana, and Bea too where she sells something."""
    made = start_night(folder / "g")
    made.tick()
    made.post("Ana", SELL)
    made.post("Bea", bea)
    made.tick(at=DEADLINE - timedelta(minutes=40))
    made.tick(at=CLOSED)
    assert TurnStatus.ASKING is made.status()
    return made


def taken(night: FairNight) -> list[tuple[str, str, str]]:
    """Question, answer and source of what the turn goes on with."""
    with night.service.database.read() as connection:
        rows = connection.execute(select(answers).order_by(answers.c.question))
        return [(row.question, row.value, row.source) for row in rows]


def coins(night: FairNight, seat: str = "Ana") -> int:
    """What a seat has when the next turn begins."""
    return int(night.look().play.state.folk[seat].coins)


def dice(night: FairNight) -> list[tuple[str, str]]:
    """The dice of the resolved turn."""
    with night.service.database.read() as connection:
        rows = connection.execute(select(rolls).order_by(rolls.c.position))
        return [(row.label, row.value) for row in rows]


def lines(night: FairNight) -> list[str]:
    """What `turnero status` says."""
    return "\n".join(describe_game(night.service, night.look(), night.clock.now(), "feria")).split("\n")


def test_an_answer_in_the_topic_resumes_the_turn(night: FairNight) -> None:
    """The player answers in a block; the turn is published with it, and the report says who decided."""
    night.post("Ana", "responder P1 acepto")
    night.tick(after=LATER)
    assert (TurnStatus.PUBLISHED, [(OFFER, "aceptar", "seat")]) == (night.status(), taken(night))
    assert "`oferta/Ana`: aceptar — lo decide Ana, con los dados ya a la vista" in night.told("Ana")
    assert 10 == coins(night)


def test_an_answer_by_private_message_counts_in_a_game_with_open_orders(night: FairNight) -> None:
    """Where orders must be open, answers may still come in private: the question did."""
    night.whisper("Ana", "responder P1 rechazar")
    night.tick(after=LATER)
    assert (TurnStatus.PUBLISHED, [(OFFER, "rechazar", "seat")]) == (night.status(), taken(night))
    assert "✔ **P1**: `rechazar`. Vale" in night.told("Ana")
    assert "rechazar" not in night.public()


def test_the_dice_are_the_same_whatever_is_answered(tmp_path: Path) -> None:
    """The same night with one answer and with the other rolls alike."""
    rolled = []
    for answer in ("aceptar", "rechazar"):
        folder = tmp_path / answer
        folder.mkdir()
        night = ask_ana(folder)
        night.post("Ana", f"responder P1 {answer}")
        night.tick(after=LATER)
        rolled.append(dice(night))
    assert rolled[0] == rolled[1] != []


def test_an_illegal_answer_is_told_to_its_author_alone(night: FairNight) -> None:
    """The note says what would be an answer; the topic doesn't tell what was asked; the turn waits on."""
    night.post("Ana", "responder P1 quizás")
    night.tick(after=LATER)
    assert (TurnStatus.ASKING, []) == (night.status(), taken(night))
    said = "✘ **P1**: `quizás` no es una respuesta a esa pregunta. Puedes contestar `aceptar` o `rechazar`."
    assert (True, False, False) == (
        said in night.told("Ana"),
        "rechazar" in night.public(),
        "quizás" in night.told("Bea"),
    )


def test_a_legal_answer_after_an_illegal_one_counts(night: FairNight) -> None:
    """The note is edited: the mistake stays in it, and what counts is said below."""
    night.post("Ana", "responder P1 quizás")
    night.tick(after=LATER)
    night.post("Ana", "responder P1 acep")
    night.tick(after=LATER)
    assert (TurnStatus.PUBLISHED, [(OFFER, "aceptar", "seat")]) == (night.status(), taken(night))
    assert (1, True) == (night.kinds().count("answers-ana"), "✔ **P1**: `acep`" in night.told("Ana"))


def test_of_two_answers_the_newest_counts(night: FairNight) -> None:
    """Whoever thinks better of it before the next reading is heard, by whatever way."""
    night.post("Ana", "responder P1 aceptar")
    night.clock.sleep(120)
    night.whisper("Ana", "responder P1 rechazar")
    night.tick(after=LATER)
    assert [(OFFER, "rechazar", "seat")] == taken(night)
    assert "`aceptar`. Vale la otra que escribiste después." in night.told("Ana")


def test_an_answer_taken_is_not_taken_back(tmp_path: Path) -> None:
    """While the other seat is waited for, a second answer to the first question is told to be too late."""
    night = ask_ana(tmp_path, bea="vender botijo en Tómbola")
    night.post("Ana", "responder P1 aceptar")
    night.tick(after=LATER)
    night.post("Ana", "responder P1 rechazar")
    night.tick(after=LATER)
    assert (TurnStatus.ASKING, [(OFFER, "aceptar", "seat")]) == (night.status(), taken(night))
    assert "`rechazar` no cuenta: esa pregunta ya tenía respuesta." in night.told("Ana")
    night.post("Bea", "responder P1 aceptar")
    night.tick(after=LATER)
    assert (TurnStatus.PUBLISHED, 2) == (night.status(), len(taken(night)))


def test_an_answer_is_its_own_seats(tmp_path: Path) -> None:
    """Bea's P1 is Bea's question: it answers nothing for Ana."""
    night = ask_ana(tmp_path)
    night.post("Bea", "responder P1 aceptar")
    night.tick(after=LATER)
    assert (TurnStatus.ASKING, []) == (night.status(), taken(night))
    assert "`aceptar` no cuenta: no tienes ninguna pregunta P1." in night.told("Bea")


def test_an_offer_that_nobody_answers_ends(night: FairNight) -> None:
    """After 24 hours what was foreseen holds, and the report says that nobody answered in time."""
    night.tick(after=timedelta(hours=23, minutes=50))
    assert (TurnStatus.ASKING, []) == (night.status(), taken(night))
    night.tick(after=timedelta(minutes=20))
    assert (TurnStatus.PUBLISHED, [(OFFER, "rechazar", "default")]) == (night.status(), taken(night))
    said = "`oferta/Ana`: rechazar — nadie contestó y vale lo previsto. *se acabó el plazo"
    assert (True, 5) == (said in night.told("Ana"), coins(night))


def test_the_last_minute_of_an_offer_counts(night: FairNight) -> None:
    """An answer written in it is heard although it is read later."""
    night.clock.sleep(timedelta(hours=23, minutes=59, seconds=50).total_seconds())
    night.post("Ana", "responder P1 aceptar")
    night.tick(after=timedelta(minutes=5))
    assert [(OFFER, "aceptar", "seat")] == taken(night)


def test_an_answer_after_the_end_is_late(night: FairNight) -> None:
    """Nobody looked in between: the forum's times decide, and the author is told until when it was."""
    night.clock.sleep(timedelta(hours=24, minutes=2).total_seconds())
    night.post("Ana", "responder P1 aceptar")
    night.tick(after=timedelta(minutes=5))
    assert (TurnStatus.PUBLISHED, [(OFFER, "rechazar", "default")]) == (night.status(), taken(night))
    assert "`aceptar` llegó tarde: podías contestar hasta el lunes 7 de diciembre, 22:02" in night.told("Ana")


def test_an_offer_does_not_end_while_the_forum_cannot_be_read(night: FairNight) -> None:
    """The answer stands in the forum in time; an outage of ours must not cost it."""
    night.clock.sleep(timedelta(hours=23).total_seconds())
    night.post("Ana", "responder P1 aceptar")
    night.clock.sleep(timedelta(hours=2).total_seconds())
    night.forum.read_faults.extend([Fault.DOWN])
    night.tick()
    assert (TurnStatus.ASKING, []) == (night.status(), taken(night))
    night.tick(after=timedelta(minutes=5))
    assert [(OFFER, "aceptar", "seat")] == taken(night)


def test_a_held_question_waits_however_long(tmp_path: Path) -> None:
    """A second try at the stall is a question that only the player answers."""
    night = start_night(tmp_path / "g")
    night.correct({"die": "play/tombola/Ana", "value": [4, 6], "reason": "Para probar"})
    night.tick()
    night.post("Ana", "jugar en Tómbola")
    night.tick(at=DEADLINE - timedelta(minutes=40))
    night.tick(at=CLOSED)
    night.tick(after=timedelta(days=4))
    assert TurnStatus.ASKING is night.status()
    assert "si no dices nada" not in night.told("Ana")
    night.post("Ana", "responder P1 tirar")
    night.tick(after=LATER)
    assert (TurnStatus.PUBLISHED, [("segunda/Ana", "tirar", "seat")]) == (night.status(), taken(night))


def test_the_director_may_rule_in_between(night: FairNight) -> None:
    """The ruling resumes the turn at once, and outranks what the player wrote since the last reading."""
    night.post("Ana", "responder P1 aceptar")
    night.correct({"ruling": OFFER, "answer": "rechazar", "reason": "Se fue de viaje"})
    night.tick(after=timedelta(minutes=3))
    assert (TurnStatus.PUBLISHED, []) == (night.status(), taken(night))
    assert "`oferta/Ana`: rechazar — lo decide el director, con los dados ya a la vista" in night.told("Ana")


def test_orders_in_an_answer_change_nothing_and_are_listed_late(night: FairNight) -> None:
    """The answer counts, the orders beside it don't; receipts and report name the post."""
    post = night.post("Ana", "trabajar", "responder P1 aceptar")
    with night.service.database.read() as connection:
        before = connection.execute(select(orders)).all(), connection.execute(select(locks.c.lock_tag)).all()
    night.tick(after=LATER)
    with night.service.database.read() as connection:
        after = connection.execute(select(orders)).all(), connection.execute(select(locks.c.lock_tag)).all()
    assert (before, [(OFFER, "aceptar", "seat")]) == (after, taken(night))
    assert 2 == night.public().count(f"tarde y no cuentan:** Ana, [#{post.number}]")
    assert "Las órdenes de ese mensaje no cuentan: el turno 1 ya está cerrado y" in night.told("Ana")


def test_an_answer_written_into_the_old_post_counts_and_its_orders_stay(night: FairNight) -> None:
    """Ana edits her orders and answers there: the answer is heard, what she orders now is not."""
    post = next(one for one in night.forum.posts if one.author == "2")
    night.forum.rewrite(post.id, block("trabajar", "responder P1 aceptar"))
    night.tick(after=LATER)
    assert (TurnStatus.PUBLISHED, [(OFFER, "aceptar", "seat")]) == (night.status(), taken(night))
    assert f"vale lo que decían antes:** Ana, [#{post.number}]" in night.public()
    assert "De sus órdenes vale lo que decían al cierre" in night.told("Ana")


def test_an_answer_after_the_report_changes_nothing(night: FairNight) -> None:
    """The next turn is open by then: its receipt says that there is nothing to answer."""
    night.post("Ana", "responder P1 rechazar")
    night.tick(after=LATER)
    night.clock.sleep(600)
    night.post("Ana", "responder P1 aceptar")
    night.tick(after=LATER)
    assert ([(OFFER, "rechazar", "seat")], TurnStatus.OPEN) == (taken(night), night.status(2))
    assert "Todavía no hay nada que contestar" in night.told("Ana") + night.public()


def test_an_answer_is_kept_as_evidence(night: FairNight) -> None:
    """The post as it was read stands in the store, and the answer says which post it was."""
    post = night.post("Ana", "responder P1 aceptar")
    night.tick(after=LATER)
    with night.service.database.read() as connection:
        texts = connection.execute(select(post_versions.c.raw)).scalars().all()
        where = connection.execute(select(answers.c.post_id)).scalar_one()
    assert (str(post.id), True) == (where, post.text in texts)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("responder P1 aceptar", "`responder P1 aceptar` no cuenta fuera de un bloque"),
        ("[órdenes]\nresponder P1 aceptar", "el bloque que abre `[órdenes]` no se cierra"),
        ("[órdenes turno 2]\nresponder P1 aceptar\n[/órdenes]", "✘ `[órdenes turno 2]` — "),
        ("[órdenes]\nresponder P1\n[/órdenes]", "falta a qué pregunta respondes"),
    ],
)
def test_what_was_meant_as_an_answer_is_never_lost_in_silence(text: str, said: str, night: FairNight) -> None:
    """No block, an open one, another turn's, half a line: the author is told, and the turn waits on."""
    night.forum.write("2", text)
    night.tick(after=LATER)
    assert (TurnStatus.ASKING, []) == (night.status(), taken(night))
    assert said in night.told("Ana").partition("tus respuestas en el turno 1")[2]


def test_status_says_until_when_and_what_to_paste(night: FairNight) -> None:
    """The director sees the question, its end, the player's lines and the entry that decides it."""
    shown = "\n".join(lines(night))
    wanted = ("lunes 7 de diciembre, 22:02", "responder P1 aceptar", 'ruling = "oferta/Ana"')
    assert wanted == tuple(one for one in wanted if one in shown)


def test_quotes_and_others_answer_nothing(night: FairNight) -> None:
    """A quoted answer, a stranger's, and our own letter pasted again."""
    night.forum.write("8", "[órdenes]\nresponder P1 aceptar\n[/órdenes]")
    night.forum.write("2", night.told("Ana").rpartition("\n\n**Ana: el turno")[2])
    night.tick(after=LATER)
    assert (TurnStatus.ASKING, []) == (night.status(), taken(night))


def resumed(folder: Path, die_at: Checkpoint | None, occurrence: int = 1) -> tuple[object, ...]:
    """What an answered night leaves whose worker dies at a checkpoint, and another goes on."""
    night = ask_ana(folder)
    night.post("Ana", "trabajar", "responder P1 aceptar")
    night.clock.sleep(LATER.total_seconds())
    if die_at is not None:
        with pytest.raises(KeyboardInterrupt):
            tick(night.worker("b", DieAt(die_at, occurrence, die)))
        night.clock.sleep(timedelta(minutes=20).total_seconds())
    tick(night.service)
    kinds = sorted(night.kinds())
    return night.status(), taken(night), dice(night), kinds, coins(night)


def die() -> None:
    """The process is gone."""
    raise KeyboardInterrupt


KILLS = (
    Checkpoint.CLAIMED,
    Checkpoint.TOPIC_READ,
    Checkpoint.PRIVATE_READ,
    Checkpoint.ARCHIVED,
    Checkpoint.HEARD,
    Checkpoint.RELEASED,
    Checkpoint.RESOLVING,
    Checkpoint.COMPUTED,
    Checkpoint.RESOLVED,
)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> tuple[object, ...]:
    """What an answered night leaves that nothing disturbs."""
    return resumed(tmp_path_factory.mktemp("whole"), None)


@pytest.mark.parametrize("where", KILLS)
def test_a_turn_killed_while_it_resumes_resumes_once(
    where: Checkpoint, tmp_path: Path, undisturbed: tuple[object, ...]
) -> None:
    """The same dice, the same answer, each text once, wherever the worker died."""
    assert undisturbed == resumed(tmp_path, where)
