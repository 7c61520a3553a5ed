"""The files of posts as the stand-in XenForo keeps them: given to a key, and with the key to a post."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.support.standin_state import State, StoredAccount, StoredPicture

ENDINGS = ("zip", "txt", "pdf", "png", "jpg", "jpeg", "jpe", "gif")
"""Of files that are taken."""
_SOUND = {"png": "png", "gif": "gif", "jpg": "jpg", "jpeg": "jpg", "jpe": "jpg"}


@dataclass
class FileKey:
    """A key to the files of a post that is still to be written. thread: the post's. author: whose it is."""

    author: int
    thread: int
    pictures: list[StoredPicture] = field(default_factory=list)


class Files:
    """All of them. most: bytes of a file."""

    most = 1024 * 1024

    def __init__(self, state: State) -> None:
        self._state = state
        self.keys: dict[str, FileKey] = {}

    def begin(self, author: StoredAccount, thread: int) -> str:
        """A new key."""
        key = secrets.token_hex(16)
        self.keys[key] = FileKey(author.id, thread)
        return key

    def refuse(self, picture: StoredPicture) -> tuple[str, str] | None:
        """Why a file isn't kept: code and words."""
        if picture.ending not in ENDINGS:
            return "uploaded_file_does_not_have_an_allowed_extension", "That kind of file is not allowed."
        if len(picture.content) > self.most:
            return "uploaded_file_is_too_large", "The uploaded file is too large."
        if picture.kind != _SOUND.get(picture.ending, picture.kind):
            return "uploaded_file_is_not_an_image_as_expected", "The uploaded file was not an image."
        return None

    def keep(self, key: str, author: StoredAccount, picture: StoredPicture) -> StoredPicture:
        """Keep a file; it is of no post yet."""
        kept = self._state.add_picture(author, picture.name, picture.content)
        self.keys[key].pictures.append(kept)
        return kept

    def fits(self, key: str, author: StoredAccount, thread: int) -> bool:
        """Whether files of a key may go with a post of that thread."""
        known = self.keys.get(key)
        return known is not None and (known.author, known.thread) == (author.id, thread)

    def attach(self, key: str, post: int) -> None:
        """Give the files of a key that are of no post yet to one."""
        for picture in self.keys[key].pictures:
            if picture.post is None:
                picture.post = post

    def of(self, post: int) -> Sequence[StoredPicture]:
        """A post's files."""
        return tuple(one for one in self._state.pictures if one.post == post)
