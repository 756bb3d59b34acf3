"""Compile kernels, and find their compiled code again in the next process.

`compiled` is `numba.njit(nogil=True)` with a disk cache that cannot go stale. Numba's own cache
looks at the file of the compiled function only: after an edit to `indices.py` it would go on
serving a policy compiled with the old index. Ours keys each entry by a fingerprint of the
function and of everything it calls, wherever that is written.

`bind` makes a specialised copy of a compiled function by filling in its placeholders: the round
loop with a policy's `rank` and a click model's `click`. Each copy has a cache file of its own, so
one policy whose module has gone away cannot spoil the cached loops of the others.
"""

import dis
import gc
import hashlib
from collections.abc import Callable
from contextlib import suppress
from types import CodeType, FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np
from numba import types
from numba.core import config
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher
from numba.core.registry import CPUDispatcher

from unirank.policies.kernels.cache_folder import PrivateCacheImpl, PrivateFiles
from unirank.policies.kernels.compile_errors import compile_error

F = TypeVar("F", bound=Callable[..., Any])

# In the round loop, passing a state of a dozen arrays from function to function costs several times
# what the algorithm does, unless calls are inlined and arrays are not reference-counted: change
# these options and run `unirank bench` to see. Without reference counts a kernel cannot create
# arrays: scratch belongs in the state.
LEAN = {"nogil": True, "forceinline": True, "_nrt": False}
ALLOCATING = {"nogil": True, "forceinline": True}
REORDERING = {**LEAN, "fastmath": True}


def compiled(function: F) -> F:
    """Compile `function` on first call, without the GIL, cached on disk. It must not allocate."""
    return _compile(function, LEAN)


def compiled_allocating(function: F) -> F:
    """Like `compiled`, for a function that creates arrays: easier to write, slower to call."""
    return _compile(function, ALLOCATING)


def compiled_reordering(function: F) -> F:
    """Like `compiled`, for a sum whose last digits may differ between machines: it is vectorised.

    Only for what decides nothing by its last digits, such as a bound with a margin, and for finite
    numbers; divide by `numpy.divide`, which does not look for zeros.
    """
    return _compile(function, REORDERING)


def _compile(function: F, options: dict[str, bool]) -> F:
    if config.DISABLE_JIT:  # type: ignore[attr-defined]
        return function
    kernel: Any = _Kernel(function, {"nopython": True, "no_cfunc_wrapper": True, **options})
    # Where no folder is ours alone there is no cache: compile in each process.
    with suppress(RuntimeError):
        kernel._cache = _FingerprintCache(function, tuple(options.items()))
    return kernel


class _Callee(CPUDispatcher):
    """A function as compiled callers see it: intermediate code to inline.

    Numba compiles every function three times, for compiled callers, for Python and for C, and turns
    all three into machine code. Without the last two, and without machine code of its own, a callee
    takes half the time.
    """

    def __init__(self, function: Any, options: dict[str, bool]) -> None:
        super().__init__(function, targetoptions={**options, "no_cpython_wrapper": True})
        compiler: Any = self._compiler  # type: ignore[attr-defined]
        compiler._customize_flags = _without_machine_code

    def add_overload(self, result: Any) -> None:
        result = result._replace(entry_point=object())  # the key by which callers find the code
        self.targetctx.insert_user_function(result.entry_point, result.fndesc, [result.library])
        library = result.library
        library._optimize_final_module = library._finalize_final_module = _leave_to_the_caller
        library.finalize()
        library._finalized = True
        self.overloads[tuple(result.signature.args)] = result


def _leave_to_the_caller() -> None:
    """Optimise a callee, and make machine code of it, in the function that it is inlined into."""


def _without_machine_code(flags: Any) -> Any:
    flags.no_compile = True
    return flags


class _Kernel(CPUDispatcher):
    """A compiled function that Python can call; compiled callers are given its `_Callee`."""

    def __init__(self, function: Any, targetoptions: dict[str, bool]) -> None:
        super().__init__(function, targetoptions=targetoptions)
        self.callee = _Callee(function, targetoptions)

    def compile(self, sig: Any) -> Any:
        # Numba creates a million objects; looking for garbage among them takes a tenth of the time.
        collecting = gc.isenabled()
        gc.disable()
        try:
            return super().compile(sig)
        except Exception as error:
            error.add_note(compile_error(error))
            raise
        finally:
            if collecting:
                gc.enable()

    def get_call_template(self, args: Any, kws: Any) -> Any:
        # One copy serves constants and variables alike: inlining makes the constant known anyway.
        args = tuple(types.unliteral(each) for each in args)
        return self.callee.get_call_template(args, kws)

    def get_overload(self, sig: Any) -> Any:
        return self.callee.get_overload(sig)


_bound: dict[tuple[Any, ...], Any] = {}


def bind(template: F, label: str, **kernels: Any) -> F:
    """Return `template` with its placeholders, the global names in `kernels`, filled in.

    If any of them allocates, or the template does, so may the copy.
    """
    key = (template, label, *kernels.items())
    if key not in _bound:
        plain: Any = getattr(template, "py_func", template)
        function = FunctionType(plain.__code__, {**plain.__globals__, **kernels}, plain.__name__)
        function.__module__ = plain.__module__
        function.__qualname__ = f"{plain.__name__}.{label}"
        allocating = allocates(template, *kernels.values())
        _bound[key] = _compile(function, ALLOCATING if allocating else LEAN)
    return _bound[key]


def allocates(*kernels: Any) -> bool:
    """Whether one of these functions may create arrays.

    A function that returns part of an array must be compiled as its caller is: without reference
    counts it does not count the part, which a caller with them would then set free once too often.
    """
    return any(getattr(kernel, "targetoptions", LEAN).get("_nrt", True) for kernel in kernels)


class _HashedFiles(PrivateFiles):
    """Names each data file after its key, where numba numbers them.

    Two processes that compile at once may both write the index, and one entry may be lost; but no
    entry can point at the other's code.
    """

    def save(self, key: Any, data: Any) -> None:
        digest = hashlib.sha256(repr(key).encode()).hexdigest()[:16]
        name = self._index_name.removesuffix(".nbi") + f".{digest}.nbc"
        self._save_data(name, data)  # type: ignore[no-untyped-call]
        try:
            index = self._load_index()
        except Exception:  # another process has saved a class that cannot be imported here
            index = {}
        self._save_index({**index, key: name})  # type: ignore[no-untyped-call]


class _FingerprintCache(FunctionCache):
    _impl_class = PrivateCacheImpl

    def __init__(self, function: Callable[..., Any], options: tuple[tuple[str, bool], ...]) -> None:
        super().__init__(function)  # type: ignore[no-untyped-call]
        self.options = options
        self._cache_file = _HashedFiles(  # type: ignore[no-untyped-call]
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def _index_key(self, sig: Any, codegen: Any) -> tuple[Any, ...]:
        fields = tuple(getattr(a, "fields", ()) for a in sig if isinstance(a, types.BaseNamedTuple))
        key = super()._index_key(sig, codegen)  # type: ignore[no-untyped-call]
        return (*key, fingerprint(self._py_func), fields, self.options)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        # An index can name a State class that is not importable any more (a notebook's, a moved
        # module's): that is a miss, not a reason to fail.
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:
            self.flush()  # type: ignore[no-untyped-call]
            return None


_fingerprints: dict[Any, str] = {}


def fingerprint(function: Callable[..., Any]) -> str:
    """Digest of what `function` compiles to: its instructions and, recursively, all they name."""
    if function not in _fingerprints:
        _fingerprints[function] = ""  # a function that calls itself stops here
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        names = {**function.__globals__, **{n: cell.cell_contents for n, cell in cells.items()}}
        described = repr(_describe_code(function.__code__, names))
        _fingerprints[function] = hashlib.sha256(described.encode()).hexdigest()
    return _fingerprints[function]


def _describe_code(code: CodeType, names: dict[str, Any]) -> tuple[Any, ...]:
    """Instructions with their constants in place: docstrings and line numbers do not count."""
    instructions = tuple(
        (step.opname, _describe_argument(step.argval, names)) for step in dis.get_instructions(code)
    )
    used = {*code.co_names, *code.co_freevars}
    values = {name: _describe_value(names[name]) for name in sorted(used & names.keys())}
    for name in sorted(used & names.keys()):
        if isinstance(names[name], ModuleType):  # kernels and constants spelt module.name
            inside = vars(names[name])
            for attribute in sorted(used & inside.keys()):
                values[f"{name}.{attribute}"] = _describe_value(inside[attribute])
    return instructions, tuple(values.items())


def _describe_argument(value: object, names: dict[str, Any]) -> object:
    return _describe_code(value, names) if isinstance(value, CodeType) else value


def _describe_value(value: object) -> str:
    if isinstance(value, Dispatcher):
        return fingerprint(value.py_func)
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, int | float | complex | str | tuple | np.generic | np.dtype):
        return f"{type(value).__name__} {value!r}"
    return str(getattr(value, "__qualname__", type(value).__qualname__))
