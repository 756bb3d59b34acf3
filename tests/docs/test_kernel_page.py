"""The page of kernels has every kernel that our policies use, with signature and sentence."""

import ast
import importlib
from pathlib import Path

from kernel_page import kernel_page, kernels, sentence

import unirank

PAGE = kernel_page()
PACKAGE = Path(unirank.__file__).parent


def test_kernels_have_a_signature_and_a_sentence() -> None:
    for words in (
        "\n`beta(rng: Rng, draw: int, a: float, b: float) -> float`\n: One number of Beta(a, b), ",
        "\n`top_k(index: float64[], rng: Rng, ranking: int64[]) -> None`\n: Fill `ranking` with ",
        "\n`shuffle_prefix(items: int64[], start: int, end: int, n_drawn: int, rng: Rng) -> None`",
        "-> tuple[uint64[], Any[]]`\n: *Python.* Keys and counts of a table, ",
    ):
        assert words in PAGE
    assert PAGE.count("\n: ") > 30


def test_every_kernel_that_a_policy_imports_is_there() -> None:
    listed = {(module, name) for module, names in kernels().items() for name in names}
    imported = {
        (node.module, alias.name)
        for room in ("policies", "users")
        for path in (PACKAGE / room).rglob("*.py")
        if not {"base", "kernels"} & {path.parent.name, path.stem}
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("unirank.policies.kernels.")
        for alias in node.names
        if alias.name.islower()  # neither a class nor a constant
    }
    assert imported <= listed


def test_every_kernel_says_what_it_does() -> None:
    for module, names in kernels().items():
        for name in names:
            kernel = getattr(importlib.import_module(module), name)
            assert sentence(kernel).endswith("."), f"{module}.{name} has no sentence"
