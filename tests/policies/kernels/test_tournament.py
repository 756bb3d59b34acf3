"""A tournament names the largest of many values, and everyone who has it."""

from hypothesis import given
from hypothesis import strategies as st

from unirank.policies.kernels.tournament import ABSENT, empty_tournament, enter, winner

changes = st.lists(st.tuples(st.integers(0, 12), st.sampled_from([0.0, 0.25, 0.5, 1.0])))


@given(st.integers(1, 13), changes)
def test_it_is_won_by_whoever_a_search_finds(
    n_players: int, entered: list[tuple[int, float]]
) -> None:
    values, counts = empty_tournament(n_players)
    now: dict[int, float] = {}
    for player, value in entered:
        if player < n_players:
            enter(values, counts, player, value)
            now[player] = value
            best = sorted(one for one in now if now[one] == max(now.values()))
            assert values[1] == max(now.values())
            assert counts[1] == len(best)
            assert [winner(values, counts, nth) for nth in range(len(best))] == best


def test_there_is_room_for_everyone_and_nobody_is_there_yet() -> None:
    for n_players, size in [(1, 2), (2, 4), (3, 8), (512, 1024)]:
        values, counts = empty_tournament(n_players)
        assert values.size == counts.size == size
        assert (values == ABSENT).all()
