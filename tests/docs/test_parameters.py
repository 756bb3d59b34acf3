"""Every parameter has a type and a meaning, each said in one place."""

import ast
import inspect
from collections.abc import Iterable
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray
from parameters import complete, in_words, known_meanings, meanings, parameters, sections
from reference_pages import USED

import unirank as ur
from unirank.lab import checks

TYPES = {
    "ArrayLike": "array-like",
    "NDArray[np.float64]": "array of float",
    "int | Iterable[ItemId]": "int or iterable of item ids",
    "str | PathLike[str]": "str or path",
    "Mapping[ItemId, float]": "mapping of item id to float",
    "Literal['a', 'b']": '"a" or "b"',
    "tuple[int, ...]": "tuple of int",
    "tuple[str, int]": "(str, int)",
    "type[Policy]": "Policy class",
    "Callable[[str], int]": "function",
    "Positive": "float > 0",
    "'pl.DataFrame'": "DataFrame",
    "int | float | None": "int, float or None",
}


@pytest.mark.parametrize("annotation", TYPES)
def test_a_type_in_words(annotation: str) -> None:
    assert in_words(ast.parse(annotation, mode="eval").body) == TYPES[annotation]


def example(
    weights: ArrayLike, n: int = 3, *more: str, name: str | None = None
) -> NDArray[np.int64]:
    """Do it.

    At length.

    Parameters
    ----------
    weights
        How much
        each t counts.
    name
        Its name.

    Examples
    --------
    >>> 1
    1
    """
    raise NotImplementedError


def test_types_and_defaults_are_filled_in() -> None:
    found = sections("\n".join(complete(example, (example.__doc__ or "").split("\n"))))
    assert found["Parameters"][:6] == [
        "weights : array-like",
        "    How much each :math:`t` counts.",
        "n : int, default 3",
        r"\*more : str",
        "name : str, optional",
        "    Its name.",
    ]
    assert found["Returns"][0] == "array of int"
    assert list(found) == ["", "Parameters", "Returns", "Examples"]


def test_meanings_are_those_of_the_section() -> None:
    assert meanings(example.__doc__) == {
        "weights": ["How much", "each t counts."],
        "name": ["Its name."],
    }


def test_a_policy_has_the_meanings_of_its_parents_and_of_the_kinds_of_its_options() -> None:
    found = known_meanings(ur.policies.SGRAB)
    assert found["seed"] == meanings(ur.Policy.__doc__)["seed"]
    assert found["period"] == meanings(ur.policies.SGRAB.__doc__)["period"]
    assert known_meanings(ur.policies.PBMTS)["examination"][0].startswith(
        "Probability that users look"
    )


def test_the_comment_beside_a_field_is_its_meaning() -> None:
    gap, pair = known_meanings(ur.lab.theory.Gap), known_meanings(ur.lab.theory.Comparison)
    assert pair["probability"] == ["delta~: the clicks on the two differ."]
    assert gap["against"] == ["The item at place min(k - 1, n_positions)."]


def public() -> Iterable[tuple[str, Any]]:
    """Every public function and class, and the methods that users of a class call."""
    for module in (ur, ur.plots, checks):
        for name in module.__all__:
            thing = getattr(module, name)
            if isinstance(thing, ModuleType):
                continue
            yield name, thing
            for method, function in vars(thing).items() if inspect.isclass(thing) else ():
                used = not method.startswith("_") and (thing is not ur.Policy or method in USED)
                if used and isinstance(function, FunctionType) and function.__doc__:
                    yield f"{name}.{method}", function


PUBLIC = dict(public())


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_parameter_has_a_meaning(name: str) -> None:
    known = known_meanings(PUBLIC[name])
    missing = [p.name for p in parameters(PUBLIC[name]) if not any(known.get(p.name, ()))]
    assert not missing, f"say in the docstring of {name}, under Parameters, what they mean"


@pytest.mark.parametrize("name", PUBLIC)
def test_a_docstring_explains_no_parameter_that_is_not_there(name: str) -> None:
    said = meanings(PUBLIC[name].__doc__)
    assert said.keys() <= {parameter.name for parameter in parameters(PUBLIC[name])}


@pytest.mark.parametrize("name", PUBLIC)
def test_array_like_is_one_word_in_help(name: str) -> None:
    if callable(PUBLIC[name]) and parameters(PUBLIC[name]):
        assert "_NestedSequence" not in str(inspect.signature(PUBLIC[name]))
