"""What a start order, forgetting and availability cost and bring, in clicks lost.

    python -m benchmarks.live_policy                      all parts, two minutes of a processor
    python -m benchmarks.live_policy start forgetting     some of them
    python -m benchmarks.live_policy --scale 4            four times as many games

Clicks lost are against the best list of that round: where tastes change, against the best list
of now; where some items are available, against the best list of these. All policies meet the same
users. Numbers are means over games, with their standard errors.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from unirank.lab.simulation.game import Game
from unirank.lab.simulation.scheduler import cpu_count
from unirank.markdown import markdown_table
from unirank.policies import Policy, registry
from unirank.users import CM, PBM, ClickModel

Floats = NDArray[np.float64]
N_GAMES = 20
ATTRACTION = np.linspace(0.3, 0.03, 10)
EXAMINATION = [1.0, 0.75, 0.6, 0.3, 0.1]
WIDE = 0.3 / (1.0 + np.arange(40) / 8.0)
WIDE_EXAMINATION = 1.0 / (1.0 + 0.3 * np.arange(8))


def say(line: str = "") -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


class AsGiven(PBM):
    """Position-based users whose items keep their numbers."""

    def item_order(self, seed: int, game: int) -> NDArray[np.int64]:
        return np.arange(self.n_items)


class CascadeAsGiven(CM):
    """Cascade users whose items keep their numbers."""

    def item_order(self, seed: int, game: int) -> NDArray[np.int64]:
        return np.arange(self.n_items)


def shuffled(n_items: int, game: int) -> NDArray[np.int64]:
    """An order of the items for this game, the same for every policy."""
    return np.random.default_rng(game).permutation(n_items)


class Piece(NamedTuple):
    """Rounds in which tastes do not change."""

    users: ClickModel
    n_rounds: int


def lost(policy: Policy, pieces: Sequence[Piece], seed: int, *, restart: Any = None) -> Floats:
    """Clicks lost at the end of each piece; `restart` makes another policy after some pieces."""
    total, found = 0.0, []
    for number, (users, n_rounds) in enumerate(pieces):
        if restart is not None:
            policy = restart(number) or policy
        game = Game(
            policy,
            users,
            seed=1000 * seed + number,
            game=0,
            best_value=users.best_value(policy.n_positions),
            checkpoints=np.array([n_rounds]),
        )
        game.advance(n_rounds)
        total += float(game.regret[0])
        found.append(total)
    return np.array(found)


def played(play: Callable[[int], Floats], n_games: int) -> Floats:
    """One row for each game, on all cores: compiled rounds release the lock of Python."""
    play(0)  # compiles
    with ThreadPoolExecutor(cpu_count()) as pool:
        return np.array(list(pool.map(play, range(n_games))))


def cells(games: Floats) -> list[str]:
    mean, error = games.mean(axis=0), games.std(axis=0, ddof=1) / np.sqrt(len(games))
    return [f"{m:,.0f} ± {e:,.0f}" for m, e in zip(mean, error, strict=True)]


def options_of(name: str, n_rounds: int) -> dict[str, Any]:
    return {"horizon": n_rounds} if name == "toprank" else {}


# Start.

ROUNDS = (100, 1_000, 10_000, 100_000)


def starts_of(best: NDArray[np.int64], game: int) -> dict[str, list[int] | None]:
    """The orders to begin with: each of ten swaps moves one neighbour."""
    nearly = best.copy()
    for place in np.random.default_rng(game).integers(len(best) - 1, size=10).tolist():
        nearly[[place, place + 1]] = nearly[[place + 1, place]]
    return {
        "none": None,
        "right": best.tolist(),
        "nearly right": nearly.tolist(),
        "reversed": best[::-1].tolist(),
    }


def with_start(
    name: str, kind: type[ClickModel], attraction: Floats, examination: Any, start: str, trust: int
) -> Callable[[int], Floats]:
    def play(game: int) -> Floats:
        order = shuffled(len(attraction), game)
        settings: dict[str, Any] = {"attraction": attraction[order]}
        if kind is AsGiven:
            settings["examination"] = examination
        users = kind(**settings)
        best = np.argsort(-attraction[order], kind="stable")
        chosen = starts_of(best, game)[start]
        begun = {} if chosen is None else {"start": chosen, "trust": trust}
        policy = registry[name](users.n_items, len(examination), seed=game, **begun)
        return lost(policy, [Piece(users, n) for n in np.diff((0, *ROUNDS)).tolist()], game)

    return play


def start_part(scale: int) -> None:
    say("## A start order: clicks lost after 100, 1,000, 10,000 and 100,000 views\n")
    problems: list[tuple[str, type[ClickModel], Floats, Any]] = [
        ("position-based, 10 items", AsGiven, ATTRACTION, EXAMINATION),
        ("cascade, 10 items", CascadeAsGiven, ATTRACTION, EXAMINATION),
        ("position-based, 40 items", AsGiven, WIDE, WIDE_EXAMINATION),
    ]
    for title, kind, attraction, examination in problems:
        rows = []
        for name in ("matchrank", "unirank"):
            for start, trust in (
                ("none", 20),
                *((s, t) for t in (20, 200) for s in ("right", "nearly right", "reversed")),
            ):
                play = with_start(name, kind, attraction, examination, start, trust)
                worth = "" if start == "none" else str(trust)
                rows.append([name, start, worth, *cells(played(play, scale * N_GAMES))])
        header = ["policy", "start", "trust", *(f"{n:,}" for n in ROUNDS)]
        say(f"{title}, {len(examination)} positions\n\n{markdown_table(header, rows)}\n")


# Forgetting.

N_ROUNDS, HALF_LIFE, N_PIECES = 100_000, 10_000, 100


def tastes_of(kind: str, game: int) -> list[Piece]:
    """The users of a game, piece by piece."""
    order = shuffled(10, game)
    pieces = []
    for number in range(N_PIECES):
        attraction = ATTRACTION.copy()
        if kind == "two items swap" and number >= N_PIECES // 2:
            attraction[[0, 5]] = attraction[[5, 0]]  # the best one, and one outside the page
        if kind == "slow drift":
            angle = np.arange(10) / 10 + number / (2 * N_PIECES)  # half a turn in a game
            attraction = 0.165 + 0.135 * np.cos(2 * np.pi * angle)
        users = AsGiven(attraction=attraction[order], examination=EXAMINATION)
        pieces.append(Piece(users, N_ROUNDS // N_PIECES))
    return pieces


def in_tastes(name: str, way: str, kind: str) -> Callable[[int], Floats]:
    """Play a game in a way: the policy as it is, with a half-life, or restarted."""
    options = options_of(name, N_ROUNDS)
    if way.startswith("half-life"):
        options["half_life"] = int(way.split()[1].replace(",", ""))

    def play(game: int) -> Floats:
        def fresh(number: int) -> Policy | None:
            return (
                registry[name](10, 5, seed=game + 1000 * number, **options)
                if number % (2 * HALF_LIFE * N_PIECES // N_ROUNDS) == 0
                else None
            )

        policy = registry[name](10, 5, seed=game, **options)
        restart = fresh if way.startswith("restarted") else None
        return lost(policy, tastes_of(kind, game), game, restart=restart)[-1:]

    return play


def forgetting_part(scale: int) -> None:
    say(f"## Forgetting: clicks lost in {N_ROUNDS:,} views, 10 items, 5 positions\n")
    kinds = ("tastes stay", "two items swap", "slow drift")
    ways = (
        "nothing is forgotten",
        *(f"half-life {h:,}" for h in (2_500, HALF_LIFE, 40_000)),
        f"restarted every {2 * HALF_LIFE:,}",
    )
    rows = []
    for name in ("matchrank", "unirank", "toprank"):
        for way in ways:
            games = [played(in_tastes(name, way, kind), scale * N_GAMES) for kind in kinds]
            rows.append([name, way, *(cells(one)[0] for one in games)])
    say(markdown_table(["policy", "", *kinds], rows))
    say()


# Availability.

AVAILABLE_ROUNDS = (1_000, 5_000, 20_000)


def with_half_available(name: str, half: bool) -> Callable[[int], Floats]:
    def play(game: int) -> Floats:
        draw = np.random.default_rng(game)
        attraction = WIDE[shuffled(40, game)]
        users = AsGiven(attraction=attraction, examination=WIDE_EXAMINATION)
        policy = registry[name](40, 8, seed=game, **options_of(name, AVAILABLE_ROUNDS[-1]))
        total, found = 0.0, []
        for number in range(1, AVAILABLE_ROUNDS[-1] + 1):
            there = draw.permutation(40)[:20] if half else np.arange(40)
            shown = policy.rank(there.tolist() if half else None)
            items = [int(item) for item in shown.items]
            best = there[np.argsort(-attraction[there], kind="stable")][:8]
            total += float((attraction[best] - attraction[items]) @ WIDE_EXAMINATION)
            clicks = users.draw_clicks(items, seed=game, round=number)
            policy.update(shown, [i for i, c in zip(shown.items, clicks, strict=True) if c])
            if number in AVAILABLE_ROUNDS:
                found.append(total)
        return np.array(found)

    return play


def availability_part(scale: int) -> None:
    say("## A random half of 40 items is available in each round, 8 positions: clicks lost\n")
    rows = []
    for name in ("matchrank", "unirank", "toprank", "random"):
        for half in (False, True):
            games = np.array([with_half_available(name, half)(g) for g in range(5 * scale)])
            rows.append([name, "a random half" if half else "all items", *cells(games)])
    say(markdown_table(["policy", "available", *(f"{n:,}" for n in AVAILABLE_ROUNDS)], rows))
    say()


PARTS: dict[str, Callable[[int], None]] = {
    "start": start_part,
    "forgetting": forgetting_part,
    "availability": availability_part,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[[], *PARTS], default=[])
    parser.add_argument("--scale", type=int, default=1, help="times as many games")
    chosen = parser.parse_args()
    for part in chosen.parts or PARTS:
        PARTS[part](chosen.scale)


if __name__ == "__main__":
    main()
