"""Everything that the dashboard shows of one page, gathered in one thread."""

import asyncio
from typing import Any

from unirank.policies.base.leader import Leader
from unirank.server.dashboard.changes import changes_of, strip_of
from unirank.server.dashboard.comparisons import comparisons_of
from unirank.server.dashboard.freezing import question_of
from unirank.server.dashboard.order import order_of
from unirank.server.dashboard.pair_table import pair_table_of
from unirank.server.dashboard.standing import (
    STATES,
    fairness_of,
    groups_of,
    left_out_of,
    lift_in_words,
    state_of,
    waiting_of,
)
from unirank.server.learner import best_order
from unirank.server.loaded_pages import LoadedPage
from unirank.server.service import Service

MOST_TRIES = 3  # drawn


async def page_view(service: Service, name: str) -> dict[str, Any]:
    """The values of the template `page.html`."""
    page = await service.page(name)
    summary = await service.summary(name)
    detail = await asyncio.to_thread(detail_of, page)
    state = state_of(summary)
    return {
        "page": summary,
        "state": state,
        "state_words": STATES[state],
        "lift": lift_in_words(summary),
        "groups": groups_of(summary),
        "fairness": fairness_of(summary),
        "left_out": left_out_of(summary),
        "waiting": waiting_of(summary) if summary.lift.arms and summary.lift.waiting else "",
        **detail,
    }


def detail_of(page: LoadedPage) -> dict[str, Any]:
    """What the policy of a page knows; of a frozen page the order that everybody sees."""
    serving, moments = page.serving, list(page.learner.moments)
    n_positions, explanation = serving.policy.n_positions, serving.explanation()
    order = explanation.order
    if serving.settings.mode == "frozen":
        places = tuple((item,) for item in serving.frozen[:n_positions])
        order = Leader(places, tuple(serving.frozen[n_positions:]))
    displays = page.learner.displays
    unseen = {item for item in serving.items if item not in displays}
    shown = [] if explanation.order is None else best_order(serving.policy)[:n_positions]
    return {
        "settings": serving.settings,
        "freeze_question": question_of(shown, unseen, holdout=serving.settings.holdout.share > 0.0),
        "today": serving.start[:n_positions],
        "explanation": explanation,
        "order": order
        and order_of(order, n_positions, explanation.attraction, unseen if displays else ()),
        "comparisons": comparisons_of(explanation),
        "most_tries": MOST_TRIES,
        "pair_table": pair_table_of(explanation),
        "strip": strip_of(moments, n_positions, page.learner.views),
        "changes": changes_of(moments, n_positions),
    }
