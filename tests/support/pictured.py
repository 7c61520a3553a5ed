"""Pictures for a post, as tests of forums that take them draw, hand over and show them."""

from __future__ import annotations

from processor.ports import Uploading
from reporters.blocks import Figure
from reporters.dialects import renderer_for
from reporters.pictures.drawing import DRAW
from rules.engine.inline import Text
from rules.play.posts import Uploaded
from tests.support.forum_scene import MARKER

_SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="30"><rect width="{0}" height="30"/></svg>'


def draw(bot: object, width: int = 40) -> tuple[str, bytes]:
    """A picture of the kind that a forum takes, and the name of its file."""
    uploads = bot.capabilities.uploads  # type: ignore[attr-defined]
    return f"map-cm.{uploads.kind}", DRAW[uploads.kind](_SVG.format(width))


def hand_over(bot: object, topic: str, width: int = 40, beside: str = "") -> Uploaded:
    """Hand over a picture."""
    assert isinstance(bot, Uploading)
    outcome = bot.upload(topic, *draw(bot, width), beside)
    assert isinstance(outcome, Uploaded), outcome
    return outcome


def hand_over_all(bot: object, topic: str, count: int) -> list[Uploaded]:
    """Hand over the pictures of a turn, one after the other."""
    handed: list[Uploaded] = []
    for number in range(count):
        handed.append(hand_over(bot, topic, 40 + number, handed[0].handle if handed else ""))
    return handed


def write(software: str, *shown: Uploaded) -> str:
    """A report with pictures, as it is written for that forum."""
    references = {f"map-{number}": one.reference for number, one in enumerate(shown)}
    figures = [Figure(name, (Text("El mapa"),), told=True) for name in references]
    return f"Informe del turno tres.\n\n{renderer_for(software, references.get).render(figures)}\n\n{MARKER}"
