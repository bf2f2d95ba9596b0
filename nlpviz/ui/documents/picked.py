"""One document on Explore: found by key or click, with all that is known of it."""

from __future__ import annotations

import streamlit as st

from nlpviz.analysis.attribution import methods
from nlpviz.data import DataError
from nlpviz.figures.numbers import number
from nlpviz.runs import Run
from nlpviz.runs.documents import documents_of, every_epoch_of
from nlpviz.ui import cache, classes, completion, texts, tokens
from nlpviz.ui.documents.cache import document_regions
from nlpviz.ui.frame import answer, escape_markdown, lead_to
from nlpviz.ui.run_filter import READ_CLOSELY, WITH_ATTENTION, WITH_REGIONS

_FOUND = "found_document"  # in the session
_SHOWN = 40  # characters of what was typed in vain
_METHOD = "gradient-input"  # first or second in the test of deletion on every committed run, for one gradient


def pick_document(run: Run) -> str | None:
    """Return the document that the visitor chose by key or click, or None."""
    ids = list(documents_of(run).ids)
    typed = st.session_state.get(_FOUND)
    if typed and typed not in ids:
        st.info(
            f"No {classes.document(run)} matches {escape_markdown(typed[:_SHOWN])}. Type part of an id or n-gram, then "
            "choose from the list."
        )
    shown = texts.document(run)
    st.session_state[_FOUND] = shown if shown in ids else ""  # a text field knows nothing by that name
    ratings = zip(ids, documents_of(run).ratings.tolist(), strict=True)
    stars = {name: (_stars(count),) for name, count in ratings if count}
    moved = document_regions(run)
    words = {
        document: [ngram for side in (said.pro, said.contra) for ngram, _ in side[:2]]
        for document, said in moved.items()
    }
    completion.field(
        f"Find a {classes.document(run)} (or click a point)",
        ids,
        key=_FOUND,
        on_change=_take,
        placeholder="id or n-gram, such as waste",
        shown=[" · ".join([one, *stars.get(one, ()), *words.get(one, ())]) for one in ids],
        free=False,
    )
    return str(st.session_state[_FOUND]) or None


def kept(run: Run) -> tuple[str, ...]:
    """Return the ids of the documents of which a run keeps what each epoch made of them."""
    return documents_of(run).ids


def _take() -> None:
    """The document that was found is the text of all views; none is where it was taken out of the field."""
    found = st.session_state[_FOUND]
    if not found or "/" in found:
        st.session_state[texts.SOURCE] = found or texts.NONE


def show_document(run: Run, document: str) -> None:
    """Show what is known of a document, what each epoch predicted, and its text where the corpus is available."""
    documents = documents_of(run)
    position = documents.ids.index(document)
    label, rating = documents.labels[position], int(documents.ratings[position])
    target = _asked(run, position)
    shares = {epoch: float(given[position, target]) for epoch, given in every_epoch_of(run).items()}
    said = ", ".join(f"{share:.0%} at epoch {epoch}" for epoch, share in shares.items())
    answer(
        "{document}: " + ("{stars}, so its label is {label}" if rating else "its label is {label}")
        + "; {run} predicts **{predicted}**.",
        document=texts.named(run, document),
        stars=_stars(rating),
        label=run.class_names[label],
        run=run.title,
        predicted=run.class_names[int(every_epoch_of(run)[run.best_epoch][position].argmax())],
    )  # fmt: skip
    st.caption(f"P({escape_markdown(run.class_names[target])}): {said}. {int(documents.lengths[position]):,} tokens.")
    _show_regions(run, document)
    try:
        text = cache.document_text(run.corpus["name"], document)
    except DataError:  # the bar has said so, and offers to download the corpus
        text = None
    if text is not None:
        with st.container(border=True, height=260):
            _show_text(run, text, target)
    if not READ_CLOSELY.asks(run):
        return
    if WITH_REGIONS.able(run):
        lead_to("One review", "Which n-grams did the network look for?", "n-grams", text=document, run=run.name)
    if WITH_ATTENTION.able(run):
        lead_to("One review", "What did the network attend to?", "attention", text=document, run=run.name)
    lead_to("One review", "Which words moved this prediction?", "saliency", text=document, run=run.name)


def _show_text(run: Run, text: str, target: int) -> None:
    """Show a text, coloured where the run's network is asked about single texts."""
    if not READ_CLOSELY.asks(run):
        st.markdown(texts.document_markdown(text))
        return
    tokens.show_tokens(cache.explanation(run, run.best_epoch, text, _METHOD, target)())
    st.caption(f"Coloured by {methods()[_METHOD].title} for the class {escape_markdown(run.class_names[target])}.")


def _asked(run: Run, position: int) -> int:
    """Return the class that is spoken of with a document: of two the last one, of more the predicted one."""
    if len(run.class_names) == 2:
        return 1
    return int(every_epoch_of(run)[run.best_epoch][position].argmax())


def _stars(count: int) -> str:
    return f"{count} star{'' if count == 1 else 's'}"


def _show_regions(run: Run, document: str) -> None:
    """Say which n-grams moved the document's score most: that is known without its text."""
    said = document_regions(run).get(document)
    if said is None or not (said.pro or said.contra):
        return
    pieces: dict[str, object] = {}
    sides = []
    for side, strongest in (("for", said.pro), ("against", said.contra)):
        named = []
        for position, (ngram, amount) in enumerate(strongest):
            pieces[f"{side}{position}"] = ngram
            named.append(f"*{{{side}{position}}}* {number(amount)}")
        sides.append(f"{side} {{last}}: {', '.join(named) or 'none'}")
    answer(
        "Strongest n-grams at epoch {epoch}"
        + (" (log-odds)" if len(run.class_names) == 2 else "")
        + ": "
        + "; ".join(sides)
        + ".",
        epoch=run.best_epoch,
        last=run.class_names[said.target],
        **pieces,
    )
