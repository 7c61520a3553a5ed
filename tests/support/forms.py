"""Forms as they are sent, with files or without."""

from __future__ import annotations

from email.parser import BytesParser
from email.policy import HTTP
from urllib.parse import parse_qsl


def read_form(kind: str, body: bytes) -> tuple[dict[str, str], dict[str, tuple[str, bytes]]]:
    """A form's fields, and its files by field: name and content. kind: its media type, boundary included."""
    if kind.startswith("application/x-www-form-urlencoded"):
        return dict(parse_qsl(body.decode(), keep_blank_values=True)), {}
    if not kind.startswith("multipart/form-data"):
        return {}, {}
    data: dict[str, str] = {}
    files: dict[str, tuple[str, bytes]] = {}
    for part in (
        BytesParser(policy=HTTP).parsebytes(f"Content-Type: {kind}\r\n\r\n".encode() + body).iter_parts()
    ):
        field = str(part.get_param("name", header="Content-Disposition"))
        content = part.get_payload(decode=True)
        content = content if isinstance(content, bytes) else b""
        if part.get_filename() is None:
            data[field] = content.decode()
        else:
            files[field] = (str(part.get_filename()), content)
    return data, files
