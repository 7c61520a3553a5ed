"""What all pages of SMF 2.1 have in common: whose session they show, their clock and page numbers, errors.

Only structure that SMF's own templates write is trusted, and never its words but for those of dates. What
SMF's pages are like was read in its templates, never seen on a running forum, so whatever differs is refused
by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from bs4 import Tag

from parsers.pages.guard import IncompletePageError, NotATopicPage
from parsers.pages.moments import Moment
from parsers.pages.smf_time import Clock, UnknownFormat, read_own_clock
from parsers.pages.topics import attribute

_USER = re.compile(r"[?;&]u=([0-9]{1,18})\b")
_SCRIPT_USER = re.compile(r"\bsmf_member_id = ([0-9]{1,18});")
# A forum may write index.php/topic,1.0.html for index.php?topic=1.0.
_TOPIC = re.compile(r"(?:[?;&]topic=|/topic,)([0-9]{1,18})(?:\.|\b)")
_POST = re.compile(r"(?:[?;&]topic=|/topic,)[0-9]+\.msg([0-9]{1,18})\b")
_START = re.compile(r"(?:(?:[?;&]topic=|/topic,)[0-9]{1,18}\.|[?;&]start=)([0-9]{1,9})\b")
_MAINTENANCE = b' id="maintenance_mode"'
_MISSING = frozenset(("topic_gone", "no_board", "no_message", "quoted_post_deleted"))
_WAIT = ("_WaitTime_broken", "pm_too_many_per_hour")
_FORBIDDEN = ("cannot_", "no_access", "topic_locked", "modify_post_time_passed")
_CLOCK = "#inner_wrap > .user"
# The page's own time and the answer's are seconds apart; a zone is wrong by a quarter of an hour at least.
_APART = timedelta(minutes=5)


def check_answer(body: bytes) -> None:
    """Refuse the page that SMF sends to everybody, with a form to log in, while it is closed.

    Raises:
        NotATopicPage: it is that page.
    """
    if _MAINTENANCE in body:
        raise NotATopicPage("page/maintenance", "the forum is closed for maintenance")


def parse_viewer(page: Tag) -> str | None:
    """Account id of the session that the page was made for, None for a guest."""
    links = page.select("#top_info #alerts_menu_top, #top_info #profile_menu_top")
    found = [user for link in links if (user := user_of(link)) is not None]
    if not found and links:
        heads = "\n".join(script.get_text() for script in page.select("head script, #top_section script"))
        found = _SCRIPT_USER.findall(heads)
    return found[0] if found and found[0] != "0" else None


def offers_login(page: Tag) -> bool:
    """Whether the page is SMF's, made for a guest."""
    marks = '#top_section a[href*="action=login"], form[action*="action=login2"]'
    return page.select_one(marks) is not None


def parse_complaints(page: Tag) -> tuple[str, ...]:
    """What the forum says about a refused form, in its own words; of messages also who can't get any."""
    report = "#personal_messages > .windowbg > .error"
    boxes = page.select(f"#error_list, form .errorbox:not(#errors), #fatal_error .padding, {report}")
    return tuple(dict.fromkeys(text for box in boxes if (text := words_of(box))))


def parse_zone(page: Tag) -> str | None:
    """The time zone that the account has chosen, from its page of looks; None where it shows none."""
    return attribute(page.select_one("select[name=timezone] option[selected]"), "value") or None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A page with an error. name: SMF's own, the same in all languages, "" where it has none; said: words."""

    name: str
    said: str

    @property
    def must_wait(self) -> bool:
        """Whether the forum wants a distance, between two posts or in an hour's messages."""
        return self.name.endswith(_WAIT)

    @property
    def is_final(self) -> bool:
        """Whether nothing was done and no waiting helps."""
        return self.name in _MISSING or self.name.startswith(_FORBIDDEN)


def find_refusal(page: Tag) -> Refusal | None:
    """The error that the page tells instead of what was asked for, None where it tells none."""
    box = page.select_one("#fatal_error .padding")
    return None if box is None else Refusal(attribute(box, "id"), words_of(box))


def refuse_errors(page: Tag) -> None:
    """Let no error's page be read as anything else.

    Raises:
        NotATopicPage: by what SMF names the error, in its words.
    """
    refusal = find_refusal(page)
    if refusal is None:
        return
    if refusal.name in _MISSING:
        raise NotATopicPage("forum/missing", refusal.said, refusal.said)
    code = "forum/forbidden" if refusal.is_final else "page/error"
    detail = f"{refusal.said} ({refusal.name})" if refusal.name else refusal.said
    raise NotATopicPage(code, detail, refusal.said)


@dataclass(frozen=True, slots=True)
class Paging:
    """Where a page stands. page, pages: 1-based. length: entries on a page, None where no number tells:
    there is one page, or this is the second of two.
    """

    page: int
    pages: int
    length: int | None


def parse_paging(page: Tag, within: str) -> Paging:
    """Read the page numbers in a part of the page, which may show them twice.

    Raises:
        IncompletePageError: none, or some that contradict each other.
    """
    read = {_read_numbers(one) for one in page.select(f"{within} .current_page")}
    if len(read) != 1:
        raise IncompletePageError("page/no-paginator", "the page doesn't say how many pages there are")
    return read.pop()


def _read_numbers(current: Tag) -> Paging:
    """Each number leads to where its page starts, so that numbers tell how long pages are, all the same."""
    links = current.parent.select("a.nav_page") if current.parent else []
    offers = [(words_of(link), _start_of(link)) for link in links]
    numbered = {int(shown): start for shown, start in offers if shown.isdecimal()}
    here = words_of(current)
    page = int(here) if here.isdecimal() else 0
    pages, further = max([page, *numbered]), max([0, *(start for _, start in offers)])
    lengths = {start / (number - 1) for number, start in numbered.items() if number > 1}
    length = lengths.pop() if len(lengths) == 1 else 0.0
    joined = page > 0 and not lengths and length.is_integer() and further <= (pages - 1) * length
    started = numbered.get(1, -1) == 0 or page == 1
    if not (joined and started) or any(start < 0 for _, start in offers):
        raise IncompletePageError("page/bad-paginator", f"page {here!r} offers {offers}")
    return Paging(page, pages, int(length) or None)


def _start_of(link: Tag) -> int:
    found = _START.search(attribute(link, "href"))
    return int(found[1]) if found else -1


def read_saved_clock(page: Tag, zone: ZoneInfo) -> Clock:
    """What "today" is on a page that somebody saved, who knows when: by its own clock alone.

    Raises:
        IncompletePageError: the page shows no clock, or a format that isn't known.
    """
    shown = page.select_one(_CLOCK)
    if shown is None:
        raise IncompletePageError("page/no-clock", "the page doesn't say when it was made")
    return Clock(zone, _read_own_clock(shown, zone).utc, exact=True, coarse=True)


def read_clock(page: Tag, zone: ZoneInfo, answered: datetime) -> Clock:
    """What "today" is on the page: by its own clock where the theme shows it, else by the answer's.

    answered: the answer's time.

    Raises:
        IncompletePageError: the page shows another time, so its account has another zone than believed, or a
        format that isn't known.
    """
    shown = page.select_one(_CLOCK)
    if shown is None:
        return Clock(zone, answered)
    moment = _read_own_clock(shown, zone)
    if not moment.ambiguous and abs(moment.utc - answered) > _APART:
        said = words_of(shown)
        detail = f"the page shows {said!r} when the forum's clock says {answered:%Y-%m-%d %H:%M} UTC"
        raise IncompletePageError("page/wrong-zone", f"{detail}: is the account's zone {zone.key}?", said)
    return Clock(zone, answered if moment.ambiguous else moment.utc, exact=True)


def _read_own_clock(shown: Tag, zone: ZoneInfo) -> Moment:
    try:
        return read_own_clock(words_of(shown), zone)
    except UnknownFormat as error:
        raise IncompletePageError("page/time-format", str(error), str(error)) from None
    except ValueError as error:
        raise IncompletePageError("page/bad-time", f"the page's clock: {error}") from None


def user_of(link: Tag) -> str | None:
    """The account to which a link leads, None where it leads elsewhere."""
    found = _USER.search(attribute(link, "href"))
    return found[1] if found else None


def find_class(within: Tag | None, name: str) -> Tag | None:
    """The first tag of a class, at any depth; faster than a selector, for what each post has."""
    found = within.find(class_=name) if within else None
    return found if isinstance(found, Tag) else None


def step(within: Tag | None, *names: str) -> Tag | None:
    """The tag to which classes lead, each that of a child of the one before; None where one is missing."""
    found: object = within
    for name in names:
        found = found.find(class_=name, recursive=False) if isinstance(found, Tag) else None
    return found if isinstance(found, Tag) else None


def words_of(tag: Tag | None) -> str:
    """A tag's text on one line, "" where there is no tag."""
    return " ".join(tag.get_text().split()) if tag else ""


def find_message(location: str) -> str | None:
    """The post's id in an address such as `index.php?topic=1.msg5#msg5`, None for any other."""
    found = _POST.search(location)
    return found[1] if found else None


def find_topic(location: str) -> str | None:
    """The topic's id in an address, None where it has none."""
    found = _TOPIC.search(location.partition("#")[0])
    return found[1] if found else None
