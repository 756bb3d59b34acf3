import re

from unirank.server.store.statements import HERE, migrations, statements


def test_statements_are_found_by_name() -> None:
    found = statements("sqlite")
    assert found["secret"].startswith("SELECT value FROM secret")


def test_every_statement_is_used_by_the_store() -> None:
    used = set(re.findall(r'"(\w+)"', (HERE / "store.py").read_text()))
    assert set(statements("sqlite")) <= used


def test_both_dialects_have_the_same_statements() -> None:
    assert list(statements("sqlite")) == list(statements("postgresql"))


def test_migrations_are_numbered_from_one() -> None:
    for dialect in ("sqlite", "postgresql"):
        numbers = [number for number, _ in migrations(dialect)]
        assert numbers == list(range(1, len(numbers) + 1))
