"""A published interface as a small table, against which requests and answers are checked.

A table holds the part that an adapter needs, in our own words. The adapter may send nothing that isn't in it,
and the stand-in may answer nothing else: so neither drifts from what the forum's makers publish.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from tests.support.forms import read_form

Kind = object
"""What a value has to be: a type (`float` also takes whole numbers, `object` takes anything), None, a tuple
of kinds of which one has to fit, a list with the kind of its items, or a mapping from names to kinds; a name
that ends with `?` may be missing, and a name `*` stands for any other.
"""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One address of an interface.

    path: with `{name}` for its variable parts, which hold no slash. answers: by status, the body's kind.
    query, body: what may be sent, by name. form: whether the body is a form instead of JSON; then all of it
    is text. files: what of the form is files, by name; it is sent in parts then.
    """

    method: str
    path: str
    answers: Mapping[int, Kind]
    query: Mapping[str, Kind] = field(default_factory=dict)
    body: Mapping[str, Kind] | None = None
    form: bool = False
    files: Sequence[str] = ()

    @property
    def kind(self) -> str:
        """The body's media type."""
        if self.files:
            return "multipart/form-data"
        return "application/x-www-form-urlencoded" if self.form else "application/json"

    def fits(self, method: str, path: str) -> bool:
        """Whether a request goes there."""
        pattern = re.sub(r"\\\{[a-z_]+\\\}", "[^/]+", re.escape(self.path))
        return method == self.method and re.fullmatch(pattern, path) is not None


@dataclass(frozen=True, slots=True)
class Schema:
    """An interface. headers: patterns of those that each request needs, by name in lower case. failures: what
    any address may answer, by status, where it says nothing else.
    """

    endpoints: Sequence[Endpoint]
    headers: Mapping[str, str] = field(default_factory=dict)
    failures: Mapping[int, Kind] = field(default_factory=dict)

    def find(self, method: str, path: str) -> Endpoint | None:
        """The address that a request goes to, None where the interface has none such."""
        return next((one for one in self.endpoints if one.fits(method, path)), None)

    def check_request(
        self, method: str, path: str, query: str, headers: Mapping[str, str], body: bytes
    ) -> list[str]:
        """What is wrong with a request; headers with names in lower case."""
        endpoint = self.find(method, path)
        if endpoint is None:
            return [f"{method} {path} is not in the interface"]
        wrong = [
            f"header {name} is {headers.get(name, 'missing')!r}"
            for name, pattern in self.headers.items()
            if not re.fullmatch(pattern, headers.get(name, ""))
        ]
        asked = {name: _guess(text) for name, text in parse_qsl(query, keep_blank_values=True)}
        wrong += find_faults(endpoint.query, asked, "query")
        return [*wrong, *_check_body(endpoint, headers.get("content-type", ""), body)]

    def check_answer(self, method: str, path: str, status: int, body: str) -> list[str]:
        """What is wrong with an answer in JSON."""
        endpoint = self.find(method, path)
        kinds = {**self.failures, **(endpoint.answers if endpoint else {})}
        if status not in kinds:
            return [f"{method} {path} never answers {status}"]
        return list(find_faults(kinds[status], json.loads(body), f"answer {status}"))


def find_faults(kind: Kind, value: object, where: str) -> Iterator[str]:
    """Where a value is not of a kind, in words. where: the value's place."""
    if isinstance(kind, Mapping):
        yield from _check_object(kind, value, where)
    elif isinstance(kind, list):
        if not isinstance(value, list):
            yield f"{where} is no list: {value!r}"
            return
        for number, item in enumerate(value):
            yield from find_faults(kind[0], item, f"{where}[{number}]")
    elif isinstance(kind, tuple):
        if all(any(True for _ in find_faults(one, value, where)) for one in kind):
            yield f"{where} is none of {kind}: {value!r}"
    elif not _is(value, kind):
        yield f"{where} is no {getattr(kind, '__name__', kind)}: {value!r}"


def least(kind: Kind) -> object:
    """The least value of a kind: without what may be missing, null where it may be."""
    if isinstance(kind, Mapping):
        return {name: least(inner) for name, inner in kind.items() if not name.endswith(("?", "*"))}
    if isinstance(kind, list):
        return [least(kind[0])]
    if isinstance(kind, tuple):
        return None if None in kind else least(kind[0])
    values = {int: 1, float: 1, str: "x", bool: True}
    return next((value for known, value in values.items() if known is kind), None)


def _check_object(kinds: Mapping[str, Kind], value: object, where: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{where} is no object: {value!r}"
        return
    known = {name.removesuffix("?"): kind for name, kind in kinds.items()}
    for name in kinds:
        if not name.endswith(("?", "*")) and name not in value:
            yield f"{where} lacks {name}"
    for name, inner in value.items():
        kind = known.get(name, known.get("*", _NOTHING))
        if kind is _NOTHING:
            yield f"{where} has {name}, which is not in the interface"
        else:
            yield from find_faults(kind, inner, f"{where}.{name}")


_NOTHING = object()


def _is(value: object, kind: Kind) -> bool:
    if kind is object:
        return True
    if kind is None:
        return value is None
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return type(value) is kind


def _guess(text: str) -> object:
    """A text of an address as the value that it stands for."""
    return int(text) if re.fullmatch("-?[0-9]{1,18}", text) else text


def _check_body(endpoint: Endpoint, content_type: str, body: bytes) -> Iterator[str]:
    if endpoint.body is None:
        if body:
            yield f"{endpoint.method} {endpoint.path} has a body"
        return
    if content_type.split(";", maxsplit=1)[0].strip() != endpoint.kind:
        yield f"the body is {content_type!r}, not {endpoint.kind}"
        return
    sent, files = read_form(content_type, body) if endpoint.form else (json.loads(body), {})
    yield from find_faults(endpoint.body, sent, "body")
    if sorted(files) != sorted(endpoint.files):
        yield f"the body has the files {sorted(files)}, not {sorted(endpoint.files)}"
