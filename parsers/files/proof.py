"""Proof files (`proof.json`): strict JSON to plain data; their shape and truth are the engine's to judge."""

from __future__ import annotations

import json
from typing import NoReturn

from rules.engine.proofs import Problem

MAX_PROOF_BYTES = 32 * 1024 * 1024


class _Refused(Exception):
    """Something that JSON readers disagree about."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.code)
        self.problem = problem


def parse_proof(source: bytes) -> tuple[object, list[Problem]]:
    """The data of a proof file for `verify_proof`, or None and what is wrong with the file.

    Refused beside broken JSON: a key that stands twice (readers disagree on which counts), NaN and
    Infinity, numbers of over 4,000 digits, files of over 32 MB. A byte order mark is skipped.
    """
    if len(source) > MAX_PROOF_BYTES:
        return None, [Problem("proof/too-big", "", {"most": MAX_PROOF_BYTES // 1024 // 1024})]
    try:
        text = source.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant, parse_int=_integer), []
    except _Refused as refused:
        return None, [refused.problem]
    except UnicodeDecodeError as error:
        return None, [Problem("proof/not-utf8", "", {"byte": error.start + 1})]
    except json.JSONDecodeError as error:
        return None, [Problem("proof/not-json", "", {"line": error.lineno, "column": error.colno})]
    except RecursionError:
        return None, [Problem("proof/too-deep", "")]


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    data: dict[str, object] = {}
    for key, value in pairs:
        if key in data:
            raise _Refused(Problem("proof/duplicate-key", key))
        data[key] = value
    return data


def _constant(name: str) -> NoReturn:
    raise _Refused(Problem("proof/not-a-number", "", {"found": name}))


def _integer(digits: str) -> int:
    if len(digits) > 4000 or digits == "-0":
        raise _Refused(Problem("proof/not-a-number", "", {"found": digits[:40]}))
    return int(digits)
