"""The texts of a language, put together from the packages that have some."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from io import BytesIO

from babel.messages.pofile import PoFileError, read_po

from rules.engine.catalogue import Catalogue

LANGUAGES = ("es", "en")
OWN_PACKAGES = ("rules.engine", "reporters", "parsers", "processor", "jobs")
"""Packages whose texts every game needs; a rule set's own package comes besides."""


class CatalogueError(Exception):
    """A file of texts that can't be used: our bug, or one of a rule set's author."""


def load_catalogue(language: str, *packages: str) -> Catalogue:
    """The texts of the packages' `locale/LANGUAGE.po`, our own packages' included. Nothing falls back.

    Raises:
        CatalogueError: a file that isn't there or can't be read, or a text that two packages have.
    """
    return _load(language, tuple(dict.fromkeys((*OWN_PACKAGES, *packages))))


@lru_cache(maxsize=32)
def _load(language: str, packages: tuple[str, ...]) -> Catalogue:
    texts: dict[str, str] = {}
    for package in packages:
        own = read_texts(language, package)
        twice = sorted(own.keys() & texts.keys())
        if twice:
            raise CatalogueError(f"{package} has texts that another package has: {', '.join(twice)}")
        texts |= own
    return Catalogue(language, texts)


def read_texts(language: str, package: str) -> dict[str, str]:
    """The texts of one package by message id; those not yet written or marked as fuzzy are left out.

    Raises:
        CatalogueError: the file isn't there or is no PO file, or has an id twice.
    """
    source = files(package) / "locale" / f"{language}.po"
    try:
        found = read_po(BytesIO(source.read_bytes()), locale=language, abort_invalid=True)
    except (OSError, PoFileError, UnicodeDecodeError) as fault:
        raise CatalogueError(f"{package}: locale/{language}.po: {fault}") from fault
    return {str(one.id): str(one.string) for one in found if one.id and one.string and not one.fuzzy}
