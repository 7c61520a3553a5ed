"""What Turnero needs of XenForo 2's REST API: the OpenAPI description in the makers' documentation."""

from __future__ import annotations

from tests.support.schema import Endpoint, Kind, Schema

_NONE: Kind = ({"*": object}, [object])
"""PHP writes an empty mapping as a list."""
_PERSON = {"user_id": int, "username": str, "is_staff?": bool, "user_title?": str}
_PAGING = {"current_page": int, "last_page": int, "per_page": int, "shown": int, "total": int}
_THREAD = {
    "thread_id": int,
    "title": str,
    "username": str,
    "user_id": int,
    "reply_count": int,
    "discussion_state": str,
    "discussion_open": bool,
    "can_reply": bool,
    "view_url": str,
}
_ATTACHMENT = {
    "attachment_id": int,
    "filename": str,
    "file_size": int,
    "height": int,
    "width": int,
    "thumbnail_url": str,
    "direct_url": str,
    "content_type": str,
    "content_id": int,
    "attach_date": int,
    "view_count": int,
}
_POST = {
    "post_id": int,
    "thread_id": int,
    "user_id": int,
    "username": str,
    "post_date": int,
    "message": str,
    "message_parsed": str,
    "message_state": str,
    "position": int,
    "last_edit_date": int,
    "can_edit": bool,
    "view_url": str,
    "User?": _PERSON,
    "attach_count?": int,
    "Attachments?": [_ATTACHMENT],
}
_CONVERSATION = {
    "conversation_id": int,
    "title": str,
    "username": str,
    "user_id": int,
    "recipients": ({"*": str}, [object]),
    "recipient_count": int,
    "reply_count": int,
    "first_message_id": int,
    "can_reply": bool,
    "conversation_open": bool,
    "view_url": str,
}
_MESSAGE = {
    "message_id": int,
    "conversation_id": int,
    "user_id": int,
    "username": str,
    "message_date": int,
    "message": str,
    "message_parsed": str,
    "can_edit": bool,
    "view_url": str,
}
_KEY = {"type": str, "user_id": (int, None), "allow_all_scopes": bool, "scopes?": [str]}
_PAGE = {"page": int}
_WITH_MESSAGES = {"with_messages?": int, "page?": int}
XENFORO = Schema(
    endpoints=(
        Endpoint("GET", "/api/", {200: {"version_id": int, "site_title": str, "api_url": str, "key": _KEY}}),
        Endpoint("GET", "/api/me/", {200: {"me": _PERSON}}),
        Endpoint(
            "GET",
            "/api/users/find-name",
            {200: {"exact": (_PERSON, None), "recommendations": [_PERSON]}},
            query={"username": (str, int)},
        ),
        Endpoint(
            "GET",
            "/api/threads/{id}/",
            {
                200: {
                    "thread": _THREAD,
                    "posts?": [_POST],
                    "pagination?": _PAGING,
                    "pinned_post?": _POST,
                    "highlighted_posts?": [_POST],
                }
            },
            query={"with_posts?": int, "page?": int},
        ),
        Endpoint("GET", "/api/posts/{id}/", {200: {"post": _POST}}),
        Endpoint(
            "POST",
            "/api/posts/",
            {200: {"success": bool, "post": _POST}},
            body={"thread_id": str, "message": str, "attachment_key?": str},
            form=True,
        ),
        Endpoint(
            "POST",
            "/api/attachments/new-key",
            {200: {"key": str, "attachment?": _ATTACHMENT}},
            body={"type": str, "context[thread_id]": str},
            form=True,
            files=("attachment",),
        ),
        Endpoint(
            "POST",
            "/api/attachments/",
            {200: {"attachment": _ATTACHMENT}},
            body={"key": str},
            form=True,
            files=("attachment",),
        ),
        Endpoint(
            "POST",
            "/api/posts/{id}/",
            {200: {"success": bool, "post": _POST}},
            body={"message": str},
            form=True,
        ),
        Endpoint(
            "GET",
            "/api/conversations/",
            {200: {"conversations": [_CONVERSATION], "pagination": _PAGING}},
            query=_PAGE,
        ),
        Endpoint(
            "POST",
            "/api/conversations/",
            {200: {"success": bool, "conversation": _CONVERSATION}},
            body={"recipient_ids[]": str, "title": str, "message": str},
            form=True,
        ),
        Endpoint(
            "GET",
            "/api/conversations/{id}/",
            {200: {"conversation": _CONVERSATION, "messages?": [_MESSAGE], "pagination?": _PAGING}},
            query=_WITH_MESSAGES,
        ),
        Endpoint(
            "POST",
            "/api/conversation-messages/",
            {200: {"success": bool, "message": _MESSAGE}},
            body={"conversation_id": str, "message": str},
            form=True,
        ),
        Endpoint("GET", "/api/conversation-messages/{id}/", {200: {"message": _MESSAGE}}),
        Endpoint(
            "POST",
            "/api/conversation-messages/{id}/",
            {200: {"success": bool, "message": _MESSAGE}},
            body={"message": str},
            form=True,
        ),
    ),
    headers={"xf-api-key": ".+"},
    failures={
        status: {"errors": [{"code": str, "message": str, "params": _NONE}]}
        for status in (400, 401, 403, 404, 429, 503)
    },
)
