"""Dependent click model: the probability to stop after a click depends on its position.

stop_k = expected stops after a click at k / clicks at k with more of the page below
"""

from typing import Any, ClassVar

import numpy as np

from unirank.logs.estimators.base import ClimbKernels, Evidence, registry
from unirank.logs.estimators.bernoulli import share
from unirank.logs.estimators.chain_models import ChainEstimator, ChainState, expect
from unirank.policies.kernels.compiling import compiled


@compiled
def value(state: ChainState) -> float:
    state.after_skip[0] = 1.0
    for position in range(state.by_group.size):
        state.after_click[position] = 1.0 - state.by_group[position]
    return expect(state)


@compiled
def improve(state: ChainState) -> None:
    for i in range(state.attraction.size):
        state.attraction[i] = share(state.head.clicks[i], state.reads[i], state.prior)
    for position in range(state.by_group.size):
        stops, goes_on = state.off[position], state.on[position]
        state.by_group[position] = share(stops, stops + goes_on, state.prior)


@registry.register("dcm", click_model="dcm", table="chains", ways="em", start="closed form")
class DCMEstimator(ChainEstimator):
    """Probability to stop after a click, per position."""

    by_position = True
    steps: ClassVar[dict[str, ClimbKernels]] = {"em": ClimbKernels("dcm", value, improve)}

    def load(self, parameters: Any) -> None:
        super().load(parameters)
        self.state.by_group[:] = parameters.stop_after_click[: self.statistics.n_positions]

    def parameters(self) -> dict[str, Any]:
        attraction, stop = self.state.attraction.copy(), self.state.by_group.copy()
        return {"attraction": attraction, "stop_after_click": stop}

    def evidence(self) -> list[Evidence]:
        # Nothing is below the last position, so stopping there neither shows nor matters.
        n_positions = self.statistics.n_positions - 1
        labels = [f"position {self.statistics.logged(k)}" for k in range(n_positions)]
        clicks = np.asarray(self.state.on + self.state.off)[:n_positions]
        stop = self.state.by_group[:n_positions].copy()
        return [
            self._attraction_evidence(),
            Evidence("stop_after_click", "clicks with more below", labels, stop, clicks),
        ]
