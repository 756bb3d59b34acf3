"""Click models of real queries: published parameters and fitted files."""

from unirank.lab.datasets.anomalies import Anomaly, anomalies
from unirank.lab.datasets.download import fetch
from unirank.lab.datasets.fitted_file import FittedFile, FittedQuery, read_fitted, write_fitted
from unirank.lab.datasets.problems import list_datasets, load_items, load_problems
from unirank.lab.datasets.published_files import located

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
