"""Tell the user on standard error that something is being compiled, once, and will be kept."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event

SENTENCES = {  # by the name of the function that numba compiles
    "serve": "compiling {0}, once for this machine",
    "play_rounds": "compiling the games of {0} on {1}, once for this machine",
}


class CompileNotice(event.Listener):
    """Writes one line when a policy or the loop of its games is compiled."""

    def on_start(self, event: Any) -> None:
        template, *labels = event.data["dispatcher"].__qualname__.split(".")
        if labels and template in SENTENCES:
            names = [label.partition("@")[0] for label in labels]
            sys.stderr.write(f"{SENTENCES[template].format(*names)}\n")

    def on_end(self, event: Any) -> None:
        """Say nothing: what was compiled is used at once."""


@contextmanager
def compile_notices() -> Iterator[None]:
    """Write notices while the block runs."""
    with event.install_listener("numba:compile", CompileNotice()):
        yield
