"""What may come of the open missions, for the director: exact chances, since 3d10 have 1,000 outcomes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.engine.document import Align, Document, Paragraph, Section, Table
from rules.engine.messages import Message, Quoted, msg
from rules.engine.turn import Turn
from rules.valar.bands import BANDS, Band, chances, succeeds
from rules.valar.entries import Case
from rules.valar.report import CHANGES
from rules.valar.resolve.consequences import pays_for_success, price_of, share_of_case
from rules.valar.resolve.finding import Found
from rules.valar.resolve.pairing import rivals_of, sides_of
from rules.valar.resolve.rolling import take_modifiers
from rules.valar.sharing import band_words, words_of
from rules.valar.state import name_of, open_missions, stance_of


def foretell(turn: Turn) -> Document:
    """A section for each mission that is still to be rolled: with what it rolls, and the chance of each band.

    Those that are due come first, as they are rolled first; later ones as they stand now.
    """
    due_first = sorted(open_missions(turn.state), key=lambda one: max(one[2].resolves, turn.number))
    rolls = [(one, take_modifiers(turn, *one)) for one in due_first]
    notes = tuple(_notes(turn)) if rolls else ()
    return Document(msg("valar/forecast"), (*notes, *(_section(turn, *roll) for roll in rolls)))


def _notes(turn: Turn) -> Iterator[Section]:
    """Whether something is still to be answered on which the modifiers depend."""
    if any(one.answer is None for one in turn.asked):
        said = Paragraph(msg("valar/forecast-unanswered"))
        yield Section("forecast-unanswered", None, (said,))


def _section(turn: Turn, one: Found, modifiers: Mapping[str, int]) -> Section:
    house, slug, mission = one
    total = sum(modifiers.values())
    title = msg("valar/forecast-mission", title=Quoted(mission.title), house=name_of(turn.state, house))
    sum_up = msg("valar/forecast-modifier", **modifiers, total=total)
    facts = Paragraph((_when(turn, one), sum_up, *_terms(turn, one)))
    return Section(f"forecast-{house}-{slug}", title, (facts, _table(turn, one, total)))


def _when(turn: Turn, one: Found) -> Message:
    resolves = one[2].resolves
    return msg("valar/forecast-when", resolves=resolves if resolves > turn.number else None)


def _terms(turn: Turn, one: Found) -> Iterator[Message]:
    """Position and effect, and whom it is opposed to."""
    house, slug, mission = one
    position, effect = stance_of(turn.state, mission)
    words = {"position": position.value, "effect": effect.value}
    yield msg("valar/forecast-stance", **{key: msg(CHANGES[key][value]) for key, value in words.items()})
    rivals = tuple(name_of(turn.state, key) for key in rivals_of(sides_of(turn, house, slug), house))
    if rivals:
        yield msg("valar/forecast-opposed", rivals=rivals)


def _table(turn: Turn, one: Found, modifier: int) -> Table:
    """Every band that can come up, the best first."""
    counted = chances(modifier)
    rows = tuple(_row(turn, one, band, counted[band]) for band in reversed(BANDS) if counted[band])
    head = tuple(msg(f"valar/head-{name}") for name in ("band", "chance", "brings"))
    return Table(head, rows, (Align.LEFT, Align.RIGHT, Align.LEFT))


def _row(turn: Turn, one: Found, band: Band, outcomes: int) -> tuple[Message, ...]:
    case = Case(turn, *one, band, succeeds(band))
    if not case.success and pays_for_success(case):
        case.success, case.paid = True, price_of(case)
    whole, tenth = divmod(outcomes, 10)
    brings, paid = words_of(share_of_case(case)), int(case.success and not succeeds(band))
    return (
        band_words(band),
        msg("valar/cell-chance", whole=whole, tenth=tenth),
        msg("valar/cell-brings", share=brings, paid=paid),
    )
