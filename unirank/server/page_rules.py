"""What a page may be called and what it may hold: each rule of pages once, with its sentence.

`api.py` bounds each field of a request by itself. The rules here need more than one field, or the
page as it is now.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from unirank.arguments import LONGEST, shown
from unirank.errors import ArgumentError
from unirank.policies.base.leader import leader_or_none
from unirank.server.api import MOST_ITEMS, ItemsChange, PageRequest, PageSettings
from unirank.server.errors import Conflict, NotFound
from unirank.server.learner import compile_policy, items_of_now
from unirank.server.serving import Serving
from unirank.server.view import ItemId

NAME = re.compile(r"[^\x00-\x1f\x7f/]{1,200}")
NAME_RULE = "a name has 1 to 200 letters, and neither / nor control characters"


def check_new_name(name: str) -> None:
    """Raise ArgumentError unless a page can have this name."""
    if not NAME.fullmatch(name):
        raise ArgumentError(f"page must be a name, got {shown(name, 60)}: {NAME_RULE}")


def check_known_name(name: str) -> None:
    """Raise NotFound if no page can have this name, before a database is asked for it."""
    if not NAME.fullmatch(name):
        raise NotFound(f"there is no page {shown(name, 60)}: {NAME_RULE}")


def check_period(start: float | None, end: float | None) -> None:
    """Raise ArgumentError if a time from which something is asked for is after its end."""
    if start is not None and end is not None and start > end:
        raise ArgumentError(f"from must be at most to, got from={start:.15g} and to={end:.15g}")


def new_settings(sent: PageRequest | PageSettings) -> PageSettings:
    """Return the settings of a new page; an ArgumentError says why there can be no such page."""
    settings = sent.settings() if isinstance(sent, PageRequest) else sent
    check_settings(settings)
    return settings


def changed_settings(
    name: str, serving: Serving, sent: PageRequest | PageSettings
) -> PageSettings | None:
    """Return the settings of a page after a request; None if the request changes nothing."""
    now = serving.settings_now
    settings = sent.settings(now) if isinstance(sent, PageRequest) else sent
    check_same(
        name, serving, settings
    )  # first: a `start` of other items is then no fault of its own
    check_settings(settings)
    # The items keep their order, for which the holdout looks to `start`.
    settings = msgspec.structs.replace(settings, items=serving.items)
    return None if settings == now else settings


def changed_items(serving: Serving, change: ItemsChange) -> list[ItemId]:
    """Return the items of a page after a change; an ArgumentError names the item that is wrong.

    The policy decides, on a copy, which items can be added and removed.
    """
    policy = serving.policy.without_rounds()
    _each("add", change.add, policy.add)
    check_left(serving, change)
    _each("remove", change.remove, policy.remove)
    items = items_of_now(policy)
    if len(items) > MOST_ITEMS:  # with those that are there: a request alone has no more
        raise ArgumentError(
            f"items must be at most {MOST_ITEMS} on a page, got {len(items)}: remove some, or "
            "make another page for them"
        )
    return items


def _each(field: str, items: Sequence[ItemId], do: Callable[[ItemId], None]) -> None:
    """Call `do` with each item; an error names the item's place in the request."""
    for n, item in enumerate(items):
        try:
            do(item)
        except ArgumentError as error:
            sentence = str(error)
            if sentence.startswith("item "):
                sentence = f"{field}[{n}] {sentence.removeprefix('item ')}"
            raise ArgumentError(sentence) from None


def check_settings(settings: PageSettings) -> None:
    """Raise ArgumentError unless a page can be made of these settings."""
    check_start(settings)
    policy = compile_policy(settings)  # now, so that no visitor waits for the compiler
    if settings.mode == "frozen" and leader_or_none(policy) is None:
        raise ArgumentError(f"mode must not be frozen: {policy.name} has no leader to show")


def check_start(settings: PageSettings) -> None:
    """Raise ArgumentError unless `start` has the items, each once."""
    if settings.start is None:
        return
    items, start = Counter(dict.fromkeys(settings.items, 1)), Counter(settings.start)
    wrong = [
        f"{words} {', '.join(map(repr, more))}"
        for words, more in (("it lacks", items - start), ("too many are", start - items))
        if more
    ]
    if wrong:
        sentence = f"start must hold every item once, as `items` does: {'; '.join(wrong)}"
        raise ArgumentError(f"{sentence:.{LONGEST}}")


def check_left(serving: Serving, change: ItemsChange) -> None:
    """Raise ArgumentError if the page would have fewer items than it shows."""
    n_left = len({*serving.items, *change.add} - set(change.remove))
    needed = serving.settings.n_positions
    if n_left < needed:
        raise ArgumentError(
            f"remove must leave at least n_positions={needed} items, got {shown(change.remove)}, "
            f"which leaves {n_left}: add other items first, or delete the page"
        )


def check_same(name: str, serving: Serving, settings: PageSettings) -> None:
    """Raise Conflict if the settings are of a page that would have to begin anew."""
    there = serving.settings
    for field in ("policy", "options", "n_positions"):
        mine, theirs = getattr(there, field), getattr(settings, field)
        if mine != theirs:
            raise Conflict(
                f"page {name!r} has {field} {shown(mine, 60)}, got {shown(theirs, 60)}: "
                "to begin anew, take another name"
            )
    sent, here = set(settings.items), set(serving.items)
    if sent != here:
        more = [item for item in settings.items if item not in here]
        fewer = [item for item in serving.items if item not in sent]
        raise Conflict(
            f"page {name!r} has other items: new are {shown(more, 60)}, gone are "
            f"{shown(fewer, 60)}; change them with PATCH /v1/pages/{name}/items"
        )
    if settings.start is None and settings.items != serving.items:
        raise Conflict(
            f"page {name!r} has its items in another order, which the holdout sees: send `items` "
            "as GET shows them, and a new order as `start`"
        )
