"""Problems that several tests play on: strict orders, ties, and real shapes."""

from unirank import CM, PBM, ClickModel

SIMUL = [0.1, 0.08, 0.06, 0.04, 0.02, 1e-4, 1e-4, 1e-4, 1e-4, 1e-4]
LOOKS = [1.0, 0.9, 0.83, 0.78, 0.75]

PROBLEMS: dict[str, tuple[ClickModel, int]] = {
    "simul-pbm": (PBM(SIMUL, LOOKS), 5),
    "simul-cm": (CM(SIMUL), 5),
    "ties-pbm": (PBM([0.7, 0.6, 0.6, 0.6, 0.5, 0.5], LOOKS), 5),
    "ties-cm": (CM([0.3, 0.3, 0.1, 0.1]), 2),
    "all-items-shown": (PBM([0.5, 0.3, 0.1], [1.0, 0.8, 0.6]), 3),
    "common-coupling": (PBM(SIMUL, LOOKS, coupling="common"), 5),
}
