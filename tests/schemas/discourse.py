"""What Turnero needs of Discourse's interface, as the OpenAPI file of its published documentation has it.

Where that is silent (`page` and `include_raw` of a topic, texts that are queued, limits), as its code and
and forums.md 5 say.
"""

from __future__ import annotations

from tests.support.schema import Endpoint, Schema

_POST = {
    "id": int,
    "topic_id": int,
    "post_number": int,
    "post_type": int,
    "user_id": int,
    "username": str,
    "cooked": str,
    "raw?": str,
    "created_at": str,
    "updated_at": str,
    "version": int,
    "can_edit": bool,
    "hidden": bool,
    "user_deleted": bool,
    "deleted_at": (str, None),
}
_PERSON = {"id": int, "username": str}
_OWN = {
    **_PERSON,
    "trust_level": int,
    "admin": bool,
    "moderator": bool,
    "can_send_private_messages": bool,
}
# From 10,000 posts on there is no `stream`, but `isMegaTopic` and `lastId`.
_STREAM = (
    {"posts": [_POST], "stream": [int]},
    {"posts": [_POST], "isMegaTopic": bool, "lastId": int},
)
_TOPIC = {
    "post_stream": _STREAM,
    "id": int,
    "title": str,
    "posts_count": int,
    "archetype": str,
    "closed": bool,
    "archived": bool,
    "chunk_size": int,
    "details": {
        "participants": [_PERSON],
        "can_create_post?": bool,
        "allowed_users?": [_PERSON],
        "allowed_groups?": [{"id": int, "name": str}],
    },
}
_LIST = {"topic_list": {"topics": [{"id": int, "title": str}], "more_topics_url?": str}}
_QUEUED = {"success": bool, "action": str, "pending_post": {"id": int, "raw": str}}
_ERRORS = {"errors": [str], "error_type?": str}
_UPLOAD = {
    "id": int,
    "url": str,
    "original_filename": str,
    "filesize": int,
    "width": int,
    "height": int,
    "extension": str,
    "short_url": str,
    "short_path": str,
    "human_filesize": str,
}
_LIMITED = {**_ERRORS, "extras": {"wait_seconds": (int, float), "time_left": str}}

DISCOURSE = Schema(
    endpoints=(
        Endpoint("GET", "/u/{name}.json", {200: {"user": _OWN}}),
        Endpoint("GET", "/t/{id}.json", {200: _TOPIC}, query={"include_raw?": str, "page?": int}),
        Endpoint("GET", "/posts/{id}.json", {200: _POST}),
        Endpoint("GET", "/topics/private-messages/{name}.json", {200: _LIST}, query={"page?": int}),
        Endpoint("GET", "/topics/private-messages-sent/{name}.json", {200: _LIST}, query={"page?": int}),
        Endpoint(
            "POST",
            "/posts.json",
            {200: (_POST, _QUEUED), 422: {"action": str, "errors": [str]}},
            body={
                "raw": str,
                "topic_id?": int,
                "title?": str,
                "archetype?": str,
                "target_recipients?": str,
            },
        ),
        # Versions before 3.4 ask for `type`, later ones for `upload_type`.
        Endpoint(
            "POST",
            "/uploads.json",
            {200: _UPLOAD, 400: _ERRORS, 422: _ERRORS},
            body={"type": str, "upload_type": str, "synchronous": str},
            form=True,
            files=("file",),
        ),
        Endpoint("PUT", "/posts/{id}.json", {200: {"post": _POST}}, body={"post": {"raw": str}}),
    ),
    headers={"api-key": ".+", "api-username": ".+"},
    failures={403: _ERRORS, 404: _ERRORS, 429: _LIMITED},
)
