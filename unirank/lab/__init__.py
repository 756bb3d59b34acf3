"""Games, experiments, reports, theory, data, figures and checks of policies."""

from unirank.lab.advice import Advice, Outlook, advise
from unirank.lab.experiment import Experiment, list_experiments, load_experiment
from unirank.lab.log_gain import LogGain, log_gain
from unirank.lab.matching_bandit import MatchingProblem, SimpleAdaptiveMatching, play_matching
from unirank.lab.sweep import sweep
from unirank.lab.unimodal_bandit import GraphOSUB, UnimodalProblem, play_unimodal

__all__ = [
    "Advice",
    "Experiment",
    "GraphOSUB",
    "LogGain",
    "MatchingProblem",
    "Outlook",
    "SimpleAdaptiveMatching",
    "UnimodalProblem",
    "advise",
    "list_experiments",
    "load_experiment",
    "log_gain",
    "play_matching",
    "play_unimodal",
    "sweep",
]
