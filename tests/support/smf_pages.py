"""Pages in the dialect of SMF 2.1, written by hand: the structure that its templates have, nothing else.

The parser's tests and the stand-in forum share them. No SMF could be run here: what its pages are like was
read in its templates.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from zoneinfo import ZoneInfo

_EN = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
_ES = [
    "Enero",
    "Febrero",
    "Marzo",
    "Abril",
    "Mayo",
    "Junio",
    "Julio",
    "Agosto",
    "Septiembre",
    "Octubre",
    "Noviembre",
    "Diciembre",
]
_SMILEY = '<img src="Smileys/fugue/smiley.png" alt="&#58;&#41;" title="Smiley" class="smiley">'


@dataclass(frozen=True, slots=True)
class Eye:
    """Whoever looks at a page. id: "" for a guest. style: `en` or `es` with words for days, `iso` without.

    token: of the session; the name of the field that holds it is made of it, too.
    """

    now: datetime
    id: str = ""
    name: str = ""
    zone: str = "UTC"
    style: str = "en"
    token: str = "0123456789abcdef0123456789abcdef"

    def clock(self) -> str:
        """The page's own time, in full."""
        return self._full(self.now.astimezone(ZoneInfo(self.zone)))

    def time(self, moment: datetime) -> str:
        """A time as SMF writes it for this account."""
        local, today = (one.astimezone(ZoneInfo(self.zone)) for one in (moment, self.now))
        ago = (today.date() - local.date()).days
        if self.style == "iso" or ago not in (0, 1):
            return self._full(local)
        if self.style == "es":
            return f"<strong>{('Hoy', 'Ayer')[ago]}</strong> a las {local:%H:%M:%S}"
        return f"<strong>{('Today', 'Yesterday')[ago]}</strong> at {local:%I:%M:%S %p}"

    def _full(self, local: datetime) -> str:
        if self.style == "iso":
            return f"{local:%Y-%m-%d, %H:%M:%S}"
        if self.style == "es":
            return f"{local:%d} de {_ES[local.month - 1]} de {local:%Y, %H:%M:%S}"
        return f"{_EN[local.month - 1]} {local:%d, %Y, %I:%M:%S %p}"

    @property
    def field(self) -> str:
        """The hidden field with the session's token, whose name is another in each session."""
        return f'<input type="hidden" name="f{self.token[:9]}" value="{self.token}">'


@dataclass(frozen=True, slots=True)
class ShownPost:
    """A post on a page. author_id: "" for a guest. waiting: for a moderator."""

    id: str
    number: int
    author_id: str
    author: str
    date: datetime
    html: str = ""
    edited: datetime | None = None
    signature: str = ""
    waiting: bool = False


def render(text: str, eye: Eye | None = None) -> str:
    """Turn a post's text into HTML much as SMF does."""
    codes: list[str] = []

    def put_aside(found: re.Match[str]) -> str:
        codes.append(
            '<div class="codeheader"><span class="code floatleft">Code</span> '
            '<a class="codeoperation smf_select_text">Select</a></div>'
            f'<code class="bbc_code">{found[1]}</code>'
        )
        return f"\x01{len(codes) - 1}\x02"

    when = f" on {re.sub('<[^>]*>', '', eye.time(eye.now))}" if eye else ""
    html = escape(text, quote=False)
    html = re.sub(r"\[code\](.*?)\[/code\]", put_aside, html, flags=re.DOTALL)
    while "[quote" in html:
        quoted = re.sub(
            r"\[quote(?:(?: author)?=([^\]\n ]*)[^\]\n]*)?\]((?:(?!\[quote).)*?)\[/quote\]\n?",
            rf'<blockquote class="bbc_standard_quote"><cite>Quote from: \1{when}</cite>\2</blockquote>',
            html,
            flags=re.DOTALL,
        )
        if quoted == html:
            break
        html = quoted
    for name, tag in (("b", "strong"), ("i", "em"), ("s", "s")):
        html = re.sub(rf"\[{name}\](.*?)\[/{name}\]", rf"<{tag}>\1</{tag}>", html, flags=re.DOTALL)
    html = re.sub(r"(?<!\w):\)", _SMILEY, html).replace("\n", "<br>")
    return re.sub("\x01([0-9]+)\x02", lambda place: codes[int(place[1])].replace("\n", "<br>"), html)


def frame(content: str, eye: Eye) -> str:
    """The page around all content: the menu of a member or of a guest, and the forum's clock."""
    if eye.id:
        menu = (
            '<ul class="floatleft" id="top_info"><li>'
            '<a href="/index.php?action=profile" id="profile_menu_top">'
            f'{eye.name}</a></li><li><a href="/index.php?action=pm" id="pm_menu_top">My Messages</a></li><li>'
            f'<a href="/index.php?action=profile;area=showalerts;u={eye.id}" id="alerts_menu_top">Alerts</a>'
            "</li></ul>"
        )
    else:
        menu = (
            '<ul class="floatleft" id="top_info"><li class="welcome">Welcome.</li>'
            '<li class="button_login"><a href="/index.php?action=login">Log in</a></li></ul>'
        )
    return (
        '<!DOCTYPE html>\n<html lang="en-US">\n<head>\n\t<meta charset="UTF-8">\n\t<title>Foro</title>\n'
        f"\t<script>\n\t\tvar smf_member_id = {eye.id or 0};\n\t</script>\n</head>\n"
        f'<body id="chrome" class="action_display">\n<div id="footerfix"><div id="top_section">'
        f'<div class="inner_wrap">{menu}</div></div>\n<div id="wrapper"><div id="upper_section">'
        f'<div id="inner_section"><div id="inner_wrap"><div class="user"><time>{eye.clock()}</time></div>'
        f'</div></div></div>\n<div id="content_section"><div id="main_content_section">\n{content}\n'
        "</div></div></div></div>\n"
        '<div id="footer"><a href="https://www.simplemachines.org" title="Simple Machines">SMF</a></div>\n'
        "</body>\n</html>"
    )


def show_pages(page: int, pages: int, length: int, url: str) -> str:
    """The row of page numbers. url: with `{start}`."""

    def link(number: int, shown: str) -> str:
        return f'<a class="nav_page" href="{url.format(start=(number - 1) * length)}">{shown}</a> '

    numbers = "".join(
        f'<span class="current_page">{n}</span> ' if n == page else link(n, str(n))
        for n in range(1, pages + 1)
    )
    before = link(page - 1, '<span class="main_icons previous_page"></span>') if page > 1 else ""
    behind = link(page + 1, '<span class="main_icons next_page"></span>') if page < pages else ""
    return (
        '<div class="pagesection"><div class="pagelinks floatleft">'
        f'<a href="#bot" class="button">Go Down</a><span class="pages">Pages</span>{before}{numbers}{behind}'
        "</div></div>"
    )


def show_person(account: str, name: str) -> str:
    """A name, with a link where it is an account's."""
    if not account:
        return name
    return f'<a href="/index.php?action=profile;u={account}" title="View the profile of {name}">{name}</a>'


def show_post(post: ShownPost, topic: str, eye: Eye) -> str:
    """One post of a topic."""
    online = f'<a href="/index.php?action=pm;sa=send;u={post.author_id}"><span class="off"></span></a> '
    number = f'<span class="page_number floatright">#{post.number - 1}</span>' if post.number > 1 else ""
    edited = (
        f'<span class="lastedit">Last Edit</span>: {eye.time(post.edited)} by {post.author}'
        if post.edited
        else ""
    )
    signed = f'<div class="signature" id="msg_{post.id}_signature">{post.signature}</div>'
    notice = '<div class="noticebox">This post is awaiting approval.</div>'
    href = f"/index.php?msg={post.id}"
    return (
        f'<div class="{"approvebg" if post.waiting else "windowbg"}" id="msg{post.id}">'
        f'<div class="post_wrapper"><div class="poster"><h4>{online if post.author_id else ""}'
        f'{show_person(post.author_id, escape(post.author))}</h4><ul class="user_info">'
        '<li class="postgroup">Newbie</li></ul></div><div class="postarea"><div class="keyinfo">'
        f'<div id="subject_{post.id}" class="subject_title"><a href="{href}" rel="nofollow">Re: x</a></div>'
        f'{number}<div class="postinfo"><span class="messageicon"></span>'
        f'<a href="{href}" rel="nofollow" class="smalltext">{eye.time(post.date)}</a>'
        f'<span class="smalltext modified floatright" id="modified_{post.id}">{edited}</span></div>'
        f'<div id="msg_{post.id}_quick_mod"></div></div><div class="post">'
        f"{notice if post.waiting and post.author_id == eye.id else ''}"
        f'<div class="inner" data-msgid="{post.id}" id="msg_{post.id}">\n{post.html}\n</div></div>'
        f'<div class="under_message"><ul class="quickbuttons"><li>'
        f'<a href="/index.php?action=post;quote={post.id};topic={topic}.0">Quote</a></li></ul></div></div>'
        f'<div class="moderatorbar">{signed if post.signature else ""}</div></div></div><hr>\n'
    )


def show_topic(
    topic: str,
    title: str,
    posts: Sequence[ShownPost],
    eye: Eye,
    *,
    page: int = 1,
    pages: int = 1,
    length: int = 15,
    form: str = "",
) -> str:
    """A page of a topic. form: the quick reply's."""
    numbers = show_pages(page, pages, length, f"/index.php?topic={topic}.{{start}}")
    shown = "".join(show_post(post, topic, eye) for post in posts)
    content = (
        f'<div id="display_head" class="information"><h2 class="display_title">'
        f'<span id="top_subject">{escape(title)}</span></h2></div>\n{numbers}\n<div id="forumposts">'
        f'<form action="/index.php?action=quickmod2;topic={topic}.{(page - 1) * length}" method="post" '
        f'name="quickModForm" id="quickModForm">\n{shown}</form></div>\n{numbers}\n'
        f'<div id="moderationbuttons"></div>{form}'
    )
    return frame(content, eye)


def show_form(
    eye: Eye, action: str, fields: dict[str, str], text: str = "", said: str = "", serious: bool = True
) -> str:
    """The form for posts or messages. fields: hidden ones. said: what the forum complains about."""
    shown = {name: value for name, value in fields.items() if name in ("subject", "to")}
    hidden = "".join(
        f'<input type="hidden" name="{name}" value="{escape(value)}">'
        for name, value in fields.items()
        if name not in shown
    )
    inputs = "".join(f'<input type="text" name="{n}" value="{escape(v)}">' for n, v in shown.items())
    hide = "" if said else ' style="display: none"'
    return (
        f'<form action="{action}" method="post" name="postmodify" id="postmodify">'
        f'<div class="{"errorbox" if serious else "noticebox"}"{hide} id="errors"><dl><dt>'
        '<strong id="error_serious">The following errors occurred.</strong></dt>'
        f'<dd class="error" id="error_list">{escape(said)}</dd></dl></div>{inputs}'
        f'<textarea class="editor" name="message" rows="12">{escape(text)}</textarea>'
        f'<span id="post_confirm_buttons"><input type="submit" name="post" value="Post">'
        f'<input type="submit" name="preview" value="Preview"></span>{hidden}{eye.field}</form>'
    )


def show_login(eye: Eye, said: str = "") -> str:
    """The form to log in."""
    errors = f'<p class="errorbox">{said}</p>' if said else ""
    return frame(
        '<div class="login"><form class="login" action="/index.php?action=login2" name="frmLogin" '
        f'id="frmLogin" method="post">{errors}<input type="text" name="user" value="">'
        '<input type="password" name="passwrd" value=""><input type="checkbox" name="cookieneverexp" checked>'
        '<input type="hidden" name="hash_passwrd" value=""><input type="submit" value="Log in">'
        f"{eye.field}</form></div>",
        eye,
    )


def show_error(eye: Eye, name: str, said: str) -> str:
    """An error. name: SMF's own."""
    mark = f'id="{name}" ' if name else ""
    return frame(
        '<div id="fatal_error"><div class="cat_bar"><h3 class="catbg">An Error Has Occurred!</h3></div>'
        f'<div class="windowbg"><div {mark}class="padding">{escape(said)}</div></div></div>',
        eye,
    )


def show_preferences(eye: Eye) -> str:
    """The account's page of looks, where it has chosen its zone."""
    return frame(
        '<form action="/index.php?action=profile;area=theme;save" method="post" id="creator">'
        '<input type="text" name="time_format" value=""><select name="timezone">'
        f'<option value="">(Forum Default)</option><option value="{eye.zone}" selected>{eye.zone}</option>'
        f"</select>{eye.field}</form>",
        eye,
    )


@dataclass(frozen=True, slots=True)
class ShownMessage:
    """A private message. to: accounts and names of whom it went to."""

    id: str
    subject: str
    author_id: str
    author: str
    to: tuple[tuple[str, str], ...]
    date: datetime
    html: str


def show_box(
    box: str, messages: Sequence[ShownMessage], eye: Eye, *, page: int = 1, pages: int = 1, length: int = 15
) -> str:
    """A page of the messages that came in (`inbox`) or were sent (`sent`)."""
    rows = "".join(_show_row(box, one, eye) for one in messages)
    none = '<tr class="windowbg"><td colspan="5">No messages...</td></tr>'
    numbers = show_pages(page, pages, length, f"/index.php?action=pm;f={box};sort=date;desc;start={{start}}")
    shown = "".join(_show_message(one, eye) for one in messages)
    content = (
        f'<div id="personal_messages"><form action="/index.php?action=pm;sa=pmactions;f={box};start=0" '
        f'method="post" name="pmFolder" id="pmFolder"><table class="table_grid"><tbody>{rows or none}</tbody>'
        f"</table>{numbers}{shown}{numbers if shown else ''}{eye.field}</form></div>"
    )
    return frame(content, eye)


def _show_row(box: str, one: ShownMessage, eye: Eye) -> str:
    people = ((one.author_id, one.author),) if box == "inbox" else one.to
    shown = ", ".join(show_person(*person) for person in people)
    return (
        f'<tr class="windowbg"><td class="table_icon pm_icon"></td><td class="pm_time">{eye.time(one.date)}'
        f'</td><td class="pm_subject"><a href="#msg{one.id}">{escape(one.subject)}</a>'
        f'<span class="pm_inline_time">{shown} {eye.time(one.date)}</span></td>'
        f'<td class="pm_from_to">{shown}</td><td class="pm_moderation">'
        f'<input type="checkbox" name="pms[]" id="deletelisting{one.id}" value="{one.id}"></td></tr>'
    )


def _show_message(one: ShownMessage, eye: Eye) -> str:
    to = ", ".join(show_person(*person) for person in one.to)
    return (
        '<div class="windowbg"><div class="post_wrapper"><div class="poster"><h4>'
        f'<a id="msg{one.id}"></a>{show_person(one.author_id, one.author)}</h4></div><div class="postarea">'
        f'<div class="flow_hidden"><div class="keyinfo"><h5 id="subject_{one.id}">'
        f'<span class="message_subject">{escape(one.subject)}</span></h5><span class="smalltext">&#171; '
        f"<strong> Sent to:</strong> {to}<strong> on:</strong> {eye.time(one.date)} &#187;</span></div></div>"
        f'<div class="post"><div class="inner" id="msg_{one.id}">\n{one.html}\n</div></div></div>'
        '<div class="moderatorbar"></div></div></div>'
    )


def quote(text: str, name: str, source: str, written: datetime) -> str:
    """A text as SMF offers it to whoever quotes it: without what it quotes itself."""
    bare = re.sub(r"\n?\[quote.*?\].+?\[/quote\]\n?", "", text, flags=re.DOTALL)
    bare = re.sub(r"^\n", "", bare).replace("[/quote]", "")
    moment = int((written + timedelta()).timestamp())
    return f"[quote author={name} link={source} date={moment}]\n{bare.rstrip()}\n[/quote]"
