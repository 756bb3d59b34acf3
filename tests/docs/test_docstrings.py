"""Docstrings become Markdown without losing a sign."""

from reference_pages.docstrings import escaped, first_sentence, to_markdown

DOCSTRING = """Title with W_ij and *stars*.

A paragraph that is
- wrapped badly, with `code_x`.

    formula_1  <  2
    second line

Each round:
    more
"""


def test_formulas_stand_as_they_are_and_text_is_escaped() -> None:
    assert to_markdown(DOCSTRING) == (
        "Title with W\\_ij and \\*stars\\*.\n\n"
        "A paragraph that is - wrapped badly, with `code_x`.\n\n"
        "```text\nformula_1  <  2\nsecond line\n```\n\n"
        "Each round:\n\n"
        "```text\nmore\n```"
    )


def test_what_has_no_docstring_has_no_text() -> None:
    assert to_markdown(None) == first_sentence(None) == ""


def test_the_first_sentence_loses_its_full_stop() -> None:
    assert first_sentence("Ranks items.\n\nMore.") == "Ranks items"


def test_a_bar_does_not_end_a_cell() -> None:
    assert escaped("a | b") == "a \\| b"
