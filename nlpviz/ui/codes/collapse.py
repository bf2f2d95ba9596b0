"""The collapse of codes on a page: one network, trained in several ways, which differ in a single setting."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.figures.codes.remedies import Trained, remedies
from nlpviz.kinds import history
from nlpviz.runs import Run
from nlpviz.runs.codes import VARIATIONAL_KIND
from nlpviz.snippets import codes as snippets
from nlpviz.ui import cache, plotly_view
from nlpviz.ui.frame import answer, escape_markdown

NOTHING = "nothing"


def trained() -> list[Run]:
    """Return the runs that differ in what is done against collapse alone, the one where nothing is done first."""
    found = [run for run in cache.runs(VARIATIONAL_KIND).values() if run.recipe["remedy"]]
    found.sort(key=lambda run: (run.recipe["remedy"] != NOTHING, run.recipe["remedy"]))
    if not found:
        st.info("There is no such run yet: `python -m nlpviz train newsgroups-vae-collapsed` makes one.")
        st.stop()
    return found


def pick(runs: Sequence[Run]) -> list[Run]:
    """Return the runs whose curves the visitor wants, at first all."""
    names = {run.recipe["remedy"]: run for run in runs}
    chosen = st.pills(
        "Against the collapse", list(names), selection_mode="multi", default=list(names), key="remedies",
        help="Each switch changes one setting of the same network.",
    )  # fmt: skip
    return [run for name, run in names.items() if name in chosen] or list(runs)


def show(runs: Sequence[Run]) -> None:
    """Show the curves of some runs, and what each reaches on the test documents."""
    drawn = remedies([Trained(run.recipe["remedy"], run.name, history(run)) for run in runs])
    plotly_view.show(drawn, key="remedies_figure", code=snippets.remedies([run.name for run in runs]))
    _tell(runs)
    st.table(
        {
            "Against the collapse": [escape_markdown(run.recipe["remedy"]) for run in runs],
            "Active units": [f"{run.metrics['test']['active']:.0f} of {run.config['latent']}" for run in runs],
            "KL (nats)": [f"{run.metrics['test']['divergence']:.2f}" for run in runs],
            "Information (nats)": [f"{run.metrics['test']['information']:.2f}" for run in runs],
            "Reconstruction (nats a word)": [f"{run.metrics['test']['reconstruction']:.3f}" for run in runs],
            "Perplexity bound": [f"{run.metrics['test']['perplexity']:.0f}" for run in runs],
            "Train it": [f"`python -m nlpviz train {run.name}`" for run in runs],
        },
        hide_index=True,
        border="horizontal",
    )


def _tell(runs: Sequence[Run]) -> None:
    """Say what collapses where nothing is done, and which remedies lower the bound."""
    by_remedy = {run.recipe["remedy"]: run for run in runs}
    plain = by_remedy.get(NOTHING)
    if plain is None:
        return
    test, units = plain.metrics["test"], plain.config["latent"]
    answer(
        "Where nothing is done, **{lost:.0f} of {units} units** have collapsed to the prior by the best epoch; the "
        "test documents have a perplexity bound of {bound:.0f}.",
        lost=units - test["active"],
        units=units,
        bound=test["perplexity"],
    )
    for name, run in by_remedy.items():
        if name == NOTHING:
            continue
        found = run.metrics["test"]
        change = found["perplexity"] - test["perplexity"]
        answer(
            "With {name}, {active:.0f} of {units} units are active and the bound is {bound:.0f}, {change:.0f} "
            + ("lower" if change < 0 else "higher")
            + "; a code tells {information:.1f} nats of its document, against {before:.1f}.",
            name=name,
            active=found["active"],
            units=units,
            bound=found["perplexity"],
            change=abs(change),
            information=found["information"],
            before=test["information"],
        )
