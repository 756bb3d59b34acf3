"""Pages say what the sources say, in fewer signs."""

from tidying import close_blocks, shorten_signature, title_tables

ARRAY = "~numpy.ndarray[tuple[~typing.Any, ...], ~numpy.dtype[~numpy.int64]]"


def test_a_block_loses_the_blank_line_before_its_end_and_no_other() -> None:
    source = ["```python\n>>> 1\n1\n\n```\n\ntext\n\n```sh\nls\n```\n"]
    close_blocks(None, "page", source)
    assert source == ["```python\n>>> 1\n1\n```\n\ntext\n\n```sh\nls\n```\n"]


def test_a_page_of_tables_is_called_after_its_file_and_others_keep_their_title() -> None:
    table, headed, page = ["| a |\n| --- |\n"], ["## A\n"], ["# Page\n"]
    title_tables(None, "experiments/ties", headed)
    assert headed == ["# Ties\n\n## A\n"]
    title_tables(None, "theory/assumptions", table)
    title_tables(None, "theory/README", page)
    assert table == ["# Assumptions\n\n| a |\n| --- |\n"]
    assert page == ["# Page\n"]


def test_arrays_and_factories_are_spelt_shortly() -> None:
    signature = f"(games: {ARRAY}, versions: dict[str, str] = <factory>)"
    assert shorten_signature("app", "class", "Trace", None, None, signature, ARRAY) == (
        "(games: NDArray[~numpy.int64], versions: dict[str, str] = ...)",
        "NDArray[~numpy.int64]",
    )


def test_what_has_no_signature_keeps_none() -> None:
    assert shorten_signature("app", "class", "Trace", None, None, None, None) == (None, None)
