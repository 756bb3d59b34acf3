"""What can be wrong with a line or a page of a log."""

UNKNOWN = "unknown record type"
NOT_TEXT = "not text in UTF-8"
TOO_LONG = "line of more than 2 MB"
TOO_FEW = "too few fields"
TOO_MANY = "too many fields"
QUOTE = "quote that is not closed"
MISSING = "empty field"
NOT_A_NUMBER = "not a whole number"
TOO_LARGE = "count above 10^12"
NEGATIVE = "negative count"
NOT_A_CLICK = "click neither 0 nor 1"
EXCESS = "clicks exceed impressions"
BEYOND = "position beyond the page"
TWICE = "position filled twice"
GAP = "a position is missing"
AGAIN = "page logged twice"
ORPHAN = "click without a query"


def unit(kind: str) -> str:
    """What is left out, and counted, for a defect of this kind: its line, or its whole session."""
    return "session" if kind in (TWICE, GAP, AGAIN) else "line"
