"""Where a Spirit forum shows whose session a page is made for, how one logs in, and the account's zone."""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from bs4 import Tag

from parsers.pages.spirit import parse_viewer
from parsers.pages.spirit_forms import parse_complaints, parse_zone
from processor.forums.zones import AccountZone


class SpiritSite:
    """Implements `processor.forums.session.Site`."""

    software = "spirit"
    login = login_target = "user/login/"
    name_field, password_field = "username", "password"
    login_values: Mapping[str, str] = {}
    # Spirit counts logins, good ones too, in windows of five minutes.
    login_wait = 300.0
    home = "user/"

    def __init__(self, zone: str | None) -> None:
        """zone: what the account's preferences are expected to say, None to believe them."""
        self._zone = AccountZone(zone)

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which the forum shows times to the account. Raises ForumError before `learn`."""
        return self._zone.zone

    def find_viewer(self, page: Tag) -> str | None:
        """See `Site.find_viewer`."""
        return parse_viewer(page)

    def offers_login(self, page: Tag) -> bool:
        """See `Site.offers_login`."""
        return page.select_one("header.layout__header a.header__login") is not None

    def find_complaints(self, page: Tag) -> tuple[str, ...]:
        """See `Site.find_complaints`."""
        return parse_complaints(page)

    def check_answer(self, body: bytes) -> None:
        """See `Site.check_answer`: Spirit's errors have an error's status."""

    def learn(self, page: Tag) -> None:
        """See `Site.learn`: the zone that the account has chosen."""
        self._zone.learn(parse_zone(page))
