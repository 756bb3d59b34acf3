"""Pictures are at hand after `import unirank`, which stays light."""

import subprocess
import sys
from pathlib import Path

import unirank as ur
from unirank.lab.simulation import follow_leader


def test_pictures_are_found_and_matplotlib_is_imported_when_drawing() -> None:
    program = (
        "import sys; import unirank as ur; assert 'matplotlib' not in sys.modules; "
        "ur.plots.leader(ur.UniRank(3, 2)); print('matplotlib.figure' in sys.modules, "
        "'matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "True False\n", done.stderr


def test_every_figure_is_returned_and_saved_to_a_path(tmp_path: Path) -> None:
    policy, users = ur.UniRank(3, 2), ur.CM([0.5, 0.3, 0.1])
    trace = ur.simulate("random", users, n_positions=2, n_rounds=100, n_games=2)
    given = {
        "gain": trace,
        "iteration": policy,
        "leader": policy,
        "leader_history": follow_leader(policy, users, 5),
        "pair_tests": ur.MatchRank(3, 2),
        "pairs": policy,
        "regret": trace,
        "split": ur.Split({"today": ur.policies.RandomOrder(3, 2), "new": policy}),
    }
    assert {*given, "STYLE", "colour_of"} == set(ur.plots.__all__)
    for name, thing in given.items():
        more = {"order": [1, 0]} if name == "gain" else {}
        figure = getattr(ur.plots, name)(thing, path=tmp_path / f"{name}.png", **more)
        assert type(figure).__name__ == "Figure"
        assert (tmp_path / f"{name}.png").stat().st_size > 5000
