"""The reference page of kernels: every one that a policy or click model of ours uses."""

import inspect
import sys
from typing import Any, get_args, get_origin

import numpy as np

import unirank  # noqa: F401  loads all users of kernels

USERS = ("unirank.policies.", "unirank.users.")
ROOM = "unirank.policies.kernels."

INTRODUCTION = """# Kernels

Compiled building blocks for [a policy](../../tutorial/your_own_policy.md) or
[a click model](../../tutorial/your_own_click_model.md) of your own. These are all the functions
that ours use. Those marked *Python* are called from Python, most of them in `initial_state`; all
others from compiled functions. `float64[]` is an array of such numbers. No kernel checks its
arguments.

Random numbers have addresses: within a round, the same `draw` always gives the same number, so
take another one for each decision. A kernel with an argument `draw` reads no other. `top_k` and
`top_k_again` read the draws 0, 1, ..., n_items - 1 where items tie, and `shuffle_prefix` those of
the places that it fills: take larger numbers for your own decisions beside them.

In a plain policy, `rng` is a `numpy.random.Generator` with numpy's own methods, and
`rng.draws.uniform(draw)` and `rng.draws.below(draw, n)` read the same numbers as the kernels do.
"""


def kernels() -> dict[str, dict[str, list[str]]]:
    """Return the files that use each kernel, by module and name."""
    found: dict[str, dict[str, list[str]]] = {}
    for user, module in sorted(sys.modules.items()):
        if (
            user.startswith(USERS) and ".base" not in user and not user.startswith(ROOM)
        ):  # what all share calls the kernels
            for value in list(vars(module).values()):
                function = getattr(value, "py_func", value)
                if inspect.isfunction(function) and function.__module__.startswith(ROOM):
                    names = found.setdefault(function.__module__, {})
                    names.setdefault(function.__name__, []).append(user)
    return {module: dict(sorted(found[module].items())) for module in sorted(found)}


def kernel_page() -> str:
    """Return the page as Markdown."""
    return INTRODUCTION + "".join(section(module, names) for module, names in kernels().items())


def section(module: str, names: dict[str, list[str]]) -> str:
    idea = (sys.modules[module].__doc__ or "").split("\n")[0]
    entries = "".join(entry(module, name, users) for name, users in names.items())
    return f"\n## {module.removeprefix(ROOM)}\n\n{idea}\n{entries}"


def entry(module: str, name: str, users: list[str]) -> str:
    """Return a definition: the signature, the sentence, and where ours use it."""
    kernel: Any = getattr(sys.modules[module], name)
    used = users[0].removeprefix("unirank.").replace(".", "/")
    mark = "" if hasattr(kernel, "py_func") else "*Python.* "
    first = sentence(kernel)
    return f"\n`{signature(kernel)}`\n: {mark}{first} Used in `{used}.py`.\n"


def sentence(kernel: Any) -> str:
    """Return the first paragraph of its docstring."""
    return " ".join(inspect.cleandoc(kernel.__doc__ or "").split("\n\n")[0].split())


def signature(kernel: Any) -> str:
    """Return name and arguments, each array with the type of its elements."""
    function = getattr(kernel, "py_func", kernel)
    found = inspect.signature(function)
    words = [f"{name}: {short(p.annotation)}" for name, p in found.parameters.items()]
    return f"{function.__name__}({', '.join(words)}) -> {short(found.return_annotation)}"


def short(annotation: Any) -> str:
    """Write NDArray[np.float64] as float64[]."""
    if get_origin(annotation) is np.ndarray:
        (element,) = get_args(get_args(annotation)[1])
        return f"{element.__name__}[]"
    if get_origin(annotation) is tuple:
        return f"tuple[{', '.join(map(short, get_args(annotation)))}]"
    return "None" if annotation is None else getattr(annotation, "__name__", str(annotation))
