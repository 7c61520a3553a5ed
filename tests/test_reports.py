"""Openings, reports, digests and letters, kept as texts to read; and what may not stand in them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from processor.pipeline import texts
from processor.pipeline.closing import PastTurn, close_game
from processor.pipeline.context import Commitments, Opens, PlayContext, TurnResult
from processor.pipeline.filing import report_files
from processor.pipeline.locking import commitments
from rules.engine.audience import only
from rules.engine.closing import read_closing
from rules.engine.codec import dump_state
from rules.engine.events import event
from rules.engine.messages import msg
from rules.engine.questions import Question
from rules.engine.resolution import Resolution
from rules.engine.ruleset import Outcome
from rules.engine.verification import verify_proof
from rules.play.game import NmrPolicy
from rules.play.outgoing import Outgoing
from rules.play.posts import Capabilities
from rules.play.reading import SkippedText, TurnReading
from rules.play.turns import Deadline
from tests.support import mini
from tests.support.golden_texts import compare

NEXT = Commitments("c4" * 32, "d5" * 32)
NEXT_DEADLINE = Deadline(datetime(2026, 12, 13, 21, 0, tzinfo=UTC), "Europe/Madrid")


def some_reading(*, private: bool = True) -> TurnReading:
    """One seat in the topic, one in private, one too late."""
    lines = (mini.sow(1), mini.misspelt(2), mini.overspent(3))
    alta = mini.in_force(mini.submission("alta", mini.post(41), *lines))
    rio = mini.in_force(mini.submission("rio", mini.post(9, private=private), mini.sow(1)))
    return mini.reading(alta, rio, late=(SkippedText(mini.post(52, 22, 4), "late", "monte"),))


def report(own: PlayContext, result: TurnResult | None = None, *, last: bool = False) -> dict[str, Outgoing]:
    """All texts of a turn by their kind."""
    done = result or mini.result(own, mini.correction())
    made = texts.reports(
        own,
        mini.frozen(some_reading()),
        done,
        commitments(own, mini.SECRETS),
        None if last else NEXT,
        None if last else NEXT_DEADLINE,
        done.resolution.state,
    )
    return {one.kind: one for one in made}


def bodies(made: Iterable[Outgoing]) -> str:
    """All words of several texts."""
    return "\n".join(part for one in made for part in one.parts)


@pytest.mark.parametrize("kind", ["open", "open-alta"])
def test_the_opening_says_how_to_play(kind: str) -> None:
    """Deadline in both zones, how orders are given, the commitment, a template."""
    own = mini.play()
    made = {one.kind: one for one in texts.opening(own, commitments(own, mini.SECRETS))}
    expected, actual = compare(f"{kind}.md", made[kind].parts)
    assert expected == actual


@pytest.mark.parametrize("kind", ["report", "report-alta", "report-rio", "digest"])
def test_reports_of_a_game_with_secrets(kind: str) -> None:
    """Each reader has what that reader may know."""
    expected, actual = compare(f"{kind}-secret.md", report(mini.play())[kind].parts)
    assert expected == actual


def test_the_report_of_an_open_game_has_everything() -> None:
    """Corrections with their reasons, dice, seed, and one template with everybody's facts."""
    expected, actual = compare(
        "report-open.md", report(mini.play(secret=False, groups=False))["report"].parts
    )
    assert expected == actual


def test_the_last_report_has_the_final_standing() -> None:
    """Instead of a next turn; with the game's secret, and where the proof of it all lies."""
    expected, actual = compare("report-last.md", last_report().parts)
    assert expected == actual


def last_report(forum: Capabilities = mini.SPIRIT) -> Outgoing:
    """The public report of a game's last turn."""
    own = replace(mini.play(), forum=forum)
    done = mini.result(own)
    closing = close_game("valle", mini.SECRETS.game_secret, [PastTurn(done.proofs, some_reading(), "")])
    ranking = (("alta",), ("rio", "monte"))
    done = replace(done, outcome=Outcome(ranking, msg("mini/won")), closing=closing)
    return report(own, done, last=True)["report"]


def test_the_proof_of_a_game_stands_in_its_last_report_where_it_fits() -> None:
    """In a forum with long posts a reader can copy it from there, and it is a whole one."""
    (public,) = last_report(replace(mini.SPIRIT, max_chars=60_000)).parts
    (whole,) = (one for one in re.findall(r"```json\n(.*)\n```", public) if '"secret"' in one)
    closing, problems = read_closing(json.loads(whole))

    assert ([], 1) == (problems, len(closing.turns) if closing is not None else 0)
    assert "game-proof.json" in public


@pytest.mark.parametrize(
    ("chars", "private", "expected"), [(3000, None, 3000), (3000, 1000, 1000), (500, 1000, 500)]
)
def test_a_private_message_is_never_longer_than_a_post(
    chars: int, private: int | None, expected: int
) -> None:
    """Where a game says that its forum takes less, that counts for both."""
    forum = replace(mini.SPIRIT, max_chars=chars, max_private=private)
    assert (chars, expected) == (forum.most(private=False), forum.most(private=True))


def test_private_reports_are_split_for_private_messages() -> None:
    """Where a forum takes shorter private messages than posts, only those come in more parts."""
    own = mini.play()
    short = replace(own, forum=replace(own.forum, max_private=1000))
    posts, letters = report(own), report(short)
    assert posts["report"] == letters["report"]
    assert 1 == len(posts["report-rio"].parts) < len(letters["report-rio"].parts)
    assert max(own.forum.size(part) for part in letters["report-rio"].parts) <= 1000


def test_kinds_recipients_and_titles() -> None:
    """Public texts go to the topic, private ones into one conversation for each seat of the game."""
    made = report(mini.play())
    assert {
        "report": ("topic", ""),
        "report-alta": ("alta", "El valle de Orún — Casa Alta"),
        "report-rio": ("rio", "El valle de Orún — Casa del Río"),
        "report-monte": ("monte", "El valle de Orún — Monteses"),
        "digest": ("director", "El valle de Orún — director"),
    } == {kind: (one.to, one.title) for kind, one in made.items()}


def test_an_open_game_sends_private_reports_only_where_something_is_private() -> None:
    """A seat that learnt something alone is told alone."""
    assert {"report", "report-rio", "digest"} == report(mini.play(secret=False, groups=False)).keys()


def test_open_orders_do_not_make_a_game_open() -> None:
    """Where the state hides something, receipts and templates are private although orders are open."""
    own = mini.play(secret=False)
    own = replace(own, game=replace(own.game, options=mini.MiniOptions(open=False)))
    public = bodies(one for one in texts.receipts(own, some_reading(), None) if one.to == "topic")
    assert ("te quedan 2" in public, "3 sacos" in bodies([report(own)["report"]])) == (False, False)


def test_the_printed_proof_verifies() -> None:
    """What a reader copies out of the report is a whole proof."""
    (public,) = report(mini.play())["report"].parts
    found = re.search(r"```json\n(.*)\n```", public)
    assert found is not None
    proof = json.loads(found[1])
    labels = [one["label"] for one in proof["rolls"]]
    assert ("valle", ["harvest/alta"], []) == (proof["game"], labels, verify_proof(proof))


def test_a_proof_too_long_for_the_forum_is_named_instead() -> None:
    """The dice still stand in the report; where the proof lies is said."""
    own = mini.play()
    rolls = tuple(mini.roll(f"harvest/{number}", 3, "mini/roll-harvest") for number in range(60))
    one = mini.result(own)
    proofs = {**one.proofs, "": {**one.proofs[""], "rolls": [{"label": "x" * 90}] * 60}}
    many = replace(one, resolution=replace(one.resolution, rolls=rolls, rolled=60), proofs=proofs)
    parts = report(own, many)["report"].parts
    assert (True, True, False) == (
        max(mini.SPIRIT.size(part) for part in parts) <= 3000,
        "`reports/turn-003/proof.json`" in bodies([report(own, many)["report"]]),
        "```json" in "".join(parts),
    )


def test_secret_dice_and_their_seed_are_only_in_their_group() -> None:
    """A published seed opens no secret roll, and nothing tells how many there were."""
    made = report(mini.play())
    others = bodies(one for kind, one in made.items() if kind not in ("report-rio", "digest"))
    assert ("thief/rio" in others, "thief/rio" in bodies([made["report-rio"]])) == (False, True)


@given(st.integers(0, 99), st.integers(0, 99), st.integers(1, 6), st.integers(1, 9))
def test_equal_views_get_equal_texts(grain: int, others: int, die: int, hid: int) -> None:
    """In two states that look equal to a reader everything that the reader is sent is byte-equal."""

    def sent(grain: int, die: int, hid: int) -> str:
        own = mini.play(
            state=mini.Valley({"alta": mini.House(2, 3), "rio": mini.House(2, grain), "monte": mini.House()})
        )
        result = mini.result(own)
        after = mini.Valley({"alta": mini.House(3, 4), "rio": mini.House(2, grain), "monte": mini.House()})
        events = tuple(
            event("mini/hid", only("rio"), grain=hid, place="la cueva") if one.id == "mini/hid" else one
            for one in result.resolution.events
        )
        rolls = (result.resolution.rolls[0], mini.roll("thief/rio", die, "mini/roll-thief", "rio"))
        resolution = replace(result.resolution, state=after, events=events, rolls=rolls)
        result = replace(result, resolution=resolution, state=dump_state(after))
        made = [*texts.opening(own, commitments(own, mini.SECRETS)), *report(own, result).values()]
        return bodies(one for one in made if one.to in ("topic", "alta", "monte"))

    assert sent(0, 1, 1) == sent(grain + others, die, hid)


def test_a_correction_of_a_secret_order_is_veiled_in_public() -> None:
    """Everybody learns that there was one; a wholly secret one isn't mentioned."""
    own = mini.play()
    veiled = mini.correction(audience=only("rio"), target="rio#1", secret=0)
    secret = mini.correction(audience=only("monte"), target="monte#1", secret=1)
    made = report(own, mini.result(own, veiled, secret))
    public, rio = bodies([made["report"]]), bodies([made["report-rio"]])
    assert (True, False, False, True) == (
        "Una corrección a Casa del Río, que la conoce." in public,
        "corrección a Monteses" in public,
        "sembrar C-4" in public,
        "Casa del Río, orden 1: `sembrar C-3` → `sembrar C-4`" in rio,
    )


@pytest.mark.parametrize(
    ("change", "data", "said"),
    [
        ("cancel", {"new": None}, "Casa Alta, orden 2: `sembrar C-3` no cuenta. *Se equivocó"),
        ("add", {"target": "alta", "old": None}, "Casa Alta: se añade `sembrar C-4`."),
        ("set", {"target": "houses/alta/grain", "old": 3, "new": 4}, "`houses/alta/grain`: 3 → 4."),
        ("die", {"target": "harvest/alta", "old": (2,), "new": (5,)}, "dado `harvest/alta`: 2 → 5."),
        ("replace", {"late": 1}, "avisó por privado* (hecha después del cierre)"),
    ],
)
def test_each_kind_of_correction_is_worded(change: str, data: dict[str, Any], said: str) -> None:
    """What was there, what is there now, and why."""
    own = mini.play()
    made = report(own, mini.result(own, mini.correction(change, **data)))
    assert said in bodies([made["report"]])


def test_a_changed_die_shows_what_really_fell() -> None:
    """The true value stands beside the director's."""
    own = mini.play()
    one = mini.result(own)
    rolls = (mini.roll("harvest/alta", 5, "mini/roll-harvest", true=2),)
    changed = replace(one, resolution=replace(one.resolution, rolls=rolls))
    assert "1d6 = 5; el director lo cambió: salió 2" in bodies([report(own, changed)["report"]])


def test_a_seat_without_orders_is_told() -> None:
    """Whoever thinks to have sent some learns it from the report at the latest."""
    assert "No tenía órdenes tuyas" in bodies([report(mini.play())["report-monte"]])


def test_who_plays_several_seats_gets_a_block_that_says_for_whom() -> None:
    """Without `como` such a block would be refused."""
    own = mini.play()
    seats = tuple(replace(one, account="11") for one in own.game.seats)
    shared = replace(own, game=replace(own.game, seats=seats))
    assert "[órdenes turno 4 como Casa del Río]" in bodies([report(shared)["report-rio"]])


def test_foreign_words_in_reports_make_no_element() -> None:
    """A player's markup stands there as it was typed."""
    html = MarkdownIt("commonmark").enable("table").render(bodies([report(mini.play())["report"]]))
    assert (True, False) == (mini.WORDS in html, "x.es" in re.sub(r"<[^>]*>[^<]*", "", html))


def questions() -> TurnResult:
    """A turn that asks the director and two seats."""
    asked = (
        Question("reloj/deshielo", "ruling", msg("mini/won")),
        Question(
            "trato/rio", "deal", msg("mini/quiet"), "rio", legal={"aceptar": ("acepto",), "abandonar": ()}
        ),
        Question("trato/alta", "deal", msg("mini/quiet"), "alta", legal={"sí": (), "no": ()}, default="no"),
    )
    resolution = Resolution(mini.valley(), (), (), (), asked, 0, 0)
    return TurnResult(resolution, None, {}, handles={"trato/rio": "P7", "trato/alta": "P8"})


@pytest.mark.parametrize("kind", ["held", "question-rio-p7", "question-alta-p8"])
def test_questions_say_exactly_what_to_write(kind: str) -> None:
    """The director gets lines to paste, a seat lines to send."""
    made = {one.kind: one for one in texts.letters(mini.play(), questions())}
    expected, actual = compare(f"{kind}.md", made[kind].parts)
    assert expected == actual


LOGIN = (
    "A las 22:00 el foro me devolvió la página de identificación en vez del tema: no sé si faltan órdenes. "
    "He vuelto a intentarlo 4 veces."
)


@pytest.mark.parametrize(
    ("name", "reason", "code"),
    [
        ("forum", LOGIN, "forum"),
        (
            "override",
            "overrides/turn-003.toml, línea 4: falta «reason»\noverrides/turn-003.toml, línea 9: …",
            "override",
        ),
        ("unknown", "Algo que nadie había previsto.", "something-new"),
    ],
)
def test_a_hold_says_what_happened_why_and_what_to_do(name: str, reason: str, code: str) -> None:
    """In that order, and then it stops."""
    (letter,) = texts.letters(mini.play(), reason, code)
    expected, actual = compare(f"held-{name}.md", letter.parts)
    assert expected == actual


def test_problems_of_a_result_are_a_letter() -> None:
    """A file that holds the turn is named line by line."""
    own = mini.play()
    wrong = replace(mini.result(own), state=None, problems=("uno", "dos"))
    (letter,) = texts.letters(own, wrong)
    assert ("held", True) == (
        letter.kind,
        "- uno\n- dos\n\nCorrige `overrides/turn-003.toml`" in letter.parts[0],
    )


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (NmrPolicy.NOTHING, "Si no llegan, este turno no harás nada."),
        (NmrPolicy.STANDING, "Si no llegan, se aplicarán tus órdenes permanentes, si las has dado."),
        (NmrPolicy.REPEAT, "Si no llegan, se repetirán las del turno anterior."),
        (NmrPolicy.DEFAULT, "Si no llegan, se aplicarán las que las reglas dan por defecto."),
        (NmrPolicy.HOLD, "Si no llegan, el turno esperará a que el director decida."),
    ],
)
def test_a_reminder_says_what_happens_else(policy: NmrPolicy, said: str) -> None:
    """How long there is, and what the game does with who stays silent."""
    own = mini.play()
    game = replace(own.game, policies=replace(own.game.policies, nmr=policy))
    (letter,) = texts.reminders(replace(own, game=game), some_reading(), timedelta(hours=3))
    assert ("monte", True, True) == (
        letter.to,
        letter.parts[0].startswith("Quedan 3 horas para el cierre del turno 3"),
        letter.parts[0].endswith(said),
    )


def test_files_hold_what_was_published_and_the_proofs() -> None:
    """One file a text, the public proof under its own name."""
    own = mini.play()
    made = tuple(report(own).values())
    opens = Opens(commitments(own, mini.SECRETS), NEXT, NEXT_DEADLINE, own.state)
    kept = report_files(own, mini.frozen(some_reading()), mini.result(own), made, opens)
    files = {one.name: one.content for one in kept}
    wanted = ("report.md", "report.html", "report-rio.html", "report-director.html", "proof-rio.json")
    assert ("valle", *wanted) == (
        json.loads(files["proof.json"])["game"],
        *(name for name in wanted if name in files),
    )


def test_slugs_of_seats_are_unlike_each_other() -> None:
    """Kinds name the seat in letters that a marker can hold, and no two seats share a text."""
    own = mini.play()
    seats = tuple(replace(own.game.seats[0], id=name) for name in ("Ñandú", "nandu", "Ñ", "¡!"))
    slugs = texts.seat_slugs(replace(own, game=replace(own.game, seats=seats)))
    assert ["nandu", "nandu-2", "n", "seat"] == list(slugs.values())


def test_a_reason_of_the_catalogue_is_said() -> None:
    """A hold may also give its reason as a message."""
    (letter,) = texts.letters(mini.play(), msg("mini/won"))
    assert "La Casa Alta tiene 5 campos." in letter.parts[0]


def test_words_of_a_reason_are_escaped() -> None:
    """A forum's own words come from outside."""
    (letter,) = texts.letters(mini.play(), "dice @todos [x](http://x)", "forum")
    assert ("@" in letter.parts[0], "](" in letter.parts[0]) == (False, False)


def test_a_default_is_shown_with_the_end_of_its_offer() -> None:
    """Whoever stays silent knows what holds then, and from when; where the turn waits on, nothing does."""
    ends = {one.id: NEXT_DEADLINE.at for one in questions().resolution.open if one.to == "alta"}
    shown = {
        (bool(until), one.to): "hasta el domingo 13 de diciembre, 22:00 (Madrid)" in body
        and "si no dices nada, vale «no»" in body
        for until in ({}, ends)
        for one in texts.letters(mini.play(), questions(), until=until)
        for body in ["".join(one.parts)]
    }
    assert {key: key == (True, "alta") for key in shown} == shown


def test_a_drawn_order_is_told_as_an_order() -> None:
    """Nobody reads numbers of twenty digits; what they are for is who comes first."""
    own = mini.play()
    drawn = {"alta": 7 * 10**18, "monte": 3 * 10**18, "rio": 9 * 10**18}
    one = mini.result(own)
    dice = (mini.roll(f"round/1/{seat}", value, "mini/roll-harvest") for seat, value in drawn.items())
    rolls = tuple(replace(die, roll=die.roll._replace(sides=2**64)) for die in dice)
    told = bodies([report(own, replace(one, resolution=replace(one.resolution, rolls=rolls)))["report"]])
    assert "- Orden por sorteo: Monteses, Casa Alta, Casa del Río · `round/1`\n" in told
