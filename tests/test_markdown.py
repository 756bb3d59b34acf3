from unirank.markdown import markdown_table


def test_a_table_has_a_header_a_rule_and_rows() -> None:
    assert markdown_table(["a", "b"], [["1", "2"], ["3", "4"]]) == (
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"
    )


def test_numbers_align_right() -> None:
    assert "|---|---:|---:|" in markdown_table(["a", "b", "c"], [], numbers_from=1)


def test_a_bar_in_a_cell_does_not_end_the_cell() -> None:
    assert "| x \\| y |" in markdown_table(["a"], [["x | y"]])
