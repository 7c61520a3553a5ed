"""The stand-in's files of posts in the dialect of MyBB: under the name of a form first, then a post's."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.support.standin_call import Call, ForumViews, Reply, as_json
from tests.support.standin_state import StoredPicture, StoredPost

_KINDS = ("png", "gif", "jpg", "jpeg")


class MybbPictureViews(ForumViews):
    """Files that were handed over, and those of posts.

    attaching: whether the forum takes files at all. permitted: whether its accounts may attach some.
    most_files: of a post. largest_file: in bytes. screened: whether a moderator has to let files through.
    """

    attaching = permitted = True
    screened = False
    most_files: int = 5
    largest_file = 500 * 1024

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._named: dict[int, str] = {}

    def press(self, action: str, data: Mapping[str, str]) -> str:
        """See `ForumViews.press`."""
        pressed = "newattachment" in data or "updateattachment" in data
        return "upload" if pressed and action == "publish" else action

    def _file_field(self) -> str:
        return '<input type="file" name="attachments[]" multiple="multiple" />' if self.attaching else ""

    def _post_upload(self, call: Call) -> Reply:
        """To MyBB's own scripts alone: others would get the form."""
        if call.data.get("ajax") != "1" or call.data.get("action") == "do_newreply" or not self.attaching:
            return self._get_form(call)
        if not self.permitted:
            return as_json(200, [])
        name, content = call.files.get("attachments[]", ("", b""))
        given, under = StoredPicture(0, call.user.id, name, content), call.data.get("posthash", "")
        wrong, known = self._file_fault(call, given, under)
        if wrong:
            return as_json(200, {"errors": [wrong]})
        if known is None:
            known = self.state.add_picture(call.user, name, content)
            self._named[known.id] = under
        known.content = content
        return as_json(
            200, {"success": [[known.id, "<img />", name, "1 KB"]], "template": "", "usage": "1 KB"}
        )

    def _file_fault(self, call: Call, given: StoredPicture, under: str) -> tuple[str, StoredPicture | None]:
        """What is wrong with a file, and the one in whose place it is put."""
        there = [one for one in self.state.pictures if one.post is None and self._named.get(one.id) == under]
        known = next((one for one in there if one.name == given.name), None)
        return self._fault_of(given, known, len(there), call.data), known

    def _fault_of(
        self, given: StoredPicture, known: StoredPicture | None, count: int, data: Mapping[str, str]
    ) -> str:
        replacing, sure = "updateattachment" in data, data.get("updateconfirmed") == "1"
        faults = {
            "<b>Este tipo</b> de archivo no se admite.": given.ending not in _KINDS,
            f"El archivo {given.name} es demasiado grande.": len(given.content) > self.largest_file,
            f"El archivo {given.name} ya está en el mensaje.": known is not None and not replacing,
            f"El archivo {given.name} no está en el mensaje.": known is None and replacing and not sure,
            f"Un mensaje no puede tener más de {self.most_files}.": known is None
            and count >= self.most_files,
            "No se ha podido subir el archivo.": not given.kind,
        }
        return next((said for said, wrong in faults.items() if wrong), "")

    def _get_form(self, call: Call) -> Reply:
        raise NotImplementedError

    def _keep_files(self, call: Call, post: StoredPost) -> None:
        """What was handed over under a form's name becomes the post's, also where that is an older one."""
        for file in self.state.pictures:
            if file.post is None and self._named.get(file.id) == call.data.get("posthash"):
                file.post = post.id

    def _show_files(self, post: StoredPost, html: str) -> str:
        """A post's HTML with its files where the text names them, small, and the others below."""
        below = ""
        for file in () if self.screened else self.state.pictures:
            tag, name = f"[attachment={file.id}]", f"attachment.php?aid={file.id}"
            image = f'<img src="attachment.php?thumbnail={file.id}" class="attachment" alt="" title="x" />'
            shown = f'<a href="{name}" target="_blank">{image}</a>'
            if file.post == post.id and tag in html:
                html = html.replace(tag, shown)
            elif file.post == post.id:
                below += shown
        return f"{html}<br /><fieldset>{below}</fieldset>" if below else html
