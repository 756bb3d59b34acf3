"""The best ranking, or the best that exchanging items can find."""

from unirank.click_models import ClickModel
from unirank.errors import ArgumentError
from unirank.theory.definition import exchanged


def best_known(users: ClickModel, start: tuple[int, ...]) -> tuple[int, ...]:
    """The best ranking or, where nobody can search for it, the best by exchanges from `start`.

    The latter can only prove that `start` is not the best.
    """
    try:
        return users.best_ranking(len(start))
    except ArgumentError:  # no theorem, and too many rankings
        best = start
    while True:
        others = [item for item in range(users.n_items) if item not in best]
        ways = [exchanged(best, i, j) for i in best for j in (*best, *others) if i != j]
        better = max(ways, key=users.value, default=best)
        if users.value(better) <= users.value(best):
            return best
        best = better
