"""The stand-in forum's answers in the dialect of MyBB 1.8, limits and oddities included (forums.md 3, 5)."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any
from urllib.parse import parse_qsl, urlsplit
from zoneinfo import ZoneInfo

from tests.support import mybb_pages as pages
from tests.support.mybb_picture_views import MybbPictureViews
from tests.support.standin_call import Call, Reply
from tests.support.standin_state import StoredAccount, StoredPost, StoredTopic

_COPIES = 100
"""Each participant has a copy of a message, with a number of its own."""
_MERGE = timedelta(minutes=60)
_FLOOD = 60
_GET = (
    ("preferences", "/usercp.php"),
    ("form", "/(?P<script>member|newreply|editpost).php"),
    ("topic", "/showthread.php"),
    ("list", "/private.php"),
    ("letter", "/private.php#read"),
    ("form", "/(?P<script>private).php#send"),
)
_POST = (
    ("login", "/member.php"),
    ("publish", "/(?P<script>newreply).php"),
    ("edit", "/(?P<script>editpost).php"),
    ("private", "/private.php"),
)
_QUEUED = timedelta(days=9999)


class MybbViews(MybbPictureViews):
    """Answers as MyBB does.

    separator: what stands between texts that are put together. board_closed: for everybody. dates,
    times, chosen: see `mybb_pages.Viewer`. quick: whether it leads on by its status, as with an account that
    wants no pages in between. threaded: whether accounts see topics as trees.
    """

    gets, posts = _GET, _POST
    session_cookie = "mybbuser"
    separator = "\n[hr]\n"
    moderates = signs = True
    board_closed = False
    threaded = False
    quick = False
    dates, times, chosen = "%m-%d-%Y", "%I:%M %p", "0"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._hashes: dict[str, bool] = {}
        self._sent: dict[str, Any] = {}
        self._plain: set[int] = set()
        self._uncopied: set[int] = set()

    def route(self, method: str, path: str) -> tuple[str, Mapping[str, str | None]] | None:
        """See `ForumViews.route`: what a script does stands in the query."""
        parts = urlsplit(path)
        query = dict(parse_qsl(parts.query))
        does = f"#{query['action']}" if parts.path == "/private.php" and "action" in query else ""
        for action, pattern in self.gets if method == "GET" else self.posts:
            found = re.fullmatch(pattern, parts.path + does)
            if found:
                numbers = {"topic": query.get("tid"), "post": query.get("pid") or query.get("replyto")}
                return action, {**numbers, "letter": query.get("pmid"), "script": None, **found.groupdict()}
        return None

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`. Whatever fails has status 200."""
        login = call.path.endswith("member.php")
        if self.board_closed and not login:
            return self._notice(call, "El foro está cerrado por obras.")
        if method == "POST" and call.data.get("my_post_key") != call.token:
            return self._notice(call, "El código de autorización no coincide.")
        if call.account is None and not login and call.action != "topic":
            return self._notice(call, "No has entrado o no tienes permiso.")
        view = getattr(self, f"_{method.lower()}_{call.action}")
        reply: Reply = view(call)
        return reply

    def broken(self) -> Reply:
        """See `ForumViews.broken`."""
        return Reply(500, "<!DOCTYPE html>\n<html><body><h1>Internal Server Error</h1></body></html>")

    def flood(self, call: Call) -> Reply:
        """See `ForumViews.flood`."""
        return self._text_form(call, "", ["Escribes demasiado deprisa. Espera 61 segundos más."])

    def login_page(self, call: Call) -> Reply:
        """See `ForumViews.login_page`."""
        return self._login_form(call, [])

    def login_redirect(self) -> Reply:
        """See `ForumViews.login_redirect`."""
        return Reply(302, location="/member.php?action=login")

    def viewer(self, account: StoredAccount | None) -> pages.Viewer:
        """How an account sees pages: MyBB knows no zone, only how far it is from UTC now."""
        if account is None:
            return pages.Viewer(None, dates=self.dates, times=self.times)
        offset = self.state.now().astimezone(ZoneInfo(account.zone)).utcoffset() or timedelta()
        hours = offset.total_seconds() / 3600
        return pages.Viewer(str(account.id), account.name, hours, self.dates, self.times, self.chosen)

    def _notice(self, call: Call, said: str) -> Reply:
        return Reply(body=pages.show_notice(said, self.viewer(call.account), self.state.now()))

    def _framed(self, call: Call, content: str) -> Reply:
        return Reply(body=pages.frame(content, self.viewer(call.account), self.state.now()))

    def _leads(self, location: str, said: str = "Gracias.") -> Reply:
        if self.quick:
            return Reply(302, location=f"/{location}")
        return Reply(body=pages.show_redirect(said, location))

    def missing(self) -> Reply:
        """See `ForumViews.missing`."""
        return Reply(body=pages.show_notice("No existe.", pages.Viewer(None), self.state.now()))

    def _lost(self, call: Call, what: str = "El tema no existe.") -> Reply:
        return self._notice(call, what)

    def _get_preferences(self, call: Call) -> Reply:
        return Reply(body=pages.show_options(self.viewer(call.user), self.state.now()))

    def _login_form(self, call: Call, wrong: Sequence[str]) -> Reply:
        hidden = {"action": "do_login", "url": "", "my_post_key": call.token}
        form = pages.show_form("member.php", hidden, {"username": "", "password": ""}, None)
        return Reply(body=pages.frame(pages.show_errors(wrong) + form, pages.Viewer(None), self.state.now()))

    def _get_topic(self, call: Call) -> Reply:
        post = self._post(call) if call.parts["post"] else None
        topic = self.state.topics.get(post.topic if post else call.number("topic"))
        if topic is None or topic.members is not None or (call.parts["post"] and post is None):
            return self._lost(call)
        shown, asked = self.state.shown(topic.id), call.query.get("page", "1")
        if call.fault is not None and call.fault.kind == "stale":
            shown = shown[: -call.fault.at]
        count = max(1, -(-len(shown) // self._per_page))
        number = int(asked) if asked.isdecimal() else 1
        if post is not None:
            number = -(-(1 + [one.id for one in shown].index(post.id)) // self._per_page)
        if call.fault is not None and call.fault.kind == "other-page":
            number = call.fault.at
        number = min(max(number, 1), count)  # the last one for any that isn't there
        threaded = self.threaded and call.query.get("mode") != "linear"
        if threaded:
            shown, number, count = shown[:1], 1, 1
        first = (number - 1) * self._per_page
        part = [self._show(one, n) for n, one in enumerate(shown[first : first + self._per_page], first + 1)]
        viewer, now = self.viewer(call.account), self.state.now()
        page = pages.show_topic(
            str(topic.id),
            topic.title,
            part,
            viewer,
            now,
            page=number,
            pages=count,
            closed=topic.closed,
            threaded=threaded,
        )
        return Reply(body=page)

    def _show(self, post: StoredPost, number: int) -> pages.ShownPost:
        author = self.state.accounts[post.author_id]
        html = self._show_files(post, pages.render(post.text, smilies=post.id not in self._plain))
        shade = "deleted_post" if post.removed else ""
        signed = self.signatures.get(author.name, "")
        ids = str(post.id), number, str(author.id)
        return pages.ShownPost(*ids, author.name, post.date, html, post.edited_at, shade, signed)

    def _get_form(self, call: Call) -> Reply:
        match call.parts["script"]:
            case "member":
                if self._rate_limits and self.state.windows.get(self._window(), 0) >= 10:
                    return self._notice(call, "Demasiados intentos. Espera 15 minutos.")
                return self._login_form(call, [])
            case "private":
                return self._letter_form(call)
            case "editpost":
                return self._edit_form(call)
            case _:
                return self._reply_form(call)

    def _edit_form(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self._lost(call, "El mensaje no existe.")
        closed = self.state.topics[post.topic].closed and not call.user.staff
        if closed or not self._may_edit(post, call):
            return self._notice(call, "No puedes editar este mensaje.")
        return self._text_form(call, post.text)

    def _reply_form(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.members is not None:
            return self._lost(call)
        if topic.closed and not call.user.staff:
            return self._notice(call, "El tema está cerrado.")
        if not call.parts["post"]:
            return self._text_form(call, "")
        post = self._post(call)
        if post is None or post.removed:
            return self._lost(call, "El mensaje no existe.")
        name, at = self.state.accounts[post.author_id].name, int(post.date.timestamp())
        head = f"[quote=\"{name}\" pid='{post.id}' dateline='{at}']"
        return self._text_form(call, f"{head}\n{post.text}\n[/quote]\n\n")

    def _text_form(self, call: Call, text: str, wrong: Sequence[str] = ()) -> Reply:
        posthash = secrets.token_hex(16)
        self._hashes[posthash] = False
        editing = call.parts.get("script") == "editpost"
        hidden = {"my_post_key": call.token, "action": "do_editpost" if editing else "do_newreply"}
        hidden |= {"posthash": posthash, "tid": call.parts.get("topic") or ""}
        boxes = ("postoptions[signature]",)
        text = text.replace("\n", "\r\n")
        form = pages.show_form("", hidden, {"subject": "RE"}, text, boxes, self._file_field())
        return self._framed(call, pages.show_errors(wrong) + form)

    def _post_login(self, call: Call) -> Reply:
        window = self._window()
        if self._rate_limits and self.state.windows.get(window, 0) >= 10:
            return self._notice(call, "Demasiados intentos. Espera 15 minutos.")
        name = call.data.get("username", "")
        known = next((one for one in self.state.accounts.values() if one.name == name), None)
        if known is None or known.password != call.data.get("password"):
            self.state.windows[window] = self.state.windows.get(window, 0) + 1
            left = 10 - self.state.windows[window]
            return self._login_form(call, [f"Invalid username or password. You have {left} more tries."])
        session = secrets.token_hex(16)
        self.sessions[session] = known.id
        reply = self._leads("index.php")
        reply.cookies |= {"mybbuser": session, "csrftoken": secrets.token_hex(16)}
        return reply

    def _window(self) -> tuple[str, str, int]:
        return ("login", "", int(self.state.now().timestamp()) // 900)

    def _refusal(self, call: Call, kind: str, least: int = 5) -> list[str]:
        """What MyBB lists: too soon, too short."""
        text = call.data.get("message", "").strip()
        last = self._sent.get(f"{kind} {call.user.id}")
        passed = _FLOOD + 1 if last is None else int((self.state.now() - last).total_seconds())
        if self._rate_limits and not call.user.staff and passed <= _FLOOD:
            return [f"Escribes demasiado deprisa. Espera {_FLOOD - passed + 1} segundos más."]
        if len(text) < (1 if call.user.staff else least):
            return [f"El mensaje es corto: al menos {least} caracteres, y tiene {len(text)}."]
        if len(text) > 65_535:
            return [f"El mensaje es largo: menos de 65535 caracteres, y tiene {len(text)}."]
        self._sent[f"{kind} {call.user.id}"] = self.state.now()
        return []

    def _post_publish(self, call: Call) -> Reply:
        topic = self.state.topics.get(call.number("topic"))
        if topic is None or topic.members is not None:
            return self._lost(call)
        if topic.closed and not call.user.staff:
            return self._notice(call, "El tema está cerrado.")
        posthash, text = call.data.get("posthash", ""), call.data.get("message", "")
        if self._hashes.get(posthash, True):
            return self._text_form(call, text, ["Ya has enviado esta respuesta."])
        wrong = self._refusal(call, "post")
        if wrong:
            return self._text_form(call, text, wrong)
        self._hashes[posthash] = True
        if call.user.name in self.queued:
            self._keep_files(call, self.state.add_post(topic.id, call.user, text, _QUEUED.total_seconds()))
            return self._leads(f"showthread.php?tid={topic.id}", "Un moderador lo tiene que aprobar.")
        post = self._merged(call, topic, text)
        if post is None:
            post = self.state.add_post(topic.id, call.user, text, self._delay(call))
            self._choose_smilies(post, call)
        self._keep_files(call, post)
        return self._leads(f"showthread.php?tid={topic.id}&pid={post.id}#pid{post.id}")

    def _choose_smilies(self, post: StoredPost, call: Call) -> None:
        plain = "postoptions[disablesmilies]" in call.data
        (self._plain.add if plain else self._plain.discard)(post.id)

    def _merged(self, call: Call, topic: StoredTopic, text: str) -> StoredPost | None:
        """The post to which a reply was appended, None where it gets one of its own."""
        stored = [post for post in self.state.stored if post.topic == topic.id and not post.removed]
        last = stored[-1] if stored else None
        if last is None or call.user.staff or last.author_id != call.user.id:
            return None
        if self.state.now() - last.date >= _MERGE:
            return None
        added = text.replace("\r\n", "\n").strip()
        last.text = f"{last.text}{self.separator}{added}"
        last.edits, last.edited_at = last.edits + 1, self.state.now()
        self.state.log("stored", f"post {last.id}", call.user.name, added)
        return last

    def _post_edit(self, call: Call) -> Reply:
        post = self._post(call)
        if post is None:
            return self._lost(call, "El mensaje no existe.")
        if not self._may_edit(post, call):
            return self._notice(call, "No puedes editar este mensaje.")
        self.state.edit_post(post, call.user, call.data["message"])
        self._choose_smilies(post, call)
        return self._leads(f"showthread.php?tid={post.topic}&pid={post.id}#pid{post.id}")

    # Private messages: single ones, of which everybody has a copy.

    def _letters(self, account: StoredAccount, *, sent: bool) -> list[StoredPost]:
        topics = self.state.topics
        mine = [one for one in self.state.stored if account.id in (topics[one.topic].members or ())]
        now = self.state.now()
        mine = [one for one in mine if one.visible_from <= now and (one.author_id == account.id) == sent]
        mine = [one for one in mine if not (sent and one.id in self._uncopied)]
        return list(reversed(mine))

    def _others(self, post: StoredPost) -> list[StoredAccount]:
        members = self.state.topics[post.topic].members or ()
        return [self.state.accounts[one] for one in members if one != post.author_id]

    def _get_list(self, call: Call) -> Reply:
        sent = call.query.get("fid") == "2"
        mine, size = self._letters(call.user, sent=sent), self._topics_per_page
        count = max(1, -(-len(mine) // size))
        number = min(int(call.query.get("page", "1")), count)
        entries = []
        for post in mine[(number - 1) * size : number * size]:
            other = self._others(post)[0] if sent else self.state.accounts[post.author_id]
            shown = self._number(post, call), self.state.topics[post.topic].title
            entries.append((*shown, str(other.id), other.name))
        path = f"private.php?fid={2 if sent else 0}"
        page = pages.show_folder(entries, self.viewer(call.user), self.state.now(), number, count, path)
        return Reply(body=page)

    def _number(self, post: StoredPost, call: Call) -> str:
        return str(post.id * _COPIES + call.user.id)

    def _own_letter(self, call: Call) -> StoredPost | None:
        number, owner = divmod(call.number("letter"), _COPIES)
        found = next((one for one in self.state.stored if one.id == number), None)
        mine = found is not None and call.user.id in (self.state.topics[found.topic].members or ())
        return found if mine and owner == call.user.id else None

    def _get_letter(self, call: Call) -> Reply:
        post = self._own_letter(call)
        if post is None:
            return self._lost(call, "El mensaje privado no existe.")
        author = self.state.accounts[post.author_id]
        html = pages.render(post.text)
        shown = pages.ShownPost("0", 1, str(author.id), author.name, post.date, html)
        people = [(str(one.id), one.name) for one in self._others(post)]
        title, number = self.state.topics[post.topic].title, self._number(post, call)
        page = pages.show_letter(number, title, shown, people, self.viewer(call.user), self.state.now())
        return Reply(body=page)

    def _letter_form(self, call: Call, wrong: Sequence[str] = ()) -> Reply:
        to, subject, text = (
            call.data.get("to", ""),
            call.data.get("subject", ""),
            call.data.get("message", ""),
        )
        if call.parts["letter"]:
            post = self._own_letter(call)
            if post is None:
                return self._lost(call, "El mensaje privado no existe.")
            name = self.state.accounts[post.author_id].name
            to, subject = name, f"Re: {self.state.topics[post.topic].title}"
            text = f'[quote="{name}"]\n{post.text}\n[/quote]\n\n'
        elif call.query.get("uid"):
            to = self.state.accounts[int(call.query["uid"])].name
        hidden = {"my_post_key": call.token, "action": "do_send", "pmid": call.parts["letter"] or ""}
        fields = {"to": to, "bcc": "", "subject": subject}
        boxes = ("options[signature]", "options[readreceipt]")
        form = pages.show_form("private.php", hidden, fields, text, boxes)
        return self._framed(call, pages.show_errors(wrong) + form)

    def _post_private(self, call: Call) -> Reply:
        name = call.data.get("to", "")
        known = next((one for one in self.state.accounts.values() if one.name == name), None)
        if known is None:
            return self._letter_form(call, [f"Este destinatario no existe: {name}"])
        wrong = self._refusal(call, "private", 1)
        if wrong:
            return self._letter_form(call, wrong)
        members = tuple(sorted({call.user.id, known.id}))
        topic = self.state.add_topic(" ".join(call.data["subject"].split()), members)
        post = self.state.add_post(topic.id, call.user, call.data["message"], self._delay(call))
        if "options[savecopy]" not in call.data:
            self._uncopied.add(post.id)
        return self._leads("private.php")
