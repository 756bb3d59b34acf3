"""A small experiment, for the tests of the lab."""

from unirank.lab import Experiment
from unirank.lab.experiment import PolicyEntry

SMALL = Experiment(
    name="small",
    question="Does it work?",
    version=3,
    click_model={"click_model": "cm", "attraction": [0.5, 0.4, 0.1]},
    policies=[
        PolicyEntry("unirank"),
        PolicyEntry("toprank", {"horizon": "told"}, "TopRank, right horizon"),
    ],
    n_positions=2,
    n_rounds=1000,
    n_games=7,
)
