"""What the stand-in forum does with pictures in the dialect of Discourse: each is kept once, whoever hands it
over, and deleted where no post shows it.
"""

from __future__ import annotations

import hashlib
import re
import string
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from tests.support.standin_call import Call, ForumViews, Reply, as_json
from tests.support.standin_state import StoredPicture

_UNUSED = timedelta(hours=48)
_DIGITS = string.digits + string.ascii_lowercase + string.ascii_uppercase
_SHOWN = re.compile(r"upload://(\w+)\.\w+")


class DiscourseFiles(ForumViews):
    """Answers as Discourse does where pictures are concerned.

    newcomers: names of accounts of trust level 0, whose posts show one picture at most. keyless: of those
    whose key isn't for uploads. pictures: kinds that the forum takes. kilobytes: of a picture. a_minute:
    pictures that an account may hand over in one.
    """

    pictures: Sequence[str] = ("jpg", "jpeg", "png", "gif")
    kilobytes = 4096
    a_minute = 40

    def __init__(self, *args: object) -> None:
        super().__init__(*args)  # type: ignore[arg-type]
        self.newcomers: set[str] = set()
        self.keyless: set[str] = set()

    def clear_files(self) -> None:
        """Delete what no post shows, as the forum does by itself."""
        now, shown = (
            self.state.now(),
            {name for post in self.state.stored for name in _SHOWN.findall(post.text)},
        )
        self.state.pictures = [
            one for one in self.state.pictures if _name(one) in shown or now - one.date < _UNUSED
        ]

    def _show_pictures(self, cooked: str) -> str:
        """A post's HTML with addresses of pictures, or a blank one for what isn't there."""
        known = {_name(one): _address(one) for one in self.state.pictures}

        def lead(found: re.Match[str]) -> str:
            address = known.get(found[2], "/images/transparent.png")
            kept = f' data-base62-sha1="{found[2]}"' if found[2] in known else f' data-orig-src="{found[1]}"'
            return f'src="{address}"{kept}'

        return re.sub(r'src="(upload://(\w+)\.\w+)"', lead, cooked)

    def _check_pictures(self, call: Call, raw: str) -> Reply | None:
        """Whether a post may show so many."""
        if call.user.staff or call.user.name not in self.newcomers or raw.count("![") <= 1:
            return None
        said = "Sorry, new users can only put one embedded media item in a post."
        return as_json(422, {"action": "create_post", "errors": [said]})

    def _post_upload(self, call: Call) -> Reply:
        if call.user.name in self.keyless:
            said = "You are not permitted to view the requested resource."
            return as_json(403, {"errors": [said], "error_type": "invalid_access"})
        if self.state.limited("upload", call.user.name, 60, self.a_minute):
            return self.flood(call)
        if not call.data.get("upload_type"):
            return as_json(400, {"errors": ["param is missing or the value is empty: upload_type"]})
        wrong = self._complain(call)
        return as_json(422, {"errors": [wrong]}) if wrong else as_json(200, _show(self._keep(call)))

    def _complain(self, call: Call) -> str | None:
        """Why a picture isn't taken."""
        name, content = call.files.get("file", ("", b""))
        picture = StoredPicture(0, 0, name, content)
        if not content:
            return "Sorry, the file you're uploading is empty."
        if picture.ending not in self.pictures:
            return f"Sorry, that kind of file isn't authorized (authorized: {', '.join(self.pictures)})."
        if not picture.kind:
            return "Sorry, the image isn't supported, or it is corrupted."
        if len(content) >= self.kilobytes * 1024:
            return f"Sorry, the image is too big (maximum size is {self.kilobytes} KB)."
        return None

    def _keep(self, call: Call) -> StoredPicture:
        name, content = call.files["file"]
        found = next((one for one in self.state.pictures if one.content == content), None)
        return found or self.state.add_picture(call.user, name, content)


def _digest(picture: StoredPicture) -> str:
    return hashlib.sha1(picture.content, usedforsecurity=False).hexdigest()


def _name(picture: StoredPicture) -> str:
    """What a picture is called in texts: its digest in digits and letters of both cases."""
    number, digits = int(_digest(picture), 16), ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits


def _address(picture: StoredPicture) -> str:
    return f"/uploads/default/original/1X/{_digest(picture)}.{picture.kind}"


def _show(picture: StoredPicture) -> dict[str, Any]:
    short = f"{_name(picture)}.{picture.kind}"
    return {
        "id": picture.id,
        "url": _address(picture),
        "original_filename": picture.name,
        "filesize": len(picture.content),
        "width": 40,
        "height": 30,
        "extension": picture.kind,
        "short_url": f"upload://{short}",
        "short_path": f"/uploads/short-url/{short}",
        "human_filesize": f"{len(picture.content) / 1024:.1f} KB",
    }
