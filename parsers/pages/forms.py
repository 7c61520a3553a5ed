"""Forms of forum pages, with their tokens."""

from __future__ import annotations

from dataclasses import dataclass

from bs4 import Tag

from parsers.pages.guard import NotATopicPage

_UNSENT = frozenset(("submit", "button", "reset", "image", "file"))
"""Kinds of inputs that are sent only when they are pressed, or not as text."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form as the page offers it. fields: names and values to send back unchanged, the token among them."""

    fields: tuple[tuple[str, str], ...]
    text: str

    def filled(self, **values: str) -> dict[str, str]:
        """What to send: the form's own values, and the given ones."""
        return {**dict(self.fields), **values}


def parse_form(page: Tag, *names: str, whole: bool = False) -> Form:
    """Find the one POST form that has all the named fields; `text` is what the named text area holds,
    with LF.

    whole: with all that a browser would send, for forums that take a missing box for an empty one.

    Raises:
        NotATopicPage: there is no such form.
    """
    for form in page.select("form[method=post]"):
        found = [form.find(["input", "textarea", "select"], attrs={"name": name}) for name in names]
        if all(found):
            areas = (one for one in found if isinstance(one, Tag) and one.name == "textarea")
            fields = _sent_fields(form) if whole else _hidden_fields(form)
            return Form(fields, "".join(map(_area_text, areas)))
    raise NotATopicPage("page/no-form", f"the page has no form with the fields {', '.join(names)}")


def _hidden_fields(form: Tag) -> tuple[tuple[str, str], ...]:
    inputs = form.select("input[type=hidden][name]")
    return tuple((str(i["name"]), str(i.get("value") or "")) for i in inputs)


def _sent_fields(form: Tag) -> tuple[tuple[str, str], ...]:
    """Names and values of a form that is sent as it stands, save for its buttons and files."""
    controls = form.select("input[name], textarea[name], select[name]")
    return tuple((str(one["name"]), value) for one in controls if (value := _sent_value(one)) is not None)


def _sent_value(control: Tag) -> str | None:
    """What a browser sends for it, None where it sends nothing."""
    if control.has_attr("disabled"):
        return None
    if control.name == "textarea":
        return _area_text(control)
    if control.name == "select":
        chosen = control.select_one("option[selected]") or control.select_one("option")
        if chosen is None or (control.has_attr("multiple") and not chosen.has_attr("selected")):
            return None
        return str(chosen.get("value", chosen.get_text()))
    kind = str(control.get("type") or "text").lower()
    if kind in _UNSENT or (kind in ("checkbox", "radio") and not control.has_attr("checked")):
        return None
    return str(control.get("value") or ("on" if kind == "checkbox" else ""))


def _area_text(area: Tag) -> str:
    # Templates write a line end after the opening tag; we strip what we send, so no text begins so.
    return area.get_text().replace("\r\n", "\n").lstrip("\n")
