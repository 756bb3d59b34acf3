"""The end of a BatchRank stage: the batch is split, or some of its items are dropped.

U, L       largest and smallest q with n kl(clicks / n, q) <= ln T + 3 ln ln T, after n views
d_1, ...   items of the batch, by decreasing L
split      at the largest s < positions where L of d_s is above U of all that follow
or drop    items whose U is below L of the item at the last position of the batch
"""

from unirank.policies.batch_rank.state import State, begin_stage, n_members
from unirank.policies.kernels.compiling import compiled
from unirank.policies.kernels.indices import kl_ucb


@compiled
def end_stage(state: State, start: int) -> None:
    """Split the batch that starts here, or drop items from it, and begin a new stage."""
    now = state.now[0]
    end = state.ends[start]
    items_end = start + n_members(state, start)
    bound(state, start, items_end)
    find_best(state, start, end, items_end)
    n_cut = cut_size(state, end - start)
    now.n_ended += 1
    split = n_cut > 0
    # A split keeps the items of largest L in front; otherwise those that are not dropped stay.
    threshold = state.lower[state.best[(n_cut if split else end - start) - 1]]
    n_kept = move_behind(state, start, items_end, threshold, not split)
    if split:
        begin_stage(state, start + n_cut, end, 0)
        begin_stage(state, start, start + n_cut, 0)
    else:
        if end == state.ends.size:
            now.n_left = start + n_kept
        begin_stage(state, start, end, min(state.stage[start] + 1, state.lengths.size - 1))


@compiled
def bound(state: State, start: int, items_end: int) -> None:
    """Compute U and L of the items of a batch, and forget their clicks."""
    n_views = state.lengths[state.stage[start]]
    for slot in range(start, items_end):
        item = state.order[slot]
        mean = state.clicked[item] / n_views
        for below in range(2):  # one call, as each is compiled anew
            index = kl_ucb(1.0 - mean if below else mean, n_views, state.budget)
            if below:
                state.lower[item] = min(mean, 1.0 - index)
            else:
                state.upper[item] = index
        state.clicked[item] = 0


@compiled
def find_best(state: State, start: int, end: int, items_end: int) -> None:
    """Fill `best` with as many items of largest L as the batch has positions."""
    best, size = state.best, end - start
    for slot in range(start, items_end):
        item = state.order[slot]
        place = min(slot - start, size)
        while place > 0 and state.lower[item] > state.lower[best[place - 1]]:
            if place < size:
                best[place] = best[place - 1]
            place -= 1
        if place < size:
            best[place] = item


@compiled
def cut_size(state: State, size: int) -> int:
    """Return the largest s < size where L of d_s is above U of all that follow, or 0.

    Items with equally many views have U in the order of L, so the next one has the largest.
    """
    for s in range(size - 1, 0, -1):
        if state.lower[state.best[s - 1]] > state.upper[state.best[s]]:
            return s
    return 0


@compiled
def move_behind(state: State, start: int, items_end: int, threshold: float, by_upper: bool) -> int:
    """Move items whose bound is below the threshold behind the others; return how many stay.

    Both groups keep their order.
    """
    n_kept = n_moved = 0
    for slot in range(start, items_end):
        item = state.order[slot]
        if (state.upper[item] if by_upper else state.lower[item]) >= threshold:
            state.order[start + n_kept] = item
            n_kept += 1
        else:
            state.moved[n_moved] = item
            n_moved += 1
    for place in range(n_moved):
        state.order[start + n_kept + place] = state.moved[place]
    return n_kept
