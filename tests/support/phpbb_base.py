"""What the stand-in of phpBB has for posts and private messages alike: notices, tokens, faults of texts."""

from __future__ import annotations

from hashlib import sha1
from html import escape

from tests.support import phpbb_pages as pages
from tests.support.phpbb_words import say
from tests.support.standin_call import Call, ForumViews, Reply

_TOKEN_TIME = 7200
_MOST = 60_000


class PhpbbBase(ForumViews):
    """Answers as phpBB does, in Spanish or English.

    signatures: HTML by account name. queued: accounts whose posts wait for a moderator; waiting: those
    posts. forbidden: topics that nobody may read. flood_seconds: between two posts, 0 for none. held: how
    many messages wait outside of a full folder. gone: accounts that were deleted. disabled: the board is.
    newest_first: accounts whose preferences want topics so. leads_back: where its login form leads to.
    counts_from_end: pages in a topic's second half are counted from the number of posts that everybody sees,
    nobody knows whether in each version.
    """

    moderates = signs = True
    language = "en"

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.waiting: set[int] = set()
        self.counts_from_end = False
        self.forbidden: set[int] = set()
        self.gone: set[int] = set()
        self.flood_seconds = 15 if self._rate_limits else 0
        self.held = 0
        self.newest_first: set[int] = set()
        self.leads_back = "./index.php"
        self.disabled = False
        self._marks: dict[int, int] = {}
        self._read: set[int] = set()
        self._tries: dict[str, int] = {}
        self._last: dict[int, float] = {}

    def broken(self) -> Reply:
        """See `ForumViews.broken`."""
        return Reply(503, pages.show_notice(self._say("failed"), None))

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`."""
        return self._login_form(call)

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location="/ucp.php?mode=login&redirect=index.php")

    def _say(self, key: str) -> str:
        return say(self.language, key)

    def _viewer(self, call: Call) -> pages.Viewer | None:
        account = call.account
        return pages.Viewer(str(account.id), account.name, self.language, account.staff) if account else None

    def _member(self, call: Call) -> pages.Viewer:
        return pages.Viewer(str(call.user.id), call.user.name, self.language)

    def _notice(self, call: Call, key: str, status: int = 200, refresh: str | None = None) -> Reply:
        return Reply(status, pages.show_notice(self._say(key), self._viewer(call), refresh))

    def _now(self) -> int:
        return int(self.state.now().timestamp())

    def _tokens(self, call: Call, name: str) -> dict[str, object]:
        made = self._now()
        return {"creation_time": made, "form_token": self._token(made, call, name), "sid": call.token}

    def _login_form(self, call: Call, said: str = "", captcha: bool = False) -> Reply:
        fields = self._tokens(call, "login") | {"redirect": self.leads_back}
        return Reply(body=pages.show_login(fields, said, captcha=captcha))

    def _token(self, made: int, call: Call, name: str) -> str:
        return sha1(f"{made} {call.token} {name}".encode()).hexdigest()  # noqa: S324 - of a stand-in

    def _refuses_form(self, call: Call, name: str) -> bool:
        made = call.data.get("creation_time", "0")
        age = self._now() - int(made)
        right = call.data.get("form_token") == self._token(int(made), call, name)
        return not (0 < age <= _TOKEN_TIME and right)

    def _text_fault(self, call: Call, name: str, new: bool = True) -> str | None:
        """What is wrong with something sent; new: with a post or message, not an edit."""
        text = call.data.get("message", "").replace("\r\n", "\n").strip()
        if self._refuses_form(call, name):
            return "invalid"
        if not text or not call.data.get("subject"):
            return "empty"
        if len(escape(text)) > _MOST:
            return "long"
        last = self._last.get(call.user.id, float("-inf"))
        return "flood" if new and self._now() - last < self.flood_seconds else None

    def _is_hasty(self, call: Call) -> bool:
        return "post" not in call.data or self._now() - int(call.data.get("lastclick", "0")) < 2
