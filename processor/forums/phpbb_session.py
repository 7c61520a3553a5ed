"""Where a phpBB forum shows whose session a page is made for, and how one logs in."""

from __future__ import annotations

from collections.abc import Mapping

from bs4 import Tag

from parsers.pages import phpbb, phpbb_forms

FORM_AGE = 2.5
"""Seconds. phpBB refuses a form in the second in which it made it, and drops one that is back within two."""


class PhpbbSite:
    """Implements `processor.forums.session.Site`."""

    software = "phpbb"
    login = "ucp.php?mode=login"
    login_target = login
    name_field, password_field = "username", "password"
    # Where phpBB leads afterwards is up to the form; back to the login it would look like a refusal.
    login_values: Mapping[str, str] = {"login": "login", "autologin": "on", "redirect": "index.php"}
    # Only a proxy before phpBB counts logins: phpBB itself asks for a captcha after three that were wrong.
    login_wait = 900.0
    home = "ucp.php"

    def find_viewer(self, page: Tag) -> str | None:
        """See `Site.find_viewer`."""
        return phpbb.parse_viewer(page)

    def offers_login(self, page: Tag) -> bool:
        """See `Site.offers_login`."""
        return phpbb.offers_login(page)

    def find_complaints(self, page: Tag) -> tuple[str, ...]:
        """See `Site.find_complaints`. A captcha is for people: somebody has to log in once with a browser."""
        said = phpbb_forms.parse_complaints(page)
        asked = "(the forum asks for a captcha: log in to this account once with a browser)"
        return (*said, asked) if phpbb_forms.wants_captcha(page) else said

    def check_answer(self, body: bytes) -> None:
        """See `Site.check_answer`: what phpBB says in place of a page is known by its tree."""

    def learn(self, page: Tag) -> None:
        """See `Site.learn`: times have their zone, and nothing else depends on the account."""
