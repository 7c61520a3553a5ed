"""Receipts say what was understood, what wasn't and why, to whom it may be said; kept as texts to read."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reporters.blocks import Chapter
from reporters.findings import point_at
from reporters.plain import PlainRenderer
from reporters.receipts import Lock, compose_receipt, compose_receipts
from reporters.setting import Setting
from rules.engine.diagnostics import Span, error, warning
from rules.engine.messages import Code, msg
from rules.play.reading import LineRead, SeatReading, SkippedText, TurnReading
from tests.support import mini
from tests.support.golden_texts import compare

LOCK = Lock("9f" * 32, 23, "mini-1-0123456789ab", 1)


def some_reading(*, private: bool) -> TurnReading:
    """One seat with every kind of line, one whose newest block is for another turn, one silent."""
    lines = (mini.sow(1), mini.misspelt(2), mini.foreign_field(3), mini.overspent(4))
    alta = mini.in_force(mini.submission("alta", mini.post(41, private=private), *lines))
    older = mini.submission("rio", mini.post(38, 20, 3, day=3, private=private), mini.sow(1))
    wrong = error("block/wrong-turn", turn=2, open=3)
    newest = mini.submission(
        "rio", mini.post(44, 20, 3, private=private), mini.sow(1), valid=False, problems=(wrong,)
    )
    skipped = (
        SkippedText(mini.post(43), "quote", "alta"),
        SkippedText(mini.post(45), "signature", "monte"),
        SkippedText(mini.post(46, private=True), "struck", "alta"),
    )
    late = (SkippedText(mini.post(52, 22, 4), "late", "monte"),)
    return mini.reading(alta, SeatReading("rio", (older,), newest), skipped=skipped, late=late)


def public(setting: Setting, reading: TurnReading, lock: Lock | None = None) -> tuple[str, ...]:
    """The public post."""
    return setting.parts("receipts", compose_receipts(setting, reading, lock))


def private(setting: Setting, reading: TurnReading, seat: str, lock: Lock | None = None) -> tuple[str, ...]:
    """A seat's own, no parts where there is none."""
    return setting.parts("receipt", compose_receipt(setting, reading, seat, lock) or [])


def one_seat(own: SeatReading, *, lock: Lock | None = None, secret: bool = False) -> str:
    """The public post about a single seat."""
    return "\n".join(public(mini.setting(secret=secret), mini.reading(own), lock))


def test_the_post_of_an_open_game_says_everything() -> None:
    """Each line as understood with what it costs, or why not; what was skipped; who is missing."""
    expected, actual = compare(
        "receipts-open.md", public(mini.setting(secret=False), some_reading(private=False))
    )
    assert expected == actual


def test_the_post_of_a_game_with_secrets_says_only_who() -> None:
    """Who has sent orders, what was skipped in the open topic; not what became of them."""
    expected, actual = compare("receipts-secret.md", public(mini.setting(), some_reading(private=True)))
    assert expected == actual


def test_after_the_lock_the_post_says_what_is_sealed() -> None:
    """The lock tag, the number of posts read, the rules; nobody is asked to mend anything any more."""
    reading = some_reading(private=True)
    expected, actual = compare("receipts-closed.md", public(mini.setting(), reading, LOCK))
    assert expected == actual


@pytest.mark.parametrize("seat", ["alta", "rio", "monte"])
def test_the_private_receipt_says_everything_to_its_seat(seat: str) -> None:
    """Every line with carets where a mistake is, what to write instead, and what still stands."""
    parts = private(mini.setting(), some_reading(private=True), seat)
    expected, actual = compare(f"receipt-{seat}.md", parts)
    assert expected == actual


def test_a_seat_that_sent_nothing_gets_no_receipt() -> None:
    """There is nothing to tell; reminding is another letter."""
    assert None is compose_receipt(mini.setting(), mini.reading(), "alta")


def test_private_posts_are_not_named_in_public() -> None:
    """That something was struck in a private message is only its author's business."""
    reading = mini.reading(skipped=(SkippedText(mini.post(46, private=True), "struck", "alta"),))
    assert "tachado" not in "\n".join(public(mini.setting(), reading))


@given(st.integers(0, 50), st.integers(0, 50))
def test_the_public_post_is_the_same_whatever_is_hidden(left: int, spent: int) -> None:
    """In a game with secrets what rests on supplies moves no letter of the public post."""
    hidden = warning("mini/overspent", spent=spent, grain=left)
    told = msg("mini/told-sow", field=Code("C-1"), left=left)
    own = mini.in_force(
        mini.submission("alta", mini.post(41, private=True), mini.accepted(1, "sembrar C-1", told, hidden))
    )
    other = mini.in_force(mini.submission("alta", mini.post(41, private=True), mini.sow(1)))
    setting = mini.setting()
    assert public(setting, mini.reading(other)) == public(setting, mini.reading(own))


def test_withdrawn_orders_are_said_to_be_so() -> None:
    """A withdrawal is no silence."""
    own = mini.in_force(mini.submission("alta", mini.post(41), withdrawal=True))
    assert (
        "órdenes retiradas" in one_seat(own),
        "ha retirado sus órdenes" in one_seat(own, secret=True),
    ) == (
        True,
        True,
    )


def test_ready_and_standing_are_acknowledged() -> None:
    """`listo` and `permanentes` had an effect, so the receipt says so, with the lines as they read now."""
    block = mini.submission("alta", mini.post(41), mini.sow(1), ready=True, standing=True)
    said = one_seat(SeatReading("alta", (), block, standing=(block,)))
    assert ("Ha dicho `listo`." in said, "**Órdenes permanentes**" in said) == (True, True)
    assert "**1.** Sembrar" in said


def test_what_stands_in_is_said_to_do_so() -> None:
    """At the lock the standing orders are the seat's, with their turn; private ones show nowhere else."""
    block = mini.submission("alta", mini.post(41), mini.sow(1), standing=True, since=2)
    own = SeatReading("alta", (block,), None, standing=(block,))
    secret = replace(own, in_force=(replace(block, post=mini.post(41, private=True)),))
    assert "Sin órdenes para este turno; valen las permanentes, leídas" in one_seat(own)
    assert "(turno 2), 19:12 · completas" in one_seat(own)
    assert "sin órdenes para este turno; valen las permanentes" in one_seat(own, secret=True)
    assert "**Casa Alta** — sin órdenes todavía" in one_seat(secret, secret=True)


def test_added_blocks_are_named_together() -> None:
    """What was appended in another post stands with the block that it belongs to."""
    first = mini.submission("alta", mini.post(41), mini.sow(1))
    more = mini.submission("alta", mini.post(44, 20, 3), mini.sow(2), append=True)
    assert (
        "**Casa Alta** — [mensaje #41](https://foro.example/comment/41/find/), 19:12 y "
        "[mensaje #44](https://foro.example/comment/44/find/), 20:03 · completas ✔"
    ) in one_seat(mini.in_force(more, first))


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        ((mini.sow(1),), "completas ✔"),
        ((mini.overspent(1),), "completas, con 1 aviso ⚠"),
        ((mini.sow(1), mini.misspelt(2)), "**hay 1 línea que no entendí**"),
        ((mini.sow(1), mini.misspelt(2), mini.misspelt(3)), "**hay 2 líneas que no entendí**"),
        ((mini.sow(1), mini.misspelt(2), mini.foreign_field(3)), "**hay 2 líneas que no valen**"),
    ],
)
def test_the_verdict_counts(lines: tuple[LineRead, ...], verdict: str) -> None:
    """One phrase tells whether all is well, in the right number."""
    own = mini.in_force(mini.submission("alta", mini.post(41), *lines))
    assert verdict in one_seat(own)


@pytest.mark.parametrize(
    ("why", "said"),
    [
        ("quote", "en [#43](https://foro.example/comment/43/find/) había un bloque dentro de una cita"),
        ("struck", "en [#43](https://foro.example/comment/43/find/) había órdenes tachadas (`x`)."),
        ("no-seat", "[#43](https://foro.example/comment/43/find/) (de &#64;Ana, que no juega)."),
        ("early", "[#43](https://foro.example/comment/43/find/) (de antes de que se abriera el turno)."),
        ("removed", "[#43](https://foro.example/comment/43/find/) (borrado antes del cierre)."),
        ("unapproved", "[#43](https://foro.example/comment/43/find/) (todavía no es visible para todos)."),
        (
            "something-new",
            "algo en [#43](https://foro.example/comment/43/find/) parecía un bloque de órdenes",
        ),
    ],
)
def test_what_was_skipped_is_named(why: str, said: str) -> None:
    """Each place once, with its reason; a reason that has no words of its own is told too."""
    one = SkippedText(mini.post(43), why, author="@Ana", excerpt="x")
    assert 1 == "\n".join(public(mini.setting(), mini.reading(skipped=(one, one)))).count(said)


@pytest.mark.parametrize("secret", [False, True])
def test_orders_without_a_block_are_named_to_their_author(secret: bool) -> None:
    """In public only where nothing is hidden: whether they read as orders depends on what Alta can see."""
    stray = SkippedText(mini.post(41), "no-block", "alta", excerpt="sembrar A1")
    reading = mini.reading(skipped=(stray,))
    setting = mini.setting(secret=secret)

    assert ("sembrar A1" in "\n".join(public(setting, reading))) != secret
    assert "sembrar A1" in "\n".join(private(setting, reading, "alta"))


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (
            "late",
            "**Llegaron tarde y no cuentan:** Casa Alta, [#52](https://foro.example/comment/52/find/) (22",
        ),
        ("doubtful", "(22:04; lo leí ya cambiado y no sé qué decía al cierre: el director puede aceptarlo)."),
        ("edited-late", "**Cambiados después del cierre; vale lo que decían antes:** Casa Alta, [#52]("),
        ("early", "Tampoco cuentan: [#52](https://foro.example/comment/52/find/) (de antes"),
    ],
)
def test_what_came_too_late_is_named(why: str, said: str) -> None:
    """Late, changed late, and too early are different things."""
    late = (SkippedText(mini.post(52, 22, 4), why, "alta"),)
    assert said in "\n".join(public(mini.setting(), mini.reading(late=late)))


def test_an_answer_while_the_turn_is_open_answers_nothing() -> None:
    """Questions come behind the deadline: whoever answers before is told so, and that nothing was taken."""
    own = mini.in_force(mini.submission("alta", mini.post(41), replies=(("p7", "abandonar"),)))
    assert "ℹ **P7**: `abandonar`. Todavía no hay nada que contestar" in one_seat(own)


def test_a_seat_without_player_is_said_to_be_so() -> None:
    """Nobody waits for orders that can't come."""
    setting = mini.setting()
    seats = tuple(replace(one, account=None) for one in setting.game.seats)
    vacant = replace(setting, game=replace(setting.game, seats=seats))
    assert "**Monteses** — sin jugador" in "\n".join(public(vacant, mini.reading()))


@pytest.mark.parametrize("secret", [True, False])
def test_what_a_block_came_to_is_not_public(*, secret: bool) -> None:
    """Whether a line or a block is refused may rest on what only its seat knows: the post tells neither."""
    setting = replace(mini.setting(secret=secret), hidden=True)
    here, older = mini.post(41), mini.post(38, 20, 3)
    fine = mini.submission("alta", here, mini.sow(1), mini.sow(2))
    some = mini.submission("alta", here, mini.sow(1), mini.misspelt(2))
    none = mini.submission("alta", here, mini.misspelt(1), valid=False)
    stands = mini.submission("alta", older, mini.sow(1))
    readings = (
        mini.in_force(fine),
        mini.in_force(some),
        SeatReading("alta", (), none),
        SeatReading("alta", (stands,), none),
    )

    shown = {public(setting, mini.reading(one), lock) for one in readings for lock in (None,)}
    closed = {public(setting, mini.reading(one), LOCK) for one in readings}

    assert (1, 1) == (len(shown), len(closed))
    assert "**Casa Alta** — ha publicado órdenes ([mensaje #41]" in "\n".join(*shown)


def test_a_long_line_is_cut_around_the_mistake() -> None:
    """At most 80 characters of what a player wrote are shown, those around the place."""
    text = "sembrar " + "C-1, " * 60 + "X-9"
    shown = point_at(text, Span(len(text) - 3, len(text)))
    assert shown is not None
    line, carets = shown.split("\n")
    assert (79, "…", "X-9", 76) == (len(line), line[0], line[carets.index("^") :], carets.index("^"))


@pytest.mark.parametrize("span", [None, Span(0, 11), Span(5, 40), Span(3, 3)])
def test_no_carets_where_the_whole_line_is_meant(span: Span | None) -> None:
    """Nor for a span that isn't of this line."""
    assert None is point_at("sembrar C-1", span)


def test_carets_stand_under_wide_and_invisible_letters() -> None:
    """Letters that take two columns or none don't move the carets."""
    assert "田 sembrar C-9\n           ^^^" == point_at("田\u200b sembrar C-9", Span(11, 14))


@given(st.text(max_size=200), st.integers(0, 210), st.integers(0, 210))
def test_pointing_never_fails(text: str, start: int, end: int) -> None:
    """Whatever a line holds there is a line and its carets, or none."""
    shown = point_at(text, Span(start, end))
    assert shown is None or (1, "^") == (shown.count("\n"), shown[-1])


@given(st.text(max_size=60))
def test_a_players_line_adds_nothing_to_the_post(text: str) -> None:
    """The pieces of a receipt are the same for a hostile line as for a harmless one."""

    def drawn(line: str) -> list[Chapter]:
        unknown = replace(mini.misspelt(2), text=line, findings=(error("parse/too-long"),))
        own = mini.in_force(mini.submission("alta", mini.post(41), mini.sow(1), unknown))
        return compose_receipts(mini.setting(secret=False), mini.reading(own))

    assert [one.id for one in drawn("x")] == [one.id for one in drawn(text)]


def test_the_same_receipt_as_plain_text() -> None:
    """The folder forum's files need no Markdown."""
    setting = mini.setting(secret=False, renderer=PlainRenderer())
    expected, actual = compare("receipts-open.txt", public(setting, some_reading(private=False)))
    assert expected == actual


def test_a_closed_private_receipt_gives_the_seals_of_private_posts() -> None:
    """What opens the leaf in the manifest: once for each post, to its author, never in public."""
    block = replace(mini.submission("alta", mini.post(41, private=True), mini.sow(1)), salt="0f" * 16)
    reading = mini.reading(replace(mini.in_force(block), in_force=(block, replace(block, append=True))))

    own = "\n".join(private(mini.setting(), reading, "alta", LOCK))

    assert 1 == own.count("0f" * 16)
    assert "0f" * 16 not in "\n".join(public(mini.setting(), reading, LOCK))
    assert "Sello" not in "\n".join(private(mini.setting(), reading, "alta"))
