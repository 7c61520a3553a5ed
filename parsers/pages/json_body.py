"""Answers in JSON: what an adapter needs of them, declared as models and checked whole.

A forum's next version may add fields, which count for nothing. What is missing or of another kind than
declared refuses the whole answer, as a page with a changed theme is refused (reliability.md F15-F17).
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TypeVar

from pydantic import AwareDatetime, BaseModel, ConfigDict, ValidationError

from parsers.pages.guard import MAX_BYTES, IncompletePageError, NotATopicPage

Instant = AwareDatetime
"""A moment with its zone; one without is refused, since nobody could tell when it was."""


class Shape(BaseModel):
    """A part of an answer: subclasses declare the fields that an adapter relies on."""

    model_config = ConfigDict(extra="ignore", frozen=True)


S = TypeVar("S", bound=Shape)


def whole_second(moment: datetime) -> datetime:
    """A moment in UTC without the fraction of its second, which no deadline asks for."""
    return moment.astimezone(UTC).replace(microsecond=0)


def read_json(body: bytes, content_type: str | None, shape: type[S]) -> S:
    """An answer's bytes as the declared shape.

    Raises:
        NotATopicPage: no JSON at all: a login form, maintenance, a proxy's page.
        IncompletePageError: JSON that breaks off, is too big, or lacks what is declared.
    """
    if len(body) > MAX_BYTES:
        raise IncompletePageError("page/too-big", f"{len(body)} bytes, at most {MAX_BYTES} are read")
    if not (is_json(content_type) or body.lstrip()[:1] in (b"{", b"[")):
        raise NotATopicPage("page/no-json", f"the answer is {content_type or 'of no known type'}, not JSON")
    try:
        return shape.model_validate_json(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        if first["type"] == "json_invalid":
            raise IncompletePageError("page/cut", f"the JSON ends or breaks: {first['msg']}") from None
        where = ".".join(str(part) for part in first["loc"]) or "the answer"
        raise IncompletePageError("page/other-shape", f"{where}: {first['msg']}") from None


def is_json(content_type: str | None) -> bool:
    """Whether a header names JSON, be it a dialect of it such as JSON:API."""
    kind = (content_type or "").split(";")[0].strip().lower()
    return kind == "application/json" or kind.endswith("+json")
