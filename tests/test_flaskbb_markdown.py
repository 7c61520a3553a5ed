"""Texts for FlaskBB, whose Markdown knows the backslash and no entities."""

from __future__ import annotations

import pytest

from reporters.blocks import Fence, Lines
from reporters.dialects import ending_for, renderer_for
from rules.engine.inline import Fixed, Inline, Link, Strong, Text

RENDERER = renderer_for("flaskbb")


def draw(*pieces: Inline) -> str:
    """One line as it is posted."""
    return RENDERER.render((Lines((pieces,)),))


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("órdenes: 2 a CM-5", "órdenes: 2 a CM-5"),
        ("*a* _b_ `c` [d](e)", r"\*a\* \_b\_ \`c\` \[d\](e)"),
        ("# no es un título", r"\# no es un título"),
        ("1. ni una lista", r"1\. ni una lista"),
        ("a & b &amp; c", "a & b &amp; c"),
        ("x^2^ ==y== >! z", r"x\^2\^ \=\=y\=\= >\! z"),
        ("@alice", "@\u2060alice"),
        ("&#64;alice", "&#64;alice"),
    ],
)
def test_foreign_words_act_as_nothing(text: str, drawn: str) -> None:
    """What a player wrote is seen as it was written, and calls nobody."""
    assert drawn == draw(Text(text))


def test_code_is_left_as_it_is() -> None:
    """A backslash would show there; only a mention would act, since FlaskBB looks for them first."""
    assert "`&#64; * ^ @\u2060bob` y más\\*" == draw(Fixed("&#64; * ^ @bob"), Text(" y más*"))
    assert "```text\n[órdenes]\n&#42; @\u2060bob *x*\n```" == RENDERER.render(
        (Fence("[órdenes]\n&#42; @bob *x*", "text"),)
    )


def test_an_address_keeps_its_letters() -> None:
    """An @ in an address is written so that it is no mention."""
    assert "[mapa](https://foro.example/%40bob?a=b)" == draw(
        Link((Text("mapa"),), "https://foro.example/@bob?a=b")
    )


def test_marks_stay_marks() -> None:
    """Our own emphasis works."""
    assert r"**a\*b**" == draw(Strong((Text("a*b"),)))


def test_its_files_are_markdown() -> None:
    """The copies in the folder end as Markdown does."""
    assert "md" == ending_for(RENDERER)
