"""Compares what the program makes of twenty data sets with what statsmodels, SciPy and NumPy do, to 6 digits.

node test/statistics/data-sets.ts | python3 test/statistics/outside-check.py

Needs `pip install statsmodels`. Nothing of the program is used here but its figures.
"""

import json
import sys

import numpy as np
import statsmodels
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.proportion import proportion_confint


def clustered(values, groups, weights=None):
    """The mean and its cluster-robust variance, with G/(G-1) and no other correction."""
    ones = np.ones(len(values))
    model = sm.WLS(values, ones, weights=ones if weights is None else weights)
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": groups, "use_correction": False})
    count = len(set(groups))
    return fit.params[0], fit.cov_params()[0, 0] * count / (count - 1)


def check(prompts):
    before = [(sum(c["before"]["answers"] for c in p["cells"]), sum(c["before"]["hits"] for c in p["cells"])) for p in prompts]
    cells = [(j, c["before"], c["after"]) for j, p in enumerate(prompts) for c in p["cells"]]
    answers = np.concatenate([[1.0] * s + [0.0] * (n - s) for n, s in before])
    groups = np.concatenate([[j] * n for j, (n, _) in enumerate(before)])
    count, t = len(prompts), stats.t.ppf(0.975, len(prompts) - 1)

    rate, variance = clustered(answers, groups)
    effect = max(1, variance * len(answers) / (rate * (1 - rate)))
    effective = len(answers) / effect * (stats.norm.ppf(0.975) / t) ** 2
    low, high = proportion_confint(rate * effective, effective, method="wilson")

    hits = np.array([s for _, s in before], float)
    voices = np.array([p["voices"] for p in prompts], float)
    without = (hits.sum() - hits) / (voices.sum() - voices)
    spread = np.sqrt((count - 1) * np.var(without))
    share = hits.sum() / voices.sum()

    sizes = np.array([(b["answers"], a["answers"]) for _, b, a in cells], float)
    weights = sizes.prod(axis=1) / sizes.sum(axis=1)
    moved = np.array([a["hits"] / a["answers"] - b["hits"] / b["answers"] for _, b, a in cells])
    change, change_variance = clustered(moved, np.array([j for j, _, _ in cells]), weights)
    return {
        "variance": variance,
        "design_effect": effect,
        "effective_answers": effective,
        "rate": {"low": low, "high": high},
        "share": {"low": max(0, share - t * spread), "high": min(1, share + t * spread)},
        "change": change,
        "change_variance": change_variance,
    }


def farthest(found, wanted):
    if isinstance(wanted, dict):
        return max(farthest(found[name], wanted[name]) for name in wanted)
    return abs(found - wanted) / max(abs(wanted), 1e-12)


sets = json.load(sys.stdin)
most = max(farthest(each["found"], check(each["prompts"])) for each in sets)
figures = sum(len(each["found"]) + 2 for each in sets)
print(f"statsmodels {statsmodels.__version__}: {len(sets)} data sets, {figures} figures, farthest apart {most:.1e} of the value")
sys.exit(0 if len(sets) == 20 and most < 5e-7 else 1)
