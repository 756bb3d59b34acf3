"""From a click log, wherever it lies, to the tables that estimators read."""

from unirank.logs.reading.log import LogStatistics, read_statistics

__all__ = ["LogStatistics", "read_statistics"]
