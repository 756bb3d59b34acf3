"""What the button that freezes a page asks before it does so."""

from collections.abc import Collection, Sequence

from unirank.policies.base.words import joined
from unirank.server.view import ItemId


def question_of(shown: Sequence[ItemId], unseen: Collection[ItemId], *, holdout: bool) -> str:
    """Say what all would see from then on, and which items of it nobody has seen yet."""
    everybody = "Everybody but the holdout" if holdout else "Everybody"
    question = (
        f"Freeze the order? {everybody} then sees {joined(shown)}, and nothing is tried or learnt."
    )
    new = [item for item in shown if item in unseen]
    if new:
        have, they = ("has", "it is") if len(new) == 1 else ("have", "they are")
        question += f" {joined(new)} {have} not been shown yet: nobody knows how good {they}."
    if holdout:
        question += ' The lift of the learning time is set aside; it comes back with "Learn again".'
    return question
