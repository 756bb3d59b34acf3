"""Compare policies, game by game
==============================

Two policies meet the same users: game 7 of one has the same people, in the same order, as game 7 of
the other. So compare them game by game: the luck of a game cancels out.
"""

import matplotlib.pyplot as plt
import numpy as np

import unirank as ur

plt.style.use(ur.plots.STYLE)  # the look of unirank's own figures

users = ur.CM(attraction=[0.5, 0.4, 0.3, 0.2, 0.1, 0.1])
scale = {"n_positions": 3, "n_rounds": 20_000, "n_games": 30}
unirank = ur.simulate("unirank", users, **scale)
cascade = ur.simulate("cascade-kl-ucb", users, **scale)

# %%
# CascadeKL-UCB was made for these users, who read from the top and leave at their first click.
# How many clicks does it save?

saved = unirank.regret[:, -1] - cascade.regret[:, -1]
error = saved.std(ddof=1) / np.sqrt(len(saved))
print(f"saved per game: {saved.mean():.1f} ± {error:.1f} clicks in {unirank.n_rounds:,} rounds")
print(f"in {np.mean(saved > 0):.0%} of the games")

figure, (left, right) = plt.subplots(1, 2, figsize=(6.7, 2.6))
for trace in (unirank, cascade):
    colour = ur.plots.colour_of(trace.policy)
    left.plot(trace.rounds, trace.mean, color=colour, label=trace.label)
left.set(xscale="log", xlabel="rounds", ylabel="clicks lost, mean", title="Each on its own")
left.legend()
right.bar(unirank.games, np.sort(saved), color=ur.plots.colour_of(cascade.policy))
right.axhline(saved.mean(), color="black", lw=1)
right.set(xlabel="games, sorted", ylabel="clicks saved by cascade-kl-ucb", title="Game by game")
figure.savefig("compared.png")
