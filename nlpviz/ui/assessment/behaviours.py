"""Minimal pairs on a page: how many pass by capability and epoch, what that says, and the pairs one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from nlpviz.data.battery import NOT_GOOD
from nlpviz.figures.assessment.behaviours import behaviour_panels
from nlpviz.figures.assessment.said import pairs_said
from nlpviz.results.behaviours import MORE_OFTEN_THAN_NOT, Probed, Rate, emerged, passes, rates, shortfalls
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.runs import Run
from nlpviz.snippets import assessment as snippets
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.assessment import cache
from nlpviz.ui.assessment.choice import AskedPairs
from nlpviz.ui.frame import answer, escape_markdown

_LISTED = 500
_FORMAT = "%.0f %%"
_ASKS = {
    "minimum functionality": "both texts must get their labels",
    "directional expectation": "the second text must move the probability of *positive* the right way",
    "invariance": "the probability of *positive* must move by less than 0.1",
}


def probed(runs: Sequence[Run], asked: AskedPairs) -> dict[str, list[Probed]]:
    """Return what every kept epoch of the runs makes of the pairs, by run."""
    return {run.name: cache.probed(run, asked.pairs, asked.token) for run in runs}


def pick_capability(asked: AskedPairs) -> str:
    """Return the capability whose pairs are listed; what a visitor calls one is not said in the address."""
    names = _capabilities(asked)
    return names[widgets.pick("capability", "Capability", list(names), names.__getitem__)]


def show_rates(asked: AskedPairs, found: Mapping[str, Sequence[Probed]], capability: str) -> None:
    """Show the share that passes by capability and epoch; a click chooses a capability."""
    identifiers = {name: identifier for identifier, name in _capabilities(asked).items()}

    def choose(name: str) -> None:
        if name in identifiers:  # a click may arrive when other pairs are asked already
            widgets.set_to("capability")(identifiers[name])

    drawn = behaviour_panels(asked.pairs, found, asked.source, capability)
    code = "" if asked.is_own else snippets.behaviours(list(found))
    plotly_view.show(drawn, key="behaviours", on_click=choose, code=code)
    for own in found.values():
        if count := int((~own[-1].known).sum()):
            answer(
                "**{title}** does not know a word of {count:,} of {pairs:,} pairs, which are left out of its numbers.",
                title=own[-1].title, count=count, pairs=len(asked.pairs),
            )  # fmt: skip


def tell(asked: AskedPairs, found: Mapping[str, Sequence[Probed]]) -> None:
    """Say from which kept epoch on *not good* counts as negative, of own pairs from which on they pass; run by run."""
    places = [at for at, pair in enumerate(asked.pairs) if asked.is_own or pair.template in NOT_GOOD]
    pairs = [asked.pairs[at] for at in places]
    (title, first), *others = [
        (own[-1].title, {one.epoch: _rate(pairs, one, places) for one in own}) for own in found.values()
    ]
    what = "your own pairs pass" if asked.is_own else "*not good* counts as negative"
    how = (
        "" if asked.is_own else "both texts, such as “The film is good.” and “The film is not good.”, get their labels "
    )
    epochs = [epoch for epoch in first if epoch is not None]
    at_last = f"at epoch {epochs[-1]}, the last of those it keeps ({', '.join(map(str, epochs))}), " if epochs else ""
    begins = f"{what} {_how_often(first)}; {at_last}{how}"
    answer(f"**{{title}}**: {begins}in {{rate}}.", title=title, rate=pairs_said(_last(first)))
    if others:
        sentences = [f"{{title{at}}}: {_how_often(own)}, {{rate{at}}}." for at, (_, own) in enumerate(others)]
        titles = {f"title{at}": other for at, (other, _) in enumerate(others)}
        answer(
            " ".join(sentences), **titles, **{f"rate{at}": pairs_said(_last(own)) for at, (_, own) in enumerate(others)}
        )


def show_templates(asked: AskedPairs, own: Sequence[Probed], capability: str) -> None:
    """Show how many pairs of each template pass at every kept epoch of one run: templates differ more than pairs do."""
    pairs = [pair for pair in asked.pairs if pair.capability == capability]
    example = {pair.template: pair for pair in reversed(pairs)}
    templates = list(dict.fromkeys(pair.template for pair in pairs))
    by_epoch = [rates(asked.pairs, one, by_template=True) for one in own]
    texts: dict[str, list[object]] = {
        "for example": [example[name].first for name in templates],
        "beside": [example[name].second for name in templates],
        "expected": [example[name].expected for name in templates],
    }
    shares: dict[str, list[object]] = {
        "pass" if one.epoch is None else f"epoch {one.epoch}": [_percent(found[name]) for name in templates]
        for one, found in zip(own, by_epoch, strict=True)
    }
    counts = {"pairs": [by_epoch[-1][name].pairs for name in templates]}
    formats: dict[Any, Any] = {name: st.column_config.NumberColumn(format=_FORMAT, width=72) for name in shares}
    formats |= {"for example": st.column_config.TextColumn(width=230), "beside": st.column_config.TextColumn(width=230)}
    st.dataframe(texts | counts | shares, hide_index=True, column_config=formats)


def show_pairs(asked: AskedPairs, own: Sequence[Probed], capability: str, run: Run) -> None:
    """Show the pairs of a capability at one epoch of a run, the worst failures first."""
    if run.epochs:
        epoch: int | None = widgets.pick_epoch(run)
    else:
        address.leave_out("one_epoch", "epoch", [])
        epoch = None
    (one,) = [probed for probed in own if probed.epoch == epoch]
    places = [at for at, pair in enumerate(asked.pairs) if pair.capability == capability]
    lacking = shortfalls(asked.pairs, one.positive)
    order = [places[at] for at in np.argsort(-lacking[places], kind="stable")][:_LISTED]
    failing = sum(bool(lacking[at] >= 0) and bool(one.known[at]) for at in places)
    asks = " or ".join(_ASKS[test] for test in dict.fromkeys(asked.pairs[at].test for at in places))
    answer(
        "**{title}**" + (", epoch {epoch}" if run.epochs else "") + ": {failing:,} of {count:,} pairs fail. To pass, "
        + asks + ".",
        title=run.title, epoch=epoch, failing=failing, count=int(one.known[places].sum()),
    )  # fmt: skip
    columns: dict[str, list[object]] = {
        "result": [_verdict(bool(one.known[at]), float(lacking[at])) for at in order],
        "first": [100 * float(one.positive[at, 0]) for at in order],
        "second": [100 * float(one.positive[at, 1]) for at in order],
        "expected": [asked.pairs[at].expected for at in order],
        "first text": [asked.pairs[at].first for at in order],
        "second text": [asked.pairs[at].second for at in order],
    }
    formats: dict[Any, Any] = {
        name: st.column_config.NumberColumn(format=_FORMAT, width=72) for name in ("first", "second")
    }
    st.dataframe(columns, hide_index=True, column_config=formats)
    listed = f" The worst {_LISTED:,} of {len(places):,} pairs are listed." if len(places) > _LISTED else ""
    st.caption(f"First, second: the probability of *positive* of each text.{listed}")


def _capabilities(asked: AskedPairs) -> dict[str, str]:
    """Return the capabilities by what stands in the address: their names, or the numbers of a visitor's own."""
    names = dict.fromkeys(pair.capability for pair in asked.pairs)
    return {str(number) if asked.is_own else name: name for number, name in enumerate(names, start=1)}


def worked(asked: AskedPairs, own: Sequence[Probed], capability: str) -> str:
    """Return the interval with the numbers of a capability at the last kept epoch, in Markdown."""
    rate, last = rates(asked.pairs, own[-1])[capability], own[-1]
    if not rate.pairs:
        return ""
    low, high = rate.interval
    epoch = "" if last.epoch is None else f", epoch {last.epoch}"
    return (
        f"That is Wilson's interval, of a share $\\hat p$ of $n$ pairs. **{escape_markdown(capability)}**, "
        f"{escape_markdown(last.title)}{epoch}: {rate.passed:,} of {rate.pairs:,} pairs pass, $\\hat p$ = "
        f"{rate.share:.3f}, which gives {low:.3f} to {high:.3f}."
    )


def _verdict(known: bool, lacking: float) -> str:
    return "left out" if not known else "passes" if lacking < 0 else "fails"


def _rate(pairs: Sequence[MinimalPair], one: Probed, places: Sequence[int]) -> Rate:
    right, known = passes(pairs, one.positive[places]), one.known[places]
    return Rate(int(right[known].sum()), int(known.sum()))


def _percent(rate: Rate) -> float | None:
    return 100 * rate.share if rate.pairs else None


def _last(by_epoch: Mapping[int | None, Rate]) -> Rate:
    return list(by_epoch.values())[-1]


def _how_often(by_epoch: Mapping[int | None, Rate]) -> str:
    """Return how often pairs pass at the last kept epoch, by the interval, and since which one if that is often."""
    low, high = _last(by_epoch).interval
    if low <= MORE_OFTEN_THAN_NOT:
        return (
            "less often than not" if high < MORE_OFTEN_THAN_NOT else "about as often as not, as far as these pairs tell"
        )
    since = emerged({epoch: rate for epoch, rate in by_epoch.items() if epoch is not None})
    return "more often than not" + ("" if since is None else f" from epoch {since} on")
