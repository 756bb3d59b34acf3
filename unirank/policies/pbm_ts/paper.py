"""PBM-TS in ordinary Python: Thompson sampling where the examination is known.

Lagree, Vernade and Cappe, "Multiple-Play Bandits in the Position-Based Model", NIPS 2016.
`policy.py` is the compiled edition.
"""

from unirank import policies
from unirank.policies.base.round_rng import RoundRng
from unirank.policies.kernels.randomness import MOST_ITEMS
from unirank.policies.plain.known_examination import KnownExamination
from unirank.policies.plain.posterior import sample
from unirank.policies.plain.selection import largest


@policies.registry.register_plain(policies.PBMTS)
class PBMTS(KnownExamination):
    """Shows the items of largest sampled attraction, for positions whose examination is known.

    Each round draws one attraction x per item from its posterior, whose density is proportional to

        x^S prod_k (1 - examination_k x)^M_k,   S clicks, M_k displays at k without a click
    """

    def rank(self, rng: RoundRng) -> list[int]:
        samples = []
        for item in range(self.n_items):
            clicked, shown = self.clicked[item].tolist(), self.shown[item].tolist()
            refusals = [
                (n - s, kappa)
                for s, n, kappa in zip(clicked, shown, self.examination, strict=True)
                if n > s
            ]
            samples.append(sample(sum(clicked), refusals, rng.draws, MOST_ITEMS + item))
        return largest(samples, self.n_positions, rng.draws)
