"""A plain browser for Spirit: logs in through the form, reads pages, fills in forms.

The players of the demo and its judge use it. It shares nothing with Turnero's own adapter, so that a mistake
there can't hide itself here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import requests
from bs4 import BeautifulSoup, Tag

TIMEOUT = 60.0
"""Seconds for one request; the forum runs on this machine."""
_FOUND = re.compile(r"/comment/(\d+)/find/$")
_USER = re.compile(r"/user/(\d+)/")
_TOPIC = re.compile(r"/topic/(?:private/)?(\d+)/")
_PAGES = re.compile(r"(\d+)\D+(\d+)")
_QUOTE = re.compile(r"> ?")


class BrowserError(Exception):
    """The forum did not do what a person at its pages would expect; the text says which page, and what it
    said.
    """


@dataclass(frozen=True, slots=True)
class Comment:
    """A post as its page shows it. author: account id. number: position in its topic. html: its body."""

    id: str
    number: int
    author: str
    author_name: str
    html: str


class Browser:
    """One person at the forum, a guest until `log_in`."""

    def __init__(self, base_url: str) -> None:
        self.base_url = base_url.rstrip("/") + "/"
        self._session = requests.Session()
        self._session.trust_env = False  # a proxy has no business on loopback
        self._session.headers.update({"User-Agent": "Mozilla/5.0 (demo)", "Accept-Language": "es,en;q=0.5"})

    def log_in(self, name: str, password: str) -> None:
        """Log in through the form. Raises BrowserError."""
        answer = self.submit("user/login/", username=name, password=password)
        if "/user/login/" in answer.url:
            raise BrowserError(f"{name} can't log in: {_complaints(answer)}")

    def fetch(self, path: str) -> requests.Response:
        """An address below the forum, redirects followed. Raises BrowserError for anything but 200."""
        try:
            answer = self._session.get(self._url(path), timeout=TIMEOUT)
        except requests.RequestException as error:
            raise BrowserError(f"{path}: {error}") from error
        if answer.status_code != requests.codes.ok:
            raise BrowserError(f"{path} answers {answer.status_code}")
        return answer

    def page(self, path: str) -> BeautifulSoup:
        """A page, parsed. Raises BrowserError."""
        return BeautifulSoup(self.fetch(path).content, "html.parser")

    def form_text(self, path: str) -> str:
        """What stands in the text area of a page's form, with LF. Raises BrowserError."""
        area = self.page(path).select_one("textarea[name=comment]")
        if area is None:
            raise BrowserError(f"{path} has no form to write in")
        return area.get_text().replace("\r\n", "\n").removeprefix("\n")

    def submit(self, path: str, **values: str) -> requests.Response:
        """Fill in the form of a page and send it; the answer after its redirects. Raises BrowserError."""
        found = self.fetch(path)
        form = _find_form(BeautifulSoup(found.content, "html.parser"), values)
        if form is None:
            raise BrowserError(f"{path} has no form with the fields {', '.join(values)}")
        hidden = form.select("input[type=hidden][name]")
        data = {str(one["name"]): str(one.get("value") or "") for one in hidden} | values
        target = urljoin(found.url, str(form.get("action") or "."))
        try:
            answer = self._session.post(target, data=data, headers={"Referer": found.url}, timeout=TIMEOUT)
        except requests.RequestException as error:
            raise BrowserError(f"{path}: {error}") from error
        if answer.status_code != requests.codes.ok:
            raise BrowserError(f"sending the form of {path} answers {answer.status_code}")
        return answer

    def post(self, topic: str, text: str) -> str:
        """Reply in a topic or private conversation; the new post's id. Raises BrowserError."""
        answer = self.submit(f"comment/{topic}/publish/", comment=text)
        ids = [
            found.group(1)
            for one in answer.history
            if (found := _FOUND.search(_path(one.headers.get("Location"))))
        ]
        if not ids:
            raise BrowserError(f"the forum took no reply in topic {topic}: {_complaints(answer)}")
        return ids[-1]

    def edit(self, post: str, text: str) -> None:
        """Replace the text of an own post. Raises BrowserError."""
        answer = self.submit(f"comment/{post}/update/", comment=text)
        if not answer.history:
            raise BrowserError(f"the forum took no edit of post {post}: {_complaints(answer)}")

    def conversations(self) -> dict[str, str]:
        """The own private conversations, all pages of the list: path by id, the liveliest first."""
        path = "topic/private/"
        found: dict[str, str] = {}
        number, last = 1, 1
        while number <= last:
            page = self.page(f"{path}?page={number}" if number > 1 else path)
            for link in page.select("a.topic__link"):
                target = _path(str(link.get("href")))
                known = _TOPIC.search(target)
                if known:
                    found.setdefault(known.group(1), target)
            offered = [
                int(one) for one in re.findall(r"[?&]page=(\d+)", str(page.select_one("ul.paginator")))
            ]
            last = max((last, *offered))
            number += 1
        return found

    def comments(self, path: str) -> tuple[Comment, ...]:
        """The posts of a topic or conversation, all its pages. Raises BrowserError."""
        found: list[Comment] = []
        number, last = 1, 1
        while number <= last:
            page = self.page(f"{path}?page={number}" if number > 1 else path)
            found += [_comment(box) for box in page.select(".comments_list__comment[data-pk]")]
            last = _page_count(page)
            number += 1
        return tuple(found)

    def text_of(self, topic: str, post: str) -> str:
        """A post's text as typed, which Spirit gives to everybody who may quote it. Raises BrowserError."""
        quoted = self.form_text(f"comment/{topic}/publish/{post}/quote/")
        lines = quoted.rstrip("\n").split("\n")[1:]  # the first says who wrote it
        return "\n".join(_QUOTE.sub("", line, count=1) for line in lines)

    def _url(self, path: str) -> str:
        url = urljoin(self.base_url, path)
        if not url.startswith(self.base_url):
            raise BrowserError(f"{path} leads away from the forum")
        return url


def _find_form(page: BeautifulSoup, values: Mapping[str, str]) -> Tag | None:
    fields = ",".join(f"{kind}[name]" for kind in ("input", "textarea", "select"))
    for form in page.select("form[method=post]"):
        names = {str(one["name"]) for one in form.select(fields)}
        if names >= values.keys():
            return form
    return None


def _comment(box: Tag) -> Comment:
    link, body = box.select_one("a.comment__info__username__link"), box.select_one(".comment__text")
    known = _USER.search(str(link.get("href"))) if link else None
    if link is None or body is None or known is None:
        raise BrowserError(f"post {box.get('data-pk')} has no author or no text")
    return Comment(
        str(box["data-pk"]),
        int(str(box["data-number"])),
        known.group(1),
        link.get_text().strip(),
        body.decode_contents().strip(),
    )


def _page_count(page: BeautifulSoup) -> int:
    shown = page.select_one("ul.paginator > li.paginator__pages")
    numbers = _PAGES.search(shown.get_text()) if shown else None
    return int(numbers.group(2)) if numbers else 1


def _path(address: str | None) -> str:
    return urlsplit(address or "").path


def _complaints(answer: requests.Response) -> str:
    page = BeautifulSoup(answer.content, "html.parser")
    said = [one.get_text(" ", strip=True) for one in page.select(".errorlist li, .js-messages li")]
    return "; ".join(said) or f"no reason given at {answer.url}"
