"""Files of a post in phpBB 3.3's form for it, and where the post's text shows them.

A text places a file by its place among those of its post, the newest first, from 0 on: whoever adds or
removes one moves the others. Our texts name each by its number, too, so that a wrong place is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bs4 import Tag

from parsers.pages.forms import Form

_PLACED = re.compile(r"\[attachment=([0-9]{1,4})\]([0-9]{1,18})\[/attachment\]")
_FIELD = re.compile(r"attachment_data\[([0-9]{1,4})\]\[attach_id\]")


def takes_files(page: Tag) -> bool:
    """Whether the page's form has a field for a file: the board allows them, here and to this account."""
    return page.select_one("form#postform input[type=file][name=fileupload]") is not None


def find_attached(form: Form) -> Mapping[int, int]:
    """The form's own number of each file that goes along with it, by the file's."""
    found = ((_FIELD.fullmatch(name), value) for name, value in form.fields)
    return {int(value): int(name[1]) for name, value in found if name and value.isdecimal()}


def attach(form: Form, files: Iterable[int]) -> Mapping[str, str]:
    """Fields that let files of ours go along with a form, which are no post's yet."""
    taken = find_attached(form)
    fields: dict[str, str] = {}
    for number, file in enumerate(sorted(files, reverse=True), max(taken.values(), default=-1) + 1):
        values = {"attach_id": str(file), "is_orphan": "1", "attach_comment": ""}
        fields |= {f"attachment_data[{number}][{name}]": value for name, value in values.items()}
    return fields


def shows_right(text: str, files: Iterable[int]) -> bool:
    """Whether a text of ours in a post with these files shows none in another's place. For one that isn't
    there phpBB shows words.
    """
    order = sorted(files, reverse=True)
    places = ((int(place), int(file)) for place, file in _PLACED.findall(text))
    return all(place >= len(order) or order[place] == file for place, file in places)
