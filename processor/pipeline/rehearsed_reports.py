"""The reports of a rehearsed turn as plain text: for everybody, for each seat alone, for the director."""

from __future__ import annotations

from collections.abc import Mapping

from processor.pipeline.context import PlayContext, TurnResult
from processor.pipeline.viewing import write_document
from reporters.facts import ReportFacts
from reporters.plain import PlainRenderer
from reporters.reports import compose_report
from reporters.setting import Setting
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.events import Event

CORRECTED = "engine/corrected"
ANSWERED = "engine/answered"


def render_reports(play: PlayContext, result: TurnResult) -> Mapping[str, str]:
    """Texts by reader; a seat's has only what isn't in the public one."""
    readers = (EVERYBODY, *play.players, DIRECTOR_SEAT)
    return {reader: _render(play, result, reader) for reader in readers}


def _render(play: PlayContext, result: TurnResult, reader: str) -> str:
    setting = Setting(play.game, play.ref, play.deadline, play.catalogue, play.forum, PlainRenderer())
    known = [one for one in result.resolution.events if _is_told(one, reader)]
    facts = ReportFacts(
        viewer=reader,
        document=write_document(play, result, reader),
        events=tuple(one for one in known if one.id not in (CORRECTED, ANSWERED)),
        corrections=tuple(one for one in known if one.id == CORRECTED),
        answers=tuple(one for one in known if one.id == ANSWERED),
        outcome=result.outcome,
    )
    pieces = tuple(piece for chapter in compose_report(setting, facts) for piece in chapter.pieces)
    return PlainRenderer().render(pieces)


def _is_told(one: Event, reader: str) -> bool:
    """What a reader's own report tells: a seat's leaves out what the public one says."""
    if reader in (EVERYBODY, DIRECTOR_SEAT):
        return one.audience.sees(reader)
    return one.audience.sees(reader) and not one.audience.everybody
