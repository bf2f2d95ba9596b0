"""Minimal pairs on a page: how many pass by capability and epoch, what that says, and the pairs one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import streamlit as st

from nlpviz.data.battery import NOT_GOOD, battery
from nlpviz.figures.assessment.behaviours import behaviour_panels
from nlpviz.figures.view import FigureView
from nlpviz.results.behaviours import MORE_OFTEN_THAN_NOT, Probed, Rate, emerged, passes, rates, shortfalls
from nlpviz.results.minimal_pairs import MinimalPair
from nlpviz.run_kinds.behaviours import probe_epochs
from nlpviz.runs import Run
from nlpviz.ui import address, plotly_view, widgets
from nlpviz.ui.assessment import cache
from nlpviz.ui.assessment.choice import AskedPairs
from nlpviz.ui.cache import runs
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway

_LISTED = 500
_FORMAT = "%.0f%%"
_ASKS = {
    "minimum functionality": "both texts must be classified correctly",
    "directional expectation": "the probability of *positive* must change in the expected direction",
    "invariance": "the probability of *positive* must change by less than 0.1",
}


def probed(chosen: Sequence[Run], asked: AskedPairs) -> dict[str, list[Probed]]:
    """Return what every kept epoch of the chosen runs makes of the pairs, by run."""
    return {run.name: cache.probed(run, asked.pairs, asked.token) for run in chosen}


def pick_capability(asked: AskedPairs) -> str:
    """Return the capability whose pairs are listed; what a visitor calls one is not said in the address."""
    names = _capabilities(asked)
    return names[widgets.pick("capability", "Capability", names)]


def show_rates(asked: AskedPairs, found: Mapping[str, Sequence[Probed]], capability: str) -> None:
    """Show the share that passes by capability and epoch; a click chooses a capability."""
    identifiers = {name: identifier for identifier, name in _capabilities(asked).items()}

    def choose(name: str) -> None:
        if name in identifiers:  # a click may arrive when other pairs are asked already
            widgets.set_to("capability")(identifiers[name])

    drawn: FigureView | Call[FigureView] = behaviour_panels(asked.pairs, found, asked.source, capability)
    if not asked.is_own:
        pairs = Call(battery)
        calls = {name: Call(probe_epochs, runs()[name], pairs).giving(list(own)) for name, own in found.items()}
        drawn = Call(behaviour_panels, pairs, calls, asked.source, capability)
    plotly_view.show(drawn, key="behaviours", on_click=choose)


def tell(asked: AskedPairs, found: Mapping[str, Sequence[Probed]]) -> None:
    """Say in how many pairs *not good* counts as negative at the last kept epoch; of own pairs, how many pass."""
    title, by_epoch = _by_run(asked, found)[0]
    rate = _last(by_epoch)
    if not rate.pairs:
        takeaway("{title}: every pair contains an out-of-vocabulary word.", title=title)
        return
    takeaway(
        "{title}: {passed:,} of your {pairs:,} pairs pass ({share:.0%})."
        if asked.is_own
        else "{title}: {passed:,} of {pairs:,} pairs of “good” and “not good” pass.",
        title=title, passed=rate.passed, pairs=rate.pairs, share=rate.share,
    )  # fmt: skip


def show_verdicts(asked: AskedPairs, found: Mapping[str, Sequence[Probed]]) -> None:
    """Say what the interval makes of it, and fold the same of every run, with the pairs that were left out."""
    by_run = _by_run(asked, found)
    verdict = _how_often(by_run[0][1])
    example = (
        "" if asked.is_own else " Both “The film is good.” and “The film is not good.” must be classified correctly."
    )
    answer(f"The share of pairs that pass is {verdict}.{example}")
    rates_found = [_last(by_epoch) for _, by_epoch in by_run]
    epochs = [own[-1].epoch for own in found.values()]
    with details():
        st.dataframe(
            {
                "Network": [title for title, _ in by_run],
                "Epoch": ["–" if epoch is None else str(epoch) for epoch in epochs],
                "Pairs that pass": [f"{rate.passed:,} of {rate.pairs:,}" for rate in rates_found],
                "Share": [_share_said(rate) for rate in rates_found],
                "Compared with 50%": [_how_often(by_epoch) for _, by_epoch in by_run],
                "Excluded (out-of-vocabulary words)": [int((~own[-1].known).sum()) for own in found.values()],
            },
            hide_index=True,
        )


def _by_run(asked: AskedPairs, found: Mapping[str, Sequence[Probed]]) -> list[tuple[str, dict[int | None, Rate]]]:
    """Return each run's title, and by epoch how many pairs with *not good* pass; of own pairs all count."""
    places = [at for at, pair in enumerate(asked.pairs) if asked.is_own or pair.template in NOT_GOOD]
    pairs = [asked.pairs[at] for at in places]
    return [(own[-1].title, {one.epoch: _rate(pairs, one, places) for one in own}) for own in found.values()]


def _share_said(rate: Rate) -> str:
    if not rate.pairs:
        return "–"
    low, high = rate.interval
    return f"{rate.share:.0%} (95% CI {low:.0%} to {high:.0%})"


def pick_epoch(run: Run) -> int | None:
    """Return the epoch whose pairs are listed; None of a run without epochs."""
    if run.epochs:
        return widgets.pick_epoch(run)
    address.leave_out("one_epoch", parameter="epoch")
    return None


def show_templates(asked: AskedPairs, own: Sequence[Probed], capability: str) -> None:
    """Show how many pairs of each template pass at every kept epoch of one run: templates differ more than pairs do."""
    pairs = [pair for pair in asked.pairs if pair.capability == capability]
    example = {pair.template: pair for pair in reversed(pairs)}
    templates = list(dict.fromkeys(pair.template for pair in pairs))
    by_epoch = [rates(asked.pairs, one, by_template=True) for one in own]
    texts: dict[str, list[object]] = {
        "First text": [example[name].first for name in templates],
        "Second text": [example[name].second for name in templates],
        "Expected": [example[name].expected for name in templates],
    }
    shares: dict[str, list[object]] = {
        "Pass" if one.epoch is None else f"Epoch {one.epoch}": [_percent(found[name]) for name in templates]
        for one, found in zip(own, by_epoch, strict=True)
    }
    counts = {"Pairs": [by_epoch[-1][name].pairs for name in templates]}
    formats: dict[Any, Any] = {name: st.column_config.NumberColumn(format=_FORMAT, width=72) for name in shares}
    formats |= {name: st.column_config.TextColumn(width=230) for name in ("First text", "Second text")}
    st.header("Results by template", anchor=False)
    st.dataframe(texts | counts | shares, hide_index=True, column_config=formats)


def show_pairs(asked: AskedPairs, own: Sequence[Probed], capability: str, run: Run, epoch: int | None) -> None:
    """Show the pairs of a capability at one epoch of a run, the worst failures first."""
    (one,) = [probed for probed in own if probed.epoch == epoch]
    places = [at for at, pair in enumerate(asked.pairs) if pair.capability == capability]
    lacking = shortfalls(asked.pairs, one.positive)
    order = [places[at] for at in np.argsort(-lacking[places], kind="stable")][:_LISTED]
    failing = sum(bool(lacking[at] >= 0) and bool(one.known[at]) for at in places)
    asks = " or ".join(_ASKS[test] for test in dict.fromkeys(asked.pairs[at].test for at in places))
    at_epoch = "" if epoch is None else f", epoch {epoch}"
    st.markdown(
        f"{escape_markdown(run.title)}{at_epoch}: {failing:,} of {int(one.known[places].sum()):,} pairs fail. "
        f"To pass, {asks}."
    )
    columns: dict[str, list[object]] = {
        "Result": [_verdict(bool(one.known[at]), float(lacking[at])) for at in order],
        "P(first)": [100 * float(one.positive[at, 0]) for at in order],
        "P(second)": [100 * float(one.positive[at, 1]) for at in order],
        "Expected": [asked.pairs[at].expected for at in order],
        "First text": [asked.pairs[at].first for at in order],
        "Second text": [asked.pairs[at].second for at in order],
    }
    formats: dict[Any, Any] = {
        name: st.column_config.NumberColumn(format=_FORMAT, width=72) for name in ("P(first)", "P(second)")
    }
    st.dataframe(columns, hide_index=True, column_config=formats)
    listed = f" Only the {_LISTED:,} worst pairs of {len(places):,} are listed." if len(places) > _LISTED else ""
    st.caption(f"P(first) and P(second) are the probabilities of *positive* for each text.{listed}")


def _capabilities(asked: AskedPairs) -> dict[str, str]:
    """Return the capabilities by their value in the address: their names, or for the visitor's pairs their numbers."""
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
        f"Wilson interval for a share $\\hat p$ of $n$ pairs. **{escape_markdown(capability)}**, "
        f"{escape_markdown(last.title)}{epoch}: {rate.passed:,} of {rate.pairs:,} pairs pass, so $\\hat p$ = "
        f"{rate.share:.3f} and the interval is {low:.3f} to {high:.3f}."
    )


def _verdict(known: bool, lacking: float) -> str:
    return "excluded" if not known else "passes" if lacking < 0 else "fails"


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
        return "significantly below 50%" if high < MORE_OFTEN_THAN_NOT else "not significantly different from 50%"
    since = emerged({epoch: rate for epoch, rate in by_epoch.items() if epoch is not None})
    return "significantly above 50%" + ("" if since is None else f", from epoch {since} onwards")
