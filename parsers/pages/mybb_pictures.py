"""What MyBB 1.8 says of a file that was handed over for a post, as its own scripts ask for it."""

from __future__ import annotations

from typing import Any

from bs4 import BeautifulSoup, Tag
from pydantic import model_validator

from parsers.pages.guard import IncompletePageError
from parsers.pages.json_body import Shape, read_json


class _Said(Shape):
    """success: number, icon, name and size of each file that was kept. errors: HTML."""

    success: tuple[tuple[Any, ...], ...] = ()
    errors: tuple[str, ...] = ()

    @model_validator(mode="before")
    @classmethod
    def _or_nothing(cls, given: Any) -> Any:
        """PHP writes an empty answer as a list."""
        return {} if given == [] else given


def takes_files(page: Tag) -> bool:
    """Whether the form for a post has a field for files."""
    return page.select_one('input[type=file][name="attachments[]"]') is not None


def parse_kept(body: bytes, content_type: str | None) -> tuple[str, str]:
    """The number of the file that was kept, "" for none, and what MyBB says instead, "" for nothing.

    Raises:
        NotATopicPage: no JSON. IncompletePageError: another JSON.
    """
    said = read_json(body, content_type, _Said)
    words = " ".join(BeautifulSoup(" ".join(said.errors), "lxml").get_text(" ").split())
    if not said.success:
        return "", words
    number = str(said.success[0][0]) if said.success[0] else ""
    if words or len(said.success) != 1 or not (number.isascii() and number.isdecimal()):
        raise IncompletePageError("page/drift", f"one file was sent, MyBB tells of {said.success!r}")
    return number, ""
