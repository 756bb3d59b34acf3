"""What travels over HTTP: each struct is the schema, the check and the documentation of a message.

A field has every rule that needs this field alone. `page_rules.py` has the rules that need more.
"""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field, structs

from unirank.errors import ArgumentError
from unirank.server.view import Arm, ItemId

MOST_ITEMS = 1000
LARGEST = 2**53  # an item that is a number: many JSON readers lose digits of larger ones
Item = (
    Annotated[str, Meta(min_length=1, max_length=200)]
    | Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
)
Items = Annotated[list[Item], Meta(max_length=MOST_ITEMS)]
Mode = Literal["learn", "observe", "frozen"]
Token = Annotated[str, Meta(min_length=1, max_length=65536)]
WEEK = 7 * 86400
MOST_DEFERRED = float(WEEK)  # seconds from asking for a deferred view to showing it
MOST_REPORTS = 1000  # of clicks, in one request
MOST_POINTS = 10_000  # of a series
Time = Annotated[float, Meta(ge=0.0, le=1e11, description="Unix time, seconds")]
NPositions = Annotated[int, Meta(ge=1, description="how many items a page shows")]
PolicyName = Annotated[str, Meta(description="a name that `unirank list policies` shows")]
Options = Annotated[dict[str, Any], Meta(description="of the policy")]
Start = Annotated[
    Items | None,
    Meta(
        description="today's order, every item once: the holdout sees it, and the learner begins "
        "with it if its policy can (matchrank, unirank). Without it the holdout sees the order of "
        "`items`, and the learner begins with random rankings"
    ),
]
Window = Annotated[
    float, Meta(gt=0.0, le=WEEK, description="seconds in which clicks are waited for")
]
PageMode = Annotated[
    Mode,
    Meta(
        description="`learn`; `observe`: show `start` to all and learn nothing; "
        "`frozen`: show the order of the moment it was frozen and learn nothing"
    ),
]


Share = Annotated[float, Meta(ge=0.0, le=0.5, description="share of the visitors")]
HoldoutOrder = Annotated[
    Literal["start", "random"], Meta(description="what they see: `start`, or a random order")
]


class Holdout(Struct, forbid_unknown_fields=True, frozen=True):
    """Visitors who see today's order, or a random one: the learner is compared with them."""

    share: Annotated[float, Meta(description="share of the visitors")] = 0.05
    order: HoldoutOrder = "start"


class HoldoutRequest(Struct, forbid_unknown_fields=True, frozen=True):
    """The holdout in a request. A field that is not sent keeps its value.

    A new page holds out 5 % of the visitors, who see `start`.
    """

    share: Share | UnsetType = UNSET
    order: HoldoutOrder | UnsetType = UNSET


class PageSettings(Struct, forbid_unknown_fields=True, frozen=True):
    """A page: what it can show, and how it learns.

    The fields have no limits, as the store is read with this struct, too: limits may become
    narrower, and a page that was made before must still be read.
    """

    items: list[ItemId]
    n_positions: int
    policy: PolicyName = "matchrank"
    options: Options = {}
    start: list[ItemId] | None = None
    window_s: Annotated[float, Meta(description="seconds in which clicks are waited for")] = 600.0
    holdout: Holdout = Holdout()
    mode: PageMode = "learn"


class PageRequest(Struct, forbid_unknown_fields=True, frozen=True):
    """A page to make, or to change: what is not sent stays as it is.

    A new page needs `items` and `n_positions`; it has policy matchrank, a window of 600 seconds, a
    holdout of 5 % and mode learn.
    """

    items: Annotated[list[Item], Meta(min_length=1, max_length=MOST_ITEMS)] | UnsetType = UNSET
    n_positions: NPositions | UnsetType = UNSET
    policy: PolicyName | UnsetType = UNSET
    options: Options | UnsetType = UNSET
    start: Start | UnsetType = UNSET
    window_s: Window | UnsetType = UNSET
    holdout: HoldoutRequest | UnsetType = UNSET
    mode: PageMode | UnsetType = UNSET

    def settings(self, there: PageSettings | None = None) -> PageSettings:
        """Return the settings of the page: what was sent, and for the rest what is `there`."""
        sent = _sent(self)
        if isinstance(self.holdout, HoldoutRequest):
            holdout = Holdout() if there is None else there.holdout
            sent["holdout"] = structs.replace(holdout, **_sent(self.holdout))
        if there is not None:
            return structs.replace(there, **sent)
        for name in ("items", "n_positions"):
            if name not in sent:
                raise ArgumentError(f"{name} must be given: the page is new")
        return PageSettings(**sent)


def _sent(request: Struct) -> dict[str, Any]:
    """The fields of a request that were sent."""
    fields = {name: getattr(request, name) for name in request.__struct_fields__}
    return {name: value for name, value in fields.items() if value is not UNSET}


class ItemsChange(Struct, forbid_unknown_fields=True, frozen=True):
    """Items to show from now on, and items to show no more."""

    add: Items = []
    remove: Items = []


class RankRequest(Struct, forbid_unknown_fields=True, frozen=True):
    available: Annotated[Items | None, Meta(description="choose among these only")] = None
    session: Annotated[
        Annotated[str, Meta(min_length=1, max_length=200)] | None,
        Meta(description="any text that tells visitors apart; a session stays in its arm"),
    ] = None
    defer: Annotated[
        bool,
        Meta(
            description="count the view, and wait for its clicks, from when POST /v1/shown reports "
            "it; that may be up to 7 days later"
        ),
    ] = False


class RankAnswer(Struct):
    id: str
    token: Annotated[str, Meta(description="send it back with the clicks")]
    items: Annotated[list[Item], Meta(description="what to show, best position first")]
    arm: Arm
    propensity: Annotated[
        float | None, Meta(description="chance of this ranking in its arm, where it is known")
    ]
    expires_at: Annotated[
        float,
        Meta(
            description="end of the window for clicks, Unix time; the window of a deferred view "
            "begins when it is reported as shown"
        ),
    ]


class ShownReport(Struct, forbid_unknown_fields=True, frozen=True):
    """A view that was asked for with `defer`, at most 7 days ago, is shown now."""

    token: Token


class ClickReport(Struct, forbid_unknown_fields=True, frozen=True):
    token: Token
    clicks: Items
    final: Annotated[
        bool,
        Meta(
            description="no more clicks will come: learn at once. The lift and `sample_ratio` "
            "count the view when its window is over, all the same"
        ),
    ] = False


class Rejected(Struct):
    index: Annotated[int, Meta(description="of the report in the list that was sent")]
    reason: str


class ClickAnswer(Struct):
    """What became of the clicks; they are on disk."""

    accepted: int
    duplicate: int
    late: Annotated[int, Meta(description="their window is over: they teach nothing")]
    rejected: list[Rejected]


class PageAnswer(Struct):
    page: str
    created: bool


class ArmCounts(Struct):
    views: int
    clicks: int
    clicks_per_view: float | None


class Lift(Struct):
    """Clicks per view of the learner minus those of the holdout; valid at all times together.

    It compares views that were given under the present terms: the same share and order of the
    holdout, and the page learning, or frozen since the same moment. A view counts when its window
    is over, even if a report was `final` before: else views with clicks would be counted first.
    """

    value: float | None
    low: float | None
    high: float | None
    arms: Annotated[dict[str, ArmCounts], Meta(description="what is compared")] = {}
    left_out: Annotated[
        int, Meta(description="views under other terms, which the lift leaves out")
    ] = 0
    waiting: Annotated[
        int,
        Meta(
            description="views with a final report whose window is not over: they are learnt, "
            "and compared when it is"
        ),
    ] = 0


class Visitor(Struct):
    """A session with very many clicks: look at it, and rebuild without it if it is a robot."""

    session: str
    views: int
    clicks: int
    last_at: float
    left_out: Annotated[bool, Meta(description="whether a rebuild left out any of its views")]


class Without(Struct, forbid_unknown_fields=True, frozen=True):
    """What to leave out: lists of these sessions, if any are named, shown in this time until now.

    Without any field, nothing.
    """

    sessions: Annotated[
        list[Annotated[str, Meta(pattern="^([0-9a-f]{2})*$")]] | None,
        Meta(description="hashes, as `flagged` of GET /v1/pages/{page} and the export show them"),
    ] = None
    from_: Time | None = field(name="from", default=None)
    to: Time | None = None


class PageSummary(Struct):
    page: str
    mode: Mode
    policy: str
    n_positions: int
    items: list[Item]
    removed: list[Item]
    settings: Annotated[PageSettings, Meta(description="as PUT would make the page again")]
    leader: Annotated[list[list[Item]] | None, Meta(description="groups of tied items, best first")]
    frozen: Annotated[
        list[Item] | None, Meta(description="the order that is shown while the page is frozen")
    ]
    views: Annotated[
        int, Meta(description="views that have an outcome: window over, or report final")
    ]
    clicks: Annotated[int, Meta(description="on these views")]
    arms: Annotated[
        dict[str, ArmCounts],
        Meta(description="views and clicks of what was learnt; to compare arms, take `lift.arms`"),
    ]
    exploration_share: Annotated[
        float | None,
        Meta(
            description="share of the learner's next rankings that are not the leader; null before "
            "its 30th view, 0 while the page does not learn"
        ),
    ]
    lift: Lift
    sample_ratio: Annotated[
        float | None,
        Meta(
            description="p-value of the shares of the arms, each view judged by the share in force "
            "when it was given, once its window is over; below 0.001: broken"
        ),
    ]
    settled: Annotated[
        bool | None, Meta(description="whether other orders are hardly tried any more")
    ]
    flagged: Annotated[
        list[Visitor],
        Meta(description="sessions with very many clicks; the list of all pages does without"),
    ] = []
    without: Annotated[list[Without], Meta(description="what the last rebuild left out")] = []
    explanation: Annotated[
        str | None,
        Meta(
            description="of the policy: what it believes, on how much evidence; null in the list "
            "of all pages"
        ),
    ] = None


class PageList(Struct):
    pages: list[PageSummary]
    next: Annotated[str | None, Meta(description="pass it as `after` to go on")]
    unreadable: Annotated[
        list[str], Meta(description="pages that cannot be read; the service's own log says why")
    ] = []
    loading: Annotated[
        list[str], Meta(description="pages that are being loaded, which takes long: ask again")
    ] = []


class Point(Struct):
    at: Annotated[float, Meta(description="when the step begins, Unix time")]
    arms: dict[str, ArmCounts]


class Series(Struct):
    """Views by when their windows for clicks were over; a step without views has no point."""

    step: float
    points: list[Point]


class SeriesQuery(Struct, forbid_unknown_fields=True, frozen=True):
    from_: Annotated[
        Time | None,
        Meta(description="Unix time, rounded down to a whole step; by default a day before `to`"),
    ] = field(name="from", default=None)
    to: Annotated[
        Time | None, Meta(description="Unix time, rounded up to a whole step; by default now")
    ] = None
    step: Annotated[
        float,
        Meta(ge=1.0, le=1e9, description="seconds; steps begin at multiples of it, UTC"),
    ] = 3600.0


class NoQuery(Struct, forbid_unknown_fields=True, frozen=True):
    """The query of an address that takes none."""


class PagesQuery(Struct, forbid_unknown_fields=True, frozen=True):
    after: Annotated[
        str, Meta(max_length=200, pattern=r"^[^\x00]*$", description="pages after this name")
    ] = ""
    most: Annotated[int, Meta(ge=1, le=1000)] = 100


class ExportQuery(Struct, forbid_unknown_fields=True, frozen=True):
    format: Annotated[
        Literal["jsonl", "parquet", "obp", "ubi"],
        Meta(
            description="`jsonl`: every entry. `parquet`: outcomes. `obp`: for Open Bandit "
            "Pipeline, a row per item shown; views whose propensity is known, which those of "
            'matchrank are with the option `{"propensity": "estimate"}`. `ubi`: queries and clicks'
        ),
    ] = "jsonl"
    after: Annotated[
        int, Meta(ge=0, le=LARGEST, description="the cursor that the last answer gave")
    ] = 0
    most: Annotated[int, Meta(ge=1, le=100_000, description="entries")] = 10_000


class Rebuild(Struct, forbid_unknown_fields=True, frozen=True):
    """Learn again from the log, without what a robot did.

    A rebuild leaves out what it names and nothing else: what an earlier rebuild left out comes
    back, unless it is named again. `{"without": []}` brings everything back.
    """

    without: Annotated[
        Without | list[Without], Meta(description="a list that is in any of several is left out")
    ] = Without()

    @property
    def parts(self) -> list[Without]:
        """What is left out, without parts that name nothing."""
        parts = self.without if isinstance(self.without, list) else [self.without]
        return [part for part in parts if part != Without()]


class RebuildAnswer(Struct):
    """Every process learns again as soon as its log reaches this number."""

    number: int
    left_out: Annotated[int, Meta(description="views that are left out from now on")]
    unknown: Annotated[
        list[str],
        Meta(description="named sessions without a view on this page in this time"),
    ]


class KeyRequest(Struct, forbid_unknown_fields=True, frozen=True):
    """What a new key may do."""

    scopes: Annotated[list[Literal["rank", "click", "admin"]], Meta(min_length=1, max_length=3)]
    note: Annotated[str, Meta(max_length=200, pattern=r"^[^\x00]*$", description="who has it")] = ""


class NewKey(Struct):
    key: Annotated[str, Meta(description="kept nowhere: write it down")]


class KnownKey(Struct):
    id: Annotated[str, Meta(description="the part of the key between the underscores")]
    scopes: list[str]
    note: str
    created_at: Annotated[float, Meta(description="Unix time; the oldest key comes first")]


class Problem(Struct):
    """A problem document of RFC 9457: what is wrong, in one sentence."""

    type: str
    title: str
    status: int
    detail: str
