"""What phpBB shows of private messages, says around its forms and gives to whoever quotes."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from bs4 import BeautifulSoup

from parsers.pages.forms import parse_form
from parsers.pages.guard import IncompletePageError, NotATopicPage, PageError
from parsers.pages.letters import bare_title
from parsers.pages.phpbb_forms import (
    Notice,
    Quote,
    check_notice,
    find_letter,
    find_post,
    leads_to_topic,
    parse_complaints,
    parse_notice,
    parse_quote,
    wants_captcha,
)
from parsers.pages.phpbb_letters import Envelope, Folder, Head, parse_folder, parse_head
from parsers.pages.topics import read_page
from tests.support.phpbb_pages import (
    ShownLetter,
    Viewer,
    generate_quote,
    show_folder,
    show_letter,
    show_login,
    show_notice,
    show_posting,
    show_topic,
)

NOON = datetime(2026, 12, 1, 12, 0, tzinfo=UTC)
ELENA = Viewer("9", "elena")
LETTER = ShownLetter("7", "Re: Alfa: Tau", ("2", "marina"), [("9", "elena")], NOON, "hola")


def tree(page: str) -> BeautifulSoup:
    """A page as the parsers see it."""
    return read_page(page.encode(), "text/html; charset=UTF-8")


@pytest.mark.parametrize("language", ["es", "en"])
def test_a_folder_is_read_whole(language: str) -> None:
    """Its messages in their order, how many there are, and which of them can't be read any more."""
    letters = [
        replace(LETTER, id="9", taken_back=True),
        replace(LETTER, id="8", author=(None, "se fue")),
        LETTER,
    ]
    viewer = replace(ELENA, language=language)
    folder = parse_folder(tree(show_folder(letters, viewer, 0, start=3, length=3, count=7)), 0)
    assert (7, "9") == (folder.count, folder.viewer)
    assert (Envelope("9", gone=True), Envelope("8", gone=True), Envelope("7", gone=False)) == folder.envelopes


def test_an_empty_folder_is_empty() -> None:
    """It says so, having neither messages nor what to do with them."""
    assert Folder((), 0, "9") == parse_folder(tree(show_folder([], ELENA, -2)), -2)


@pytest.mark.parametrize(
    ("part", "by", "code"),
    [
        ('class="topiclist cplist pmlist"', 'class="letters"', "page/drift"),
        ('class="topictitle"', 'class="title"', "page/drift"),
        ('name="marked_msg_id[]"', 'name="chosen"', "page/drift"),
        ('value="7"', 'value="6"', "page/drift"),
        ('name="mark_option"', 'name="option"', "page/no-count"),
        ("1 mensajes", "mensajes", "page/no-count"),
        ("f=0", "f=-1", "page/other-folder"),
        ('id="viewfolder"', 'id="folder"', "page/no-folder"),
    ],
)
def test_another_folder_is_never_an_empty_one(part: str, by: str, code: str) -> None:
    """Whatever isn't where it was is named."""
    page = show_folder([LETTER], ELENA, 0).replace("Página <strong>1</strong> de <strong>1</strong>", "")
    assert part in page
    with pytest.raises(PageError) as raised:
        parse_folder(tree(page.replace(part, by)), 0)
    assert code == raised.value.code


def test_messages_that_wait_outside_of_a_full_folder_are_no_silence() -> None:
    """Orders may be among them: the forum's own words go to the director."""
    with pytest.raises(IncompletePageError, match="page/folder-full: 2 mensajes no han podido moverse"):
        parse_folder(tree(show_folder([LETTER], ELENA, 0, held=2)), 0)


def test_a_message_s_head_tells_who_can_read_it() -> None:
    """All recipients, a group as one too many; the subject without what answering put before it."""
    shown = replace(LETTER, people=[("9", "elena"), ("3", "beto"), (None, "se fue")])
    assert Head("7", "Alfa: Tau", "2", "marina", ("2", "9", "3")) == parse_head(
        tree(show_letter(shown, ELENA))
    )
    group = '<a href="./memberlist.php?mode=group&amp;g=5">Todos</a></p><div class="content">'
    page = show_letter(LETTER, ELENA).replace('</p><div class="content">', group)
    assert ("2", "9", "g5") == parse_head(tree(page)).people
    fake = '<p class="author"><a href="./memberlist.php?mode=viewprofile&amp;u=66" class="username">x</a></p>'
    assert ("2", "9") == parse_head(tree(show_letter(replace(LETTER, html=fake), ELENA))).people


def test_another_page_is_no_message() -> None:
    """Neither is a topic one."""
    for page in (show_topic("12", "x", [], ELENA), show_notice("No existe.", ELENA), show_login({})):
        with pytest.raises(NotATopicPage, match="page/no-message"):
            parse_head(tree(page))
    with pytest.raises(IncompletePageError):
        parse_head(tree(show_letter(LETTER, ELENA).replace('class="username"', 'class="x"')))


@pytest.mark.parametrize(
    ("title", "bare"),
    [("Re: Alfa", "Alfa"), ("Re: re:RE : Alfa: Re: x", "Alfa: Re: x"), ("Reino", "Reino"), (" a  b ", "a b")],
)
def test_what_answering_puts_before_a_subject_is_taken_off(title: str, bare: str) -> None:
    """However often somebody has answered, it is one conversation."""
    assert bare == bare_title(title)


@pytest.mark.parametrize(
    "text",
    ["hola", "uno\ndos", "x" * 60, "[quote=beto]a[/quote]\nno", "[/quote]", "a[/quote]b", "«ñ»" * 9, "]"],
)
@pytest.mark.parametrize("name", ["marina", "beto 2", "o'neil", 'la "jefa"', 'd\'el "x"', "a]b", "c\\d"])
def test_a_quote_is_unwrapped_exactly(text: str, name: str) -> None:
    """Whoever wrote it, and whatever the text holds."""
    quoted = generate_quote(text, name, post_id=12, time=1795982636, user_id=2)
    expected = Quote(name, {"post_id": "12", "time": "1795982636", "user_id": "2"}, text)
    assert expected == parse_quote(f"{quoted}\n\n")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "hola",
        "[quote=marina]hola",
        "hola[/quote]",
        "antes [quote=marina]hola[/quote]",
        "[quote=marina]hola[/quote] y más",
        "[quote]hola[/quote]",
        "[quote=marina]\nhola\n[/quote]",
        "[quote=marina]uno\ndos[/quote]",
        "[quote=marina] hola[/quote]",
        "[url=x]Asunto[/url]\n\n[quote=marina]hola[/quote]",
        "> hola",
    ],
)
def test_what_phpbb_hasn_t_quoted_is_no_text(text: str) -> None:
    """None rather than something that nobody typed."""
    assert parse_quote(text) is None


def test_notices_and_where_they_lead() -> None:
    """By their structure and address alone."""
    plain, led = (parse_notice(tree(show_notice("Así es.", ELENA, to))) for to in (None, "3;url=./x.php?p=7"))
    assert [Notice("Así es.", None), Notice("Así es.", "./x.php?p=7")] == [plain, led]
    with pytest.raises(NotATopicPage, match=r"forum/forbidden: Así es\."):
        check_notice(tree(show_notice("Así es.", ELENA)))
    check_notice(tree(show_folder([], ELENA, 0)))


@pytest.mark.parametrize(
    ("location", "post", "letter", "topic"),
    [
        ("https://foro/viewtopic.php?t=5&p=17#p17", "17", None, True),
        ("./viewtopic.php?f=2&p=17&sid=ab", "17", None, True),
        ("./viewtopic.php?t=5", None, None, True),
        ("./viewforum.php?f=2", None, None, True),
        ("./ucp.php?i=pm&mode=view&p=7", None, "7", False),
        ("./ucp.php?i=pm&mode=compose&p=7", None, None, False),
        ("./index.php?p=7", None, None, False),
    ],
)
def test_addresses_are_known_by_their_query(
    location: str, post: str | None, letter: str | None, topic: bool
) -> None:
    """A post, a private message, a topic; nothing else."""
    assert (post, letter, topic) == (find_post(location), find_letter(location), leads_to_topic(location))


def test_complaints_are_the_forum_s_words() -> None:
    """Of forms for texts and for logging in; a captcha is seen."""
    assert ("Muy pronto.",) == parse_complaints(tree(show_posting(ELENA, {}, error="Muy pronto.")))
    assert ("Mal.",) == parse_complaints(tree(show_login({}, "Mal.")))
    assert [False, True] == [wants_captcha(tree(show_login({}, captcha=one))) for one in (False, True)]


def test_a_form_is_sent_as_a_browser_sends_it() -> None:
    """With its boxes that are ticked and none of its buttons: phpBB takes what is missing for emptied."""
    page = show_posting(ELENA, {"creation_time": 5}, subject="Re: x", text="uno\r\n<dos>")
    extra = (
        '<select name="kind"><option value="0">a</option><option value="3" selected>b</option></select>'
        '<select name="first"><option>c</option></select><select name="none[]" multiple></select>'
        '<input type="radio" name="icon" value="1" /><input type="radio" name="icon" value="4" checked />'
        '<input name="off" value="x" disabled /><input type="file" name="file" />'
        '<textarea name="poll">a\nb</textarea></form>'
    )
    form = parse_form(tree(page.replace("</form>", extra)), "message", "subject", whole=True)
    assert "uno\n<dos>" == form.text
    assert {
        "subject": "Re: x",
        "message": "uno\n<dos>",
        "attach_sig": "on",
        "creation_time": "5",
        "kind": "3",
        "first": "c",
        "icon": "4",
        "poll": "a\nb",
    } == dict(form.fields)
    assert {"creation_time": "5"} == dict(parse_form(tree(page), "message").fields)
