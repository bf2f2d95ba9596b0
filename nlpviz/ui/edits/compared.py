"""A text beside what a visitor made of it: words that differ, the prediction, the scores, the surprisal."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import streamlit as st

from nlpviz.analysis.attribution import methods, methods_for
from nlpviz.analysis.inspection.prediction import probabilities_of
from nlpviz.figures import panels
from nlpviz.figures import tokens as coloured
from nlpviz.figures.attribution import edits as figures
from nlpviz.figures.numbers import number, unit_of_score
from nlpviz.figures.tokens import MAX_TOKENS
from nlpviz.figures.view import provenance
from nlpviz.results.edits import added_bits
from nlpviz.results.explanation import Explanation
from nlpviz.results.score_changes import ScoreChange, score_changes
from nlpviz.runs import Run
from nlpviz.text.aligned import align, differing
from nlpviz.text.edit_trail import read as read_trail
from nlpviz.text.edit_trail import walk, write
from nlpviz.text.vocabulary import Seen, shortened
from nlpviz.ui import cache, classes, coloured_text, compare, frame, plotly_view, widgets
from nlpviz.ui.attribution.methods import ordered
from nlpviz.ui.calls import Call
from nlpviz.ui.edits import cache as read
from nlpviz.ui.edits import trail
from nlpviz.ui.edits.trail import EditedText
from nlpviz.ui.frame import answer, escape_markdown, takeaway
from nlpviz.ui.run_filter import LANGUAGE_MODELS

NONE = "none"


class TextPair(NamedTuple):
    """A text before and after, as one network reads it.

    Attributes:
        run: whose network.
        epoch: of its weights.
        model: the language model that is asked; None for none.
        before: the explanation of the original.
        after: that of the edited text, of the same class.
        changes: of the scores.
        words: how many were edited.
        added: bits that were added by the language model; None without one, and where it does not know a word.
        strange: new words that the language model does not know: it cannot say how they read.
    """

    run: Run
    epoch: int
    model: Run | None
    before: Explanation
    after: Explanation
    changes: tuple[ScoreChange, ...]
    words: int
    added: float | None
    strange: tuple[str, ...]

    @property
    def turns(self) -> bool:
        """Whether another class is predicted after the edits."""
        return self.before.predicted != self.after.predicted


def pick_model(run: Run) -> Run | None:
    """Return the language model that judges how a text reads, one with the same tokens; None for none."""
    fitting = {name: one for name, one in LANGUAGE_MODELS.runs().items() if one.tokenizer.name == run.tokenizer.name}
    own = [name for name, one in fitting.items() if one.corpus["name"] == run.corpus["name"]]
    others = [name for name in fitting if name not in own]  # they know other texts: nobody is asked unless chosen
    titles = {name: one.title for name, one in fitting.items()} | {NONE: NONE}
    return fitting.get(widgets.pick("judge", "Language model", [*own, NONE, *others], titles.__getitem__))


def pair(run: Run, epoch: int, edited: EditedText, text: str) -> TextPair:
    """Return the text before and after, and let the visitor choose the method, the class, and the language model."""
    known = methods_for(run)
    method = widgets.pick("method", "Method", ordered(run), lambda key: known[key].title)
    target = classes.pick_target(run, epoch, text)
    with frame.more():
        model = pick_model(run)
    named = run.class_names.index(target) if target in run.class_names else None
    with st.spinner("Reading both texts"):
        before = cache.explanation(run, epoch, edited.original, method, named)()
        after = cache.explanation(run, epoch, edited.text, method, before.target)()
        words = [[token.word for token in one.encoded.tokens] for one in (before, after)]
        added, strange = None, tuple[str, ...]()
        if model is not None:
            strange = tuple(sorted(word for word in {*words[1]} - {*words[0]} if word not in model.vocabulary))
        if model is not None and not strange:
            added = added_bits(*(read.read_by(model, one) for one in (edited.original, edited.text)))
    changes = tuple(score_changes(before, after))
    return TextPair(run, epoch, model, before, after, changes, differing(align(*words)), added, strange)


def tell(found: TextPair) -> None:
    """Say over the texts what the edits do to the prediction."""
    before, after = found.before, found.after
    names = before.class_names
    if not found.words:
        sentence, pieces = compare.predictions([before], after=6)
        takeaway(sentence + ". Click a word to change it.", **pieces)
        return
    takeaway(
        "{old_label}, {old_share:.0%} → **{new_label}**, {new_share:.0%}: "
        + ("the prediction flips" if found.turns else "the prediction stays the same")
        + " after {words}.",
        old_label=names[before.predicted],
        old_share=float(before.probabilities.max()),
        new_label=names[after.predicted],
        new_share=float(after.probabilities.max()),
        words=coloured.counted(found.words, "edited word"),
    )


def tell_more(found: TextPair) -> None:
    """Say under the texts how the edited one reads, and which of its words are unknown."""
    if found.words and found.added is not None and found.model is not None:
        answer(
            "According to {model}, the edited text has {bits} bits "
            + ("more" if found.added >= 0 else "less")
            + " surprisal than the original ({each} per edited word).",
            model=found.model.title, bits=number(abs(found.added), ".1f", signed=False),
            each=number(abs(found.added) / found.words, ".1f", signed=False),
        )  # fmt: skip
    if found.strange and found.model is not None:
        answer(
            "The vocabulary of {model} lacks {words}, so the edited text cannot be scored.",
            model=found.model.title, words=_listed(found.strange),
        )  # fmt: skip
    _tell_words(found)


def show_prediction(found: TextPair) -> None:
    """Show the prediction before and after as two bars, once a word was edited."""
    if found.words:
        both = cache.explained(found.before), cache.explained(found.after)
        plotly_view.show(Call(figures.before_after, *both), key="before_after")


def _listed(words: Sequence[str]) -> str:
    more = f" and {len(words) - 5:,} more" if len(words) > 5 else ""
    return ", ".join(f"“{shortened(word)}”" for word in words[:5]) + more


def _tell_words(found: TextPair) -> None:
    """Say which of the new words are out of vocabulary, and that no word is left."""
    encoded = found.after.encoded
    if not encoded.tokens:
        st.info("No words are left, so the prediction is for an empty text. Undo an edit or insert a word.")
        return
    new = {one.places[1] for one in found.changes if one.words[0] != one.words[1] and one.places[1] >= 0}
    unknown = sorted({encoded.tokens[at].word for at in new if encoded.seen[at] == Seen.UNKNOWN})
    if unknown:
        named = escape_markdown(_listed(unknown))
        st.info(f"Out of vocabulary: {named}. The network reads `<unk>` instead.")


def show_texts(found: TextPair) -> None:
    """Show both texts, coloured on one scale; a click on a word of the edited one chooses it.

    Before the first edit they are the same text, which stands there once.
    """
    scale = max(float(abs(one.scores).max(initial=0)) for one in (found.before, found.after))
    removed, added = figures.marks(found.changes)
    left, right = st.columns([2, 1], gap="medium")
    with left:
        _show(found.after, scale, added, clickable=True)
    if not found.words:
        return
    with right:
        st.markdown("**Original**")
        _show(found.before, scale, removed)


def _show(one: Explanation, scale: float, marks: dict[int, str], *, clickable: bool = False) -> None:
    method = methods()[one.method]
    unit = method.unit.replace("log-odds", unit_of_score(len(one.class_names)))
    chosen = st.session_state.get(trail.WORD) if clickable else None
    html = coloured.token_html(
        one, scale, marks=marks, clickable=clickable,
        chosen=int(chosen) if isinstance(chosen, str) and chosen.isdecimal() else None,
    )  # fmt: skip
    coloured_text.show(
        html + coloured.legend_html(one, unit, scale),
        caption=provenance(panels.checkpoints([one]), method.title, f"target {one.class_names[one.target]}"),
        name=panels.file_name([one], f"{one.method}-{'edited' if clickable else 'original'}-text"),
        on_click=partial(_choose, min(len(one.encoded.ids), MAX_TOKENS)) if clickable else None,
    )


def _choose(count: int, place: str) -> None:
    if place.isdecimal() and int(place) < count:
        st.session_state[trail.WORD] = place


def show_scores(found: TextPair) -> None:
    """Show the words whose scores moved farthest."""
    method = methods()[found.after.method]
    unit = method.unit.replace("log-odds", unit_of_score(len(found.run.class_names)))
    before, after = cache.explained(found.before), cache.explained(found.after)
    drawn = Call(figures.score_shifts, after, Call(score_changes, before, after), method.title, unit)
    plotly_view.show(drawn, key="score_shifts")


def show_trail(found: TextPair, edited: EditedText) -> None:
    """Show the steps as a tree, a click on one goes there; and what each did."""
    walked, model, target = edited.walked, cache.loaded(found.run, found.epoch), found.before.target
    shares = [float(cache.probabilities(found.run, found.epoch, text)[target]) for text in walked.texts]

    def choose(step: str) -> None:
        if step.isdecimal() and int(step) < len(walked.texts):
            trail.go_to(int(step))

    tokens = model.get("run").get("vocabulary").get("tokens")
    steps = Call(walk, edited.original, Call(read_trail, write(walked.trail)).at(0), tokens).giving(walked)
    each = Call(probabilities_of, model, steps.get("texts"), target).giving(shares)
    drawn = Call(figures.trail_tree, steps, each, edited.at, cache.explained(found.after))
    plotly_view.show(drawn, key="edit_steps", on_click=choose)
    path = [f"**{step}** {escape_markdown(walked.said[step - 1])}" for step in walked.path(edited.at)]
    st.caption(f"Shown: {' · '.join(['the original', *path])}. Click a step to return to it.")
