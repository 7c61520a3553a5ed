"""Judges a night by what the forum itself shows: own session, own reading, nothing of the night's memory.

`python -m jobs.demo.judge CASE.json` prints its findings and ends with 0 only if all of them hold. It runs as
a process of its own; the demo's exit code is its exit code.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from jobs.demo.browser import Browser, BrowserError
from rules.engine.audience import DIRECTOR_SEAT, EVERYBODY
from rules.engine.ptd1 import groups_digest
from rules.engine.verification import verify_proof

HOLDS, FAILS = 0, 1
_VERIFIER = Path(__file__).with_name("verifier.py")
_OWN = "proof-"
_MARKER = re.compile(r"ptd1:([\w/-]+):(\d+)\.(\d+):([a-z0-9-]+):(\d+)/(\d+)(?::([0-9a-f]{8}))?")


@dataclass(frozen=True, slots=True)
class Reader:
    """Somebody with private messages. slug: names the seat in markers, `director` for the director's.

    letters: kinds of texts that this night has for the reader besides those of every night.
    """

    name: str
    password: str
    slug: str
    letters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """What is to be judged. bot: account id. reports: folder of the turn's files, with `proof.json`."""

    url: str
    topic: str
    bot: str
    game: str
    turn: int
    readers: tuple[Reader, ...]
    reports: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at."""

    holds: bool
    text: str


@dataclass(frozen=True, slots=True)
class Told:
    """A post of the bot's. marker: its last line, None where that is none. body: without the marker."""

    post: str
    number: int
    body: str
    marker: re.Match[str] | None

    @property
    def kind(self) -> str:
        """What the post is, as its marker says."""
        return self.marker.group(4) if self.marker else ""

    @property
    def part(self) -> tuple[int, int]:
        """Which part of how many."""
        return (int(self.marker.group(5)), int(self.marker.group(6))) if self.marker else (0, 0)


def write_case(path: Path, case: Case) -> None:
    """Keep a case for the judge; it holds passwords, so only its owner may read it."""
    path.touch(0o600)
    path.write_text(json.dumps(asdict(case), indent=2, ensure_ascii=False), encoding="utf-8")


def read_case(path: Path) -> Case:
    """What `write_case` has written."""
    data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    readers = tuple(Reader(**{**one, "letters": tuple(one["letters"])}) for one in data["readers"])
    return Case(**{**data, "readers": readers})


def judge(case: Case) -> list[Finding]:
    """Look at the forum and at the proof. Raises BrowserError where the forum can't be read."""
    guest = Browser(case.url)
    someone = _enter(case, case.readers[0])  # a guest reads the topic, but Spirit quotes to members only
    public = _read(case, guest, someone, case.topic, f"topic/{case.topic}/")
    findings = _judge_texts(case, public, ("open", "receipts", "report"), "en el tema")
    letters = {reader.slug: _read_letters(case, reader) for reader in case.readers}
    for reader in case.readers:
        findings += _judge_private(case, reader, letters[reader.slug])
    return [*findings, *_judge_proof(case, public), *_judge_secret_proofs(case, public, letters)]


def _enter(case: Case, reader: Reader) -> Browser:
    browser = Browser(case.url)
    browser.log_in(reader.name, reader.password)
    return browser


def _read(case: Case, reading: Browser, quoting: Browser, topic: str, path: str) -> list[Told]:
    """The bot's posts of a topic, in order."""
    own = [one for one in reading.comments(path) if one.author == case.bot]
    return [_told(one.id, one.number, quoting.text_of(topic, one.id)) for one in own]


def _told(post: str, number: int, text: str) -> Told:
    body, _, last = text.rstrip().rpartition("\n")
    marker = _MARKER.fullmatch(last.strip())
    return Told(post, number, body.rstrip("\n") if marker else text, marker)


def _judge_texts(case: Case, told: Sequence[Told], kinds: Sequence[str], where: str) -> list[Finding]:
    """Each text exactly once, in all its parts, unchanged; nothing else. What isn't so, else one line."""
    wrong = [one for one in _look_at_texts(case, told, kinds, where) if not one.holds]
    named = ", ".join(f"«{kind}»" for kind in kinds)
    fine = f"{where}: {named}, exactamente una vez, letra por letra como se publicó, y nada más"
    return wrong or [Finding(True, fine)]


def _look_at_texts(case: Case, told: Sequence[Told], kinds: Sequence[str], where: str) -> Iterator[Finding]:
    strange = [one.post for one in told if one.marker is None or one.marker.group(1) != case.game]
    yield Finding(not strange, f"{where}: turnero ha escrito algo sin su marca{_listed(strange)}")
    mine = [
        one for one in told if one.marker and one.marker.group(1, 2, 3) == (case.game, str(case.turn), "1")
    ]
    for kind in kinds:
        parts = [one for one in mine if one.kind == kind]
        yield Finding(
            _stands_once(parts), f"{where}: «{kind}» no está exactamente una vez, {_counted(parts)}"
        )
        changed = [one.post for one in parts if not _is_unchanged(case, one)]
        yield Finding(not changed, f"{where}: «{kind}» no es lo que se publicó{_listed(changed)}")
    others = sorted({one.kind for one in mine} - set(kinds))
    yield Finding(not others, f"{where}: sobra algo de este turno{_listed(others)}")


def _stands_once(parts: Sequence[Told]) -> bool:
    counted = Counter(one.part for one in parts)
    count = parts[0].part[1] if parts else 0
    return bool(parts) and counted == Counter((number, count) for number in range(1, count + 1))


def _is_unchanged(case: Case, one: Told) -> bool:
    """The text has the hash that its marker states, and is the text of the folder's file if there is one."""
    stated = one.marker.group(7) if one.marker else None
    if stated is None:
        return True  # texts that are edited state no hash
    number, count = one.part
    file = Path(case.reports) / (f"{one.kind}.md" if count == 1 else f"{one.kind}-{number}.md")
    if file.exists() and file.read_text(encoding="utf-8").strip() != one.body.strip():
        return False
    return hashlib.sha256(one.body.encode()).hexdigest()[:8] == stated


def _read_letters(case: Case, reader: Reader) -> list[Told]:
    """The bot's posts of all of a reader's conversations."""
    browser = _enter(case, reader)
    return [
        one
        for topic, path in browser.conversations().items()
        for one in _read(case, browser, browser, topic, path)
    ]


def _judge_private(case: Case, reader: Reader, told: Sequence[Told]) -> list[Finding]:
    """A reader's conversations with the bot: what is for this reader, once, and nothing for another."""
    kinds = tuple(f"{kind}-{reader.slug}" for kind in ("open", "receipt", "report"))
    wanted = ("digest",) if reader.slug == "director" else kinds
    return _judge_texts(case, told, (*wanted, *reader.letters), f"en los privados de {reader.name}")


def _judge_proof(case: Case, public: Sequence[Told]) -> Iterator[Finding]:
    """The proof is the one of what was published, and holds for us and for 15 lines that are not ours."""
    path = Path(case.reports) / "proof.json"
    proof = _read_proof(path)
    if not proof:
        yield Finding(False, f"la prueba {path} no se puede leer")
        return
    opened, closed, reported = (_all_of(public, kind) for kind in ("open", "receipts", "report"))
    yield Finding(
        str(proof.get("commitment")) in opened, "el compromiso de la prueba está en el mensaje de apertura"
    )
    yield Finding(str(proof.get("lock")) in closed, "la etiqueta de cierre de la prueba está en los recibos")
    yield Finding(str(proof.get("seed")) in reported, "la semilla de la prueba está en el informe")
    codes = [one.code for one in verify_proof(proof)]
    yield Finding(not codes, f"los dados se comprueban con `turnero verify`{_listed(codes)}")
    right, said = _verify_alone(path)
    yield Finding(right, f"y con un verificador independiente de 15 líneas ({said or 'no'})")


def _verify_alone(path: Path) -> tuple[bool, str]:
    """What the 15 lines that are not ours say of a proof."""
    done = subprocess.run(
        [sys.executable, "-I", str(_VERIFIER)], input=path.read_bytes(), capture_output=True, check=False
    )
    return done.returncode == 0, done.stdout.decode(errors="replace").strip()


def _judge_secret_proofs(
    case: Case, public: Sequence[Told], letters: Mapping[str, Sequence[Told]]
) -> list[Finding]:
    """Proofs of those who throw dice of their own, none where nobody does. What isn't so, else one line."""
    proofs = {path: _read_proof(path) for path in sorted(Path(case.reports).glob("proof-*.json"))}
    if not proofs:
        return []
    told = {slug: _bodies(posts) for slug, posts in letters.items()} | {EVERYBODY: _bodies(public)}
    wrong = [f"{path.name}: {said}" for path, one in proofs.items() for said in _find_wrong(path, one, told)]
    every = (_read_proof(Path(case.reports) / "proof.json"), *proofs.values())
    if groups_digest(str(one.get("commitment", "")) for one in every) not in _all_of(public, "open"):
        wrong.append("los compromisos secretos no dan el del mensaje de apertura")
    named = ", ".join(path.stem.removeprefix(_OWN) for path in proofs)
    fine = f"también se comprueban los dados secretos de {named}; cada semilla la tienen sólo los suyos"
    return [Finding(False, one) for one in wrong] or [Finding(True, fine)]


def _find_wrong(path: Path, proof: Mapping[str, Any], told: Mapping[str, str]) -> Iterator[str]:
    """A proof that doesn't hold, or a seed that its own can't read or others can; told: texts by reader.

    Who has thrown nothing is told no seed. The director may know them all, and has them in the folder only.
    """
    codes = [one.code for one in verify_proof(proof)]
    if codes or not _verify_alone(path)[0]:
        yield f"los dados no se comprueban{_listed(codes)}"
    own, seed = path.stem.removeprefix(_OWN).lower(), str(proof.get("seed"))
    if own != DIRECTOR_SEAT and proof.get("rolls") and seed not in told.get(own, seed):
        yield "su semilla no está en los privados de los suyos"
    others = [slug for slug, text in told.items() if slug not in (own, DIRECTOR_SEAT) and seed in text]
    if others:
        yield f"su semilla la leen otros{_listed(others)}"


def _read_proof(path: Path) -> dict[str, Any]:
    """A proof, {} where it can't be read: nothing holds for that."""
    try:
        read: dict[str, Any] = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return {}
    return read


def _all_of(told: Sequence[Told], kind: str) -> str:
    return _bodies(one for one in told if one.kind == kind)


def _bodies(told: Iterable[Told]) -> str:
    return "\n".join(one.body for one in told)


def _listed(things: Sequence[str]) -> str:
    return f" ({', '.join(things)})" if things else ""


def _counted(parts: Sequence[Told]) -> str:
    numbers = ", ".join(f"#{one.number} (parte {one.part[0]} de {one.part[1]})" for one in parts)
    return f"está en {numbers}" if parts else "no está"


def main(argument: str) -> int:
    """Print the findings of a case; 0 if all hold."""
    try:
        findings = judge(read_case(Path(argument)))
    except BrowserError as error:
        findings = [Finding(False, f"el foro no se deja leer: {error}")]
    for one in findings:
        print(f"{'✔' if one.holds else '✘'} {one.text}")
    return HOLDS if all(one.holds for one in findings) else FAILS


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
