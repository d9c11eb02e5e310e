"""Where points come from, of all public games on a server: `python corpus_to_plot.py http://127.0.0.1:8000 points.svg`.

Needs `pip install matplotlib`.
"""

import sys
from statistics import fmean

import matplotlib.pyplot as plt
from ulm_client import Client

SOURCES = {
    "during the game": lambda score: score["vp"],
    "sparrows": lambda score: score["sparrows"],
    "barge": lambda score: score["barge"],
    "Cathedral": lambda score: score["cathedral"],
    "trade": lambda score: score["trade"],
    "chronicle": lambda score: sum(score["chronicle"].values()),
}

with Client(sys.argv[1]) as client:
    games = list(client.export())  # one request, however many there are
scores = [score for game in games for score in game["result"]["scores"]]
winners, others = ([score for score in scores if (score["rank"] == 1) is won] for won in (True, False))
figure, axes = plt.subplots(figsize=(8, 4), layout="constrained")
for group, label, side in ((winners, "winners", -0.2), (others, "others", 0.2)):
    means = [fmean(map(source, group)) for source in SOURCES.values()]
    axes.bar([place + side for place in range(len(SOURCES))], means, width=0.4, label=label)
axes.set_xticks(range(len(SOURCES)), SOURCES)
axes.set_title(f"Points by source, mean of {len(games)} games")
axes.axhline(0, color="black", linewidth=0.8)
axes.legend()
figure.savefig(sys.argv[2])
