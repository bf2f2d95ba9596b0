"""What trials with several seeds show in words: the best choice, and how far each one differs from another."""

from __future__ import annotations

from nlpviz.figures.numbers import number
from nlpviz.results.feedforward import Trials
from nlpviz.ui.frame import takeaway


def tell_best(trials: Trials, group: str, base: str) -> None:
    """Name the choice with the highest mean test accuracy over the figure, beside ``base``."""
    choices = trials.choices(group)
    means = {name: trials.test(group, name)[0] for name in choices}
    best = max(means, key=lambda name: means[name])
    takeaway(
        "Highest test accuracy: {best}, {reached:.1%}."
        if best == base
        else "Highest test accuracy: {best}, {reached:.1%} ({base}: {other:.1%}).",
        best=choices[best], reached=means[best], base=choices[base], other=means[base],
    )  # fmt: skip


def told_apart(trials: Trials, group: str, base: str) -> str:
    """Return how many choices have significantly better or worse test accuracy than ``base``."""
    choices = trials.choices(group)
    sides = [_verdict(trials, group, name, base) for name in choices if name != base]
    seeds = len(trials.of(group, base))
    counted = [f"{sides.count(side)} significantly {side}" for side in ("better", "worse") if side in sides]
    if not counted:
        return f"Over {seeds} seeds, no alternative differs significantly from {choices[base]}."
    counted[0] = counted[0].replace(" ", " is " if counted[0].startswith("1 ") else " are ", 1)
    return f"Of {len(sides)} alternatives to {choices[base]}, {' and '.join(counted)} ({seeds} seeds)."


def differences(trials: Trials, group: str, base: str) -> dict[str, list[str]]:
    """Return each choice's mean test accuracy, its difference from ``base`` on the same seeds, and what diverged."""
    choices = trials.choices(group)
    seeds = len(trials.of(group, base))
    names = sorted(choices, key=lambda name: -trials.test(group, name)[0])
    lost = [sum(trial.diverged is not None for trial in trials.of(group, name)) for name in names]
    table = {
        "Option": [choices[name] for name in names],
        "Mean test accuracy": [f"{trials.test(group, name)[0]:.1%}" for name in names],
        f"Difference from {choices[base]} (points)": [_lead(trials, group, name, base) for name in names],
        f"Compared with {choices[base]}": [
            "" if name == base else _verdict(trials, group, name, base) for name in names
        ],
    }
    return table | ({"Diverged": [f"{count} of {seeds}" if count else "" for count in lost]} if any(lost) else {})


def _lead(trials: Trials, group: str, name: str, base: str) -> str:
    if name == base:
        return "–"
    lead, (low, high) = trials.lead(group, name, base)
    return f"{number(100 * lead, '.1f')} ({number(100 * low, '.1f')} to {number(100 * high, '.1f')})"


def _verdict(trials: Trials, group: str, name: str, base: str) -> str:
    _, (low, high) = trials.lead(group, name, base)
    return "better" if low > 0 else "worse" if high < 0 else "no significant difference"
