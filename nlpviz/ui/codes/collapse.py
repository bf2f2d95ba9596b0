"""The collapse of codes on a page: one network, trained in several ways, which differ in a single setting."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures.codes.remedies import Trained, remedies
from nlpviz.run_kinds import history
from nlpviz.runs import Run
from nlpviz.runs.codes import VARIATIONAL_KIND
from nlpviz.ui import cache, plotly_view
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, takeaway

NOTHING = "nothing"


def trained() -> list[Run]:
    """Return the runs that differ in what is done against collapse alone, the one where nothing is done first."""
    found = [run for run in cache.runs(VARIATIONAL_KIND).values() if run.recipe["remedy"]]
    found.sort(key=lambda run: (run.recipe["remedy"] != NOTHING, run.recipe["remedy"]))
    if not found:
        st.info("There is no run with remedies yet. Run `python -m nlpviz train newsgroups-vae-collapsed` first.")
        st.stop()
    return found


def pick(runs: Sequence[Run]) -> list[Run]:
    """Return the runs whose curves the visitor wants, at first all."""
    names = {run.recipe["remedy"]: run for run in runs}
    chosen = st.pills(
        "Remedy", list(names), selection_mode="multi", default=list(names), key="remedies",
        help="Each remedy changes one setting of the same network.",
    )  # fmt: skip
    return [run for name, run in names.items() if name in chosen] or list(runs)


def show(runs: Sequence[Run]) -> None:
    """Show the curves of some runs, and what each reaches on the test documents."""
    _take_away(runs)
    trained = [Call(Trained, run.recipe["remedy"], run.name, Call(history, run)) for run in runs]
    plotly_view.show(Call(remedies, trained), key="remedies_figure")
    _tell(runs)
    st.table(
        {
            "Remedy": [escape_markdown(run.recipe["remedy"]) for run in runs],
            "Active units": [f"{run.metrics['test']['active']:.0f} of {run.config['latent']}" for run in runs],
            "KL (nats)": [f"{run.metrics['test']['divergence']:.2f}" for run in runs],
            "Information (nats)": [f"{run.metrics['test']['information']:.2f}" for run in runs],
            "Reconstruction (nats per word)": [f"{run.metrics['test']['reconstruction']:.3f}" for run in runs],
            "Perplexity bound": [f"{run.metrics['test']['perplexity']:.0f}" for run in runs],
            "Command": [f"`python -m nlpviz train {run.name}`" for run in runs],
        },
        hide_index=True,
        border="horizontal",
    )


def _take_away(runs: Sequence[Run]) -> None:
    """Say how many units collapse without a remedy, and how many with the one that keeps most of them."""
    plain = next((run for run in runs if run.recipe["remedy"] == NOTHING), None)
    others = [run for run in runs if run.recipe["remedy"] != NOTHING]
    best = max(others, key=lambda run: run.metrics["test"]["active"], default=None)
    if plain is not None and best is not None:
        takeaway(
            "Without a remedy, {lost:.0f} of {units} units collapse; with {name}, {left:.0f}.",
            lost=_collapsed(plain),
            units=plain.config["latent"],
            name=best.recipe["remedy"],
            left=_collapsed(best),
        )
        return
    only = plain or best
    assert only is not None
    takeaway(
        "{name}: {lost:.0f} of {units} units collapse.",
        name="Without a remedy" if only is plain else f"With {only.recipe['remedy']}",
        lost=_collapsed(only),
        units=only.config["latent"],
    )


def _collapsed(run: Run) -> float:
    return float(run.config["latent"] - run.metrics["test"]["active"])


def _tell(runs: Sequence[Run]) -> None:
    """Say which of the runs has the lowest bound."""
    best = min(runs, key=lambda run: run.metrics["test"]["perplexity"])
    answer(
        "Lowest perplexity bound: {bound:.0f} (remedy: {name}). With it, the code carries {information:.1f} nats.",
        name=best.recipe["remedy"],
        bound=best.metrics["test"]["perplexity"],
        information=best.metrics["test"]["information"],
    )
