"""The stand-in's files of posts in the dialect of phpBB: in the form first, then in a post."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from tests.support import phpbb_pages as pages
from tests.support.phpbb_letter_views import PhpbbLetterViews
from tests.support.standin_call import Call, Reply
from tests.support.standin_state import StoredPicture, StoredPost

_FIELD = re.compile(r"attachment_data\[(\d+)\]\[attach_id\]")
TAG = re.compile(r"\[attachment=(\d+)\](.*?)\[/attachment\]", re.DOTALL)
"""A file in a text, by its place among those of the post."""
_KINDS = ("png", "gif", "jpg", "jpeg")


class PhpbbPictureViews(PhpbbLetterViews):
    """Files that go along with a form, and those of posts.

    attaching: whether accounts may attach files. most_files: of a post, counted where one is added.
    largest_file: in bytes. unmarked: posts that phpBB takes for posts without files, and shows as such.
    """

    attaching = True
    most_files: int = 3
    largest_file = 256 * 1024

    def __init__(self, *args: object) -> None:
        super().__init__(*args)
        self.unmarked: set[int] = set()

    def press(self, action: str, data: Mapping[str, str]) -> str:
        """See `ForumViews.press`."""
        return "upload" if "add_file" in data and action in ("publish", "edit") else action

    def _given_files(self, call: Call) -> list[StoredPicture] | None:
        """The files that go along with what was sent, as it numbers them; None: one isn't this account's."""
        given = {
            int(found[1]): value for name, value in call.data.items() if (found := _FIELD.fullmatch(name))
        }
        files = []
        for place in sorted(given):
            orphan = call.data.get(f"attachment_data[{place}][is_orphan]") == "1"
            file = next((one for one in self.state.pictures if str(one.id) == given[place]), None)
            if file is None or file.author_id != call.user.id or (orphan and file.post is not None):
                return None
            if f"attachment_data[{place}][attach_comment]" not in call.data:
                return None
            files.append(file)
        return files

    def _files_of(self, post: StoredPost) -> list[StoredPicture]:
        """The newest first."""
        files = [one for one in self.state.pictures if one.post == post.id]
        return sorted(files, key=lambda one: one.id, reverse=True)

    def _keep_files(self, call: Call, post: StoredPost) -> None:
        """What goes along becomes the post's; one that had files and is sent without shows none any more."""
        files = self._given_files(call) or []
        for file in files:
            file.post = post.id if file.post is None else file.post
        (self.unmarked.discard if files else self.unmarked.add)(post.id)

    def _show_files(self, post: StoredPost, html: str) -> tuple[str, str]:
        """A post's HTML with its files in their places, and the others below."""
        files = [] if post.id in self.unmarked else self._files_of(post)
        shown: set[int] = set()

        def place(found: re.Match[str]) -> str:
            number = int(found[1])
            shown.add(number)
            missing = f"[{self._say('no-file')} {found[2]}]"
            inner = pages.show_file(_shown(files[number])) if number < len(files) else missing
            return f'<div class="inline-attachment">{inner}</div>'

        html = TAG.sub(place, html)
        rest = [pages.show_file(_shown(one)) for number, one in enumerate(files) if number not in shown]
        return html, f'<dl class="attachbox"><dd>{"".join(rest)}</dd></dl>' if rest else ""

    def _panel(self, files: Sequence[StoredPicture]) -> list[pages.ShownFile] | None:
        return [_shown(one) for one in files] if self.attaching else None

    def _form_with(self, call: Call, text: str, files: Sequence[StoredPicture], error: str = "") -> Reply:
        raise NotImplementedError

    def _post_upload(self, call: Call) -> Reply:
        """A file is added to the form; without one the form comes back as it is."""
        files, text = self._given_files(call), call.data.get("message", "")
        if files is None:
            return self.broken()
        if self._refuses_form(call, "posting"):
            return self._form_with(call, text, files, error="invalid")
        name, content = call.files.get("fileupload", ("", b""))
        if not name:
            return self._form_with(call, text, files)
        return self._add_file(call, StoredPicture(0, call.user.id, name, content), files)

    def _add_file(self, call: Call, given: StoredPicture, files: list[StoredPicture]) -> Reply:
        text, staff = call.data.get("message", ""), call.user.staff
        if len(files) >= self.most_files and not staff:
            return self._form_with(call, text, files, error="many-files")
        if given.ending not in _KINDS:
            return self._form_with(call, text, files, error="bad-kind")
        if len(given.content) > self.largest_file and not staff:
            return self._form_with(call, text, files, error="big-file")
        if not given.kind:
            return self._notice(call, "no-image")
        kept = self.state.add_picture(call.user, given.name, given.content)
        return self._form_with(call, _moved(text), [kept, *files])


def _shown(file: StoredPicture) -> pages.ShownFile:
    return pages.ShownFile(file.id, file.name, len(file.content), file.post is None)


def _moved(text: str) -> str:
    """A text in front of whose files there is a new one."""
    return TAG.sub(lambda found: f"[attachment={int(found[1]) + 1}]{found[2]}[/attachment]", text)
