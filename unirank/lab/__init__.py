"""Games, experiments, reports, theory, data, figures and checks of policies."""

from unirank.lab.advice import Advice, Outlook, advise
from unirank.lab.experiment import Experiment, list_experiments, load_experiment
from unirank.lab.log_gain import LogGain, log_gain
from unirank.lab.sweep import sweep

__all__ = [
    "Advice",
    "Experiment",
    "LogGain",
    "Outlook",
    "advise",
    "list_experiments",
    "load_experiment",
    "log_gain",
    "sweep",
]
