"""Forms, messages, redirects and markers of Spirit's pages."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from parsers.pages.forms import parse_form
from parsers.pages.guard import NotATopicPage
from parsers.pages.shown import read_last_line
from parsers.pages.spirit_forms import (
    parse_complaints,
    parse_found_post,
    parse_private_topic,
    parse_public_topic,
    parse_quoted,
    parse_wait,
    parse_zone,
)
from tests.support.spirit_pages import Viewer, frame, show_form, show_preferences

BOT = Viewer("7", "turnero", "Europe/Madrid")


def tree(page: str) -> BeautifulSoup:
    """A page as the parsers see it."""
    return BeautifulSoup(page, "lxml")


def test_a_form_gives_its_hidden_fields_back() -> None:
    """Token and hidden fields are sent back as they came, with our own values added."""
    page = tree(
        frame(show_form(".", "s3cr3t", ("comment_hash",), ("title", "users", "comment"), "a\nb"), BOT)
    )
    form = parse_form(page, "title", "users", "comment")
    assert form.filled(title="x") == {"csrfmiddlewaretoken": "s3cr3t", "comment_hash": "", "title": "x"}
    assert form.text == "a\nb"


def test_the_form_is_chosen_by_its_fields() -> None:
    """Other forms on the page, such as the one for notifications, are left alone."""
    other = '<form method="post"><input type="hidden" name="csrfmiddlewaretoken" value="other"></form>'
    page = tree(frame(other + show_form(".", "right", (), ("comment",)), BOT))
    assert parse_form(page, "comment").filled() == {"csrfmiddlewaretoken": "right"}


def test_a_missing_form_is_told() -> None:
    """A page without the form is no page to post from."""
    with pytest.raises(NotATopicPage, match="username, password"):
        parse_form(tree(frame("", BOT)), "username", "password")


@given(st.text(st.characters(blacklist_categories=("Cs", "Cc")) | st.just("\n"), max_size=80))
def test_a_form_s_text_survives_the_page(text: str) -> None:
    """Whatever stands in the text area comes back, escaped or not."""
    typed = text.strip()
    page = tree(frame(show_form(".", "t", (), ("comment",), typed), BOT))
    assert parse_form(page, "comment").text == typed


@given(
    st.lists(st.text(st.characters(blacklist_categories=("Cs", "Cc", "Zl", "Zp")), max_size=20), min_size=1)
)
def test_a_quoted_text_is_taken_out_of_its_quote(lines: list[str]) -> None:
    """Every line loses exactly the mark that quoting added."""
    text = "\n".join(["x", *lines, "y"])
    quoted = "\n".join(f"> {line}" for line in ("@alice said:", *text.split("\n"))) + "\n\n"
    assert parse_quoted(quoted) == text


@pytest.mark.parametrize("text", ["", "hola", "> hola", "> @alice said:\nhola", "x\n> @alice said:\n> y"])
def test_what_is_no_quote_gives_no_text(text: str) -> None:
    """A form that holds something else is not taken for the post's text."""
    assert parse_quoted(text) is None


def test_the_zone_is_the_chosen_one() -> None:
    """The account's zone stands in its preferences."""
    assert parse_zone(tree(show_preferences(BOT, "t"))) == "Europe/Madrid"
    assert parse_zone(tree(frame("", BOT))) is None


def test_complaints_are_the_forum_s_words() -> None:
    """Field errors first, then messages, each once and with blanks folded."""
    form = show_form(".", "t", (), ("comment",), "", ("Too   long.", "Too long."))
    page = tree(frame(form, BOT, "/", ("Wait 10s.",)))
    assert sorted(parse_complaints(page)) == ["Too long.", "Wait 10s."]
    assert parse_complaints(tree(frame("<p>nothing</p>", BOT))) == ()


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Too many submissions, wait 10s.", 10.0),
        ("Too many submissions, wait 5m.", 300.0),
        ("Demasiados envíos, espera 10s.", 10.0),
        ("Too many submissions.", None),
        ("at most 3000 characters", None),
        ("99999999s", None),
    ],
)
def test_the_wait_is_read_from_the_words(text: str, seconds: float | None) -> None:
    """Seconds and minutes, in any language; nothing else is a wait."""
    assert parse_wait(text) == seconds


@pytest.mark.parametrize(
    ("location", "post", "private", "public"),
    [
        ("http://x/comment/12/find/", "12", None, None),
        ("http://x/foro/comment/12/find/?a=b#c", "12", None, None),
        ("http://x/topic/private/5/titulo/", None, "5", None),
        ("http://x/topic/private/", None, None, None),
        ("http://x/topic/5/t%C3%ADtulo/", None, None, "5"),
        ("http://x/user/login/?next=/comment/1/find/", None, None, None),
        ("http://x/category/3/partidas/", None, None, None),
    ],
)
def test_redirects_are_told_apart(
    location: str, post: str | None, private: str | None, public: str | None
) -> None:
    """Where the forum leads after sending says what it did."""
    assert (parse_found_post(location), parse_private_topic(location), parse_public_topic(location)) == (
        *(post, private),
        public,
    )


@pytest.mark.parametrize(
    ("html", "line"),
    [
        ("<p>uno</p>\n<p>ptd1:a:1</p>", "ptd1:a:1"),
        ("<p>uno<br>\nptd1:a:1</p>", "ptd1:a:1"),
        ("<p>uno<br/>ptd1:a:1<br/></p>\n", "ptd1:a:1"),
        ("<ul>\n<li>uno</li>\n<li>ptd1:a:1</li>\n</ul>", "ptd1:a:1"),
        ("<p>ptd1:a:1</p><blockquote><p>otra cosa</p></blockquote>", "ptd1:a:1"),
        ("<blockquote><p>ptd1:a:1</p></blockquote>", ""),
        ("<blockquote><blockquote><p>x</p></blockquote><p>ptd1:a:1</p></blockquote><p>no</p>", "no"),
        ("<pre><code>x\nptd1:a:1\n\n</code></pre>", "ptd1:a:1"),
        ("<p>x <code>ptd1:a:1</code></p>", "x ptd1:a:1"),
        ('<p>ptd1<i class="tw tw-a" title=":a:"></i>1</p>', "ptd1:a:1"),
        ("<p>ptd1:<b>a</b>:1</p>", "ptd1:a:1"),
        ("<p>ptd1:a:1</p><script>x</script>", "ptd1:a:1"),
        ("<table><tr><td>a</td><td>ptd1:a:1</td></tr></table>", "ptd1:a:1"),
        ("<p>  ptd1:a:1   y \u00a0 z </p>", "ptd1:a:1 y z"),
        ("<h2>x</h2>", "x"),
        ("", ""),
    ],
)
def test_the_last_line_is_what_a_reader_sees_last(html: str, line: str) -> None:
    """Quotes and scripts apart, blocks and breaks end lines, inline marks don't, emoji are what was typed."""
    assert read_last_line(html) == line
