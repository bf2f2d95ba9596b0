"""What pages say of toy tasks: what is to be done, what needs no memory, what curves show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from nlpviz.results.toys import StoredCurves, better
from nlpviz.toys import ToyTask
from nlpviz.ui.frame import escape_markdown

_BASELINES = {
    "identical-halves": (
        "Both classes are equally frequent, and their last symbols are distributed alike: without memory, half of the "
        "answers are wrong, and the loss is ln 2 = {loss:.3f} nats. About half of the sequences of class 0 differ from "
        "identical halves in a single symbol (all of them at length 2, 60 % at length 4); of sequences drawn at "
        "random, nearly all longer ones could be told by comparing one or two symbols. A network that tells only "
        "those, and misses every near miss, errs on about a quarter from length 6 on: the dotted line. *Fleuret 2018, "
        "EE-559 (lecture 11).*"
    ),
    "binary-addition": (
        "The best answer without memory is the sum of the two bits without a carry. The carry into step t, counted "
        "from 1, is 1 with probability (1 − 2¹⁻ᵗ)/2, so that on average {error:.1%} of the answers are wrong with n = "
        "{length} bits, and (3/4)ⁿ = {exact:.1%} of the sums are entirely right. The state has to hold one bit: the "
        "carry."
    ),
    "copy-memory": (
        "Without the ten symbols, zeros are still known, and each symbol is one of eight: the loss is "
        "10 ln 8 / (T + 20) = {loss:.3f} nats a position with T = {length}, and seven of eight symbols are wrong. A "
        "network that stays on this line has not learnt to remember anything, however small its loss looks. "
        "*Arjovsky et al. 2016; Bai et al. 2018, section 4.2.*"
    ),
    "adding": (
        "The sum of two numbers between 0 and 1 has mean 1 and variance 2 × 1/12 = 1/6: always answering 1 has a mean "
        "squared error of {loss:.3f}. A network on that line has learnt the mean, and nothing of the sequence. "
        "*Hochreiter and Schmidhuber 1997; Bai et al. 2018, section 4.2.*"
    ),
}


def task_said(task: ToyTask, length: int) -> str:
    """Return what is to be done with sequences of this length."""
    return task.says.format(length=length)


def baseline_said(task: ToyTask, length: int) -> str:
    """Return what is reached without memory, and why; of a task that is not known here the numbers alone."""
    without = task.chance(length)
    known = _BASELINES.get(task.name, "Without memory, the loss is {loss:.3f}.")
    return known.format(**without._asdict(), length=length)


def live_explained(task: ToyTask, length: int) -> str:
    """Return how the live page is to be read."""
    schedule = task.schedule
    shorter = ", of this length or shorter," if len(task.trained_on(length)) > 1 else ""
    own = ", ".join(f"{rate:g} for {name}" for name, rate in schedule.rates.items())
    return f"""
**The grey line** ({task.facts.without}). {baseline_said(task, length)}

**The networks** have at most 8,000 parameters each, a linear layer on each state included. In a step, each learns from
{schedule.batch} new sequences{shorter} by Adam, its gradient clipped to norm 1; the learning rate begins at
{schedule.rate:g} {f"({own})" if own else ""} and falls linearly to 0 after {schedule.steps:,} steps. A rate that suits
one network may ruin another: try. The curves are measured on held-out sequences, the same ones for all networks. One
seed is an anecdote; the view *Curves* has three.

**The sequence** is read from left to right. Under each step stands the network's answer there, with its probability
when you point at it; a wrong answer is struck out, and one that is not asked for is grey. Below, each row is a unit
of the last layer: its hidden state, and what the gates let through (0 closed, 1 open). A value that differs
between sequences and then stays the same along a row may be a memory; one that is the same in every sequence holds
nothing of it.
"""


def curves_said(task: ToyTask, stored: StoredCurves) -> list[str]:
    """Return in sentences of Markdown what the committed curves show: who needs memory and has it, and up to where."""
    titles, without, facts = stored.networks, task.chance(stored.length), task.facts
    name, form = ("error", "{:.1%}") if task.of_classes else ("loss", "{:.4f}")
    numbers = {network: float(getattr(stored.mean(network), name)) for network in titles}
    ranked = sorted(numbers, key=lambda network: numbers[network])
    able = [titles[one] for one in titles if better(stored.mean(one), without)]
    unable = [title for title in titles.values() if title not in able]
    seeds = len({curve.seed for curve in stored.curves})
    of = f"With {stored.length} {facts.unit}, after {stored.steps:,} steps and over {seeds} seeds"
    said = (
        f"{of}, {_whom(able, titles, 'do')} clearly better than {facts.without} ({form.format(getattr(without, name))})"
    )
    said += f"; {_whom(unable, titles, 'do')} not: less than a tenth lower, or no lower." if unable else "."
    ends = [form.format(numbers[one]) for one in (ranked[0], ranked[-1])]
    if ends[0] != ends[1]:
        what = f"share of {facts.error}" if facts.error else facts.loss
        said += f" Mean {what}: lowest {ends[0]} ({titles[ranked[0]]}), highest {ends[1]} ({titles[ranked[-1]]})."
    return [escape_markdown(said), *map(escape_markdown, _by_length(task, stored) if task.tested else [])]


def curves_explained(task: ToyTask, stored: StoredCurves) -> str:
    """Return how the committed curves are to be read, and how they were made."""
    rates = ", ".join(f"{rate:g} for {name}" for name, rate in task.schedule.rates.items())
    longer = " Lengths to the right of the dashed line were never trained on." if task.tested else ""
    counts = sorted(curve.parameters for curve in stored.curves)
    return f"""
**The grey line** ({task.facts.without}). {baseline_said(task, stored.length)}

**The curves** are means of {len({curve.seed for curve in stored.curves})} trainings from different seeds; the bands
reach from the lowest to the highest of them, which is a range, not a confidence interval. All networks have
{counts[0]:,} to {counts[-1]:,} parameters, and took {stored.steps:,} steps of {task.schedule.batch} sequences with
Adam, the rate falling linearly from {task.schedule.rate:g} {f"({rates})" if rates else ""} to 0.{longer} "Clearly
better than {escape_markdown(task.facts.without)}" is said of a mean that is lower by a tenth at least.

**What they do not show.** More steps, more units or other rates may change the order. A convolutional network (TCN)
has no state that could keep anything: it sees back as far as its filters reach, here beyond the longest sequence
tested, and what it gets wrong there it was never trained on.

Made on {stored.created} ({stored.device}) in {stored.seconds / 60:.0f} minutes of training:
`python -m nlpviz toy {task.name} --all-cells --seeds 3 --length {stored.length}
--steps {stored.steps} --write`.
"""


def _by_length(task: ToyTask, stored: StoredCurves) -> list[str]:
    """Return up to which length each network does better than what needs no memory, and more of twice its own."""
    titles, facts = stored.networks, task.facts
    upto: dict[int | None, list[str]] = {}
    for network, title in titles.items():
        failed = (one for one in task.tested if not better(stored.mean(network, one), task.chance(one)))
        upto.setdefault(next(failed, None), []).append(title)
    better_than, tested, said = f"clearly better than {facts.without}", task.tested, []
    for length, some in sorted(upto.items(), key=lambda one: one[0] or 0):
        who = _whom(some, titles, "do")
        if length is None:
            said.append(f"{who} {better_than} at every length up to {tested[-1]} {facts.unit}.")
        elif length == tested[0]:
            said.append(f"{who} not do {better_than} at {length} {facts.unit}, the shortest.")
        else:
            last = tested[tested.index(length) - 1]
            said.append(f"{who} {better_than} up to {last} {facts.unit}, and not at {length}.")
    if facts.shortcut[0]:
        said.append(_by_shortcut(task, stored))
    twice = 2 * stored.length
    if twice in task.tested:
        exact = sorted(((stored.mean(one, twice).exact, title) for one, title in titles.items()), reverse=True)
        said.append(
            f"On sequences twice as long ({twice} {facts.unit}), this share has no error at all: "
            + ", ".join(f"{title} {share:.1%}" for share, title in exact)
            + f"; {facts.without}, {task.chance(twice).exact:.1%}."
        )
    return [one[:1].upper() + one[1:] for one in said]


def _by_shortcut(task: ToyTask, stored: StoredCurves) -> str:
    """Return which networks do no better than by a shortcut, at those lengths where it is one."""
    name, errors = task.facts.shortcut
    found = {
        title: [
            str(one)
            for one in task.tested
            if 0.9 * task.chance(one).error > errors[one] and stored.mean(network, one).error >= 0.9 * errors[one]
        ]
        for network, title in stored.networks.items()
    }
    failing = [f"{title} at {_listed(lengths)} {task.facts.unit}" for title, lengths in found.items() if lengths]
    return f"As many errors as from {name}, give or take a tenth, or more: {'; '.join(failing) or 'no network'}."


def _whom(some: Sequence[str], every: Mapping[str, str], verb: str) -> str:
    """Return who does it, with the verb: ``"all networks do"``, ``"GRU and LSTM do"``, ``"GRU does"``."""
    if len(some) == len(every):
        return f"all networks {verb}"
    if not some:
        return f"no network {verb}es"
    return f"{_listed(some)} {verb if len(some) > 1 else verb + 'es'}"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
