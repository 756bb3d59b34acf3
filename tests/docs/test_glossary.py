"""The glossary has our words, in order, each explained once."""

import re

from tests.docs.sources import DOCS, ROOT

TEXT = (DOCS / "glossary.md").read_text()
ENTRIES = re.findall(r"^(\w.*)\n  (\S.*)$", TEXT.partition("```{glossary}")[2], re.MULTILINE)
TERMS = [term for term, _ in ENTRIES]


def test_every_noun_of_the_architecture_is_explained() -> None:
    table = (
        (ROOT / "ARCHITECTURE.md").read_text().partition("| noun | is |")[2].partition("\n\n")[0]
    )
    nouns = re.findall(r"^\| ([a-z ]+) \|", table, re.MULTILINE)
    assert len(nouns) >= 10
    assert set(nouns) <= set(TERMS)


def test_words_of_the_interface_are_explained() -> None:
    words = "leader neighbour propensity regret examination attraction token epoch window horizon"
    assert set(words.split()) <= set(TERMS)


def test_terms_are_in_order_and_stand_once() -> None:
    assert sorted(set(TERMS), key=str.lower) == TERMS


def test_a_term_that_is_linked_exists() -> None:
    for path in DOCS.rglob("*.md"):
        for term in re.findall(r"{term}`(?:[^`<]*<)?([^`>]+)>?`", path.read_text()):
            assert term in TERMS, f"{path.name}: {term}"
