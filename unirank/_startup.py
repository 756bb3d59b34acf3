"""Ctrl-C while the command is still importing ends it at once, without a traceback.

Python would raise KeyboardInterrupt somewhere inside numba. `unirank.cli.main` takes over once it
is there. Where this is a library, the program's own handling of signals is left alone.
"""

import signal
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path


def is_command(argv: Sequence[str]) -> bool:
    """Whether this process was started as `unirank` or `python -m unirank`."""
    script = any(Path(word).name == "unirank" for word in argv[:2])
    return script or ("-m", "unirank") in pairwise(argv)


# A command in the background of a script ignores Ctrl-C: leave it so.
if is_command(sys.orig_argv) and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)
