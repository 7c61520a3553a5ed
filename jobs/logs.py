"""The log: a line for each thing told, readable or as JSON, and never with a secret in it (reliability.md 5).

Secrets are cut where lines are written, not where they are told: there everything comes by, tracebacks and
other libraries' words included. Known ones go by their text; seeds, keys and cookies by their look. What is
written by players is taken out of exceptions before (`processor.service.journal`).
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum

FIELDS = ("game", "track", "turn", "attempt", "step", "outcome", "seconds")
"""What a line may carry beside its words, in this order."""
_SHORTEST = 4
_HIDDEN = "***"
_TALKATIVE = ("apscheduler",)
"""Libraries that tell each minute that they work: only what goes wrong is of use to whoever reads."""

_known: set[str] = set()


class LogFormat(StrEnum):
    """Readable lines, or one JSON object a line."""

    TEXT = "text"
    JSON = "json"


def keep_out(secrets: Iterable[str]) -> None:
    """Let texts never show in this process's log from now on, such as the cookies of a session."""
    _known.update(one for one in secrets if len(one) >= _SHORTEST)


class RedactingFormatter(logging.Formatter):
    """Formats log lines without secrets.

    Line ends and control characters in what others wrote are shown, not obeyed.
    """

    _SEEDS = re.compile(r"(?<![0-9a-fA-F])[0-9a-fA-F]{64}(?![0-9a-fA-F])")
    _NAMED = re.compile(
        r"(?i)\b(sessionid|csrftoken|csrfmiddlewaretoken|password|api-key|authorization|(?:set-)?cookie)"
        r"(['\"]?[=:] ?)[^\s,;]+"
    )
    _ADDRESSES = re.compile(r"(://[^/\s:@]+:)[^/\s@]+@")
    _CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

    def __init__(self, secrets: Iterable[str] = (), form: LogFormat = LogFormat.TEXT) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = {one for one in secrets if one}
        self._form = form

    def format(self, record: logging.LogRecord) -> str:
        """The line; a readable one has a traceback's lines behind it."""
        if self._form is LogFormat.JSON:
            return self._object(record)
        shown = logging.makeLogRecord(record.__dict__)
        told = " ".join(f"{name}={value}" for name, value in _fields(record).items())
        text = " ".join(part for part in (record.getMessage(), told) if part)
        shown.msg, shown.args = self._shown(text), None
        trace = getattr(record, "trace", None)
        return self._redact("\n".join(part for part in (super().format(shown), trace) if part))

    def _object(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        told = {"time": at, "level": record.levelname, "name": record.name, "message": record.getMessage()}
        trace = getattr(record, "trace", None)
        if trace is None and record.exc_info:
            trace = self.formatException(record.exc_info)
        whole = told | _fields(record) | ({"trace": trace} if trace else {})
        safe = {name: self._redact(one) if isinstance(one, str) else one for name, one in whole.items()}
        return json.dumps(safe, ensure_ascii=True)

    def _shown(self, text: str) -> str:
        return self._CONTROL.sub(lambda found: repr(found[0])[1:-1], text)

    def _redact(self, text: str) -> str:
        for secret in sorted(self._secrets | _known, key=len, reverse=True):
            text = text.replace(secret, _HIDDEN)
        text = self._SEEDS.sub(_HIDDEN, text)
        text = self._ADDRESSES.sub(rf"\1{_HIDDEN}@", text)
        return self._NAMED.sub(rf"\1\2{_HIDDEN}", text)


def _fields(record: logging.LogRecord) -> dict[str, object]:
    return {name: getattr(record, name) for name in FIELDS if getattr(record, name, "") != ""}


_chosen = LogFormat.TEXT


def choose_format(form: LogFormat) -> None:
    """Log like that from now on."""
    global _chosen  # noqa: PLW0603 - the process has one log
    _chosen = form


def is_for_machines() -> bool:
    """Whether a program reads what this process writes to standard error."""
    return _chosen is LogFormat.JSON


def set_up_logging(level: int, secrets: Iterable[str] = ()) -> None:
    """Log to standard error, redacted. secrets: texts that must not show."""
    handler = logging.StreamHandler()
    handler.setFormatter(RedactingFormatter(secrets, _chosen))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in _TALKATIVE:
        logging.getLogger(name).setLevel(max(level, logging.WARNING))
