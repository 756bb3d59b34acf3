"""Experiments: read them, run them, compare their results."""

from unirank.lab.experiment import Experiment, list_experiments, load_experiment
from unirank.lab.sweep import sweep

__all__ = ["Experiment", "list_experiments", "load_experiment", "sweep"]
