"""The language of catalogue texts: gender, number, lists, parts left out, marks."""

from __future__ import annotations

import pytest

from rules.engine.catalogue import Catalogue, MissingText
from rules.engine.inline import Emphasis, Fixed, Link, Strong, Text
from rules.engine.messages import Code, Message, Name, Param, Quoted, msg
from rules.engine.templates import TemplateError, parse_template

EMPIRE = Name("Imperio", "m", article="el")
ELVES = Name("Elfos", "m", plural=True, article="los")
TAU = Name("Tau")


def say(text: str, params: dict[str, Param], language: str = "es") -> str:
    """A text with its parameters, as bare words."""
    texts = {"test/one": text, "test/inner": "ojo {n}"}
    return Catalogue(language, texts).text(Message("test/one", params))


@pytest.mark.parametrize(
    ("text", "params", "expected"),
    [
        ("{n, plural, one {# tropa} other {# tropas}}", {"n": 1}, "1 tropa"),
        ("{n, plural, one {# tropa} other {# tropas}}", {"n": 0}, "0 tropas"),
        ("{n, plural, one {una} other {varias}}", {"n": ("a", "b")}, "varias"),
        ("{who, The} {who, plural, one {gana} other {ganan}}", {"who": ELVES}, "Los Elfos ganan"),
        ("{who, The} {who, plural, one {gana} other {ganan}}", {"who": EMPIRE}, "El Imperio gana"),
        ("la casilla {who, of}", {"who": EMPIRE}, "la casilla del Imperio"),
        ("la casilla {who, of}", {"who": TAU}, "la casilla de Tau"),
        ("se lo da {who, to}", {"who": EMPIRE}, "se lo da al Imperio"),
        ("se lo da {who, to}", {"who": TAU}, "se lo da a Tau"),
        ("{who, gender, m {solo} f {sola} other {sin nadie}}", {"who": TAU}, "sin nadie"),
        ("{k, select, win {gana} other {pierde}}", {"k": "win"}, "gana"),
        ("ya{note, if, { ({note})}}", {"note": None}, "ya"),
        ("ya{note, if, { ({note})}}", {"note": msg("test/inner", n=3)}, "ya (ojo 3)"),
        ("{n, if, {con {n}}, {sin nada}}", {"n": 0}, "sin nada"),
        ("{l}", {"l": ("Ana", "Inés")}, "Ana e Inés"),
        ("{l}", {"l": ("a", "b", "c")}, "a, b y c"),
        ("{l, or}", {"l": ("uno", "otro")}, "uno u otro"),
        ("{l, plain}", {"l": (Code("a"), Code("b"))}, "a, b"),
        ("{n, signed} {m, signed}", {"n": 3, "m": -3}, "+3 −3"),
        ("{n} {m}", {"n": 1234, "m": 1234567}, "1234 1.234.567"),
    ],
)
def test_spanish_text_agrees_with_its_parameters(text: str, params: dict[str, Param], expected: str) -> None:
    """Number, gender, article and separators come from what is told."""
    assert expected == say(text, params)


def test_english_text_has_its_own_words_and_separators() -> None:
    """The joining word and the thousands follow the language."""
    assert "a and b: 12,345" == say("{l}: {n}", {"l": ("a", "b"), "n": 12345}, "en")


def test_marks_become_pieces_and_words_of_players_stay_words() -> None:
    """Only the catalogue's own marks count: a player's are text."""
    catalogue = Catalogue("es", {"test/one": "<b>{who}</b> <i>x</i> {code} <a href={url}>aquí</a> <c>y</c>"})
    pieces = catalogue.say(msg("test/one", who=Quoted("<b>yo</b>"), code=Code("E1"), url="https://foro/1"))

    assert (
        Strong((Text("<b>yo</b>"),)),
        Text(" "),
        Emphasis((Text("x"),)),
        Text(" "),
        Fixed("E1"),
        Text(" "),
        Link((Text("aquí"),), "https://foro/1"),
        Text(" "),
        Fixed("y"),
    ) == pieces


def test_missing_text_is_our_bug_and_is_raised() -> None:
    """A message without a text must be found by the tests, not by a player."""
    with pytest.raises(MissingText):
        Catalogue("es", {}).text(msg("test/none"))


@pytest.mark.parametrize("text", ["{", "{n, plural}", "{n, if, }", "<b>x", "{n, select, a b}", "x}y{"])
def test_broken_template_is_refused(text: str) -> None:
    """Unbalanced texts don't reach anybody."""
    with pytest.raises((TemplateError, ValueError)):
        parse_template(text)
