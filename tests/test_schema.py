"""The checker that holds requests and answers against a published interface."""

from __future__ import annotations

import json

import pytest
import requests

from parsers.pages import nodebb, nodebb_chats, xenforo
from parsers.pages.guard import IncompletePageError
from parsers.pages.json_body import Shape, read_json
from processor.forums.api import Request
from processor.forums.http import Payload
from processor.forums.nodebb import NodebbForum
from tests.schemas.nodebb import NODEBB
from tests.schemas.xenforo import XENFORO
from tests.support.forum_fixtures import ACCOUNTS, BOT, SCENE, enter
from tests.support.nodebb_views import NodebbViews
from tests.support.schema import Endpoint, Kind, Schema, find_faults, least
from tests.support.standin import NodebbStandIn
from tests.support.standin_call import Call, Reply

SCHEMA = Schema(
    endpoints=(
        Endpoint("GET", "/t/{topic}", {200: {"id": int, "by?": (str, None)}}, query={"page?": int}),
        Endpoint("POST", "/t/{topic}", {200: {}, 422: {"errors": [str]}}, body={"raw": str, "quiet?": bool}),
        Endpoint("POST", "/p", {200: {"*": object}}, body={"text": str}, form=True),
        Endpoint("POST", "/f", {200: {}}, body={"text": str}, form=True, files=("picture",)),
    ),
    headers={"key": ".+"},
    failures={404: object},
)
HEADERS = {"key": "k", "content-type": "application/json"}


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (int, 1, True),
        (int, 1, 1.5),
        (float, 1, False),
        (str, "", None),
        (None, None, 0),
        ((int, None), None, "1"),
        ([int], [], {}),
        ([int], [1, 2], [1, "2"]),
        ({"a": int}, {"a": 1}, {}),
        ({"a": int}, {"a": 1}, {"a": 1, "b": 2}),
        ({"a?": int}, {}, {"a": "1"}),
        ({"*": int}, {"x": 1}, {"x": "1"}),
        ({"a": [{"b": str}]}, {"a": [{"b": ""}]}, {"a": [{"b": ""}, {"c": ""}]}),
    ],
)
def test_values_are_of_a_kind_or_not(kind: Kind, good: object, bad: object) -> None:
    """Truth values are no numbers, names that aren't known are wrong, what is optional may be missing."""
    assert [] == list(find_faults(kind, good, "x"))
    assert [] != list(find_faults(kind, bad, "x"))


@pytest.mark.parametrize(
    ("fields", "files", "faults"),
    [
        ({"text": "x"}, {"picture": b"PNG"}, []),
        ({}, {"picture": b"PNG"}, ["body lacks text"]),
        ({"text": "x"}, {"photo": b"PNG"}, ["the body has the files ['photo'], not ['picture']"]),
        (
            {"text": "x"},
            {},
            ["the body is 'application/x-www-form-urlencoded', not multipart/form-data"],
        ),
    ],
)
def test_files_go_along_with_a_form_in_parts(
    fields: dict[str, str], files: dict[str, bytes], faults: list[str]
) -> None:
    """Each under the name that the interface gives it, and no other."""
    sent = requests.Request("POST", "http://127.0.0.1/f", data=fields, files=files).prepare()
    headers = {"key": "k", "content-type": sent.headers["Content-Type"]}
    body = sent.body.encode() if isinstance(sent.body, str) else sent.body or b""
    assert faults == SCHEMA.check_request("POST", "/f", "", headers, body)


def test_a_fault_says_where() -> None:
    """So that a drift is found in a large answer."""
    faults = find_faults({"a": [{"b": str}]}, {"a": [{"b": ""}, {"b": 1}]}, "answer")
    assert ["answer.a[1].b is no str: 1"] == list(faults)


@pytest.mark.parametrize(
    ("method", "path", "query", "body"),
    [
        ("GET", "/t/5", "", b""),
        ("GET", "/t/5", "page=2", b""),
        ("POST", "/t/5", "", b'{"raw": "x"}'),
    ],
)
def test_requests_of_the_interface_are_right(method: str, path: str, query: str, body: bytes) -> None:
    """With or without what is optional."""
    assert [] == SCHEMA.check_request(method, path, query, HEADERS, body)


@pytest.mark.parametrize(
    ("method", "path", "query", "body"),
    [
        ("PUT", "/t/5", "", b""),
        ("GET", "/t/5/6", "", b""),
        ("GET", "/t/5", "seite=2", b""),
        ("GET", "/t/5", "page=zwei", b""),
        ("GET", "/t/5", "", b"{}"),
        ("POST", "/t/5", "", b"{}"),
        ("POST", "/t/5", "", b'{"raw": "x", "loud": true}'),
        ("POST", "/p", "", b'{"text": "x"}'),
    ],
)
def test_other_requests_are_wrong(method: str, path: str, query: str, body: bytes) -> None:
    """Another method, address, parameter, body, or kind of body."""
    assert 1 == len(SCHEMA.check_request(method, path, query, HEADERS, body))


def test_a_header_that_is_needed_is_missed() -> None:
    """Without the key nothing is right."""
    assert ["header key is 'missing'"] == SCHEMA.check_request("GET", "/t/5", "", {}, b"")


def test_a_form_is_text() -> None:
    """Its fields are known by their names."""
    headers = {"key": "k", "content-type": "application/x-www-form-urlencoded"}
    assert [] == SCHEMA.check_request("POST", "/p", "", headers, b"text=1")
    assert 1 == len(SCHEMA.check_request("POST", "/p", "", headers, b"text=1&texto=1"))


@pytest.mark.parametrize(
    ("status", "body", "faults"),
    [
        (200, {}, 0),
        (422, {"errors": ["x"]}, 0),
        (404, {"whatever": 1}, 0),
        (200, {"id": 1}, 1),
        (422, {"errors": [1]}, 1),
        (500, {}, 1),
    ],
)
def test_answers_are_right_or_wrong(status: int, body: object, faults: int) -> None:
    """By their status; what any address may answer counts too."""
    assert faults == len(SCHEMA.check_answer("POST", "/t/5", status, json.dumps(body)))


RELIED_ON: list[tuple[Schema, str, str, type[Shape]]] = [
    (NODEBB, "POST", "/api/v3/ping", nodebb.PingAnswer),
    (NODEBB, "GET", "/api/config", nodebb.Config),
    (NODEBB, "GET", "/api/user/x", nodebb.Whose),
    (NODEBB, "GET", "/api/topic/1", nodebb.Topic),
    (NODEBB, "GET", "/api/v3/posts/1/raw", nodebb.RawAnswer),
    (NODEBB, "POST", "/api/v3/topics/1", nodebb.SentAnswer),
    (NODEBB, "PUT", "/api/v3/posts/1", nodebb.SentAnswer),
    (NODEBB, "GET", "/api/v3/chats", nodebb_chats.RoomsAnswer),
    (NODEBB, "POST", "/api/v3/chats", nodebb_chats.RoomMade),
    (NODEBB, "GET", "/api/v3/chats/1", nodebb_chats.RoomAnswer),
    (NODEBB, "POST", "/api/v3/chats/1", nodebb_chats.SentMessageAnswer),
    (NODEBB, "GET", "/api/v3/chats/1/messages", nodebb_chats.MessagesAnswer),
    (NODEBB, "PUT", "/api/v3/chats/1/messages/1", nodebb_chats.SentMessageAnswer),
    (NODEBB, "GET", "/api/v3/chats/1/messages/1/raw", nodebb.RawAnswer),
    (XENFORO, "GET", "/api/", xenforo.Index),
    (XENFORO, "GET", "/api/me/", xenforo.Me),
    (XENFORO, "GET", "/api/users/find-name", xenforo.Named),
    (XENFORO, "GET", "/api/posts/1/", xenforo.PostAnswer),
    (XENFORO, "POST", "/api/posts/", xenforo.PostAnswer),
    (XENFORO, "POST", "/api/posts/1/", xenforo.PostAnswer),
    (XENFORO, "POST", "/api/attachments/new-key", xenforo.KeyAnswer),
    (XENFORO, "POST", "/api/attachments/", xenforo.AttachmentAnswer),
    (XENFORO, "GET", "/api/conversations/", xenforo.ConversationsAnswer),
    (XENFORO, "POST", "/api/conversations/", xenforo.BegunAnswer),
    (XENFORO, "POST", "/api/conversation-messages/", xenforo.MessageAnswer),
    (XENFORO, "GET", "/api/conversation-messages/1/", xenforo.MessageAnswer),
    (XENFORO, "POST", "/api/conversation-messages/1/", xenforo.MessageAnswer),
]


@pytest.mark.parametrize(("schema", "method", "path", "shape"), RELIED_ON)
def test_what_we_rely_on_is_always_there(schema: Schema, method: str, path: str, shape: type[Shape]) -> None:
    """The least answer that an interface may give is enough for us, and an empty one isn't."""
    endpoint = schema.find(method, path)
    assert endpoint is not None
    answer = json.dumps(least(endpoint.answers[200])).encode()
    read_json(answer, "application/json", shape)
    with pytest.raises(IncompletePageError, match="page/other-shape"):
        read_json(b"{}", "application/json", shape)


def test_each_address_is_used() -> None:
    """A table holds nothing that no adapter reads, but for a chat's new name, whose answer tells nothing, and
    pages that come where they are asked for.
    """
    used = {(id(schema), id(schema.find(method, path))) for schema, method, path, _ in RELIED_ON}
    left = [
        f"{one.method} {one.path}"
        for schema in (NODEBB, XENFORO)
        for one in schema.endpoints
        if (id(schema), id(one)) not in used
    ]
    paged = ["GET /api/threads/{id}/", "GET /api/conversations/{id}/"]
    assert ["PUT /api/v3/chats/{chat}", *paged] == left


class Drifting(NodebbViews):
    """Gives more than the interface has."""

    def answer(self, method: str, call: Call) -> Reply:
        """See `ForumViews.answer`."""
        reply = super().answer(method, call)
        reply.body = json.dumps({**json.loads(reply.body), "invented": 1})
        return reply


class DriftingStandIn(NodebbStandIn):
    """A stand-in that isn't faithful."""

    answering = Drifting


def test_a_stand_in_that_drifts_fails_its_test() -> None:
    """An adapter could come to rely on what no forum gives."""
    forum = DriftingStandIn(ACCOUNTS, **SCENE).__enter__()
    enter(forum, BOT).open()
    with pytest.raises(AssertionError, match="POST /api/v3/ping: answer 200 has invented, which is not"):
        forum.__exit__(None, None, None)


def test_an_adapter_that_drifts_fails_its_test() -> None:
    """What it asks for has to be in the published interface."""
    forum = NodebbStandIn(ACCOUNTS, **SCENE).__enter__()
    bot = enter(forum, BOT)
    assert isinstance(bot, NodebbForum)
    bot.open()
    bot._pages._session.send(Request("POST", "api/v3/inventado", Payload(json={})))
    with pytest.raises(AssertionError, match="POST /api/v3/inventado is not in the interface"):
        forum.__exit__(None, None, None)
