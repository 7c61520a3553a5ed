"""The reports of a rehearsed turn as plain text: for everybody, for each seat alone, for the director."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from processor.pipeline.context import PlayContext, TurnResult
from processor.pipeline.filing import draw_galleries, page_setting, write_page
from processor.pipeline.viewing import write_document
from reporters.blocks import Chapter
from reporters.facts import ReportFacts
from reporters.plain import PlainRenderer
from reporters.reports import compose_report
from reporters.setting import Setting
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.events import Event
from rules.play.outgoing import ReportFile

CORRECTED = "engine/corrected"
ANSWERED = "engine/answered"


def render_reports(play: PlayContext, result: TurnResult) -> Mapping[str, str]:
    """Texts by reader; a seat's has only what isn't in the public one."""
    setting = Setting(play.game, play.ref, play.deadline, play.catalogue, play.forum, PlainRenderer())
    readers = (EVERYBODY, *play.players, DIRECTOR_SEAT)
    return {reader: _render(compose_rehearsed(play, result, setting, reader)) for reader in readers}


def _render(chapters: Iterable[Chapter]) -> str:
    return PlainRenderer().render([piece for chapter in chapters for piece in chapter.pieces])


def rehearsed_files(play: PlayContext, result: TurnResult) -> tuple[ReportFile, ...]:
    """The pictures of a rehearsed turn, and each reader's report as a page with them."""
    files: list[ReportFile] = []
    for reader, gallery in draw_galleries(play, result).items():
        setting = page_setting(play, gallery)
        chapters = compose_rehearsed(play, result, setting, reader)
        files += [*gallery.files, write_page(play, setting, reader, chapters)]
    return tuple(files)


def compose_rehearsed(play: PlayContext, result: TurnResult, setting: Setting, reader: str) -> list[Chapter]:
    """A reader's report of a turn that nobody has published: without dice and without a next turn."""
    known = [one for one in result.resolution.events if _is_told(one, reader)]
    facts = ReportFacts(
        viewer=reader,
        document=write_document(play, result, reader),
        events=tuple(one for one in known if one.id not in (CORRECTED, ANSWERED)),
        corrections=tuple(one for one in known if one.id == CORRECTED),
        answers=tuple(one for one in known if one.id == ANSWERED),
        outcome=result.outcome,
    )
    return compose_report(setting, facts)


def _is_told(one: Event, reader: str) -> bool:
    """What a reader's own report tells: a seat's leaves out what the public one says."""
    if reader in (EVERYBODY, DIRECTOR_SEAT):
        return one.audience.sees(reader)
    return one.audience.sees(reader) and not one.audience.everybody
