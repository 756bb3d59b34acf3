"""BC-MP-TS in ordinary Python: MP-TS corrected for the examination of the positions.

Komiyama, Honda and Nakagawa, ICML 2015.
`policy.py` is the compiled edition.
"""

from unirank import policies
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.kernels.randomness import MOST_ITEMS
from unirank.policies.plain.beta import beta
from unirank.policies.plain.known_examination import KnownExamination
from unirank.policies.plain.selection import largest


@policies.registry.register_plain(policies.BCMPTS)
class BCMPTS(KnownExamination):
    """Shows the items of largest sampled click rate, corrected for the examination.

    With S_ik = 1/2 + clicked_ik and N_ik = 1 + shown_ik, each round draws

        sample_i ~ Beta(1 + sum_k S_ik, 1 + sum_k max(examination_k N_ik - S_ik, 0))
    """

    def rank(self, rng: RoundRng) -> list[int]:
        samples = [
            beta(rng.draws, MOST_ITEMS + item, *self.shapes(item)) for item in range(self.n_items)
        ]
        return largest(samples, self.n_positions, rng.draws)

    def shapes(self, item: int) -> tuple[float, float]:
        """Return both parameters of the Beta distribution of an item."""
        clicks = [1 / 2 + clicked for clicked in self.clicked[item].tolist()]
        displays = [1 + shown for shown in self.shown[item].tolist()]
        refused = [
            max(kappa * n - s, 0)
            for kappa, n, s in zip(self.examination, displays, clicks, strict=True)
        ]
        return 1 + sum(clicks), 1 + sum(refused)
