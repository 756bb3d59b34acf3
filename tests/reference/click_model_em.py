"""EM as it is defined: all that may have happened behind each session, weighed and counted.

A hidden path is a list of chances that were taken: (parameter, outcome). A model is the list of all
paths that show the clicks of a session. The E-step weighs them by their probability, and the new
value of a parameter is the expected share of its outcomes that were true. No algebra, no table.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, product
from math import log, prod

from tests.reference.log_counting import Session

Parameter = tuple[object, ...]
Path = list[tuple[Parameter, bool]]
Parameters = dict[Parameter, float]
Model = Callable[[Session], Iterable[Path]]


def weight(path: Path, parameters: Parameters) -> float:
    return prod(parameters[name] if true else 1 - parameters[name] for name, true in path)


def likelihood(session: Session, model: Model, parameters: Parameters) -> float:
    return sum(weight(path, parameters) for path in model(session))


def log_likelihood(sessions: Sequence[Session], model: Model, parameters: Parameters) -> float:
    return sum(log(likelihood(session, model, parameters)) for session in sessions)


def em_step(
    sessions: Sequence[Session], model: Model, parameters: Parameters, prior: float = 0.0
) -> Parameters:
    """Return new parameters; those that no path names are 0.5."""
    true: defaultdict[Parameter, float] = defaultdict(float)
    taken: defaultdict[Parameter, float] = defaultdict(float)
    for session in sessions:
        whole = likelihood(session, model, parameters)
        for path in model(session):
            posterior = weight(path, parameters) / whole
            for name, outcome in path:
                true[name] += posterior * outcome
                taken[name] += posterior
    return {
        name: (true[name] + prior) / (taken[name] + 2 * prior) if taken[name] else 0.5
        for name in parameters
    }


def _examined(session: Session, cell: Callable[[int], Parameter]) -> Iterable[Path]:
    """Each position is attractive or not, and examined or not; a click is both."""
    ways = [
        [
            [(("attraction", item), attractive), (cell(position), examined)]
            for attractive, examined in product((False, True), repeat=2)
            if (attractive and examined) == (position in session.clicks)
        ]
        for position, item in enumerate(session.items)
    ]
    return (list(chain.from_iterable(choice)) for choice in product(*ways))


def pbm(session: Session) -> Iterable[Path]:
    return _examined(session, lambda position: ("examination", position))


def ubm(session: Session) -> Iterable[Path]:
    def cell(position: int) -> Parameter:
        above = [click for click in session.clicks if click < position]
        return ("examination", position, max(above, default=None))

    return _examined(session, cell)


def _read_from(
    session: Session, position: int, leaves: Callable[[int, bool], Iterable[tuple[Path, bool]]]
) -> Iterable[Path]:
    """Paths of a user who reads `position`; `leaves` lists how one may go on from there, or not."""
    clicked = position in session.clicks
    read: Path = [(("attraction", session.items[position]), clicked)]
    if position == len(session.items) - 1:
        yield read
        return
    for path, goes_on in leaves(position, clicked):
        if goes_on:
            for rest in _read_from(session, position + 1, leaves):
                yield read + path + rest
        elif max(session.clicks, default=-1) <= position:
            yield read + path


def dcm(session: Session) -> Iterable[Path]:
    def leaves(position: int, clicked: bool) -> Iterable[tuple[Path, bool]]:
        stop = ("stop", position)
        return [([(stop, True)], False), ([(stop, False)], True)] if clicked else [([], True)]

    return _read_from(session, 0, leaves)


def sdbn(session: Session) -> Iterable[Path]:
    def leaves(position: int, clicked: bool) -> Iterable[tuple[Path, bool]]:
        satisfied = ("satisfaction", session.items[position])
        if not clicked:
            return [([], True)]
        return [([(satisfied, True)], False), ([(satisfied, False)], True)]

    return _read_from(session, 0, leaves)


def dbn(session: Session) -> Iterable[Path]:
    def leaves(position: int, clicked: bool) -> Iterable[tuple[Path, bool]]:
        satisfied = ("satisfaction", session.items[position])
        before: Path = [(satisfied, False)] if clicked else []
        if clicked:
            yield [(satisfied, True)], False
        yield [*before, (("abandon",), True)], False
        yield [*before, (("abandon",), False)], True

    return _read_from(session, 0, leaves)


def ccm(session: Session) -> Iterable[Path]:
    def leaves(position: int, clicked: bool) -> Iterable[tuple[Path, bool]]:
        if not clicked:
            for goes_on in (False, True):
                yield [(("continue_no_click",), goes_on)], goes_on
            return
        for relevant, goes_on in product((False, True), repeat=2):
            after = "continue_click_relevant" if relevant else "continue_click_not_relevant"
            draw = (("attraction", session.items[position]), relevant)
            yield [draw, ((after,), goes_on)], goes_on

    return _read_from(session, 0, leaves)


MODELS: dict[str, Model] = {
    "pbm": pbm, "ubm": ubm, "dcm": dcm, "sdbn": sdbn, "dbn": dbn, "ccm": ccm
}  # fmt: skip
