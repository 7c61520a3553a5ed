"""The forum programs that Turnero enters, by their names in `game.toml`: one entry for each adapter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from processor.forums.discourse import DISCOURSE, DiscourseForum
from processor.forums.flarum import FLARUM, FlarumForum
from processor.forums.flaskbb import FLASKBB, FlaskbbForum
from processor.forums.http import ForumHttp, Limits
from processor.forums.misago import MISAGO, MisagoForum
from processor.forums.mybb import MYBB, MybbForum
from processor.forums.nodebb import NODEBB, NodebbForum
from processor.forums.phpbb import PHPBB, PhpbbForum
from processor.forums.smf import SMF, SmfForum
from processor.forums.spirit import SPIRIT, SpiritForum
from processor.forums.xenforo import XENFORO, XenforoForum
from processor.ports import Forum
from processor.service.backlog import Tempo
from rules.play.game import ForumSettings
from rules.play.posts import Capabilities

Opening = Callable[[ForumSettings, str, ForumHttp, Capabilities], Forum]
"""Makes a forum of a game's settings, the account's password (or key), a connection, and what it can do."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """How a forum program is entered.

    capabilities: by the program's defaults. topic: address of a topic for readers, with `{url}` (which ends
    with a slash) and `{topic}`.
    """

    opening: Opening
    capabilities: Capabilities
    topic: str

    def open(self, forum: ForumSettings, password: str, http: ForumHttp) -> Forum:
        """The forum of a game."""
        return self.opening(forum, password, http, self.capabilities_in(forum))

    def capabilities_in(self, forum: ForumSettings) -> Capabilities:
        """The program's defaults, but for what the forum's own administrator has changed, and what the game
        does without.
        """
        most = forum.max_chars or self.capabilities.max_chars
        kept = self.capabilities.min_interval
        interval = kept if forum.interval is None else forum.interval.total_seconds()
        uploads = self.capabilities.uploads if forum.pictures else None
        return replace(self.capabilities, max_chars=most, min_interval=interval, uploads=uploads)


def _spirit(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return SpiritForum(forum.url, forum.account, password, forum.zone, http, capabilities)


def _flaskbb(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return FlaskbbForum(forum.url, forum.account, password, http, capabilities)


def _discourse(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return DiscourseForum(forum.account, password, http, capabilities)


def _mybb(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return MybbForum(forum.url, forum.account, password, http, capabilities)


def _smf(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return SmfForum(forum.url, forum.account, password, forum.zone, http, capabilities)


def _nodebb(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return NodebbForum(forum.url, forum.account, password, http, capabilities)


def _flarum(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return FlarumForum(forum.account, password, http, capabilities)


def _misago(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return MisagoForum(forum.url, forum.account, password, http, capabilities)


def _phpbb(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return PhpbbForum(forum.url, forum.account, password, http, capabilities)


def _xenforo(forum: ForumSettings, password: str, http: ForumHttp, capabilities: Capabilities) -> Forum:
    return XenforoForum(forum.account, password, http, capabilities)


ADAPTERS: Mapping[str, Adapter] = {
    "spirit": Adapter(_spirit, SPIRIT, "{url}topic/{topic}/"),
    "flaskbb": Adapter(_flaskbb, FLASKBB, "{url}topic/{topic}"),
    "discourse": Adapter(_discourse, DISCOURSE, "{url}t/{topic}"),
    "mybb": Adapter(_mybb, MYBB, "{url}showthread.php?tid={topic}"),
    "smf": Adapter(_smf, SMF, "{url}index.php?topic={topic}.0"),
    "phpbb": Adapter(_phpbb, PHPBB, "{url}viewtopic.php?t={topic}"),
    "xenforo": Adapter(_xenforo, XENFORO, "{url}index.php?threads/{topic}/"),
    "nodebb": Adapter(_nodebb, NODEBB, "{url}topic/{topic}"),
    "flarum": Adapter(_flarum, FLARUM, "{url}d/{topic}"),
    "misago": Adapter(_misago, MISAGO, "{url}t/-/{topic}/"),
}
"""By the software's name in `game.toml`; `parsers.files.game.SOFTWARE` has the same names."""

_REQUESTS = 10
"""For one text: what is new in the topic before and behind it, its form, itself, and where it stands then."""


def tempo_of(forum: ForumSettings) -> Tempo | None:
    """How fast a forum lets us publish; None where a person carries the texts."""
    adapter = ADAPTERS.get(forum.software)
    if adapter is None:
        return None
    return Tempo(adapter.capabilities_in(forum).min_interval, _REQUESTS * Limits().gap)
