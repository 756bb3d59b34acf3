"""One look for all figures: readable, colour-blind safe, and one colour per policy, always."""

from typing import Any
from zlib import crc32

# Okabe and Ito's palette, which the common colour vision deficiencies keep apart. A policy that is
# not here gets a colour from its name.
COLOURS = {
    "unirank": "#0072B2",
    "matchrank": "#000000",
    "random": "#7F7F7F",
    "toprank": "#D55E00",
    "cascade-kl-ucb": "#009E73",
    "cascade-ucb1": "#44AA99",
    "dcm-kl-ucb": "#117733",
    "pb-mhb": "#AA3377",
    "grab": "#E69F00",
    "s-grab": "#B8860B",
    "kl-comb-ucb": "#806000",
    "pbm-ucb": "#8C510A",
    "pbm-pie": "#5C3317",
    "pbm-ts": "#CC79A7",
    "mp-ts": "#332288",
    "bc-mp-ts": "#6A3D9A",
    "batchrank": "#661100",
    "bubblerank": "#A6761D",
    "sam": "#1B9AAA",
    "osub": "#56B4E9",
    "rba": "#4A6FE3",
    "epsilon-greedy": "#999933",
    "oracle": "#333333",
}
SPARE = ("#882255", "#CC6677", "#6699CC", "#DDAA33", "#228833", "#EE3377")
DASHES: tuple[Any, ...] = ("-", (0, (4, 1.5)), (0, (1, 1)), (0, (5, 1, 1, 1)))

INK, GREY, FAINT = "#222222", "#777777", "#F2F2F2"
SURE, OPEN = "#0072B2", "#D55E00"  # an order that is certain, and one that is not
PALE = "#DCEBF5"  # items on the page

# Figures are drawn at the size they have on paper: 17 cm across a page, 8.5 cm in a column. No
# letter is smaller than 6.5 points there.
SMALL = 6.5
INCH = 2.54  # centimetres
COLUMN, PAGE = 8.5 / INCH, 17 / INCH

CYCLE = [SURE, "#E69F00", "#009E73", OPEN, "#CC79A7", "#56B4E9"]  # for what has no colour
STYLE = {
    "font.size": 7.5,
    "axes.titlesize": 8,
    "axes.labelsize": 7.5,
    "xtick.labelsize": SMALL,
    "ytick.labelsize": SMALL,
    "legend.fontsize": 7,
    "figure.labelsize": 7.5,
    "axes.linewidth": 0.6,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "xtick.minor.width": 0.4,
    "ytick.minor.width": 0.4,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#E6E6E6",
    "grid.linewidth": 0.5,
    "axes.edgecolor": "#555555",
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.prop_cycle": f"cycler('color', {CYCLE})",
    "figure.constrained_layout.use": True,
    "savefig.dpi": 300,
    "svg.hashsalt": "unirank",  # the same figure is the same file
    "pdf.fonttype": 42,  # text that can be searched, and that printers accept
}


def colour_of(policy: str) -> str:
    """Return the colour of a policy, always the same for its name; that of its plain edition, too.

    Two policies that are not in the table may share a colour; their curves then differ in dashes.

    Parameters
    ----------
    policy
        The name of a policy, as in `trace.policy`.
    """
    name = policy.removeprefix("plain-")
    return COLOURS.get(name, SPARE[crc32(name.encode()) % len(SPARE)])
