"""Texts for Misago, whose Markdown knows no tables."""

from __future__ import annotations

from reporters.blocks import Grid, Lines
from reporters.dialects import ending_for, renderer_for
from rules.engine.document import Align
from rules.engine.inline import Strong, Text

RENDERER = renderer_for("misago")


def test_a_table_stands_in_columns_of_equal_width() -> None:
    """In code, since Misago would show the borders of any other; marks in it are words."""
    rows = ((Text("Tau"),), (Text("7"),)), ((Strong((Text("Imperio"),)),), (Text("12"),))
    table = Grid(((Text("Facción"),), (Text("Dominio"),)), rows, (Align.LEFT, Align.RIGHT))
    lines = RENDERER.render((table,)).splitlines()
    assert ("```", "```") == (lines[0], lines[-1])
    assert ["Facción  Dominio", "Tau            7", "Imperio       12"] == [
        line for line in lines[1:-1] if not line.startswith("-")
    ]


def test_the_rest_is_markdown() -> None:
    """What a player wrote acts as nothing, brackets of BBCode too; our own marks work."""
    words = (Text("[b]x[/b] *a* "), Strong((Text("sí"),)))
    assert "&#91;b&#93;x&#91;/b&#93; &#42;a&#42; **sí**" == RENDERER.render((Lines((words,)),))
    assert "md" == ending_for(RENDERER)
