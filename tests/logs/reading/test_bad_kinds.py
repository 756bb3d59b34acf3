from tests.logs.reading.test_backend_duckdb import UNREADABLE
from tests.logs.reading.test_bad_lines import BAD
from unirank.logs.reading import bad_kinds

KINDS = [value for name, value in vars(bad_kinds).items() if name.isupper()]


def test_kinds_differ_and_each_has_a_bad_line_in_the_tests() -> None:
    assert len(set(KINDS)) == len(KINDS)
    shown = {kind for _, _, kind in BAD} | {kind for _, kinds in UNREADABLE for kind in kinds}
    assert set(KINDS) - shown == {bad_kinds.TWICE, bad_kinds.AGAIN}  # defects of pages
