"""Forms of forum pages, with their tokens."""

from __future__ import annotations

from dataclasses import dataclass

from bs4 import Tag

from parsers.pages.guard import NotATopicPage


@dataclass(frozen=True, slots=True)
class Form:
    """A form as the page offers it. fields: names and values to send back unchanged, the token among them."""

    fields: tuple[tuple[str, str], ...]
    text: str

    def filled(self, **values: str) -> dict[str, str]:
        """What to send: the form's own values, and the given ones."""
        return {**dict(self.fields), **values}


def parse_form(page: Tag, *names: str) -> Form:
    """Find the one POST form that has all the named fields; `text` is what the named text area holds,
    with LF.

    Raises:
        NotATopicPage: there is no such form.
    """
    for form in page.select("form[method=post]"):
        found = [form.find(["input", "textarea", "select"], attrs={"name": name}) for name in names]
        if all(found):
            areas = (one for one in found if isinstance(one, Tag) and one.name == "textarea")
            return Form(_hidden_fields(form), "".join(map(_area_text, areas)))
    raise NotATopicPage("page/no-form", f"the page has no form with the fields {', '.join(names)}")


def _hidden_fields(form: Tag) -> tuple[tuple[str, str], ...]:
    inputs = form.select("input[type=hidden][name]")
    return tuple((str(i["name"]), str(i.get("value") or "")) for i in inputs)


def _area_text(area: Tag) -> str:
    # Templates write a line end after the opening tag; we strip what we send, so no text begins so.
    return area.get_text().replace("\r\n", "\n").lstrip("\n")
