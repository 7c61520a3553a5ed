"""The stand-in's private messages in the dialect of phpBB: each stands alone, in two folders."""

from __future__ import annotations

import re

from tests.support import phpbb_pages as pages
from tests.support.phpbb_base import PhpbbBase
from tests.support.standin_call import Call, Reply
from tests.support.standin_state import StoredPost


class PhpbbLetterViews(PhpbbBase):
    """Folders, messages, and the form for them."""

    def _letters(self, call: Call, folder: str) -> list[StoredPost]:
        """An account's messages, the newest first."""
        found = []
        for topic in self.state.topics.values():
            for post in self.state.shown(topic.id) if topic.members and self._may_see(topic, call) else ():
                ours = post.author_id == call.user.id
                place = ("sentbox" if post.id in self._read else "outbox") if ours else "inbox"
                found += [post] if place == folder else []
        return sorted(found, key=lambda post: post.id, reverse=True)

    def _get_list(self, call: Call) -> Reply:
        folder, start = call.query.get("folder", "inbox"), int(call.query.get("start", "0"))
        found, size = self._letters(call, folder), self._topics_per_page
        page = pages.show_folder(
            [self._shown_letter(post) for post in found[start : start + size]],
            self._member(call),
            {"inbox": 0, "sentbox": -1, "outbox": -2}[folder],
            start=start,
            length=size,
            count=len(found),
            held=self.held if folder == "inbox" else 0,
        )
        return Reply(body=page)

    def _shown_letter(self, post: StoredPost) -> pages.ShownLetter:
        topic = self.state.topics[post.topic]
        others = [one for one in topic.members or () if one != post.author_id]
        named = [self._named(number) for number in others]
        return pages.ShownLetter(
            str(post.id), topic.title, self._named(post.author_id), named, post.date, pages.render(post.text)
        )

    def _named(self, number: int) -> tuple[str | None, str]:
        return None if number in self.gone else str(number), self.state.accounts[number].name

    def _letter(self, call: Call) -> StoredPost | None:
        number = call.query.get("p", "")
        found = next((post for post in self.state.stored if str(post.id) == number), None)
        topic = self.state.topics[found.topic] if found else None
        private = topic is not None and topic.members is not None and self._may_see(topic, call)
        return found if private else None

    def _get_letter(self, call: Call) -> Reply:
        post = self._letter(call)
        if post is None:
            return self._notice(call, "no-letter")
        if post.author_id != call.user.id:
            self._read.add(post.id)
        return Reply(body=pages.show_letter(self._shown_letter(post), self._member(call)))

    def _quote_letter(self, call: Call) -> Reply:
        post = self._letter(call)
        if post is None:
            return self._notice(call, "no-letter")
        name, made = self.state.accounts[post.author_id].name, int(post.date.timestamp())
        quoted = pages.generate_quote(post.text, name, msg_id=post.id, time=made, user_id=post.author_id)
        return self._letter_form(call, text=quoted, to=(post.author_id,))

    def _letter_form(
        self, call: Call, error: str = "", text: str | None = None, to: tuple[int, ...] = ()
    ) -> Reply:
        addressed = list(to) or self._addressed(call)
        if "add_to" in call.query:
            wanted = call.query.get("username_list", "").lower()
            known = [one.id for one in self.state.accounts.values() if one.name.lower() == wanted]
            addressed, error = known, error if known else "no-user"
        fields = self._tokens(call, "ucp_pm_compose") | {"lastclick": self._now()}
        fields |= {f"address_list[u][{one}]": "to" for one in addressed}
        page = pages.show_posting(
            self._member(call),
            fields,
            subject=call.data.get("subject", ""),
            text=call.data.get("message", "") if text is None else text,
            error=self._say(error) if error else "",
            letter=True,
        )
        return Reply(body=page)

    def _addressed(self, call: Call) -> list[int]:
        found = [re.fullmatch(r"address_list\[u\]\[(\d+)\]", name) for name in call.data]
        named = [int(one[1]) for one in found if one]
        return named or ([int(call.query["u"])] if "u" in call.query else [])

    def _post_private(self, call: Call) -> Reply:
        if self._is_hasty(call):
            return Reply(302, location="/ucp.php?i=pm&folder=inbox")
        wrong = self._text_fault(call, "ucp_pm_compose")
        to = self._addressed(call)
        if wrong or not to:
            return self._letter_form(call, wrong or "no-user")
        topic = self.state.add_topic(call.data["subject"], tuple(sorted({call.user.id, *to})))
        post = self.state.add_post(topic.id, call.user, call.data["message"], self._delay(call))
        self._last[call.user.id] = self._now()
        return self._notice(call, "letter-sent", refresh=f"3;url=./ucp.php?i=pm&mode=view&p={post.id}")
