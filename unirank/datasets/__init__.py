"""The published parameters of the paper's experiments, and others fitted to real clicks."""

from unirank.datasets.anomalies import Anomaly, anomalies
from unirank.datasets.fetching import fetch
from unirank.datasets.fitted_file import FittedFile, FittedQuery, read_fitted, write_fitted
from unirank.datasets.problems import list_datasets, load_items, load_problems
from unirank.datasets.published import located

__all__ = [
    "Anomaly",
    "FittedFile",
    "FittedQuery",
    "anomalies",
    "fetch",
    "list_datasets",
    "load_items",
    "load_problems",
    "located",
    "read_fitted",
    "write_fitted",
]
