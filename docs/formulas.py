r"""Formulas of docstrings, which are plain text, as LaTeX: `s_ij / 2` is \frac{s_{ij}}{2}.

A docstring is read in an editor, in `help` and on the command line, so its formulas stand there as
text: `W_ij` has a subscript, `a b` is a product, `a / b c` a fraction times c; `sqrt(x)`, `ln t`,
Greek letters have names, and words are words. `displayed` typesets formulas that stand alone,
`in_prose` finds and typesets those inside a sentence.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

GREEK = {
    "alpha",
    "beta",
    "gamma",
    "delta",
    "Delta",
    "epsilon",
    "theta",
    "kappa",
    "pi",
    "phi",
    "Phi",
}
ACCENTED = {"delta~": r"\tilde{\delta}", "Delta~": r"\tilde{\Delta}", "Delta*": r"\Delta^{*}"}
FUNCTIONS = {
    **{name: rf"\{name}" for name in ("ln", "log", "exp")},
    **{name: rf"\operatorname{{{name}}}" for name in ("kl", "Beta", "Bernoulli")},
    "kl_ucb": r"\operatorname{kl-ucb}",
}
OVER = {name: rf"\{name}" for name in ("prod", "sum", "max", "min")}
RELATIONS = {"=": "=", "<": "<", ">": ">", "<=": r"\le", ">=": r"\ge", "<-": r"\leftarrow"}
RELATIONS["~"] = r"\sim"
OPERATIONS = {"+": "+", "-": "-", "+-": r"\pm", "*": r"\cdot", "/": "/"}
SIGNS = RELATIONS | OPERATIONS | {"|": r"\mid", ",": r",\;", "...": r"\ldots", "..": r"\,..\,"}
BRACKETS = {"(": ")", "[": "]"}
AROUND = {"sqrt": (r"\sqrt{", "}"), "ceil": (r"\lceil ", r" \rceil")}
NO_SYMBOLS = set("aAI")  # words of one letter
TOKEN = re.compile(
    r"`[^`]*`"  # code
    r"|\d+(?:\.\d+)?"
    r"|(?:delta|Delta)[~*](?:_[a-z]{1,2})?"  # the paper's gaps
    r"|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+(?:[+-]1(?!\w))?)*(?:['-][A-Za-z]{2,}|'s)*"
    r"|<=|>=|<-|\+-|\.{2,3}|\S"
)


class Token(NamedTuple):
    """A piece of a text: a number, a name or a sign."""

    text: str
    start: int
    end: int
    spaced: bool  # not directly after the piece before

    @property
    def base_and_subscript(self) -> tuple[str, str]:
        """W and ij of W_ij; stop_after_click, whose last part is a word, has no subscript."""
        base, _, below = self.text.rpartition("_")
        has_one = base and len(re.sub(r"[+-]1$", "", below)) <= 2
        return (base, below) if has_one else (self.text, "")

    @property
    def is_symbol(self) -> bool:
        """Whether this is a letter, a Greek letter, a function, or has a subscript."""
        if not self.text[0].isalpha():
            return False
        base, below = self.base_and_subscript
        one_letter = len(self.text) == 1 and self.text not in NO_SYMBOLS
        return one_letter or bool(below) or base in {*GREEK, *ACCENTED, *FUNCTIONS}

    @property
    def is_word(self) -> bool:
        return self.text[0].isalpha() and not self.is_symbol


def cut(text: str) -> list[Token]:
    """Cut a text into pieces."""
    found, end = [], 0
    for match in TOKEN.finditer(text):
        found.append(Token(match[0], match.start(), match.end(), match.start() > end))
        end = match.end()
    return found


class Reader:
    """Reads the pieces of one formula and returns its LaTeX."""

    def __init__(self, pieces: Sequence[Token], *, fractions: bool) -> None:
        self.rest = list(pieces)
        self.fractions = fractions

    def formula(self, closing: str = "") -> str:
        """Read up to the closing bracket."""
        parts: list[str] = []
        product = 0  # where the present product starts
        while self.rest and self.rest[0].text != closing:
            token = self.rest[0]
            if token.text == "/" and self.fractions and product < len(parts):
                self.rest.pop(0)
                above, below = bare(" ".join(parts[product:])), bare(self.factor())
                parts[product:] = [rf"\frac{{{above}}}{{{below}}}"]
            elif token.text in SIGNS:
                parts.append(SIGNS[self.rest.pop(0).text])
                product = len(parts)
            elif self.at_word():
                parts.append(self.words(after_symbol=product < len(parts)))
                product = len(parts) - self.at(0, "/")
            else:
                times = (
                    r"\cdot " if token.text.isdigit() and parts[-1:] and parts[-1].isdigit() else ""
                )
                parts.append(times + self.factor())
        del self.rest[:1]
        return " ".join(parts)

    def at(self, place: int, signs: str) -> bool:
        return place < len(self.rest) and self.rest[place].text in signs

    def adjacent(self, place: int, signs: str) -> bool:
        return self.at(place, signs) and not self.rest[place].spaced

    def at_word(self) -> bool:
        """Whether a word is next that is neither a function nor an array."""
        return bool(self.rest) and self.rest[0].is_word and not self.adjacent(1, "([_")

    def words(self, *, after_symbol: bool) -> str:
        """Read words; spaces keep them apart from a symbol beside them, not from a sign."""
        found = [self.rest.pop(0).text]
        while self.at_word() and not self.at(1, "/"):
            found.append(self.rest.pop(0).text)
        apart = self.rest and self.rest[0].spaced and self.rest[0].text not in SIGNS
        return rf"\text{{{' ' * after_symbol}{' '.join(found)}{' ' * bool(apart)}}}"

    def factor(self) -> str:
        """Read one number, name, call or bracket, with its index and exponent."""
        token = self.rest.pop(0)
        if token.text in BRACKETS:
            found = self.bracket(token.text)
        elif token.text in AROUND and self.adjacent(0, "("):
            del self.rest[0]
            found = self.formula(")").join(AROUND[token.text])
        else:
            found = symbol(token)
        if self.adjacent(0, "_") and self.at(1, "("):
            del self.rest[:2]
            found += f"_{{{self.formula(')')}}}"
        while self.adjacent(0, "(["):
            found += self.bracket(self.rest.pop(0).text)
        if self.adjacent(0, "^"):
            del self.rest[0]
            found += f"^{{{bare(self.factor())}}}"
        return found

    def bracket(self, opening: str) -> str:
        inside = self.formula(BRACKETS[opening])
        left, right = (r"\left", r"\right") if re.search(r"\\(frac|sqrt)", inside) else ("", "")
        return f"{left}{opening}{inside}{right}{BRACKETS[opening]}"


def symbol(token: Token) -> str:
    """LaTeX of a number or a name, with its subscript."""
    base, below = token.base_and_subscript
    if base in ACCENTED:
        base = ACCENTED[base]
    elif base in GREEK:
        base = f"\\{base}"
    elif base in FUNCTIONS or base in OVER:
        base = {**FUNCTIONS, **OVER}[base]
    elif len(base) > 1 and base[0].isalpha():
        base = rf"\text{{{base}}}"
    return base + (f"_{{{below}}}" if below else "")


def bare(latex: str) -> str:
    """Take off brackets around the whole, which a fraction line or an exponent makes needless."""
    inside = re.fullmatch(r"(?:\\left)?\((.*?)(?:\\right)?\)", latex)
    if inside is None:
        return latex
    depth = 0
    for sign in re.findall(r"[()]", inside[1]):
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return latex
    return inside[1]


def displayed(lines: Sequence[str]) -> str:
    """LaTeX of lines that stand alone; three spaces after a comma separate two formulas."""
    parts = [part for line in lines for part in re.split(r"(?<=,) {3,}", line)]
    formulas = [part.strip(" ,") for part in parts]
    if len(formulas) == 1:
        return Reader(cut(formulas[0]), fractions=True).formula()
    rows = " \\\\\n".join(aligned(cut(formula)) for formula in formulas)
    return f"\\begin{{aligned}}\n{rows}\n\\end{{aligned}}"


def aligned(pieces: Sequence[Token]) -> str:
    """LaTeX of a formula, with `&` at its first relation."""
    relations = (n for n, token in enumerate(pieces) if token.text in RELATIONS)
    place = next((n for n in relations if not is_open(pieces[:n])), 0)
    sides = [Reader(part, fractions=True).formula() for part in (pieces[:place], pieces[place:])]
    sides[1] = re.sub(
        r"^(\S+) (\\text\{[^}]*\})$", r"\\; \1 \\; \2", sides[1]
    )  # "= words" has no space
    return " & {} ".join(sides).strip()  # the empty group gives other relations theirs


def is_open(pieces: Sequence[Token]) -> bool:
    """Whether a bracket is open after these pieces."""
    return sum((t.text in BRACKETS) - (t.text in BRACKETS.values()) for t in pieces) > 0


def in_prose(text: str) -> str:
    """Put the formulas of a sentence between dollar signs, as LaTeX."""
    pieces, written, end, first = cut(text), "", 0, 0
    while first < len(pieces):
        called = pieces[first].text in BRACKETS and not pieces[first].spaced  # as in click(i, k)
        last = first + (0 if called else formula_length(pieces[first:]))
        if last > first:
            latex = Reader(pieces[first:last], fractions=False).formula()
            written += f"{text[end : pieces[first].start]}${latex}$"
            end = pieces[last - 1].end
        first = max(last, first + 1)
    return written + text[end:]


def formula_length(pieces: Sequence[Token]) -> int:
    """How many of the first pieces are a formula; 0 if none."""
    lengths = range(reach(pieces), 0, -1)
    return next((n for n in lengths if is_formula(pieces[:n], pieces[n : n + 1])), 0)


def reach(pieces: Sequence[Token]) -> int:
    """How far a formula may go: to the first word outside of a call, as kl(mean, q)."""
    depth = 0
    for place, token in enumerate(pieces):
        called = place > 0 and not token.spaced and is_callable(pieces[place - 1])
        if token.text in BRACKETS and (depth or called):
            depth += 1
        elif token.text in BRACKETS.values() and depth:
            depth -= 1
        elif token.is_word:
            if not depth and not is_called(pieces[place : place + 2]):
                return place
        elif not (token.is_symbol or token.text[0].isdigit() or token.text in {*SIGNS, *"()[]^"}):
            return place
    return len(pieces)


def is_callable(token: Token) -> bool:
    return token.is_symbol or token.text in {*OVER, *AROUND}


def is_called(pieces: Sequence[Token]) -> bool:
    """Whether a word is a function or an array: max(...), noise[...]."""
    word, *after = pieces
    brackets = "([" if is_callable(word) else "["
    return bool(after) and not after[0].spaced and after[0].text in brackets


def is_formula(pieces: Sequence[Token], following: Sequence[Token]) -> bool:
    """Whether the pieces make one formula, with balanced brackets and a symbol in it."""
    if pieces[-1].is_word or any(token.text in ("/", "*", "^") for token in following):
        return False
    depth = 0
    for place, token in enumerate(pieces):
        if token.text in ("(", "["):
            remark = any(t.text in RELATIONS for t in inside(pieces[place:]))
            if depth == 0 and place and token.spaced and remark:
                return False  # b <= 0 (t < 3)
            depth += 1
        depth -= token.text in (")", "]")
        if depth < 0 or (depth == 0 and token.text in (",", "|", "...")):
            return False
    open_ended = pieces[0].text in {*SIGNS, *")]^"} or pieces[-1].text in {*SIGNS, *FUNCTIONS, "^"}
    letters = [t for t in pieces if t.text == "^" or (t.is_symbol and t.text not in FUNCTIONS)]
    return depth == 0 and not open_ended and bool(letters)


def inside(pieces: Sequence[Token]) -> Sequence[Token]:
    """What the bracket holds that starts here."""
    depth = 0
    for place, token in enumerate(pieces):
        depth += token.text in ("(", "[")
        depth -= token.text in (")", "]")
        if depth == 0:
            return pieces[1:place]
    return pieces[1:]
