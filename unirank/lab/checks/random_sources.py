"""Random numbers that a policy draws past its `rng`: where, and what to write instead."""

import ast
import inspect
import re
from pathlib import Path

from unirank.policies import Policy

OUTSIDE = re.compile(r"(np|numpy)\.random\.\w|random\.\w|secrets\.\w|default_rng$")


def random_cure(cls: type[Policy]) -> str:
    """Say which lines draw random numbers of their own, if they are found, and the cure."""
    found = random_sources(cls)
    where = f"{', '.join(found)} is random by itself; " if found else ""
    if cls.kernels.compiled:
        cure = "uniform(rng, draw) or below(rng, draw, n) of unirank.policies.kernels.randomness"
    else:
        cure = "rng, a numpy.random.Generator, such as rng.random() or rng.permutation(n)"
    return f"{where}take every random number from {cure}"


def random_sources(cls: type[Policy]) -> list[str]:
    """Return the calls of other generators in the file of the class, as mine.py:12 np.random.rand.

    Empty if the file cannot be read, as that of a class made in a notebook.
    """
    try:
        path = Path(inspect.getfile(cls))
        tree = ast.parse(path.read_text())
    except (OSError, TypeError, ValueError, SyntaxError):
        return []
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [
        f"{path.name}:{call.lineno} {ast.unparse(call.func)}"
        for call in sorted(calls, key=lambda call: call.lineno)
        if OUTSIDE.match(ast.unparse(call.func))
    ]
