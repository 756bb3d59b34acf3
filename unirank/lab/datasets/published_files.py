"""The published files: their content, licence, address and place on this machine.

None is part of this package. A file is searched in the folder UNIRANK_DATA (the mirror), then in
the cache that `unirank data fetch` fills. Its SHA-256 is pinned, so that a changed file is noticed.
"""

import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from unirank import arguments
from unirank.errors import ArgumentError, MissingExtraError
from unirank.extras import optional

_RAW = "https://raw.githubusercontent.com"
_PAPER = f"{_RAW}/gaudel/ranking_bandits/0dd7831c4b16539f20cb2d7bd85a45556dd5f222/data"
_CASCADE = f"{_RAW}/abhg86/bandits-to-rank/1c2dbcad8f19501b684c92046412c46b11d5b049/Test/KDD"


@dataclass(frozen=True)
class PublishedFile:
    """One file; without an `address` the user must have a copy."""

    name: str
    file: str
    sha256: str
    licence: str
    about: str
    address: str = ""

    @property
    def remedy(self) -> str:
        """What to do if the file is missing."""
        if self.address:
            fetch = f"run `unirank data fetch {self.name}`"
            return f"{fetch}, or set UNIRANK_DATA to a folder that holds {self.file}"
        return f"it has no address; set UNIRANK_DATA to the folder of your own copy of {self.file}"


_FILES = (
    PublishedFile(
        name="kdd-pbm",
        file="param_KDD.txt",
        sha256="ab447d40da248d6d6d1b5b76fc1ed1f9691548811395693bd433edf2de335902",
        licence="MIT",
        about="Position-based models of 8 queries of KDD Cup 2012 track 2, 3 positions.",
        address=f"{_PAPER}/param_KDD.txt",
    ),
    PublishedFile(
        name="yandex-pbm",
        file="param_Yandex.txt",
        sha256="23477b0aad669ea37f3574f87f53e947f7b3d5b0035c00124349c91e61f27686",
        licence="MIT",
        about="Position-based models of 60 queries of the Yandex log, 10 positions.",
        address=f"{_PAPER}/param_Yandex.txt",
    ),
    PublishedFile(
        name="yandex-cm",
        file="param_Yandex_CM.txt",
        sha256="aa0a178dbf1c24b93ca5f8ce019e9b7f9dd86a01b7a42ba3f3e7a57f66041e13",
        licence="none",
        about="Cascade models of 23 queries of the Yandex log; without a licence, so each user "
        "fetches them and nobody passes them on.",
        address=f"{_CASCADE}/param_Yandex_CM.txt",
    ),
    PublishedFile(
        name="yandex-relpred",
        file="yandex_relpred_click_models.json",
        sha256="f3f71b02eb064b8d067b881761afd7537ad0adf7e6472fa44d8a2b99d4e0edd8",
        licence="GPL-3",
        about="Six click models of 50 queries of the Yandex relevance-prediction log, re-encoded "
        "from the pickles of changlicn/PyClickLambdas, scripts/data/60Q.",
    ),
    PublishedFile(
        name="yandex-clicks",
        file="Yandex_filtered_compress.csv",
        sha256="7d9228531adc2ff4a02ef5ed56b6212df2c4482bd289a6875fc414a79747eed3",
        licence="MIT",
        about="Impressions and clicks per query, url and position, of the queries of yandex-pbm, "
        "made from data/Yandex_filtered.zip of gaudel/ranking_bandits.",
    ),
)
FILES = {published.name: published for published in _FILES}


def published_file(name: str) -> PublishedFile:
    """Return the file of that name; an unknown name raises, with the nearest name."""
    return FILES[arguments.choice("published file", name, list(FILES))]


def cache_folder() -> Path | None:
    """Return the folder of downloaded files; None without pooch, which knows the place."""
    with suppress(MissingExtraError):
        return Path(optional("pooch", "lab").os_cache("unirank"))
    return None


def found(name: str) -> tuple[str, Path] | None:
    """Return the place, `mirror` or `cache`, and the unverified path; None if missing."""
    file = published_file(name).file
    mirror = os.environ.get("UNIRANK_DATA")
    if mirror and (Path(mirror) / file).is_file():
        return "mirror", Path(mirror) / file
    cache = cache_folder()
    if cache and (cache / file).is_file():
        return "cache", cache / file
    return None


@lru_cache(maxsize=2)
def _bytes(path: Path, changed: int, size: int) -> bytes:
    """Read a file, unless it is as it was: six data sets are parts of one file."""
    return path.read_bytes()


def located(name: str) -> Path:
    """Return the path of a published file; raise if it is missing or its SHA-256 is wrong."""
    return verified(name)[0]


def verified(name: str) -> tuple[Path, bytes]:
    """Return the path and the bytes of a published file; raise as `located` does."""
    published = published_file(name)
    place = found(name)
    if place is None:
        raise ArgumentError(f"{published.file} is not on this machine: {published.remedy}")
    kind, path = place
    try:
        state = path.stat()
        content = _bytes(path, state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise ArgumentError(f"cannot read {str(path)!r}: {error.strerror}") from None
    actual = hashlib.sha256(content).hexdigest()
    if actual != published.sha256:
        again = f"run `unirank data fetch {name}` to replace it"
        remedy = again if kind == "cache" else "replace it, or take it out of UNIRANK_DATA"
        raise ArgumentError(
            f"{str(path)!r} is not the published file: its SHA-256 must be {published.sha256}, "
            f"got {actual}; {remedy}"
        )
    return path, content
