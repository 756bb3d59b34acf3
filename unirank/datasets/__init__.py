"""The published parameters of the paper's experiments, and others fitted to real clicks."""

from unirank.datasets.anomalies import Anomaly, anomalies
from unirank.datasets.fetching import fetch
from unirank.datasets.problems import list_datasets, load_problems
from unirank.datasets.published import located

__all__ = ["Anomaly", "anomalies", "fetch", "list_datasets", "load_problems", "located"]
