"""Click models of real queries: published parameters and fitted files."""

from unirank.datasets.anomalies import Anomaly, anomalies
from unirank.datasets.download import fetch
from unirank.datasets.fitted_file import FittedFile, FittedQuery, read_fitted, write_fitted
from unirank.datasets.problems import list_datasets, load_items, load_problems
from unirank.datasets.published_files import located

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
