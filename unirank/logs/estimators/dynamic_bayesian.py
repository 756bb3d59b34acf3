"""Dynamic Bayesian network, and its simplification without abandonment.

A user who reads on after a click was not satisfied and did not abandon; one who stops did either:

    P(satisfied | stopped after a click on i) = satisfaction_i / (satisfaction_i
                                                + (1 - satisfaction_i) abandon)

Satisfaction is the mean of this over clicks that are not at the end of the page. Abandon is the
share of stops among the occasions to read on that satisfaction did not end. An abandon of 0 stays
0: this is the simplified model (SDBN).
"""

from typing import Any, ClassVar

import numpy as np

from unirank.logs.estimators.base import ClimbKernels, Evidence, registry
from unirank.logs.estimators.bernoulli import share
from unirank.logs.estimators.chain_models import ChainEstimator, ChainState, expect
from unirank.policies.kernels.compiling import compiled


@compiled
def value(state: ChainState) -> float:
    stays = 1.0 - state.shared[0]
    state.after_skip[0] = stays
    for i in range(state.by_group.size):
        state.after_click[i] = (1.0 - state.by_group[i]) * stays
    return expect(state)


@compiled
def improve(state: ChainState) -> None:
    abandon = state.shared[0]
    tired, kept = state.skips[0], state.skips[1]
    for i in range(state.attraction.size):
        state.attraction[i] = share(state.head.clicks[i], state.reads[i], state.prior)
        satisfaction = state.by_group[i]
        either = satisfaction + (1.0 - satisfaction) * abandon
        satisfied = state.off[i] * satisfaction / either if either > 0.0 else 0.0
        state.by_group[i] = share(satisfied, state.off[i] + state.on[i], state.prior)
        tired += state.off[i] - satisfied
        kept += state.on[i]
    if abandon > 0.0:
        state.shared[0] = share(tired, tired + kept, state.prior)


@registry.register("dbn", click_model="dbn", table="chains", ways="em", start="closed form")
class DBNEstimator(ChainEstimator):
    """Satisfaction per item, and one probability of abandonment."""

    shared_start = (0.1,)
    steps: ClassVar[dict[str, ClimbKernels]] = {"em": ClimbKernels("dbn", value, improve)}

    def load(self, parameters: Any) -> None:
        super().load(parameters)
        self.state.by_group[:] = parameters.satisfaction
        self.state.shared[0] = parameters.abandon

    def parameters(self) -> dict[str, Any]:
        return {
            "attraction": self.state.attraction.copy(),
            "satisfaction": self.state.by_group.copy(),
            "abandon": float(self.state.shared[0]),
        }

    def evidence(self) -> list[Evidence]:
        clicks = np.asarray(self.state.on + self.state.off)
        satisfaction, items = self.state.by_group.copy(), self.statistics.items
        found = [
            self._attraction_evidence(),
            Evidence("satisfaction", "clicks with more below", items, satisfaction, clicks),
        ]
        if self.shared_start[0] > 0.0:
            occasions = float(clicks.sum() + self.state.skips.sum())
            found.append(self._shared_evidence("abandon", 0, occasions))
        return found


@registry.register("sdbn", click_model="dbn", table="chains", ways="em", start="closed form")
class SDBNEstimator(DBNEstimator):
    """Satisfaction per item, without abandonment."""

    shared_start = (0.0,)

    def _pin(self) -> None:
        self.state.shared[0] = 0.0
