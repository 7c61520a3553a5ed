"""A scene of Comunidad Umbría, read from its pages; what is published there, a person pastes.

What it can't do: log in (what the site's login asks for isn't known; whoever needs a session lends the one of
the own browser), know how many posts there are (it follows the links to further pages that a page shows, and
where there is none it believes that the page is alone), see that a post was edited or taken away. So nothing
that is missing counts as gone, and no turn is closed before its director says that nothing is missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from parsers.pages.topics import check_times, read_page
from parsers.pages.umbria import ScenePage, parse_scene_page
from processor.forums.http import ForumHttp
from processor.forums.session import as_forum_errors, check_status
from processor.ports import ForumError, IncompletePage, NotATopic
from rules.play.posts import Post

GAP = 5.0
"""Seconds between two requests: the site offers programs nothing, so we ask it like a person who reads."""

_MAX_PAGES = 200


class BadSession(ForumError):
    """What was lent as a browser's session isn't one."""

    def __init__(self) -> None:
        super().__init__("umbria/session", "no cookies of the form name=value; name=value")


class UmbriaScene:
    """Implements `processor.forums.folder.Scene`."""

    def __init__(
        self, http: ForumHttp, address: str, zone: str, *, session: str | None = None, notes: bool = False
    ) -> None:
        """http: of the site. address: of the scene's first page. zone: in which the session sees times.

        session: cookies of a browser that is logged in, as its requests send them; None for a guest.
        notes: whether notes beside posts are read, as private messages.
        """
        self._http, self._address, self._zone = http, address.partition("#")[0], ZoneInfo(zone)
        self._session, self._notes = session, notes

    def read(self) -> tuple[Post, ...]:
        """All posts of the pages to which the pages lead, ascending by time. Raises ForumError."""
        self._lend_session()
        first = self._fetch(self._address)
        others = self._fetch_others(first)
        posts = _join((first, *(page for _, page in others)))
        for address, page in ((self._address, first), *others[-1:]) if others else ():
            self._look_again(address, page)
        if self._notes and not any(post.private for post in posts):
            raise NotATopic("umbria/no-notes", "the pages show no notes")
        with as_forum_errors():
            check_times(posts, self._http.server_time())
        return posts

    def _lend_session(self) -> None:
        if self._session is None:
            return
        pairs = [one.strip().partition("=") for one in self._session.split(";") if one.strip()]
        if not pairs or not all(name.strip() and sign for name, sign, _ in pairs):
            raise BadSession
        for name, _, value in pairs:
            self._http.set_cookie(name.strip(), value.strip())

    def _fetch(self, address: str) -> ScenePage:
        answer = self._http.get(address)
        if answer.location is not None:
            detail = f"the site leads from {urlsplit(address).path} to {urlsplit(answer.location).path}"
            raise NotATopic("umbria/elsewhere", detail)
        check_status(answer)
        with as_forum_errors():
            tree = read_page(answer.body, answer.content_type)
            return parse_scene_page(tree, self._address, self._zone, notes=self._notes)

    def _fetch_others(self, first: ScenePage) -> list[tuple[str, ScenePage]]:
        """The pages to which links lead, with their addresses, by number; the first one may be of them."""
        known, pages = dict(first.links), dict[int, ScenePage]()
        while (number := min(known.keys() - pages.keys(), default=None)) is not None:
            if len(pages) >= _MAX_PAGES:
                raise IncompletePage("forum/too-long", f"more than {_MAX_PAGES} pages")
            pages[number] = self._fetch(known[number])
            known = {**pages[number].links, **known}
        missing = [number for number in range(1, max(pages, default=0)) if number not in pages]
        # One may be the first page's own number, if no page has led back to it.
        is_met = any(_ids(page) == _ids(first) for page in pages.values())
        if len(missing) > (0 if is_met else 1):
            raise IncompletePage("umbria/gap", f"no link leads to pages {missing}")
        return [(known[number], pages[number]) for number in sorted(pages)]

    def _look_again(self, address: str, page: ScenePage) -> None:
        """Of several pages the first and the last are read twice: posts may have moved meanwhile, and new
        ones come at the end.
        """
        before, now = _ids(page), _ids(self._fetch(address))
        if now[: len(before)] != before:
            raise IncompletePage("forum/shifted", "posts have moved while the pages were read")


def _ids(page: ScenePage) -> tuple[str, ...]:
    return tuple(post.id for post in page.posts)


def _join(pages: Iterable[ScenePage]) -> tuple[Post, ...]:
    """Each post once. Two pages that share all their posts are one page, shown for another."""
    seen: dict[str, Post] = {}
    first: ScenePage | None = None
    for page in pages:
        is_new = [post.id not in seen for post in page.posts]
        if first is not None and not any(is_new) and _ids(page) != _ids(first):
            raise IncompletePage("umbria/repeated", "a page shows the posts of another")
        first = first or page
        seen |= {post.id: post for post in page.posts}
    return tuple(sorted(seen.values(), key=lambda post: (post.created_at, len(post.id), post.id)))
