"""A researcher's notebook: train a small table, judge it, look at it, rank Baku 2016 with it.

Run it as a script (`python examples/baku2016.py OUT`), or cell by cell: `# %%` begins a cell in
Jupyter (with jupytext), VS Code, Spyder and PyCharm. It takes about a minute.
"""

# %%
import sys
from pathlib import Path

import matplotlib.pyplot as plt

import tb2learn as tb

OUT = Path(sys.argv[1] if len(sys.argv) > 1 else "examples/out")
OUT.mkdir(parents=True, exist_ok=True)

# %% [markdown]
# Train a table for 20 teams and 7 rounds on 1,000 simulated events. The world is a configuration in
# `configs/`; a path to a file of your own works as well.

# %%
model = tb.train("small-20x7", events=1000, seed=1, progress=True)
table = model.rule().frame()
print(table.sample(5, random_state=1).to_string(index=False))

# %% [markdown]
# How often does it decide ties wrongly, on 500 fresh events, beside the product rule and least
# squares? Every rate has its 95 % interval.

# %%
judged = tb.assess([model, "least-squares"], "small-20x7", events=500, progress=True).frame
shown = judged[judged.top == "all"]
print(shown[["rule", "pairs", "error", "error_low", "error_high"]].to_string(index=False))

figure, panel = plt.subplots(figsize=(6, 2.2), layout="constrained")
below, above = shown.error - shown.error_low, shown.error_high - shown.error
panel.errorbar(shown.error, shown.rule, xerr=[below, above], fmt="o", capsize=3)
panel.set_xlabel("share of tied pairs decided wrongly")
figure.savefig(OUT / "errors.png")

# %% [markdown]
# The surface: what a result is worth to a team on 10 match points, by opponent and game points.

# %%
points = table[table.own_mp == 10].pivot(index="gp", columns="opponent", values="points")
figure, panel = plt.subplots(figsize=(6, 3.5), layout="constrained")
image = panel.pcolormesh(points.columns, points.index, points, cmap="cividis")
panel.set(xlabel="opponent's match points", ylabel="game points scored", title="Own MP 10")
figure.colorbar(image, label="points")
figure.savefig(OUT / "surface.png")

# %% [markdown]
# Baku 2016 under FIDE's product rule and under the shipped table for 180 teams and 11 rounds: whom
# does it move by four places or more?

# %%
event = tb.load_event("baku2016")
old = tb.rank(event, "product").set_index("team")
new = tb.rank(event, "learned").set_index("team")
places = old[["place", "mp"]].assign(place_learned=new.place)
moved = places[(places.place - places.place_learned).abs() >= 4]
print(moved.head(10).to_string())

# %% [markdown]
# Why? The working of two teams side by side: the Czech Republic passes Kazakhstan.

# %%
working = tb.explain(event, ["Kazakhstan", "Czech Republic"], ["product", "learned"])
last = working[(working.rule == "product") | (working["pass"] == 3)]
print(last.pivot(index=["team", "round", "opponent", "gp"], columns="rule", values="value"))

# %% [markdown]
# Tables to print and to use.

# %%
for path in tb.export_rule(model, OUT, formats=["csv", "xlsx", "pdf", "html"]):
    print(path)
