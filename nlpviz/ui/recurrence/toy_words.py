"""What pages say of toy tasks: what is to be done, what needs no memory, what curves show."""

from __future__ import annotations

from collections.abc import Sequence

from nlpviz.experiments.toys import ToyTask
from nlpviz.results.toys import StoredCurves, better
from nlpviz.ui.frame import escape_markdown

_NAMED = 3  # networks in a sentence
_BASELINES = {
    "identical-halves": (
        "Both classes are equally frequent, and their last symbols have the same distribution: without memory, half "
        "of the predictions are wrong, and the loss is ln 2 = {loss:.3f} nats. About half of the sequences of class "
        "0 are near misses, which differ from identical halves in a single symbol (all of them at length 2, 60% at "
        "length 4). In long random sequences, comparing one or two symbols is nearly always enough. A network that "
        "compares only these symbols and misclassifies every near miss is wrong on about a quarter of the sequences "
        "from length 6 on (dotted line). *Fleuret 2018, "
        "EE-559 (lecture 11).*"
    ),
    "binary-addition": (
        "The best prediction without memory is the sum of the two bits without a carry. The carry into step t "
        "(counted from 1) is 1 with probability (1 − 2¹⁻ᵗ)/2. With n = {length} bits, {error:.1%} of the output "
        "bits are therefore wrong on average, and (3/4)ⁿ = {exact:.1%} of the sums are entirely right. The state "
        "only has to store one bit: the carry."
    ),
    "copy-memory": (
        "A network without memory can still predict the zeros and guess each of the ten symbols from eight "
        "possibilities: the "
        "loss is 10 ln 8 / (T + 20) = {loss:.3f} nats per position with T = {length}, and seven out of eight "
        "symbols are wrong. A network that stays on this line remembers nothing, however small its loss may look. "
        "*Arjovsky et al. 2016; Bai et al. 2018, section 4.2.*"
    ),
    "adding": (
        "The sum of two numbers between 0 and 1 has mean 1 and variance 2 × 1/12 = 1/6, so always predicting 1 gives a "
        "mean squared error of {loss:.3f}. A network on this line has learnt the mean but nothing about the sequence. "
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

**The networks** have at most 8,000 parameters each, including a linear output layer. At each step, every network is
trained on {schedule.batch} new sequences{shorter} with Adam, with gradients clipped to norm 1. The learning rate starts
at {schedule.rate:g} {f"({own})" if own else ""} and falls linearly to 0 over {schedule.steps:,} steps. A rate that
suits one network may not suit another. The curves are measured on the same held-out sequences for all networks. A
single seed proves little; the view *Curves* shows three seeds.

**The sequence** is read from left to right. Below each step is the network’s prediction (hover to see its probability);
wrong predictions are struck out, and predictions that do not count towards the error are grey. In the heatmaps, each
row is a unit of the last layer: its hidden state and its gates (0 closed, 1 open). A value that stays constant along a
row but differs between sequences may store information about the sequence. A value that is the same in every sequence
stores none.
"""


def ends_said(task: ToyTask, stored: StoredCurves) -> str:
    """Return which network has the lowest and which the highest mean error, or loss, at the length of training."""
    titles, (name, form) = stored.networks, _measure(task)
    numbers = {network: float(getattr(stored.mean(network), name)) for network in titles}
    ranked = sorted(numbers, key=lambda network: numbers[network])
    low, high = (f"{titles[one]} {form.format(numbers[one])}" for one in (ranked[0], ranked[-1]))
    return f"Mean {name} on {stored.length} {task.facts.unit}: lowest {low}, highest {high}."


def able_said(task: ToyTask, stored: StoredCurves) -> str:
    """Return how many networks are clearly better than what needs no memory, or which ones are not."""
    titles, without, facts = stored.networks, task.chance(stored.length), task.facts
    name, form = _measure(task)
    unable = [titles[one] for one in titles if not better(stored.mean(one), without)]
    beaten = f"{facts.without} ({form.format(getattr(without, name))})"
    when = f"after {stored.steps:,} steps"
    if not unable:
        return f"All networks are clearly better than {beaten} {when}."
    if len(unable) == len(titles):
        return f"No network is clearly better than {beaten} {when}."
    if len(unable) <= _NAMED:
        return f"All networks are clearly better than {beaten} {when}, except {_listed(unable)}."
    return f"{len(titles) - len(unable)} of {len(titles)} networks are clearly better than {beaten} {when}."


def curves_table(task: ToyTask, stored: StoredCurves) -> dict[str, list[str]]:
    """Return what the committed curves show of each network: means over seeds, and up to which length it is better."""
    titles, facts = stored.networks, task.facts
    name, form = _measure(task)
    without = task.chance(stored.length)
    table = {
        "Network": list(titles.values()),
        f"Mean {name}": [form.format(getattr(stored.mean(one), name)) for one in titles],
        f"Clearly better than {facts.without}": [
            "yes" if better(stored.mean(one), without) else "no" for one in titles
        ],
    }
    if task.tested:
        table[f"Clearly better up to length ({facts.unit})"] = [_upto(task, stored, one) for one in titles]
    if facts.shortcut[0]:
        table[f"No better than {facts.shortcut[0]} at lengths ({facts.unit})"] = [
            _by_shortcut(task, stored, one) for one in titles
        ]
    twice = 2 * stored.length
    if twice in task.tested:
        table[f"Sequences without errors at {twice} {facts.unit}"] = [
            f"{stored.mean(one, twice).exact:.1%}" for one in titles
        ]
    return table


def _measure(task: ToyTask) -> tuple[str, str]:
    """Return what is measured, an error where answers are classes, and how it is written."""
    return ("error", "{:.1%}") if task.of_classes else ("loss", "{:.4f}")


def curves_explained(task: ToyTask, stored: StoredCurves) -> str:
    """Return how the committed curves are to be read, and how they were made."""
    rates = ", ".join(f"{rate:g} for {name}" for name, rate in task.schedule.rates.items())
    longer = " Lengths to the right of the dashed line do not occur in training." if task.tested else ""
    counts = sorted(curve.parameters for curve in stored.curves)
    return f"""
**The grey line** ({task.facts.without}). {baseline_said(task, stored.length)}

**The curves** are means of {len({curve.seed for curve in stored.curves})} training runs with different seeds; the bands
show the range from the lowest to the highest run, not a confidence interval. The networks have {counts[0]:,} to
{counts[-1]:,} parameters and were trained for {stored.steps:,} steps of {task.schedule.batch} sequences with Adam. The
learning rate falls linearly from {task.schedule.rate:g} {f"({rates})" if rates else ""} to 0.{longer} “Clearly better
than {escape_markdown(task.facts.without)}” means that the mean is at least 10% lower.

**Limits.** More steps, more units or other learning rates may change the ranking. A temporal convolutional network
(TCN) has no recurrent state: it sees only the steps within its receptive field, which exceeds the longest test sequence
here. Its errors on long sequences occur at lengths that it did not see in training.

Created on {stored.created} ({stored.device}) in {stored.seconds / 60:.0f} minutes of training:
`python -m nlpviz toy {task.name} --all-cells --seeds 3 --length {stored.length}
--steps {stored.steps} --write`.
"""


def _upto(task: ToyTask, stored: StoredCurves, network: str) -> str:
    """Return the last length up to which a network is clearly better than what needs no memory at each one."""
    reached = "none"
    for length in task.tested:
        if not better(stored.mean(network, length), task.chance(length)):
            return reached
        reached = str(length)
    return f"{reached}, the longest tested"


def _by_shortcut(task: ToyTask, stored: StoredCurves, network: str) -> str:
    """Return the lengths at which a network is no better than a shortcut, give or take a tenth, where it is one."""
    errors = task.facts.shortcut[1]
    lengths = [
        str(one)
        for one in task.tested
        if 0.9 * task.chance(one).error > errors[one] and stored.mean(network, one).error >= 0.9 * errors[one]
    ]
    return ", ".join(lengths) or "none"


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
