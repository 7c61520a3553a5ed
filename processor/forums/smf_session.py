"""Where an SMF forum shows whose session a page is made for, how one logs in, and the account's zone."""

from __future__ import annotations

from collections.abc import Mapping
from zoneinfo import ZoneInfo

from bs4 import Tag

from parsers.pages import smf_frame
from processor.forums.zones import AccountZone


class SmfSite:
    """Implements `processor.forums.session.Site`."""

    software = "smf"
    login = "index.php?action=login"
    login_target = "index.php?action=login2"
    name_field, password_field = "user", "passwrd"
    # Stay logged in, as themes ask for it: by a box or by a number of minutes.
    login_values: Mapping[str, str] = {"cookieneverexp": "on", "cookielength": "3153600"}
    login_wait = 60.0
    home = "index.php?action=profile;area=theme"

    def __init__(self, zone: str | None) -> None:
        """zone: what the account's page of looks is expected to say, None to believe it."""
        self._zone = AccountZone(zone)

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which the forum shows times to the account. Raises ForumError before `learn`."""
        return self._zone.zone

    def find_viewer(self, page: Tag) -> str | None:
        """See `Site.find_viewer`."""
        return smf_frame.parse_viewer(page)

    def offers_login(self, page: Tag) -> bool:
        """See `Site.offers_login`."""
        return smf_frame.offers_login(page)

    def find_complaints(self, page: Tag) -> tuple[str, ...]:
        """See `Site.find_complaints`."""
        return smf_frame.parse_complaints(page)

    def check_answer(self, body: bytes) -> None:
        """See `Site.check_answer`."""
        smf_frame.check_answer(body)

    def learn(self, page: Tag) -> None:
        """See `Site.learn`: the zone that the account has chosen; where the forum doesn't let it choose there
        is none, and the settings have to say it.
        """
        self._zone.learn(smf_frame.parse_zone(page))
