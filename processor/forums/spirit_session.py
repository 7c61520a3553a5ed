"""Where a Spirit forum shows whose session a page is made for, how one logs in, and the account's zone."""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bs4 import Tag

from parsers.pages.spirit import parse_viewer
from parsers.pages.spirit_forms import parse_complaints, parse_zone
from processor.ports import ForumError


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
        self._wanted_zone = zone
        self._zone: ZoneInfo | None = None

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which the forum shows times to the account. Raises ForumError before `learn`."""
        if self._zone is None:
            raise ForumError("forum/unknown-zone", "the account's time zone is not known")
        return self._zone

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
        """See `Site.learn`: the zone that the account has chosen; what the settings say must agree, else
        every deadline is off.
        """
        chosen, wanted = parse_zone(page), self._wanted_zone
        if chosen and wanted and chosen != wanted:
            detail = f"the account sees times in {chosen}, the settings say {wanted}"
            raise ForumError("forum/wrong-zone", f"{detail}: make them agree")
        try:
            self._zone = ZoneInfo(chosen or wanted or "")
        except (ZoneInfoNotFoundError, ValueError):
            raise ForumError("forum/unknown-zone", f"no known time zone: {chosen or wanted!r}") from None
