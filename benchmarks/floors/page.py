"""Posts of a Spirit topic page in the obvious way: BeautifulSoup over lxml, a few selectors, no checks."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from bs4 import BeautifulSoup

Record = tuple[str, int, str, str, datetime, str]


def extract(page: bytes) -> list[Record]:
    """Id, number, author's id and name, time (UTC pages), and the body's HTML of each post."""
    soup = BeautifulSoup(page, "lxml")
    return [
        (
            str(box["data-pk"]),
            int(str(box["data-number"])),
            re.findall("[0-9]+", str(box.select_one(".comment__info__username__link")["href"]))[0],  # type: ignore[index]
            box.select_one(".comment__info__username__link").get_text().strip(),  # type: ignore[union-attr]
            _time(str(box.select_one(".comment__info__date > li[title]")["title"])),  # type: ignore[index]
            box.select_one(".comment__text").decode_contents().strip(),  # type: ignore[union-attr]
        )
        for box in soup.select(".comments_list > .js-comment")
    ]


def _time(shown: str) -> datetime:
    return datetime.strptime(shown.replace(".m.", "m"), "%b. %d, %Y, %I:%M %p").replace(tzinfo=UTC)
