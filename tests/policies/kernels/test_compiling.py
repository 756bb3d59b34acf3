import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any, cast

import numba
import numpy as np
import pytest
from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.codegen import CPUCodeLibrary
from numba.core.compiler import CompileResult, Flags
from numba.core.errors import TypingError
from numba.core.registry import CPUDispatcher
from numpy.typing import NDArray

from unirank.policies.kernels.compiling import (
    _HashedFiles,
    bind,
    compiled,
    compiled_allocating,
    compiled_reordering,
    fingerprint,
)


def written(source: str, **names: Any) -> Any:
    """The function f of `source`, in a module of its own that also holds `names`."""
    module = {"np": np, **names}
    exec(dedent(source), module)
    return module["f"]


def add_one(x: int) -> int:
    return x + 1


def add_two(x: int) -> int:
    return x + 2


def step(x: int) -> int:
    """Placeholder in `twice`."""
    raise AssertionError("twice must be bound")


def twice(x: int) -> int:
    return step(step(x))


@compiled
def doubled(x: int) -> int:
    return 2 * x


@compiled_allocating
def counted(n: int) -> NDArray[np.int64]:
    return np.arange(n)


PRIVATE = {  # what compiling.py uses of numba without numba's promise
    FunctionCache: ["_index_key", "load_overload", "flush"],
    IndexDataCacheFile: ["_load_index", "_save_index", "_save_data"],
    CPUDispatcher: ["add_overload", "get_call_template", "get_overload"],
    type(CPUDispatcher.targetdescr.target_context): ["insert_user_function"],
    CompileResult: ["_replace", "library", "fndesc", "entry_point"],
    Flags: ["no_compile", "no_cpython_wrapper", "no_cfunc_wrapper", "forceinline", "nrt"],
    CPUCodeLibrary: ["_optimize_final_module", "_finalize_final_module", "finalize"],
}


def test_numba_still_has_the_private_parts_that_we_use() -> None:
    gone = [f"{c.__name__}.{part}" for c in PRIVATE for part in PRIVATE[c] if not hasattr(c, part)]
    assert not gone, (
        f"numba {numba.__version__} has no {', '.join(gone)}: adapt kernels/compiling.py, or "
        " lower the upper bound of numba in pyproject.toml"
    )


def test_a_callee_is_inlined_and_has_no_machine_code() -> None:
    caller = compiled(written("def f(x): return g(x) + 1", g=doubled))
    assert caller(3) == 7
    (result,) = cast(Any, doubled).callee.overloads.values()
    assert not callable(result.entry_point)
    assert "doubled" not in "".join(assembly_calls(caller)), "the callee was not inlined"


def assembly_calls(kernel: Any) -> list[str]:
    """Call instructions in the machine code of a kernel."""
    text = next(iter(kernel.inspect_asm().values()))
    return [line for line in text.splitlines() if "call" in line]


CALLS = "def f(x): return g(x)"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(x): return x + 1", "def f(x): return x + 2"),
        ("def f(x): return x + 1", "def f(x): return x - 1"),
        ("def f(x): return x + 1", "def f(x): return x + 1.0"),
        ("def f(x): return np.sin(x)", "def f(x): return np.cos(x)"),
        ("def f(x): return x * 1 + 23", "def f(x): return x * 12 + 3"),
    ],
)
def test_a_fingerprint_changes_with_the_code(before: str, after: str) -> None:
    assert fingerprint(written(before)) != fingerprint(written(after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (1, 2),
        (1, 1.0),
        (0.5, 0.25),
        ((1, 2), (1, 3)),
        (np.uint64(1), np.uint64(2)),
        (np.int64(1), np.int64(2)),
    ],
)
def test_a_fingerprint_changes_with_a_constant(before: object, after: object) -> None:
    source = "def f(x): return x + LIMIT"
    assert fingerprint(written(source, LIMIT=before)) != fingerprint(written(source, LIMIT=after))


def test_a_fingerprint_changes_with_a_constant_spelt_through_its_module() -> None:
    modules = [ModuleType("limits"), ModuleType("limits")]
    for value, module in enumerate(modules):
        module.__dict__["LIMIT"] = value
    before, after = (written("def f(x): return x + limits.LIMIT", limits=m) for m in modules)
    assert fingerprint(before) != fingerprint(after)


def test_a_fingerprint_changes_with_a_kernel_it_calls() -> None:
    before = written(CALLS, g=compiled(add_one))
    after = written(CALLS, g=compiled(add_two))
    assert fingerprint(before) != fingerprint(after)


def test_a_fingerprint_changes_with_a_kernel_called_by_a_kernel_it_calls() -> None:
    before, after = (
        written(CALLS, g=compiled(written("def f(x): return h(x)", h=compiled(h))))
        for h in (add_one, add_two)
    )
    assert fingerprint(before) != fingerprint(after)


def test_a_fingerprint_changes_with_a_kernel_spelt_through_its_module() -> None:
    modules = [ModuleType("steps"), ModuleType("steps")]
    for kernel, module in zip((add_one, add_two), modules, strict=True):
        module.__dict__["step"] = compiled(kernel)
    before, after = (written("def f(x): return steps.step(x)", steps=m) for m in modules)
    assert fingerprint(before) != fingerprint(after)


def test_a_fingerprint_changes_with_what_a_closure_holds() -> None:
    def adding(n: int) -> Callable[[int], int]:
        return lambda x: x + n

    assert fingerprint(adding(1)) != fingerprint(adding(2))


@pytest.mark.parametrize(
    "same",
    [
        "def f(x): return x + 1",
        "\n\ndef f(x):  # a comment\n    return x + 1",
        'def f(x):\n    "A docstring."\n    return x + 1',
        'def f(x):\n    "Another docstring."\n    return x + 1',
        "def f(x: int) -> int: return x + 1",
    ],
)
def test_a_fingerprint_does_not_change_with_what_is_not_compiled(same: str) -> None:
    assert fingerprint(written("def f(x):\n    return x + 1")) == fingerprint(written(same))


def test_a_function_that_calls_itself_has_a_fingerprint() -> None:
    source = "def f(x): return 1 if x < 2 else x * f(x - 1)"
    assert fingerprint(written(source)) == fingerprint(written(source))


def test_a_bound_copy_calls_what_it_was_bound_to() -> None:
    by_one, by_two = compiled(add_one), compiled(add_two)
    assert bind(twice, "one", step=by_one)(0) == 2
    assert bind(twice, "two", step=by_two)(0) == 4


def test_binding_the_same_again_gives_the_same_copy() -> None:
    assert bind(twice, "doubled", step=doubled) is bind(twice, "doubled", step=doubled)


def test_bound_copies_have_cache_files_of_their_own() -> None:
    copies: list[Any] = [bind(twice, label, step=doubled) for label in ("here", "there")]
    names = {copy._cache._cache_file._index_name for copy in copies}
    assert len(names) == 2


def test_binding_leaves_the_template_as_it_was() -> None:
    bind(twice, "doubled", step=doubled)
    with pytest.raises(AssertionError, match="twice must be bound"):
        twice(1)


def test_a_lean_kernel_may_not_allocate() -> None:
    lean = compiled(written("def f(n): return np.zeros(n).sum()"))
    with pytest.raises(TypingError):
        lean(3)


def test_an_allocating_kernel_may() -> None:
    assert counted(3).tolist() == [0, 1, 2]


def test_a_copy_bound_to_an_allocating_kernel_frees_what_that_allocates() -> None:
    template = written("def f(n): return step(n).sum()", step=step)
    sum_of_counted = bind(template, "counted", step=counted)
    nrt: Any = import_module("numba.core.runtime.nrt")
    nrt._nrt.memsys_enable_stats()
    before = nrt.rtsys.get_allocation_stats()
    assert [sum_of_counted(4) for _ in range(10)] == [6] * 10
    after = nrt.rtsys.get_allocation_stats()
    assert after.free - before.free == after.alloc - before.alloc == 10


def test_a_copy_of_an_allocating_template_may_allocate() -> None:
    template = written("def f(n): return np.zeros(n).sum() + step(n)", step=step)
    assert bind(compiled_allocating(template), "doubled", step=doubled)(3) == 6.0


def test_a_reordering_kernel_is_right_but_for_rounding_and_called_by_lean_ones() -> None:
    source = """
        def f(numbers):
            total = 0.0
            for number in numbers:
                total += np.divide(1.0, number)
            return total
        """
    inner = compiled_reordering(written(source))
    outer = compiled(written("def f(numbers): return inner(numbers)", inner=inner))
    numbers = np.arange(1.0, 100.0)
    assert inner(numbers) == pytest.approx((1 / numbers).sum(), rel=1e-14)
    assert outer(numbers) == pytest.approx((1 / numbers).sum(), rel=1e-14)
    assert not outer.targetoptions.get("fastmath")


def test_what_has_no_file_is_compiled_without_a_cache() -> None:
    assert compiled(written("def f(x): return x + 5"))(1) == 6


class Project:
    """A folder with modules in it, a cache of its own, and a fresh process for each run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.n_edits = 0

    def write(self, name: str, source: str) -> None:
        path = self.folder / f"{name}.py"
        path.write_text("from unirank.policies.kernels.compiling import *\n" + dedent(source))
        self.n_edits += 1
        os.utime(path, (self.n_edits, self.n_edits))  # Python's own cache goes by whole seconds

    def run(self, code: str, **environment: str) -> list[str]:
        cache = {"NUMBA_CACHE_DIR": str(self.folder / "cache"), "PYTHONPATH": str(self.folder)}
        command = [sys.executable, "-W", "error", "-c", dedent(code)]
        done = subprocess.run(
            command, env={**os.environ, **cache, **environment}, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.split()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project(tmp_path)
    project.write("step", "@compiled\ndef step(x): return x + 1")
    project.write("walk", "from step import step\n@compiled\ndef walk(x): return step(step(x))")
    return project


WALK = "from walk import walk; print(walk(0), sum(walk.stats.cache_hits.values()))"


def test_a_second_process_finds_what_the_first_compiled(project: Project) -> None:
    assert [project.run(WALK), project.run(WALK)] == [["2", "0"], ["2", "1"]]


def test_an_edit_of_a_called_kernel_in_another_file_is_compiled(project: Project) -> None:
    project.run(WALK)
    project.write("step", "@compiled\ndef step(x): return x + 5")
    assert project.run(WALK) == ["10", "0"]


def test_an_edit_that_is_undone_finds_the_first_code_again(project: Project) -> None:
    project.run(WALK)
    project.write("step", "# Why one.\n@compiled\ndef step(x): return x + 1")
    assert project.run(WALK) == ["2", "1"]


PAIR = "from typing import NamedTuple\nclass Pair(NamedTuple):\n    left: int\n    right: int\n"
LEFT = "from left import left; from pair import Pair; "
SHOW = "print(left(Pair(3, 4)), sum(left.stats.cache_hits.values()))"


def test_an_index_that_names_a_class_gone_since_is_a_miss(project: Project) -> None:
    project.write("left", "@compiled\ndef left(pair): return pair.left")
    project.write("pair", PAIR)
    project.run(LEFT + SHOW)
    project.write("pair_again", PAIR)
    (project.folder / "pair.py").unlink()
    again = LEFT.replace("pair import", "pair_again import") + SHOW
    assert [project.run(again), project.run(again)] == [["3", "0"], ["3", "1"]]


def test_fields_in_another_order_are_compiled_again(project: Project) -> None:
    project.write("left", "@compiled\ndef left(pair): return pair.left")
    project.write("pair", PAIR)
    project.run(LEFT + SHOW)
    project.write("pair", PAIR.replace("left", "x").replace("right", "left"))
    assert project.run(LEFT + SHOW) == ["4", "0"]


def test_a_bound_copy_is_found_in_a_second_process(project: Project) -> None:
    project.write("stairs", "def step(x): raise AssertionError\ndef stairs(x): return step(x) * 10")
    code = """
        from stairs import *; from step import step
        climb = bind(stairs, "one", step=step)
        print(climb(0), sum(climb.stats.cache_hits.values()))
    """
    assert [project.run(code), project.run(code)] == [["10", "0"], ["10", "1"]]


def test_binding_works_without_a_compiler(project: Project) -> None:
    project.write("stairs", "def step(x): raise AssertionError\ndef stairs(x): return step(x) * 10")
    code = "from stairs import *; import step; print(bind(stairs, 'one', step=step.step)(0))"
    assert project.run(code, NUMBA_DISABLE_JIT="1") == ["10"]


def test_two_signatures_never_share_a_file_whichever_is_saved_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Two processes may each save against an index that the other has not written yet.
    files = _HashedFiles(str(tmp_path), "kernel", b"stamp")  # type: ignore[no-untyped-call]
    monkeypatch.setattr(files, "_load_index", dict)
    files.save(("int64",), b"code for integers")
    files.save(("float64",), b"code for floats")
    monkeypatch.undo()
    assert files.load(("int64",)) is None  # type: ignore[no-untyped-call]
    assert files.load(("float64",)) == b"code for floats"  # type: ignore[no-untyped-call]


def test_an_index_that_cannot_be_read_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = _HashedFiles(str(tmp_path), "kernel", "stamp")  # type: ignore[no-untyped-call]

    def unreadable(_: _HashedFiles) -> None:
        raise ModuleNotFoundError("No module named 'climber'")

    with monkeypatch.context() as patched:
        patched.setattr(_HashedFiles, "_load_index", unreadable)
        files.save("key", 7)
    assert list(files._load_index()) == ["key"]
    assert files.load("key") == 7  # type: ignore[no-untyped-call]
