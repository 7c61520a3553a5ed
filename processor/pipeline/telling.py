"""What each reader is told of a turn, line by line, so that a later attempt can say what differs.

The lines are those of the reader's own document: whatever a reader may not know can't be in a difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from processor.pipeline.context import PlayContext, TurnResult
from processor.pipeline.viewing import events_for, write_document
from reporters.layout import say_phrase
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.document import Block, Document, Items, Paragraph, Preformatted, Table
from rules.engine.inline import plain
from rules.engine.messages import Message
from rules.play.attempts import ToldLines


def tell_readers(play: PlayContext, result: TurnResult) -> Mapping[str, ToldLines]:
    """What everybody, each seat and the director are told of a resolved turn, by reader."""
    return {reader: tell_reader(play, result, reader) for reader in (EVERYBODY, *play.players, DIRECTOR_SEAT)}


def tell_reader(play: PlayContext, result: TurnResult, reader: str) -> ToldLines:
    """What one reader is told of a resolved turn."""
    return tuple(_tell(play, result, reader))


def _tell(play: PlayContext, result: TurnResult, reader: str) -> Iterable[tuple[str, str]]:
    document = write_document(play, result, reader)
    if document is None:
        for one in events_for(result, reader):
            yield "", play.say(Message(one.id, one.data))
    else:
        yield from _tell_document(play, document)


def _tell_document(play: PlayContext, document: Document) -> Iterable[tuple[str, str]]:
    for section in document.sections:
        for place, block in enumerate(section.blocks):
            yield from _tell_block(play, block, f"{section.id}/{place}")


def _tell_block(play: PlayContext, block: Block, where: str) -> Iterable[tuple[str, str]]:
    """A line for each item and paragraph; a row of a table is about what stands in its first cell."""
    match block:
        case Paragraph(text):
            yield "", plain(say_phrase(text, play.catalogue))
        case Items(items=items):
            yield from (("", plain(say_phrase(one, play.catalogue))) for one in items)
        case Preformatted(text):
            yield from (("", one) for one in text.split("\n"))
        case Table(head, rows):
            names = [plain(play.catalogue.say(one)) for one in head]
            for row in rows:
                cells = [plain(play.catalogue.say(one)) for one in row]
                told = (f"{name} {cell}".strip() for name, cell in zip(names[1:], cells[1:], strict=True))
                yield f"{where}/{cells[0]}", ": ".join((cells[0], ", ".join(told)))
