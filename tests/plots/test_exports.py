"""Pictures are at hand after `import unirank`, which stays light."""

import subprocess
import sys

import unirank as ur


def test_pictures_are_found_and_matplotlib_is_imported_when_drawing() -> None:
    program = (
        "import sys; import unirank as ur; assert 'matplotlib' not in sys.modules; "
        "ur.plots.leader(ur.UniRank(3, 2)); print('matplotlib.figure' in sys.modules, "
        "'matplotlib.pyplot' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "True False\n", done.stderr


def test_all_that_is_exported_is_documented() -> None:
    assert ur.plots.__all__ == ["iteration", "leader", "leader_history", "pairs"]
    for name in ur.plots.__all__:
        assert getattr(ur.plots, name).__doc__
