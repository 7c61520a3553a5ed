"""A rule set's document to chapters, in the words of one catalogue."""

from __future__ import annotations

from collections.abc import Iterable

from reporters.blocks import Chapter, Fence, Figure, Grid, Heading, Lines, Listing, Piece, Run
from rules.engine.catalogue import Catalogue
from rules.engine.document import Block, Document, Items, Paragraph, Phrase, Picture, Preformatted, Table
from rules.engine.inline import Strong, Text
from rules.engine.messages import Message


def lay_out(document: Document, catalogue: Catalogue, *, titled: bool = True) -> tuple[Chapter, ...]:
    """The sections as chapters, empty ones left out. titled: whether the document's own title comes first."""
    chapters = [
        Chapter(one.id, tuple(_section(one.title, one.blocks, catalogue))) for one in document.sections
    ]
    if titled:
        title = Heading(catalogue.say(document.title), 1)
        chapters = [Chapter("title", (title,)), *chapters]
    return tuple(one for one in chapters if one.pieces)


def _section(title: Message | None, blocks: tuple[Block, ...], catalogue: Catalogue) -> Iterable[Piece]:
    pieces = [piece for one in blocks for piece in lay_out_block(one, catalogue)]
    if title is not None and pieces:
        yield Lines(((Strong(catalogue.say(title)),),), keep=True)
    yield from pieces


def lay_out_block(block: Block, catalogue: Catalogue) -> tuple[Piece, ...]:
    """One block as pieces: a list may have its title in front."""
    match block:
        case Items(items, ordered, title):
            listing = Listing(tuple(say_phrase(one, catalogue) for one in items), ordered)
            if title is None:
                return (listing,)
            return (Lines(((Strong(say_phrase(title, catalogue)),),), keep=True), listing)
        case _:
            return (_lay_out_single(block, catalogue),)


def _lay_out_single(block: Paragraph | Table | Preformatted | Picture, catalogue: Catalogue) -> Piece:
    match block:
        case Paragraph(text):
            return Lines((say_phrase(text, catalogue),))
        case Table(head, rows, align):
            cells = tuple(tuple(catalogue.say(cell) for cell in row) for row in rows)
            return Grid(tuple(catalogue.say(cell) for cell in head), cells, align)
        case Preformatted(text, language):
            return Fence(text, language or "text")
        case Picture():
            return Figure(block.name, catalogue.say(block.alternative), block.told)


def say_phrase(phrase: Phrase, catalogue: Catalogue) -> Run:
    """A message, or several with a blank between them."""
    messages = phrase if isinstance(phrase, tuple) else (phrase,)
    said = [catalogue.say(one) for one in messages]
    return tuple(piece for at, one in enumerate(said) for piece in ((Text(" "), *one) if at else one))
