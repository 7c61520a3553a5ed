"""What Turnero needs of NodeBB 4's interface: `public/openapi` of its repository (read and write API), and
where that is silent or differs, what a running forum answered (forums.md 5).
"""

from __future__ import annotations

from tests.support.schema import Endpoint, Kind, Schema

_ID = (int, str)
"""A number; the address of what came from another server."""
_FLAG = (int, bool)
"""Published as one, answered as the other, by address."""
_PERSON = {
    "uid": _ID,
    "username": str,
    "userslug?": str,
    "displayname?": str,
    "picture?": (str, None),
    "signature?": str,
    "banned?": _FLAG,
}
_STATUS = {"code": str, "message": str}
_FAILURE = {"status": _STATUS, "response": {}}
_POST = {
    "pid": _ID,
    "tid": _ID,
    "uid": _ID,
    "content": str,
    "timestamp": int,
    "timestampISO": str,
    "edited": int,
    "editedISO": str,
    "deleted": int,
    "index": int,
    "user": _PERSON,
    "editor": (None, _PERSON),
}
_TOPIC = {
    "tid": _ID,
    "uid": _ID,
    "mainPid": _ID,
    "title": str,
    "titleRaw": str,
    "slug": str,
    "postcount": int,
    "locked": int,
    "deleted": int,
    "posts": [_POST],
    "privileges": {"topics:reply": bool, "topics:read": bool, "uid": int},
    "loggedInUser": {"uid": int, "username": str},
    "pagination": {"currentPage": int, "pageCount": int},
}
_STORED_POST = {
    "pid": _ID,
    "tid": _ID,
    "uid": _ID,
    "content": str,
    "timestamp": int,
    "timestampISO": str,
    "deleted": _FLAG,
    "edited?": object,
    "user": _PERSON,
}
# Not published; what a running forum answers where a moderator has to let a post through.
_QUEUED = {"id": str, "type": str, "queued": bool, "message": str}
_ROOM = {
    "roomId": int,
    "roomName": str,
    "groupChat": bool,
    "public": bool,
    "userCount": int,
    "timestamp": int,
}
_WHOLE_ROOM = {
    **_ROOM,
    "users": [_PERSON],
    "isOwner": bool,
    "canReply": bool,
    "maximumChatMessageLength": int,
}
_LISTED_ROOM = {
    **_ROOM,
    "users": [_PERSON],
    "unread": bool,
    "teaser": (None, {"fromuid": int, "content": str, "timestamp": int, "timestampISO": str}),
}
_MESSAGE = {
    "messageId": int,
    "mid": int,
    "roomId": _ID,
    "fromuid": _ID,
    "content": str,
    "timestamp": int,
    "timestampISO": str,
    "edited": int,
    "editedISO": str,
    "deleted": int,
    "system": int,
    "fromUser": _PERSON,
    "self": int,
    "newSet": bool,
    "index?": int,
    "isOwner?": bool,
}


def _said(response: Kind) -> Kind:
    """An answer of the newer interface."""
    return {"status": _STATUS, "response": response}


_CHATS, _CHAT = "/api/v3/chats", "/api/v3/chats/{chat}"
_MESSAGES, _ONE_MESSAGE = f"{_CHAT}/messages", f"{_CHAT}/messages/{{mid}}"
NODEBB = Schema(
    endpoints=(
        Endpoint("POST", "/api/v3/ping", {200: _said({"uid": int, "received": {"*": object}})}, body={}),
        Endpoint("GET", "/api/user/{slug}", {200: _PERSON}),
        Endpoint(
            "GET",
            "/api/config",
            {
                200: {
                    "minimumPostLength": int,
                    "maximumPostLength": int,
                    "maximumChatMessageLength": int,
                    "disableChat": bool,
                    "uid": int,
                    "loggedIn": bool,
                }
            },
        ),
        Endpoint("GET", "/api/topic/{tid}", {200: _TOPIC}, query={"page": int, "sort": str}),
        Endpoint("GET", "/api/v3/posts/{pid}/raw", {200: _said({"content": str})}),
        Endpoint(
            "POST",
            "/api/v3/topics/{tid}",
            {200: (_said(_STORED_POST), _said(_QUEUED))},
            body={"content": str, "toPid?": int},
        ),
        Endpoint("PUT", "/api/v3/posts/{pid}", {200: _said(_STORED_POST)}, body={"content": str}),
        Endpoint(
            "GET",
            _CHATS,
            {200: _said({"rooms": [_LISTED_ROOM], "nextStart?": int})},
            query={"start": int, "perPage": int},
        ),
        Endpoint("POST", _CHATS, {200: _said(_ROOM)}, body={"uids": [int]}),
        Endpoint("GET", _CHAT, {200: _said(_WHOLE_ROOM)}),
        Endpoint("PUT", _CHAT, {200: _said(_WHOLE_ROOM)}, body={"name": str}),
        Endpoint("POST", _CHAT, {200: _said(_MESSAGE)}, body={"message": str}),
        Endpoint("GET", _MESSAGES, {200: _said({"messages": [_MESSAGE]})}, query={"start": int}),
        Endpoint("PUT", _ONE_MESSAGE, {200: _said(_MESSAGE)}, body={"message": str}),
        Endpoint("GET", f"{_ONE_MESSAGE}/raw", {200: _said({"content": str})}),
    ),
    headers={"authorization": "Bearer .+", "accept": "application/json"},
    failures={status: (_FAILURE, {"path": str, "title": str}) for status in (400, 403, 404)},
)
