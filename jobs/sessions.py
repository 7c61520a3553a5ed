"""Forum sessions kept between runs, since forums count logins (`processor.forums.http.CookieStore`)."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

from jobs.logs import keep_out

_SECRET = 16
"""Letters; names and addresses of cookies are shorter than their values, or no secret."""


class SessionFile:
    """A file that only its owner can open. Who can't read or write it logs in again, no more."""

    def __init__(self, folder: Path, url: str, account: str) -> None:
        name = hashlib.sha256(f"{url}\n{account}".encode()).hexdigest()[:24]
        self.path = folder / f"{name}.session"

    def load(self) -> str | None:
        """What was saved last."""
        try:
            saved = self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        keep_out(_values(saved))
        return saved

    def save(self, cookies: str) -> None:
        """Keep the session; the file appears whole or not at all."""
        keep_out(_values(cookies))
        self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        opened = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(opened, "w", encoding="utf-8") as file:
            file.write(cookies)
        draft.replace(self.path)


def _values(cookies: str) -> list[str]:
    """What may be secret in a saved session: every text in it that is no name."""
    return [one for one in re.findall(r'"([^"\\]*)"', cookies) if len(one) >= _SECRET]
