"""Because of which training documents a text is classified so: found, drawn, and one of them shown beside the text."""

from __future__ import annotations

import numpy as np
import streamlit as st

from nlpviz.data import DataError
from nlpviz.figures.attribution import influence as figures
from nlpviz.figures.view import provenance
from nlpviz.results.influence import Influence
from nlpviz.run_kinds.drawn.excerpts import quoted_beginnings
from nlpviz.runs import Run
from nlpviz.runs.influence import INFLUENCE, sketches_of
from nlpviz.stats.rank_correlation import rank_correlation
from nlpviz.ui import cache, classes, coloured_text, plotly_view, progress, texts, tokens, widgets
from nlpviz.ui.attribution.cache import beginnings
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, details, escape_markdown, takeaway

PICKED = "because"
"""The training document that is shown, in the session and in the address."""


def _lacks(run: Run) -> str:
    """Return why there is no influence of a run, or what makes its sketches."""
    from nlpviz.analysis.attribution.influence import trains_words

    if not trains_words(run):
        return "no influence, because its word vectors were not trained"
    if not any(0 < epoch <= run.best_epoch for epoch in run.surveyed):
        return "no influence, because no training epoch is stored"
    return f"no influence yet; `python -m nlpviz influence {run.name} --sketch` computes it"


SKETCHED = widgets.Wanted(
    "One review", able=lambda run: INFLUENCE in run.files, lacks=_lacks, named="run with trained word vectors"
)
"""Runs that keep sketches of the gradients of their training documents."""


def find(run: Run, text: str, target: str) -> Influence:
    """Return the training documents of most influence on a class of a text, by name or the predicted one.

    They are computed once; the estimates by which they are found are shown as long as that takes.
    """
    from nlpviz.run_kinds.influence import influence

    wanted = None if target == classes.PREDICTED else run.class_names.index(target)
    key = ("influence", run.name, run.fingerprint, text, wanted)
    place = st.empty()

    def show(estimate: Influence) -> None:
        if estimate.scores.any():
            with place.container():
                plotly_view.show(figures.documents(estimate, ""), key="influence_estimated")

    doing = f"Comparing gradients with those of {len(sketches_of(run).ids):,} training {classes.document(run)}s"
    found = progress.computed(
        key, doing, lambda report: influence(run, text, wanted, lambda epoch: cache.model(run, epoch), report, show)
    )
    place.empty()
    return found


def tell(run: Run, found: Influence) -> None:
    """Say over the picture what is predicted, and through which word the most helpful document acts."""
    kind = classes.document(run)
    if not len(found.encoded.ids) or not found.scores.any():
        takeaway(f"No word of the text affects the prediction, so no training {kind} influenced it through the words.")
        tokens.show_seen(found.encoded)
        st.stop()
    shares = cache.probabilities(run, run.best_epoch, found.encoded.text)
    predicted = int(np.argmax(shares))
    named = found.strongest_words(_first(found), 1)
    takeaway(
        "{title}: **{label}**, {share:.0%}."
        + (f" The most helpful {kind} shares the word *{{word}}*." if named else ""),
        title=run.title,
        label=run.class_names[predicted],
        share=float(shares[predicted]),
        **({"word": named[0][0]} if named else {}),
    )


def tell_first(run: Run, found: Influence) -> None:
    """Say under the picture which document lowered the loss most; and what is missing without the corpus."""
    kind, best = classes.document(run), _first(found)
    named, whole = found.strongest_words(best, 1), float(found.scores[best])
    through = "; {part:.0%} of this effect comes through *{word}*" if named and whole > 0 else ""
    answer(
        f"Of {{count:,}} training {kind}s, {{name}}, labelled {{label}}, lowered the loss of **{{target}}** "
        f"most{through}.",
        target=found.class_names[found.target],
        count=found.documents,
        name=texts.named(run, found.ids[best]),
        label=found.class_names[found.labels[best]],
        **({"word": named[0][0], "part": float(named[0][1]) / whole} if through else {}),
    )
    if found.through is None:
        st.info(
            "The corpus is not on this computer, so only ids and sketched estimates are shown. Download it with "
            f"`python -m nlpviz fetch {run.corpus['name']}`."
        )


def _first(found: Influence) -> int:
    """Return the position of the most helpful document."""
    helpful = found.helpful(1)
    return int(helpful[0]) if len(helpful) else int(np.argmax(found.scores))


def _call(run: Run, found: Influence) -> Call[Influence]:
    from nlpviz.run_kinds.influence import influence

    return Call(influence, run, found.encoded.text, found.target).giving(found)


def show_documents(run: Run, found: Influence) -> int:
    """Draw the documents, and return the position of the one that is shown: clicked or chosen, at first the first."""
    shown = [int(place) for place in (*found.helpful(), *found.harmful())]
    names = {found.ids[place]: place for place in shown}
    begins = beginnings(run.corpus["name"], tuple(names))
    drawn = st.container()

    def said(name: str) -> str:
        value = figures.amount(float(found.scores[names[name]]))
        return f"{begins.get(name, name)} · {found.class_names[found.labels[names[name]]]} · {value}"

    chosen = widgets.pick(PICKED, f"Training {classes.document(run)}", list(names), said, of_text=True)
    with drawn:
        call = _call(run, found)
        labels = Call(quoted_beginnings, run.corpus["name"], call.get("ids")).giving(begins)
        figure = Call(figures.documents, call, chosen, labels)
        plotly_view.show(figure, key="influence", on_click=widgets.set_to(PICKED))
    return names[chosen]


def show_trust(found: Influence) -> None:
    """Say how well the sketches, by which candidates are found, agree with what was computed exactly."""
    if found.through is None or (agreed := rank_correlation(found.estimates, found.scores)) is None:
        return
    with details(f"How far to trust these influences: rank correlation of sketched and exact influence {agreed:.2f}"):
        st.markdown(
            f"Sketches selected {len(found.ids)} candidates, whose influence was then computed exactly. Influential "
            "documents outside this selection may be missed. The sum assumes plain gradient descent at the stored "
            "epochs, not the optimiser’s actual steps."
        )


def show_one(run: Run, found: Influence, position: int) -> None:
    """Show through which words and at which epochs a document acted, and both texts coloured by it."""
    if found.through is None:
        return
    name = found.ids[position]
    call = _call(run, found)
    left, right = st.columns([3, 2], gap="medium")
    with left:
        st.markdown("**Influence by word**")
        plotly_view.show(Call(figures.words, call, position), key="influence_words")
    with right:
        st.markdown("**Influence by epoch**")
        plotly_view.show(Call(figures.epochs, call, position), key="influence_epochs")
    mine = f"{figures.UNIT}, summed over all occurrences of a word"
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown("**The text**")
        _show_text(found, position, "The text, coloured by influence", "text")
    try:
        text = cache.document_text(run.corpus["name"], name)
    except DataError:
        return
    with right:
        label = escape_markdown(found.class_names[found.labels[position]])
        st.markdown(f"{escape_markdown(texts.named(run, name))}, labelled {label}")
        encoded = cache.model(run, found.epochs[-1]).encode(text)
        coloured_text.show(
            figures.text_html(found, position, encoded, f"The training text {name}, coloured by influence"),
            caption=provenance(run.name, name, mine),
            name=f"{run.name}-influence-document",
        )


def _show_text(found: Influence, position: int, label: str, name: str) -> None:
    coloured_text.show(
        figures.text_html(found, position, found.encoded, label),
        caption=provenance(found.run, f"influence of {found.ids[position]}", figures.UNIT),
        name=f"{found.run}-influence-{name}",
    )


def rate(run: Run) -> float:
    """Return the learning rate of the word vectors, by which dot products are weighed."""
    return sketches_of(run).weights[0]


def sizes(run: Run) -> tuple[int, int]:
    """Return of how many hashed sums, and then of how many numbers, a sketch is."""
    sums, kept = sketches_of(run).basis.shape
    return sums, kept


def worked(found: Influence, position: int) -> str:
    """Return TeX that adds up one document's influence with the numbers of the page."""
    if found.through is None:
        return ""
    terms = " ".join(figures.amount(float(one)) for one in found.by_epoch[:, position])
    total = figures.amount(float(found.scores[position]))
    return rf"{terms} = {total}".replace("−", "-").replace("+", "+\\,")
