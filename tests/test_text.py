"""Folding, tokens and look-alike letters."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.engine.text import (
    ForeignDigits,
    Lookalike,
    Token,
    confusables,
    fold,
    fold_with_positions,
    foreign_digits,
    tokenize,
    unmask,
)
from tests.support.work import lines_executed

# Latin, Cyrillic, Arabic, Thai, full-width, emoji, combining marks, blanks, controls, halves of surrogates.
ODD = (
    "aÁñn\u0303ßİǅŀﬁ①²½٣３Ⅷ㏠оΑ🙂\ufe0f\u200d\u200b\u00ad\ufeff\u202e\u00a0\u3000\t\x00\ud800"
    "«»“”‘’'\"`´–—->→=:;,@º_8)( "
)
texts = st.text(alphabet=st.sampled_from(ODD) | st.characters(), max_size=60)


@pytest.mark.parametrize(
    ("written", "compared"),
    [
        ("ÓRDENES", "ordenes"),
        ("Explora\u0301dor", "explorador"),
        ("n\u0303andu\u0301 ÑANDÚ", "nandu nandu"),
        ("«la» “la” „la‟ ＂la＂", '"la" "la" "la" "la"'),
        ("T’au T´au T`au", "t'au t'au t'au"),
        ("CM–1 CM‑1 CM−1 CM—1", "cm-1 cm-1 cm-1 cm-1"),
        ("CM-1 → CM-2 ⇒ CM-3", "cm-1 -> cm-2 -> cm-3"),
        ("\ufeffmo\u00adver\u200b \u202eE3", "mover e3"),
        ("\u00a0 mover\u2003\tE3\u3000", "mover e3"),
        ("ＭＯＶＥＲ：Ｅ", "mover:e"),
        ("ﬁn Straße Łódź cœur", "fin strasse lodz coeur"),
        ("", ""),
    ],
)
def test_what_does_not_matter_is_folded_away(written: str, compared: str) -> None:
    """Case, accents, typographic variants, blanks and invisible characters make no difference."""
    assert compared == fold(written)


@pytest.mark.parametrize("digit", ["３", "٣", "²", "⑤", "½", "𝟑", "㏠"])
def test_digits_of_other_scripts_are_never_folded_to_ours(digit: str) -> None:
    """They stay what they are, so that nothing reads them as numbers by accident."""
    assert digit == fold(digit)


@given(texts)
def test_folding_twice_is_folding_once(text: str) -> None:
    """A folded text is stable."""
    assert fold(text) == fold(fold(text))


@given(texts)
def test_folded_characters_know_where_they_came_from(text: str) -> None:
    """Positions ascend, stay inside the original, and each leads to a character that folds to this one."""
    folded = fold_with_positions(text)
    assert fold(text) == folded.text
    assert len(folded.text) == len(folded.positions)
    assert list(folded.positions) == sorted(folded.positions)
    for char, place in zip(folded.text, folded.positions, strict=True):
        assert char == " " or char in fold(text[place])


@given(texts, st.data())
def test_a_span_of_the_folded_text_folds_to_itself(text: str, data: st.DataObject) -> None:
    """Cutting the original at a span's ends gives what the span reads."""
    words = fold(text).split(" ")
    folded = fold_with_positions(text)
    index = data.draw(st.integers(0, len(words) - 1))
    start = sum(len(word) + 1 for word in words[:index])
    first, last = folded.span(start, start + len(words[index]))
    assert words[index] == fold(text[first:last])


def test_a_span_takes_the_accents_behind_its_last_letter() -> None:
    """A caret under `ñ` written as two characters covers both."""
    folded = fold_with_positions("un an\u0303o")
    assert (3, 6) == folded.span(3, 5)
    assert (0, 0) == folded.span(0, 0)
    assert (7, 7) == folded.span(6, 6)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mover 2 a CM-5", ()),
        ("mover ２３ a CM-5", (ForeignDigits("２３", "23", 6, 8),)),
        ("x² ٣", (ForeignDigits("²", "2", 1, 2), ForeignDigits("٣", "3", 3, 4))),
        ("½", (ForeignDigits("½", None, 0, 1),)),
    ],
)
def test_digits_of_other_scripts_are_named_with_ours(text: str, found: tuple[ForeignDigits, ...]) -> None:
    """Each run comes with its place and the number that was probably meant."""
    assert found == foreign_digits(text)


def test_a_latin_word_with_a_cyrillic_letter_says_which() -> None:
    """The letter, what it looks like, its script and its place."""
    assert (Lookalike("е", "e", "cirílico", 5),) == confusables("órdenеs")
    assert "órdenes" == unmask("órdenеs")


def test_words_wholly_of_look_alikes_are_found_too() -> None:
    """`СМ` can be typed on a Cyrillic keyboard without a single foreign-looking letter."""
    assert ["C", "M"] == [one.looks_like for one in confusables("СМ-1")]
    assert ["T", "A", "Y"] == [one.looks_like for one in confusables("ΤΑΥ")]


def test_a_word_really_written_in_another_script_is_no_look_alike() -> None:
    """`Привет` and `λόγος` have letters that look like no Latin one."""
    assert () == confusables("Привет")
    assert () == confusables("λόγος")
    assert () == confusables("mover")


def kinds(line: str) -> list[tuple[str, str]]:
    """Kind and folded text of a line's tokens."""
    return [(token.kind, token.folded) for token in tokenize(line)]


def test_an_order_line_is_cut_into_words_ids_numbers_and_marks() -> None:
    """The line of the design's example."""
    expected = [
        ("word", "mover"),
        ("id", "e3"),
        ("punct", ":"),
        ("number", "2"),
        ("word", "a"),
        ("id", "cm-5"),
    ]
    assert [*expected, ("punct", ",")] == kinds("Mover E3: 2 a CM–5,")


@pytest.mark.parametrize("arrow", ["->", "=>", "→", "⇒", "-->", "–>", "==>"])
def test_every_arrow_is_one_token_that_reads_as_a(arrow: str) -> None:
    """Phones and forums turn `->` into other arrows."""
    assert [("number", "2"), ("arrow", "a"), ("id", "cm-5")] == kinds(f"2{arrow}CM-5")


@pytest.mark.parametrize("quotes", ["«»", "“”", '""', "''", "„“", '“"', "‘’", "‹›", "»«"])
def test_quoted_text_is_one_token_whatever_the_marks(quotes: str) -> None:
    """The folded text is what stands inside, the text what was written."""
    quoted = f"{quotes[0]}Corvus  Majoris{quotes[1]}"
    assert (Token("string", quoted, "corvus majoris", 2, 2 + len(quoted)),) == tokenize(f"  {quoted}")


def test_marks_inside_other_marks_belong_to_the_text() -> None:
    """The outer pair decides."""
    assert [("string", 'la "gran" torre')] == kinds('«la "gran" torre»')
    assert [("string", "t'au")] == kinds("‘T’au’")


def test_an_unclosed_quotation_mark_is_marked_and_swallows_nothing() -> None:
    """The words behind it are still read."""
    first, second = tokenize('"Corvus')
    assert ("mark", "unclosed") == (first.kind, first.flaw)
    assert ("word", "corvus") == (second.kind, second.folded)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("T'au", [("word", "t'au")]),
        ("Jean-Luc", [("word", "jean-luc")]),
        ("unit_a_b", [("word", "unit_a_b")]),
        ("CM-1-CM-3", [("id", "cm-1"), ("punct", "-"), ("id", "cm-3")]),
        ("E1", [("id", "e1")]),
        ("2a", [("word", "2a")]),
        ("3º 4ª", [("number", "3"), ("number", "4")]),
        ("2d+10", [("word", "2d"), ("punct", "+"), ("number", "10")]),
        ("1/2", [("number", "1"), ("punct", "/"), ("number", "2")]),
        ("-3", [("punct", "-"), ("number", "3")]),
        ("@Tau", [("word", "tau")]),
        ("a @ b", [("word", "a"), ("punct", "@"), ("word", "b")]),
        ("mo\u00adver\u200b", [("word", "mover")]),
    ],
)
def test_words_keep_together_what_belongs_together(line: str, expected: list[tuple[str, str]]) -> None:
    """Apostrophes, hyphens, ids, ordinals, mentions, invisible characters."""
    assert expected == kinds(line)


@pytest.mark.parametrize("tail", ["🙂", " 🙂👍🏽", " :)", " :-D", " :smile:", " xD", " ✔️ ", " ;) 🎉"])
def test_emoji_behind_an_order_are_ignored(tail: str) -> None:
    """As characters, as smileys and as the short codes that a forum's pictures stand for."""
    assert [("word", "producir")] == kinds("producir" + tail)


def test_a_colon_with_a_number_behind_it_is_no_smiley() -> None:
    """What could be part of an order is never taken for decoration."""
    assert [("word", "tropas"), ("punct", ":"), ("number", "3")] == kinds("tropas :3")
    assert [("punct", ":"), ("punct", ")")] == kinds(":)")


@pytest.mark.parametrize(("line", "flaw"), [("mover ３ a", "digits"), ("mover 🙂 a", "symbol")])
def test_what_no_order_holds_is_marked_with_its_reason(line: str, flaw: str) -> None:
    """Digits of other scripts and pictures inside an order are tokens that nothing matches."""
    assert ("mark", flaw) == (tokenize(line)[1].kind, tokenize(line)[1].flaw)


@given(texts)
def test_any_text_gives_tokens_that_lie_in_it_in_order(text: str) -> None:
    """Never an exception; texts are cut from the line; numbers are 0-9 only."""
    last = 0
    for token in tokenize(text):
        assert last <= token.start < token.end <= len(text)
        assert text[token.start : token.end] == token.text
        assert token.kind != "number" or set(token.folded) <= set(string.digits)
        last = token.end


@given(st.lists(st.sampled_from(["mover", "E3", "2", "«a b»", ",", "→", "CM-5"]), min_size=1).map(" ".join))
def test_tokens_of_the_folded_line_read_like_those_of_the_line(line: str) -> None:
    """Folding first or cutting first makes no difference to what is compared."""
    assert kinds(line) == kinds(fold(line))


@pytest.mark.parametrize(
    "piece", ["'a ", "«", "„a“ ", "-", "a-", ":smile: ", "\"x '", "a'\u200b", "::", "@", "é", "1", "\u0301"]
)
def test_hostile_lines_cost_little(piece: str) -> None:
    """Twice the line is about twice the work, counted in executed lines of code, not in seconds."""
    short, long = (piece * (size // len(piece)) for size in (2_000, 4_000))
    assert lines_executed(tokenize, long) <= 2.5 * lines_executed(tokenize, short) + 200
