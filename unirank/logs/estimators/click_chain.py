"""Click chain model: a clicked item is relevant with a probability equal to its attraction.

The probability to read on is continue_click_relevant (c_r) or continue_click_not_relevant (c_n).
Relevance is hidden. With on and off the expected clicks on i after which the user read on or left,

    P(relevant | read on) = c_r attraction_i / (c_r attraction_i + c_n (1 - attraction_i))

and likewise for leaving, with 1 - c_r and 1 - c_n. An item's attraction is the share of successes
among its reads and its relevance draws together,

    attraction_i = (clicks + expected relevant) / (reads + on + off).

A click at the end of the page says nothing about relevance; its draw is not counted.
"""

from typing import Any, ClassVar

from unirank.logs.estimators.base import ClimbKernels, Evidence, registry
from unirank.logs.estimators.bernoulli import share
from unirank.logs.estimators.chain_models import ChainEstimator, ChainState, expect
from unirank.policies.kernels.compiling import compiled

NO_CLICK, NOT_RELEVANT, RELEVANT = 0, 1, 2  # places in `shared`


@compiled
def value(state: ChainState) -> float:
    state.after_skip[0] = state.shared[NO_CLICK]
    for i in range(state.attraction.size):
        a = state.attraction[i]
        state.after_click[i] = state.shared[NOT_RELEVANT] * (1.0 - a) + state.shared[RELEVANT] * a
    return expect(state)


@compiled
def relevant(count: float, attraction: float, if_relevant: float, if_not: float) -> float:
    """Return the expected number of relevant draws among `count`, given what happened next."""
    first = attraction * if_relevant
    whole = first + (1.0 - attraction) * if_not
    return count * first / whole if whole > 0.0 else 0.0


@compiled
def improve(state: ChainState) -> None:
    c_n, c_r = state.shared[NOT_RELEVANT], state.shared[RELEVANT]
    relevant_on = relevant_off = on = off = 0.0
    for i in range(state.attraction.size):
        a = state.attraction[i]
        item_on = relevant(state.on[i], a, c_r, c_n)
        item_off = relevant(state.off[i], a, 1.0 - c_r, 1.0 - c_n)
        relevant_on += item_on
        relevant_off += item_off
        on += state.on[i]
        off += state.off[i]
        state.attraction[i] = share(
            state.head.clicks[i] + item_on + item_off,
            state.reads[i] + state.on[i] + state.off[i],
            state.prior,
        )
    irrelevant_on, irrelevant_off = on - relevant_on, off - relevant_off
    state.shared[NO_CLICK] = share(state.skips[1], state.skips[0] + state.skips[1], state.prior)
    state.shared[NOT_RELEVANT] = share(irrelevant_on, irrelevant_on + irrelevant_off, state.prior)
    state.shared[RELEVANT] = share(relevant_on, relevant_on + relevant_off, state.prior)


@registry.register("ccm", click_model="ccm", table="chains", ways="em", start="closed form")
class CCMEstimator(ChainEstimator):
    """Three probabilities to read on."""

    has_groups = False
    shared_start = (0.9, 0.7, 0.3)
    names = ("continue_no_click", "continue_click_not_relevant", "continue_click_relevant")
    steps: ClassVar[dict[str, ClimbKernels]] = {"em": ClimbKernels("ccm", value, improve)}

    def load(self, parameters: Any) -> None:
        super().load(parameters)
        self.state.shared[:] = parameters[1:]

    def parameters(self) -> dict[str, Any]:
        shared = dict(zip(self.names, self.state.shared.tolist(), strict=True))
        return {"attraction": self.state.attraction.copy(), **shared}

    def evidence(self) -> list[Evidence]:
        skips, clicks = self.state.skips.sum(), (self.state.on + self.state.off).sum()
        counts = (float(skips), float(clicks), float(clicks))
        shared = [
            self._shared_evidence(name, n, count)
            for n, (name, count) in enumerate(zip(self.names, counts, strict=True))
        ]
        return [self._attraction_evidence(), *shared]
