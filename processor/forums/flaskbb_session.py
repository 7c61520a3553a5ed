"""Where a FlaskBB forum shows whose session a page is made for, and how one logs in."""

from __future__ import annotations

from collections.abc import Mapping

from bs4 import Tag

from parsers.pages import flaskbb


class FlaskbbSite:
    """Implements `processor.forums.session.Site`."""

    software = "flaskbb"
    login = login_target = "auth/login"
    name_field, password_field = "login", "password"
    login_values: Mapping[str, str] = {"remember_me": "y"}
    # Twenty requests for login pages, good ones too, in fifteen minutes for everybody at our address.
    login_wait = 900.0
    home = "user/settings/general"

    def find_viewer(self, page: Tag) -> str | None:
        """See `Site.find_viewer`."""
        return flaskbb.parse_viewer(page)

    def offers_login(self, page: Tag) -> bool:
        """See `Site.offers_login`."""
        return flaskbb.offers_login(page)

    def find_complaints(self, page: Tag) -> tuple[str, ...]:
        """See `Site.find_complaints`."""
        return flaskbb.parse_complaints(page)

    def check_answer(self, body: bytes) -> None:
        """See `Site.check_answer`."""
        flaskbb.check_answer(body)

    def learn(self, page: Tag) -> None:
        """See `Site.learn`: times have their zone, and nothing else depends on the account."""
