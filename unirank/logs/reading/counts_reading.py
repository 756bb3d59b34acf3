"""Logs of counts: summed by query, item and position in one pass, then chosen from the sums."""

from unirank.errors import ArgumentError
from unirank.logs.reading.bad_lines import bad_rows, require_few
from unirank.logs.reading.choosing import Wanted, in_order, most_frequent, often_shown
from unirank.logs.reading.collecting import Numbering, collected
from unirank.logs.reading.count_logs import cells
from unirank.logs.reading.opening import Source, count_rows
from unirank.logs.reading.relations import Engine, Table, total
from unirank.logs.reading.sessions_reading import Read
from unirank.logs.reading.watching import Watch


def read_counts(engine: Engine, source: Source, wanted: Wanted, watch: Watch) -> Read:
    """One pass over the log; what is chosen is chosen from its sums."""
    watch.until(0.95)
    chosen = wanted.chosen
    rows = count_rows(source, one_display_per_line=chosen.one_display_per_line)
    summed = engine.keep(cells(rows))
    bad = bad_rows(engine, summed, rows)
    require_few(bad, wanted.max_bad, hint=source.hint)
    watch.until(1.0)
    good = summed.filter(summed.bad.isnull() & (summed.impressions > 0))
    n_positions = chosen.n_positions or _longest(engine, good)
    good = often_shown(good, n_positions, chosen)
    weights = good.group_by("query").agg(weight=total(good.impressions), width=good.position.max())
    weights = weights.mutate(query=weights.query.cast("string"))
    queries = in_order(engine.fetch(most_frequent(weights, chosen))["query"].to_pylist(), chosen)
    named = good.mutate(query=good.query.cast("string"), item=good.item.cast("string"))
    if chosen.queries is not None or chosen.n_queries is not None:
        named = named.filter(named.query.isin(queries))
    shown = engine.fetch(named.select("query", "item", "position", "impressions", "clicks"))
    numbering = Numbering(queries, shown)
    return Read(collected(numbering, {"shown": shown}, n_positions, {}), [], [], bad, 0)


def _longest(engine: Engine, cells: Table) -> int:
    deepest = engine.fetch(cells.aggregate(n=cells.position.max()))["n"][0].as_py()
    if deepest is None:
        raise ArgumentError("the log has no display")
    return int(deepest) + 1
