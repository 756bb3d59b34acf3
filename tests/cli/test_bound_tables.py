from unirank.cli.bound_tables import how, order_text
from unirank.click_models import CM, DBN
from unirank.theory import examine

STRICT = examine(CM([0.5, 0.3, 0.1]), 2)


def test_an_order_reads_from_the_best() -> None:
    assert order_text(((2,), (0, 3), (1,))) == "2 > 0 ~ 3 > 1"


def test_how_it_was_decided() -> None:
    users = DBN([0.5, 0.4, 0.3], [0.1, 0.2, 0.3], 0.1)
    assert how(STRICT) == "from formulas"
    assert how(examine(users, 2)) == "over all 6 rankings"
    sampled = how(examine(users, 2, method="sampled"))
    assert sampled.startswith(
        "over 20,000 rankings drawn at random: with 95 % confidence less than"
    )
    assert "0.00015 of them" in sampled
