"""How often a policy shows an item that was added to a page that has been learnt.

    python -m benchmarks.new_item

40 items of attraction 0.5, 0.5 / 2, 0.5 / 3, ..., 8 positions of examination 1, 1/2, 1/3, ...;
the item is added after 3,000 and after 30,000 visits. 20 games with seeds 0 to 19, every click
answered at once.
"""

import sys
from itertools import product

import numpy as np

import unirank as ur
from unirank.markdown import markdown_table

N_ITEMS, N_POSITIONS, N_GAMES = 40, 8, 20
BEFORE, AFTER, FIRST = (3_000, 30_000), 1000, 100
POOR, GOOD = 0.5 / 40, 0.5 / 2


def visits_with_new_item(
    policy_class: type[ur.Policy], before: int, attraction: float, seed: int
) -> list[bool]:
    """Return for each of the visits after the item was added whether it was shown."""
    attractions = np.append(0.5 / np.arange(1, N_ITEMS + 1), attraction)
    users = ur.PBM(attractions, 1 / np.arange(1, N_POSITIONS + 1))
    policy = policy_class(N_ITEMS, N_POSITIONS, seed=seed)

    def visit() -> tuple[int, ...]:
        shown = policy.rank()
        items = tuple(int(item) for item in shown.items)
        clicks = users.draw_clicks(items, seed=seed, round=shown.round)
        policy.update(shown, [item for item, clicked in zip(items, clicks, strict=True) if clicked])
        return items

    for _ in range(before):
        visit()
    policy.add(N_ITEMS)
    return [N_ITEMS in visit() for _ in range(AFTER)]


def main() -> None:
    rows = []
    for policy_class in (ur.MatchRank, ur.UniRank):
        for before, (label, attraction) in product(
            BEFORE, (("as the last item", POOR), ("as the second item", GOOD))
        ):
            games = np.array(
                [
                    visits_with_new_item(policy_class, before, attraction, seed)
                    for seed in range(N_GAMES)
                ]
            )
            first = np.where(games.any(axis=1), games.argmax(axis=1) + 1, AFTER + 1)
            rows.append(
                (
                    policy_class.__name__,
                    f"{before:,}",
                    label,
                    f"{np.median(first):g}",
                    f"{games[:, :FIRST].mean():.0%}",
                    f"{games.mean():.0%}",
                )
            )
    header = (
        "policy",
        "visits before",
        "new item",
        "first shown, median visit",
        "first 100",
        "first 1,000",
    )
    sys.stdout.write(f"{markdown_table(header, rows)}\n")


if __name__ == "__main__":
    main()
