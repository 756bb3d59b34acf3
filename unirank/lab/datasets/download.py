"""Download a published file into the cache.

pooch downloads next to the target, compares the SHA-256 and then renames, so that the cache never
holds a part of a file or a wrong one.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from unirank.errors import ArgumentError
from unirank.extras import optional
from unirank.files import writable_folder
from unirank.lab.datasets.published_files import PublishedFile, found, located, published_file
from unirank.progress import ProgressBar

TIMEOUT = 30  # seconds without a byte


class DownloadBar:
    """A progress bar with the part of tqdm's interface that pooch calls."""

    def __init__(self, title: str, *, shown: bool | None = None) -> None:
        self._bar = ProgressBar(title, None, unit="bytes", shown=shown)
        self._done = 0
        self._total: int | None = None

    @property
    def total(self) -> int | None:
        return self._total

    @total.setter
    def total(self, size: int) -> None:
        self._total = size or None
        self._bar.show(0, total=self._total)
        self._bar.start()  # not before: a file in the cache needs no bar

    def update(self, size: int) -> None:
        self._done += size
        self._bar.show(self._done)

    def reset(self) -> None:
        self._done = 0
        self._bar.show(0)

    def close(self) -> None:
        self._bar.stop()


def fetch(name: str, *, progress: bool | None = None) -> Path:
    """Return the path of a published file; download it unless the mirror or cache holds it.

    Parameters
    ----------
    name
        A data set of `list_datasets`.
    progress
        Whether to show a bar; by default on a terminal only.
    """
    published = published_file(name)
    place = found(name)
    if place and place[0] == "mirror":
        return located(name)
    if not published.address:
        raise ArgumentError(f"{name} cannot be fetched: {published.remedy}")
    pooch = optional("pooch", "lab")
    folder = writable_folder("the cache", pooch.os_cache("unirank"))
    bar = DownloadBar(published.file, shown=progress)
    try:
        with quiet(pooch.get_logger()):
            path = pooch.retrieve(
                published.address,
                known_hash=f"sha256:{published.sha256}",
                fname=published.file,
                path=folder,
                downloader=pooch.HTTPDownloader(progressbar=bar, timeout=TIMEOUT),
            )
    except (OSError, ValueError) as error:
        raise ArgumentError(failure(published, error)) from None
    finally:
        bar.close()
    return Path(path)


def failure(published: PublishedFile, error: Exception) -> str:
    """Return an error message of one line."""
    if not isinstance(error, OSError):
        return (
            f"what {published.address} sends is not the published {published.file} (wrong SHA-256)"
            f" and was not kept: set UNIRANK_DATA to a folder that holds the right one"
        )
    status = getattr(getattr(error, "response", None), "status_code", None)
    reason = f"HTTP {status}" if status else error.strerror or type(error).__name__
    return (
        f"cannot fetch {published.address}: {reason}; try again, or set UNIRANK_DATA to a folder "
        f"that holds {published.file}"
    )


@contextmanager
def quiet(logger: logging.Logger) -> Iterator[None]:
    """Silence pooch's messages for a while; the bar shows the same."""
    level = logger.level
    logger.setLevel(logging.WARNING)
    try:
        yield
    finally:
        logger.setLevel(level)
