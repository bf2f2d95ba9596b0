"""The first screen: a review to type, its words coloured at every epoch, and its place on the map that forms."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from nlpviz.analysis.attribution import methods
from nlpviz.analysis.projections import MapSettings, projectors
from nlpviz.data.examples import every_example, examples
from nlpviz.figures import panels, tokens
from nlpviz.figures.documents.maps import MapStyle
from nlpviz.figures.moments import CLOCK, leading
from nlpviz.figures.numbers import unit_of_score
from nlpviz.figures.view import provenance
from nlpviz.results.explanation import Explanation
from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.documents import DOCUMENTS, MAPS
from nlpviz.text.vocabulary import tokenize
from nlpviz.ui import address, cache, classes, coloured_text, frame, limits, plotly_view, texts, typed_texts
from nlpviz.ui.attribution import methods as order
from nlpviz.ui.calls import Call
from nlpviz.ui.coloured_text import MomentText
from nlpviz.ui.documents import answers, maps, placing
from nlpviz.ui.documents.settings import MapQuery

_STYLE = f"<style>{Path(__file__).with_name('overview.css').read_text(encoding='utf-8')}</style>"
_BOX, _EXAMPLE = "home_text", "home_example"  # in the session
_OFFERED = ("waste-of-time", "lighthouse", "not-bad", "bravo")
"""The examples of film reviews: against, for, a negation, irony."""
_HEIGHT = 470  # pixels of the map
_ASKED: set[str] = set()
"""Fingerprints of the runs that were asked since the server began: their networks are there."""


def show(run: Run) -> None:
    """Show what a classifier makes of the text in the box, and where it puts it among the test documents."""
    st.html(_STYLE)
    left, right = st.columns([6, 7], gap="large")
    with left:
        text, source = _pick(run)
    # The first visitor waits for the network, which alone knows where the text goes. Not with an address: what is wrong
    # with it would be said in the first run alone.
    if waits := _has_map(run) and run.fingerprint not in _ASKED and not st.query_params:
        with right:
            _show_map(run, "")
    with left:
        _show_words(run, text)
        frame.lead_to("One review", "Explain this prediction", "saliency", run=run.name, text=source)
    _ASKED.add(run.fingerprint)
    if waits:
        st.rerun()
    with right:
        _show_map(run, text)


def _pick(run: Run) -> tuple[str, str]:
    """Return the text that the visitor typed or chose, as on the pages about one text, and its name in an address."""
    ready = {one.id: one for one in examples(run.corpus["name"]) or every_example()}
    offered = [key for key in _OFFERED if key in ready] or list(ready)[: len(_OFFERED)]
    first = offered[0]
    purpose = texts.purpose_of(run)
    texts.take_brought(purpose)
    address.read(texts.SOURCE, "text", [*ready, texts.OWN], [first], memory=f"text: {purpose}")
    source, own = str(st.session_state[texts.SOURCE]), typed_texts.latest(purpose)
    if source == texts.OWN and own is None:
        frame.messages().info("This link does not include the typed text. Type or paste it again.")
        source = first
    text = str(own) if source == texts.OWN else ready[source].text
    if st.session_state.get(_BOX) != text:
        st.session_state[_BOX] = text
    document = "film review" if run.corpus["name"] == "imdb" else classes.document(run)
    st.text_area(
        f"Type or paste a {document}",
        key=_BOX,
        on_change=_typed,
        args=(purpose,),
        height=110,
        max_chars=limits.most_characters(),
    )
    st.session_state[_EXAMPLE] = source if source in offered else None
    with st.container(horizontal=True, vertical_alignment="center", key="home_row"):
        st.button("Apply")
        st.pills(
            "Examples", offered, format_func=lambda key: ready[key].title, key=_EXAMPLE, on_change=_chosen,
            label_visibility="collapsed",
        )  # fmt: skip
    address.write(texts.SOURCE, "text", [source], [first])
    if source == texts.OWN:
        plotly_view.text_is_private(text)
    return texts.readable(text), source


def _typed(purpose: str) -> None:
    address.text_changed()
    texts.take(purpose, st.session_state[_BOX])


def _chosen() -> None:
    if st.session_state[_EXAMPLE] is not None:  # a second click on an example leaves it as it is
        st.session_state[texts.SOURCE] = st.session_state[_EXAMPLE]


def _show_words(run: Run, text: str) -> None:
    """Show prediction and coloured words at every epoch: they go where the map goes."""
    method, target = order.default(run), len(run.class_names) - 1 if len(run.class_names) == 2 else None
    shown = run.surveyed if _has_map(run) else (run.best_epoch,)
    with st.spinner("Reading the text"):
        last = cache.explanation(run, run.best_epoch, text, method, target)()
        every = {
            epoch: cache.explanation(run, epoch, text, method, last.target)()
            # each is stored as changes from its neighbour on the way from the best one
            for epoch in sorted(shown, key=lambda epoch: abs(epoch - run.best_epoch))
        }
    scale = max(float(abs(one.scores).max(initial=0)) for one in every.values())
    unit = methods()[method].unit.replace("log-odds", unit_of_score(len(run.class_names)))
    moments = {
        str(epoch): MomentText(
            _verdict(one) + tokens.token_html(one, scale) + tokens.legend_html(one, unit, scale),
            provenance(panels.checkpoints([one]), methods()[method].title, f"target {one.class_names[one.target]}"),
            panels.file_name([one], f"{method}-text"),
        )
        for epoch, one in sorted(every.items())
    }
    coloured_text.show_moments(moments, str(run.best_epoch), CLOCK)


def _verdict(one: Explanation) -> str:
    """Return as HTML what one epoch predicts, and from when it is."""
    epochs = f"after {one.epoch} epoch{'s' * (one.epoch != 1)} of training" if one.epoch else "before training"
    mark = f'<i class="nlpviz-verdict-{"for" if one.predicted else "against"}"></i>' * (len(one.class_names) == 2)
    return (
        f'<p class="nlpviz-verdict" style="{tokens.SWATCHES}">{mark}'
        f"<b>{tokens.literal(one.class_names[one.predicted])}</b>"
        f"<span>{one.probabilities[one.predicted]:.0%}</span><small>{epochs}</small></p>"
    )


def _has_map(run: Run) -> bool:
    return {DOCUMENTS, MAPS} <= run.files.keys()


def _show_map(run: Run, text: str) -> None:
    """Show the map of the test documents, which plays, and how many neighbours come to share a label."""
    if not _has_map(run):
        return
    document = "film review" if run.corpus["name"] == "imdb" else classes.document(run)
    frame.answer("Each point is a {document}, and the star is your text. Press Play.", document=document)
    query = MapQuery(MapSettings(next(iter(projectors())), 2, (run.best_epoch,)), now=False)
    shown = maps.shown_maps([Checkpoint(run, run.best_epoch)], query)
    placed = placing.positions(shown, text) if tokenize(text) else ()
    drawn = Call(leading, maps.stored_figure(shown, MapStyle(height=_HEIGHT, placed=placed, named=True)))
    plotly_view.show(drawn, key="home_map", title="Test documents on a map")
    answers.tell_formation(run)
