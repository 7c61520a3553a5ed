"""Pictures as files of a phpBB post.

A file is handed over in the form for a post, which isn't sent then; it belongs to the account until a post
takes it along. Pictures are worth little beside the text: what phpBB doesn't let go along stays behind, and a
post in which a picture would stand in another's place gets none. The form for an edit holds the post's files,
which go back with it as they are.
"""

from __future__ import annotations

from collections.abc import Mapping

from bs4 import Tag

from parsers.pages import phpbb_forms
from parsers.pages.forms import Form, parse_form
from parsers.pages.guard import PageError
from parsers.pages.phpbb_attachments import attach, find_attached, shows_right, takes_files
from processor.forums.form_pictures import judge_handed
from processor.forums.http import picture_file
from processor.forums.sending import TRY_LATER, Sender, not_stored
from processor.forums.session import Session, as_forum_errors
from processor.ports import ForumError, LoginFailed
from rules.engine.messages import msg
from rules.play.posts import ATTACHMENT, Refused, Unknown, Uploaded

_FIELDS = ("message", "subject", "form_token")
_ADD = "add_file"


class Attachments:
    """What a form for a post takes along.

    phpBB counts how many files a post may have where one is added, so that those of before go along then.
    """

    def __init__(self, session: Session, sender: Sender) -> None:
        self._session, self._sender = session, sender
        self._waiting: frozenset[int] = frozenset()

    def upload(self, path: str, name: str, content: bytes, beside: str) -> Uploaded | Refused | Unknown:
        """See `Uploading.upload`. path: of the form."""
        try:
            tree = self._session.fetch(path).tree
            with as_forum_errors():
                phpbb_forms.check_notice(tree)
                form = parse_form(tree, *_FIELDS, whole=True)
        except ForumError as error:
            return not_stored(error)
        if not takes_files(tree):
            return Refused(msg("sent/no-upload"))
        # After a restart nobody knows which of the turn's are no post's yet: phpBB would refuse the others.
        before = self._waiting if beside and int(beside) in self._waiting else frozenset()
        data = form.filled(**attach(form, before), **{_ADD: _ADD})
        files = {"fileupload": picture_file(name, content)}
        return self._sender.send(
            "upload",
            lambda: self._session.send(path, data, path, files),
            lambda answer: judge_handed(
                self._session,
                self._sender,
                answer,
                lambda answer: self._judge_page(self._session.read(answer), before),
            ),
        )

    def enclose(self, path: str, form: Form, text: str, files: frozenset[int]) -> Form:
        """The form for a new post with files, as far as phpBB lets them go along; it is asked first, since it
        takes no post with a file that is gone. Raises ForumError.
        """
        self._waiting = frozenset()
        if not files:
            return form
        ready = self._press(path, form, {**attach(form, files), _ADD: _ADD})
        return ready if ready and shows_right(text, find_attached(ready)) else form

    def _press(self, path: str, form: Form, values: Mapping[str, str]) -> Form | None:
        """The form as phpBB shows it again once a button is pressed; None where it doesn't. Raises
        ForumError.
        """
        answer = self._session.send(path, form.filled(**values), path)
        if self._session.is_login(answer.location):
            raise LoginFailed("forum/login", "the session ended while a form was filled in", TRY_LATER)
        if answer.location is not None or answer.status != 200:
            return None
        try:
            return parse_form(self._session.read(answer), *_FIELDS, whole=True)
        except PageError:
            return None

    def _judge_page(self, page: Tag, before: frozenset[int]) -> Uploaded | Refused | Unknown:
        """The form again with the new file, or with complaints; or what phpBB says in place of it."""
        notice = phpbb_forms.parse_notice(page)
        if notice is not None:
            return Refused(notice.words)
        new = find_attached(parse_form(page, *_FIELDS, whole=True)).keys() - before
        if len(new) == 1:
            (number,) = new
            self._waiting = before | {number}
            return Uploaded(f"{ATTACHMENT}:{number}", str(number))
        said = " ".join(phpbb_forms.parse_complaints(page))
        return Refused(said) if said and not new else Unknown(msg("sent/unclear"))
