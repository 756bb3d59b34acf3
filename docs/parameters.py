"""Complete "Parameters" sections: meanings from docstrings, types and defaults from the code.

A docstring says, in numpydoc's form and without types, what the parameters mean that its function
or class adds: a section "Parameters", with a name on one line and its meaning below it, indented.
The type and the default are those of the signature, as they are written in the source. What a
parent class, the kind of an option, or the comment beside a field says already is not said again:
it is found there. `COMMON` has the parameters that mean the same everywhere.
"""

import ast
import inspect
import re
from collections.abc import Iterable, Iterator
from functools import cache
from textwrap import dedent
from typing import TYPE_CHECKING, Any

from formulas import GREEK, in_prose

from unirank.policies import Policy

if TYPE_CHECKING:
    from sphinx.application import Sphinx

MATH = re.compile(r"\$([^$]+)\$")
UNDERLINE = re.compile(r"-{3,}$")
NAMES = {
    "ArrayLike": "array-like",
    "ItemId": "item id",
    "PathLike": "path",
    "PolicyName": "str or Policy class",
    "PolicySpec": "str, Policy class or (either, options)",
    "Any": "any value",
    "Horizon": "int",
    "Examination": "list of float",
    "BestRanking": "list of item ids",
    "StartList": "list of item ids",
    "PerItem": "list of float",
    "PerPair": "list of lists of float",
    "Positive": "float > 0",
    "NonNegative": "float >= 0",
    "Probability": "float in [0, 1]",
    "Count": "int >= 1",
}
PLURALS = {"item id": "item ids"}
COMMON = {
    "checkpoints": "Rounds at which regret is recorded; log-spaced by default.",
    "clicks": "Ids of the items that were clicked; [] if none was.",
    "game": "Number of the game, from 0.",
    "item": "The id of an item.",
    "means": "Probability that each arm pays.",
    "model": "The click model to check.",
    "n_draws": "How many lists are drawn for the estimate.",
    "n_games": "Independent games.",
    "n_positions": "How many items a ranking has.",
    "n_rounds": "Rounds of each game.",
    "objective": 'What a ranking is worth: "clicks", "any-click" or "first-click".',
    "older_than": "Age of the youngest round to close, in seconds.",
    "order": "Old numbers in their new order.",
    "pairs": "The items of each pair.",
    "path": "The file.",
    "ranking": "Item indices, best position first.",
    "rewards": "Graded feedback in place of clicks, {id: number in [0, 1]}.",
    "round": "Number of the round, from 1.",
    "seed": "Makes the result reproducible.",
    "session": "The visit or visitor that must stay in one arm.",
    "shown": "What `rank` gave, or its token, or its round number.",
    "token_key": "The secret with which tokens are signed, if there is one.",
    "users": "The click model.",
}
COLLECTIONS = {"Iterable": "iterable", "Sequence": "sequence", "Collection": "collection"}
COLLECTIONS |= {"list": "list", "tuple": "tuple", "set": "set", "NDArray": "array"}
STARS = {"VAR_POSITIONAL": r"\*", "VAR_KEYWORD": r"\*\*"}
ORDER = ("", "Parameters", "Returns", "Raises", "Attributes", "Notes", "Examples")
UNSAID = ("None", "Self", "any value", "function", "Iterator")  # as a return type it says nothing
MAPPINGS = {"Mapping": "mapping", "dict": "dict"}


def sections(docstring: str) -> dict[str, list[str]]:
    """Return the lines of each section of a docstring, by its title; the first has none."""
    lines = inspect.cleandoc(docstring).split("\n")
    found: dict[str, list[str]] = {"": []}
    title = ""
    for line, below in zip(lines, [*lines[1:], ""], strict=True):
        if UNDERLINE.match(below) and len(line) == len(below):
            title = line
            found[title] = []
        elif not (UNDERLINE.match(line) and not found[title] and title):
            found[title].append(line)
    example = next((n for n, line in enumerate(found[""]) if line.startswith(">>> ")), None)
    if example is not None:
        found["Examples"] = found[""][example:]
        del found[""][example:]
    return found


def meanings(docstring: str | None) -> dict[str, list[str]]:
    """Return what a docstring says about each parameter: lines, by its name."""
    found: dict[str, list[str]] = {}
    name = ""
    for line in sections(docstring or "").get("Parameters", []):
        if line and not line.startswith(" "):
            name = line.partition(" : ")[0].lstrip("*")
            found[name] = []
        elif name:
            found[name].append(line.removeprefix("    "))
    return {name: "\n".join(lines).strip().split("\n") for name, lines in found.items()}


def known_meanings(thing: Any) -> dict[str, list[str]]:
    """Like `meanings`, with what parents and the kinds of options say."""
    if not inspect.isclass(thing):
        return {name: [text] for name, text in COMMON.items()} | meanings(thing.__doc__)
    found: dict[str, list[str]] = {}
    if issubclass(thing, Policy):
        found |= {n: [o.kind.meaning] for n, o in thing.declared.items() if o.kind.meaning}
    for cls in reversed(thing.__mro__[:-1]):
        found |= comments(cls) | meanings(vars(cls).get("__doc__"))
    return found


@cache
def comments(cls: type[Any]) -> dict[str, list[str]]:
    """Return the comments beside the fields of a class, as sentences."""
    beside = re.findall(r"^    (\w+): .*?  # (.+)$", source(cls), re.MULTILINE)
    return {name: [sentence(text)] for name, text in beside}


def sentence(text: str) -> str:
    """Return a comment with a capital and a full stop; a symbol, such as delta~, has no capital."""
    begins = re.match(r"[a-z]+(?=[\s,]|$)", text)
    capital = begins is not None and begins[0] not in GREEK
    return f"{text[:1].upper() if capital else text[:1]}{text[1:]}."


@cache
def annotations(thing: Any) -> dict[str, ast.expr]:
    """Return the annotations of parameters and attributes, as they are written in the source."""
    if inspect.isclass(thing):
        found: dict[str, ast.expr] = {}
        for cls in reversed(thing.__mro__[:-1]):
            found |= dict(annotated(tree_of(cls)))
        return found
    return dict(annotated(tree_of(thing)))


def source(thing: Any) -> str:
    try:
        return dedent(inspect.getsource(thing))
    except (OSError, TypeError):  # built in, or made at run time
        return "pass"


def tree_of(thing: Any) -> ast.AST:
    return ast.parse(source(thing)).body[0]


def annotated(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """Yield the annotated attributes and constructor parameters of a class, or parameters."""
    if isinstance(tree, ast.ClassDef):
        for node in tree.body:
            if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
                yield node.target.id, node.annotation
            if isinstance(node, ast.FunctionDef) and node.name == "__init__":
                yield from annotated(node)
    if isinstance(tree, ast.FunctionDef):
        given = tree.args
        several = (one for one in (given.vararg, given.kwarg) if one is not None)
        for argument in (*given.posonlyargs, *given.args, *given.kwonlyargs, *several):
            if argument.annotation is not None:
                yield argument.arg, argument.annotation


def in_words(annotation: ast.expr) -> str:
    """Return a type in words: `Iterable[ItemId] | None` is "iterable of item ids, or None"."""
    if isinstance(annotation, ast.BinOp):  # a | b | None
        return either(alternatives(annotation))
    if isinstance(annotation, ast.Subscript):
        return subscripted(ast.unparse(annotation.value).rpartition(".")[2], annotation.slice)
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return in_words(ast.parse(annotation.value, mode="eval").body)
    name = ast.unparse(annotation).rpartition(".")[2]
    return NAMES.get(name, re.sub(r"^(float|int)(64|32)$|^(bool)_$", r"\1\3", name))


def alternatives(annotation: ast.expr) -> list[str]:
    """Return each type of a union in words, without repetition, None last."""
    if isinstance(annotation, ast.BinOp):
        found = [*alternatives(annotation.left), *alternatives(annotation.right)]
        return sorted(dict.fromkeys(found), key="None".__eq__)
    return [in_words(annotation)]


def either(words: list[str]) -> str:
    *rest, last = words
    return f"{', '.join(rest)} or {last}" if rest else last


def subscripted(name: str, inside: ast.expr) -> str:
    parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
    words = [in_words(part) for part in parts if ast.unparse(part) != "..."]
    if name == "Literal":
        return " or ".join(ast.unparse(part).replace("'", '"') for part in parts)
    if name == "type":
        return f"{words[0]} class"
    if name in MAPPINGS:
        return f"{MAPPINGS[name]} of {words[0]} to {words[1]}"
    if name == "Callable":
        return "function"
    if name in COLLECTIONS and len(set(words)) == 1:
        return f"{COLLECTIONS[name]} of {PLURALS.get(words[0], words[0])}"
    if name in COLLECTIONS:
        return f"({', '.join(words)})"
    return NAMES.get(name, name)


def type_of(parameter: inspect.Parameter, annotation: ast.expr | None) -> str:
    """Return type and default of a parameter, as numpydoc writes them."""
    types = alternatives(annotation) if annotation is not None else []
    if parameter.default is None:
        types = [one for one in types if one != "None"]
    words = either(types) if types and types != [NAMES["Any"]] else ""
    if parameter.default is parameter.empty:
        return words
    default = repr(parameter.default)
    if parameter.default is None or default.startswith("<"):  # made by a factory
        return f"{words}, optional".removeprefix(", ")
    return f"{words}, default {default}".replace("'", '"').removeprefix(", ")


def complete(thing: Any, lines: Iterable[str]) -> list[str]:
    """Return a docstring with all parameters of the signature, in its order."""
    found = sections("\n".join(lines))
    known, types = known_meanings(thing), annotations(thing)
    section: list[str] = []
    for parameter in parameters(thing):
        name = STARS.get(parameter.kind.name, "") + parameter.name
        type_ = type_of(parameter, types.get(parameter.name))
        section.append(f"{name} : {type_}" if type_ else name)
        section += [f"    {line}" for line in typeset(known.get(parameter.name, []))]
    if section:
        found["Parameters"] = section
    returned = getattr(tree_of(thing), "returns", None)
    if returned is not None and (words := in_words(returned)) not in UNSAID:
        found.setdefault("Returns", [words])
    return written(found)


def typeset(lines: Iterable[str]) -> list[str]:
    """Return paragraphs, a line each, with their formulas as the role `math`."""
    found: list[str] = []
    for paragraph in "\n".join(lines).split("\n\n"):
        if words := " ".join(paragraph.split()):
            found += [*([""] if found else []), MATH.sub(r":math:`\1`", in_prose(words))]
    return found


def written(found: dict[str, list[str]]) -> list[str]:
    """Put sections together, in numpydoc's order."""
    lines: list[str] = []
    for title in sorted(found, key=ORDER.index):
        head = [title, "-" * len(title)] if title else []
        lines += [*head, *"\n".join(found[title]).strip("\n").split("\n"), ""]
    return lines


def parameters(thing: Any) -> list[inspect.Parameter]:
    """Return the parameters that a caller may give."""
    try:
        found = inspect.signature(thing).parameters.values()
    except (TypeError, ValueError):  # not callable
        return []
    return [p for p in found if p.name != "self" and not p.name.startswith("_")]


def process(_: "Sphinx", what: str, __: str, thing: Any, ___: object, lines: list[str]) -> None:
    """Complete a docstring before numpydoc reads it."""
    if what in ("class", "exception", "function", "method") and callable(thing):
        lines[:] = complete(thing, lines)


def setup(app: "Sphinx") -> dict[str, bool]:
    """Complete every docstring that autodoc shows."""
    app.connect("autodoc-process-docstring", process, priority=400)  # numpydoc's is 500
    return {"parallel_read_safe": True, "parallel_write_safe": True}
