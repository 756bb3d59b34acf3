"""Read a click log and count the tables that the estimators use."""

from unirank.logs.reading.log import LogStatistics, read_statistics

__all__ = ["LogStatistics", "read_statistics"]
