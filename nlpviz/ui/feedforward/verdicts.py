"""What trials with several seeds show in words: which choices an interval tells apart from another, and which not."""

from __future__ import annotations

from nlpviz.figures.numbers import number
from nlpviz.results.feedforward import Trials
from nlpviz.ui.feedforward.choice import listed


def told_apart(trials: Trials, group: str, base: str) -> str:
    """Return which choices have better or worse test accuracy than ``base``, and which are not told apart."""
    choices = trials.choices(group)
    means = {name: trials.test(group, name)[0] for name in choices}
    sides: dict[str, list[str]] = {"better": [], "worse": [], "neither": []}
    for name in sorted(choices, key=lambda name: -means[name]):
        if name == base:
            continue
        lead, (low, high) = trials.lead(group, name, base)
        side = "better" if low > 0 else "worse" if high < 0 else "neither"
        sides[side].append(f"{choices[name]} ({number(100 * lead, '.1f')} points)")
    best = max(means, key=lambda name: means[name])
    seeds = len(trials.of(group, base))
    said = [
        f"Highest mean test accuracy over {seeds} seeds: {choices[best]}, {means[best]:.1%}; {choices[base]} has "
        f"{means[base]:.1%}."
    ]
    if sides["better"]:
        said.append(f"Better than {choices[base]} on the same seeds: {listed(sides['better'])}.")
    if sides["worse"]:
        said.append(f"Worse: {listed(sides['worse'])}.")
    if sides["neither"]:
        said.append(f"Not told apart from it: {listed(sides['neither'])}.")
    diverged = [
        f"{choices[name]} ({count} of {seeds})"
        for name in choices
        if (count := sum(trial.diverged is not None for trial in trials.of(group, name)))
    ]
    if diverged:
        said.append(f"Trainings that diverged: {listed(diverged)}.")
    return " ".join(said)
