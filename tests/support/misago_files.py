"""What the stand-in forum does with files in the dialect of Misago: kept for an account until a post takes
them, deleted when none does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from tests.support.standin_call import Call, ForumViews, Reply, as_json
from tests.support.standin_state import StoredPicture, StoredPost

_UNUSED = timedelta(hours=24)
_MOST = 16
_KINDS = {"png": "image/png", "gif": "image/gif", "jpg": "image/jpeg"}
_GONE = "/static/misago/img/attachment-404.png"


class MisagoFiles(ForumViews):
    """Answers as Misago does where files are concerned.

    kilobytes: of a file that a member may upload, 0: none at all. pictures: kinds that the forum takes.
    """

    kilobytes = 4096
    pictures: Sequence[str] = tuple(_KINDS)

    def clear_files(self) -> None:
        """Delete what no post has taken within a day, as the forum's host lets it be done each night."""
        now = self.state.now()
        self.state.pictures = [
            one for one in self.state.pictures if one.post is not None or now - one.date < _UNUSED
        ]

    def files_of(self, post: StoredPost) -> list[StoredPicture]:
        """The files that a post has taken, the newest first."""
        return [one for one in reversed(self.state.pictures) if one.post == post.id]

    def show_files(self, post: StoredPost) -> list[dict[str, Any]] | None:
        """The same as they stand in a post, None for none."""
        return [_show(one) for one in self.files_of(post)] or None

    def _check_files(self, call: Call) -> Reply | None:
        """Whether a post may take so many."""
        told = call.json.get("attachments", ())
        if len(set(told)) <= _MOST:
            return None
        said = f"You can't attach more than {_MOST} files to one post (added {len(set(told))})."
        return as_json(400, {"attachments": [said]})

    def _take_files(self, post: StoredPost, call: Call) -> None:
        """Let a post have its files. Those of others, and what isn't there, are passed over in silence; those
        that aren't named any more are deleted, unless nothing is said of any.
        """
        told = call.json.get("attachments")
        if told is None:
            return
        for one in self.state.pictures:
            if one.post is None and one.id in told and one.author_id == call.user.id:
                one.post = post.id
        self.state.pictures = [one for one in self.state.pictures if one.post != post.id or one.id in told]

    def _post_upload(self, call: Call) -> Reply:
        if not self.kilobytes:
            return as_json(403, {"detail": "You don't have permission to upload new files."})
        said = self._complain(call)
        if said:
            return as_json(400, {"detail": said})
        name, content = call.files["upload"]
        return as_json(200, {**_show(self.state.add_picture(call.user, name, content)), "post": None})

    def _complain(self, call: Call) -> str | None:
        """Why a file isn't taken. Its name and its media type have to fit, before anybody looks into it."""
        name, content = call.files.get("upload", ("", b""))
        picture = StoredPicture(0, 0, name, content)
        if not content:
            return "No file has been uploaded."
        kind = f"Content-Type: {_KINDS.get(picture.ending, '?')}\r\n".encode()
        if picture.ending not in self.pictures or kind not in call.body:
            return "You can't upload files of this type."
        if len(content) > self.kilobytes * 1024:
            has = f"(your file has {len(content) / 1024:.1f}\u00a0KB)"
            return f"You can't upload files larger than {self.kilobytes:.1f}\u00a0KB {has}."
        return None if picture.kind else "Uploaded image is unsupported or invalid."

    def _get_file(self, call: Call) -> Reply:
        """Where a file lies; to all but its owner only as long as it belongs to a post."""
        found = next((one for one in self.state.pictures if one.id == call.number("file")), None)
        if found is None or found.post is None or _secret(found) != call.parts["secret"]:
            return Reply(302, location=_GONE)
        return Reply(302, location=f"/media/attachments/{_secret(found)[:16]}/{found.name}")


def _secret(picture: StoredPicture) -> str:
    return hashlib.sha256(f"{picture.id}".encode()).hexdigest()


def _show(picture: StoredPicture) -> dict[str, Any]:
    address = f"/a/{_secret(picture)}/{picture.id}/"
    return {
        "id": picture.id,
        "filetype": picture.kind.upper(),
        "filename": picture.name,
        "size": len(picture.content),
        "is_image": True,
        "url": {"index": address, "thumb": None},
    }
