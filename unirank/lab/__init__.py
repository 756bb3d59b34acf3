"""Experiments: read them, run them, compare their results."""

from unirank.lab.experiment import Experiment, list_experiments, load_experiment

__all__ = ["Experiment", "list_experiments", "load_experiment"]
