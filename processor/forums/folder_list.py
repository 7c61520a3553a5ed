"""The page beside the texts to paste: what goes where, in order, and what has changed since."""

from __future__ import annotations

from collections.abc import Iterable

from processor.folder import write_file
from processor.forums.folder_shelf import Marker, Shelf, Written
from rules.engine.catalogue import Catalogue
from rules.engine.messages import msg


def write_list(shelf: Shelf) -> None:
    """Write the page anew; it is ours alone. Raises OSError."""
    name = shelf.catalogue.text(msg("folder/list-name"))
    content = f"{compose_list(shelf)}\n".encode()
    path = shelf.folder / name
    if not path.exists() or path.read_bytes() != content:
        write_file(path, content)


def compose_list(shelf: Shelf) -> str:
    """The page's text."""
    turn = Marker.of(shelf.texts[0].marker).ref.turn if shelf.texts else 0
    say = shelf.catalogue.text
    lines = [say(msg("folder/list-title", turn=turn)), ""]
    for one in shelf.texts:
        lines += [f"{one.name}", *(f"    {line}" for line in _describe(one, shelf.catalogue)), ""]
    lines.append(say(msg("folder/list-foot")))
    return "\n".join(lines)


def _describe(one: Written, catalogue: Catalogue) -> Iterable[str]:
    yield describe_text(one, catalogue)
    for kept in one.kept:
        yield catalogue.text(msg("folder/list-kept", file=kept))


def describe_text(one: Written, catalogue: Catalogue) -> str:
    """What is to be done with a text, as a sentence."""
    url = one.url or None
    if one.void:
        return catalogue.text(msg("folder/list-void"))
    if one.stale and one.to:
        return catalogue.text(msg("folder/list-again", to=one.to, url=url))
    if one.stale:
        return catalogue.text(msg("folder/list-edit", url=url))
    if one.posted:
        return catalogue.text(msg("folder/list-done", url=url))
    if one.to:
        return catalogue.text(msg("folder/list-private", to=one.to, title=one.title))
    return catalogue.text(msg("folder/list-topic"))
