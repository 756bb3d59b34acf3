"""The policy that was told what to show."""

from collections.abc import Sequence


class OracleTwin:
    def __init__(self, ranking: Sequence[int]) -> None:
        self.ranking = list(ranking)

    def rank(self) -> list[int]:
        return list(self.ranking)

    def update(self, ranking: Sequence[int], clicks: Sequence[bool]) -> None:
        pass
