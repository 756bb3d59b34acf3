"""Six ways to click
=================

A click model says how people click on a list. Here six of them look at the same five items,
equally good, in the same order. Whatever differs between the bars is the place on the page, not
the item.
"""

import matplotlib.pyplot as plt

import unirank as ur

plt.style.use(ur.plots.STYLE)  # the look of unirank's own figures

ATTRACTION = [0.3] * 5
LOOKS = [1.0, 0.8, 0.6, 0.5, 0.4]
AFTER_CLICK = [[LOOKS[k] * 0.7] * 4 + [LOOKS[k]] for k in range(5)]  # last column: no click yet

models = {
    "PBM: looks fade with position": ur.PBM(ATTRACTION, LOOKS),
    "CM: leaves at the first click": ur.CM(ATTRACTION),
    "DCM: may go on after a click": ur.DCM(ATTRACTION, [0.6, 0.5, 0.4, 0.3, 0.2]),
    "DBN: leaves when satisfied": ur.DBN(ATTRACTION, [0.5] * 5, abandon=0.1),
    "CCM: goes on, or not, at each place": ur.CCM(ATTRACTION, 0.9, 0.8, 0.4),
    "UBM: the last click matters": ur.UBM(ATTRACTION, AFTER_CLICK),
}

# %%
# The exact probability of a click at each place, from the model itself. An item is clicked if it is
# looked at and liked. All are liked equally here, so dividing gives the probability of a look.

figure, panels = plt.subplots(2, 3, figsize=(6.7, 3.4), sharex=True, sharey=True)
for axes, (title, users) in zip(panels.flat, models.items(), strict=True):
    clicks = users.expected_clicks([0, 1, 2, 3, 4])
    print(f"{title}: {clicks.round(3)}")
    looks = axes.bar(range(1, 6), clicks / ATTRACTION, color="#CFE3F2")
    clicked = axes.bar(range(1, 6), clicks, color="#0072B2")
    axes.set_title(title, fontsize=6.5)
figure.legend([looks, clicked], ["looked at", "clicked"], loc="outside upper right", ncols=2)
figure.supxlabel("position")
figure.supylabel("probability")
figure.savefig("click_models.png")
