"""The zone in which a forum shows times to our account, where its pages say no more than the hour."""

from __future__ import annotations

from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from processor.ports import ForumError


class AccountZone:
    """The account's zone, which is known once its preferences were read."""

    def __init__(self, wanted: str | None) -> None:
        """wanted: what the preferences are expected to say, None to believe them."""
        self._wanted = wanted
        self._zone: ZoneInfo | None = None

    @property
    def zone(self) -> ZoneInfo:
        """The zone. Raises ForumError before `learn`."""
        if self._zone is None:
            raise ForumError("forum/unknown-zone", "the account's time zone is not known")
        return self._zone

    def learn(self, chosen: str | None) -> None:
        """Take the zone that the account has chosen, None where its preferences say none; what the settings
        say must agree, else every deadline is off. Raises ForumError.
        """
        wanted = self._wanted
        if chosen and wanted and chosen != wanted:
            raise ForumError("forum/wrong-zone", f"{chosen} ≠ {wanted}", words=chosen)
        try:
            self._zone = ZoneInfo(chosen or wanted or "")
        except (ZoneInfoNotFoundError, ValueError):
            raise ForumError("forum/unknown-zone", f"no known time zone: {chosen or wanted!r}") from None
