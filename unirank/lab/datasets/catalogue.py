"""The data sets by name, and their parameters as in the published files."""

import json
from dataclasses import dataclass
from typing import Any

from unirank import arguments
from unirank.lab.datasets.published_files import PublishedFile, published_file, verified
from unirank.users import ClickModel, registry

Fitted = dict[str, Any]  # arguments of the click model


@dataclass(frozen=True)
class DataSet:
    """Queries of one published file, all with the same click model."""

    name: str
    file: str  # name of the published file
    click_model: str
    n_queries: int
    section: str = ""  # where in the file, if it holds more than one data set

    @property
    def published(self) -> PublishedFile:
        return published_file(self.file)

    @property
    def model(self) -> type[ClickModel]:
        return registry[self.click_model]

    @property
    def sorts(self) -> bool:
        """Whether items and positions are sorted by their parameters, as in the paper."""
        return not self.section


_SIX = ("pbm", "cm", "dcm", "dbn", "ccm", "ubm")
_ALL = (
    DataSet("kdd-pbm", "kdd-pbm", "pbm", 8),
    DataSet("yandex-pbm", "yandex-pbm", "pbm", 60),
    DataSet("yandex-cm", "yandex-cm", "cm", 23),
    *(DataSet(f"yandex-relpred-{m}", "yandex-relpred", m, 50, m.upper()) for m in _SIX),
)
DATA_SETS = {data_set.name: data_set for data_set in _ALL}


def data_set(name: str) -> DataSet:
    """Return the data set of that name; an unknown name raises, with the nearest name."""
    return DATA_SETS[arguments.choice("data set", name, list(DATA_SETS))]


def fitted(name: str) -> dict[str, Fitted]:
    """Return the parameters by query, as in the file."""
    chosen = data_set(name)
    content = json.loads(verified(chosen.file)[1])
    if chosen.section:
        return dict(content[chosen.section])
    return {query: _named(values) for query, values in content.items()}


def _named(values: Any) -> Fitted:
    """Rename thetas and kappas; a list without names holds thetas."""
    if isinstance(values, list):
        return {"attraction": values}
    return {"attraction": values["thetas"], "examination": values["kappas"]}
