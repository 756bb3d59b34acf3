"""What late and missing answers cost: clicks lost in 10,000 views of ten items on five positions.

    .venv/bin/python -m benchmarks.late_answers

Position-based and cascade users, attraction from 0.30 down to 0.04. An answer comes at once, or
1,000 views later; half of the answers never come, at random; or those of pages without a click
never come, as where only clicks are reported. Mean and standard error over 20 games, with the same
visitors in all columns.
"""

import sys
from collections import deque

import numpy as np

from unirank import CM, PBM, ClickModel, Ranking
from unirank.policies import registry

POLICIES = ("unirank", "matchrank", "cascade-kl-ucb")
N_VIEWS, N_GAMES, N_POSITIONS = 10_000, 20, 5
ATTRACTION = (0.30, 0.25, 0.22, 0.18, 0.15, 0.12, 0.10, 0.08, 0.06, 0.04)
COLUMNS = {  # views until an answer comes, and which answers come
    "at once": (0, "all"),
    "1,000 late": (1_000, "all"),
    "half missing": (0, "half"),
    "clicks only": (0, "clicked"),
}


def lost(name: str, users: ClickModel, game: int, delay: int, answered: str) -> float:
    """Clicks lost in one game."""
    policy = registry[name](users.n_items, N_POSITIONS, seed=game)
    order, rng = users.item_order(0, game), np.random.default_rng(game)
    waiting: deque[tuple[int, Ranking, list[object]]] = deque()
    best, total = users.best_value(N_POSITIONS), 0.0
    values: dict[tuple[int, ...], float] = {}
    for view in range(1, N_VIEWS + 1):
        shown = policy.rank()
        page = tuple(int(order[int(item)]) for item in shown)
        total += best - values.setdefault(page, users.value(page))
        clicks = users.draw_clicks(page, seed=0, game=game, round=view)
        clicked = [item for item, click in zip(shown, clicks, strict=True) if click]
        comes = {"all": True, "half": rng.random() < 0.5, "clicked": bool(clicked)}
        if comes[answered]:
            waiting.append((view + delay, shown, clicked))
        while waiting and waiting[0][0] <= view:
            _, late, answer = waiting.popleft()
            policy.update(late, answer)
    return total


def main() -> None:
    users: dict[str, ClickModel] = {
        "position-based": PBM(ATTRACTION, 1.0 / np.arange(1, N_POSITIONS + 1)),
        "cascade": CM(ATTRACTION),
    }
    head = "".join(f"{column:>15}" for column in COLUMNS)
    sys.stdout.write(f"{'users':16}{'policy':16}{head}\n")
    for kind, model in users.items():
        for name in POLICIES:
            cells = ""
            for delay, answered in COLUMNS.values():
                games = [lost(name, model, game, delay, answered) for game in range(N_GAMES)]
                error = np.std(games, ddof=1) / np.sqrt(N_GAMES)
                cells += f"{np.mean(games):9.0f} ± {error:3.0f}"
            sys.stdout.write(f"{kind:16}{name:16}{cells}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
