"""What is kept of a report in the game's folder: the texts, a page for each reader, pictures, proofs."""

from __future__ import annotations

import re
import unicodedata
from base64 import b64encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from processor.pipeline.context import Frozen, Opens, PlayContext, TurnResult
from processor.pipeline.gathering import CLOSING_FILE, proof_file
from processor.pipeline.texts import compose_all, seat_slugs, setting_of
from processor.pipeline.viewing import write_document
from reporters.blocks import Chapter
from reporters.dialects import ending_for
from reporters.html import HtmlRenderer, page
from reporters.pictures.drawing import draw_svg
from reporters.proof import render_closing, render_proof
from reporters.setting import Setting
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.document import Picture
from rules.engine.messages import msg
from rules.play.outgoing import Outgoing, ReportFile

_NO_LETTERS = re.compile(r"[^a-z0-9]+")
_ENDLESS = 100_000_000
"""Characters of a page in a file, which no forum limits."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture as it is kept. name: by which its report knows it. file: its name, without ending."""

    name: str
    file: str
    svg: str


@dataclass(frozen=True, slots=True)
class Gallery:
    """One reader's pictures."""

    pictures: tuple[Drawn, ...] = ()

    @property
    def files(self) -> tuple[ReportFile, ...]:
        """The pictures as they are stored."""
        return tuple(ReportFile(f"{one.file}.svg", one.svg) for one in self.pictures)

    @property
    def addresses(self) -> Mapping[str, str]:
        """By a picture's name, for a page."""
        return {one.name: _address(one.svg) for one in self.pictures}


def public_pictures(play: PlayContext, result: TurnResult) -> tuple[Drawn, ...]:
    """The pictures of the public report: nothing of them is secret."""
    return _draw_gallery(play, result, EVERYBODY).pictures


def report_files(
    play: PlayContext, frozen: Frozen, result: TurnResult, outgoing: tuple[Outgoing, ...], opens: Opens
) -> tuple[ReportFile, ...]:
    """What was published, as text; each reader's report as a page with pictures; the pictures; the proofs.

    opens: what the report says of this turn's commitments and of the turn that it opens.
    """
    files = [*_texts(play, outgoing)]
    galleries = draw_galleries(play, result)
    for reader, gallery in galleries.items():
        setting = page_setting(play, gallery)
        chapters = compose_all(play, setting, frozen, result, opens, (reader,))[reader]
        files += [*gallery.files, write_page(play, setting, reader, chapters)]
    files += [
        ReportFile(proof_file(group), render_proof(one)) for group, one in sorted(result.proofs.items())
    ]
    if result.closing is not None:
        files.append(ReportFile(CLOSING_FILE, render_closing(result.closing)))
    return tuple(files)


def _texts(play: PlayContext, outgoing: Iterable[Outgoing]) -> Iterable[ReportFile]:
    ending = ending_for(setting_of(play).renderer)
    for one in outgoing:
        for number, part in enumerate(one.parts, 1):
            name = one.kind if len(one.parts) == 1 else f"{one.kind}-{number}"
            yield ReportFile(f"{name}.{ending}", f"{part}\n")


def page_setting(play: PlayContext, gallery: Gallery) -> Setting:
    """A turn as its pages see it: HTML without a limit, with pictures."""
    return replace(
        setting_of(play),
        renderer=HtmlRenderer(gallery.addresses.get),
        forum=replace(play.forum, max_chars=_ENDLESS, max_private=None),
    )


def write_page(play: PlayContext, setting: Setting, reader: str, chapters: Iterable[Chapter]) -> ReportFile:
    """A reader's report as a page of its own."""
    body = setting.renderer.render([piece for chapter in chapters for piece in chapter.pieces])
    title = play.catalogue.text(
        msg("report/title", turn=play.ref.turn, track=play.ref.track, game=play.game.title)
    )
    name = "report" if reader == EVERYBODY else f"report-{_slug_of(play, reader)}"
    return ReportFile(f"{name}.html", page(title, body, play.catalogue.language))


def draw_galleries(play: PlayContext, result: TurnResult) -> Mapping[str, Gallery]:
    """The pictures of everybody, of each seat, and of the director, each from its own document."""
    return {
        reader: _draw_gallery(play, result, reader) for reader in (EVERYBODY, *play.players, DIRECTOR_SEAT)
    }


def _draw_gallery(play: PlayContext, result: TurnResult, reader: str) -> Gallery:
    document = write_document(play, result, reader)
    sections = document.sections if document is not None else ()
    pictures = [one for section in sections for one in section.blocks if isinstance(one, Picture)]
    drawn = {one.name: draw_svg(one, play.catalogue) for one in pictures}
    names = _file_names(drawn, "" if reader == EVERYBODY else f"-{_slug_of(play, reader)}")
    return Gallery(tuple(Drawn(name, names[name], svg) for name, svg in drawn.items()))


def _file_names(pictures: Iterable[str], ending: str) -> Mapping[str, str]:
    """For each picture a name that is legal in any folder; no two alike."""
    names: dict[str, str] = {}
    for name in pictures:
        plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
        base = _NO_LETTERS.sub("-", plain).strip("-") or "picture"
        taken = set(names.values())
        numbered = (f"{base}{ending}", *(f"{base}-{number}{ending}" for number in range(2, len(taken) + 3)))
        names[name] = next(one for one in numbered if one not in taken)
    return names


def _slug_of(play: PlayContext, reader: str) -> str:
    """Letters that name a reader in files; a seat called like the director has a number behind."""
    return "director" if reader == DIRECTOR_SEAT else seat_slugs(play)[reader]


def _address(svg: str) -> str:
    """The picture as an address, so that a page stays whole wherever it is sent."""
    return f"data:image/svg+xml;base64,{b64encode(svg.encode()).decode()}"
