"""What pages say and show of a text's attention: words and sentences, coloured and as bars."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import streamlit as st

from nlpviz.figures import panels
from nlpviz.figures.attention.attended import VIEWS, AttendedText, folds, full_scale
from nlpviz.figures.attention.bars import sentence_bars, word_bars
from nlpviz.figures.attention.text import attended_html, attended_key_html
from nlpviz.figures.view import provenance
from nlpviz.runs import Checkpoint, Run
from nlpviz.ui import address, coloured_text, compare, plotly_view, widgets
from nlpviz.ui.attention import cache
from nlpviz.ui.calls import Call
from nlpviz.ui.frame import answer, escape_markdown, takeaway

_FOLDED, _OPEN = "collapsed", "expanded"
_NONE = "none"


def reads_sentences(run: Run) -> bool:
    """Return whether a run's network attends to sentences as well as to words."""
    from nlpviz.networks.architectures import HierarchicalAttention, untrained_instance

    return isinstance(untrained_instance(run.architecture, run.config), HierarchicalAttention)


def pick_view(checkpoints: Sequence[Checkpoint]) -> str:
    """Return which weights colour the words; there is a choice only where a network reads sentences."""
    if not any(reads_sentences(run) for run, _ in checkpoints):
        address.leave_out("weights")
        return "words"
    return widgets.pick("weights", "Colour", VIEWS)


def pick_fold(checkpoints: Sequence[Checkpoint]) -> bool:
    """Return whether low-weight sentences are collapsed; there is a choice only where a network reads sentences."""
    if not any(reads_sentences(run) for run, _ in checkpoints):
        address.leave_out("fold")
        return False
    return widgets.pick("fold", "Low-weight sentences", [_FOLDED, _OPEN]) == _FOLDED


def attend_beside(checkpoints: Sequence[Checkpoint], text: str, view: str) -> list[Call[AttendedText]]:
    """Return what each checkpoint attended to in ``text``, in one view."""
    return [Call(AttendedText, cache.attention(run, epoch, text), view) for run, epoch in checkpoints]


def show(calls: Sequence[Call[AttendedText]], selected: int | None, *, fold: bool) -> None:
    """Show the text once for each checkpoint, coloured on one scale, beside each other, and the weights as bars.

    Args:
        calls: what each checkpoint attended to, the chosen run's first.
        selected: the position of the sentence that stands out; None for none.
        fold: whether low-weight sentences are collapsed.
    """
    shown = [call() for call in calls]
    _tell(shown)
    if len(shown) > 1:
        for one, (title, cell) in zip(shown, compare.cells(shown), strict=True):
            with cell:
                st.markdown(_said(one, title))
                _show_text(one, _scale(one, shown), fold, selected)
        _show_sentences(calls, selected)
        _show_words(calls)
        return
    left, right = st.columns([2, 1], gap="medium")  # one text leaves room for its bars at its side
    with left:
        _show_text(shown[0], _scale(shown[0], shown), fold, selected)
    with right:
        _show_words(calls)
    _show_sentences(calls, selected)


def _tell(shown: Sequence[AttendedText]) -> None:
    """Say over the text what the network predicts, and which word has most weight."""
    result = panels.reference(shown).result
    sentence, pieces = compare.predictions([one.result for one in shown], after=4)
    for position in result.strongest(1):
        sentence += f". Highest weight: *{{word}}*, {result.words[position]:.0%}"
        pieces["word"] = result.text.read[position].word
    takeaway(f"{sentence}.", **pieces)


def _said(one: AttendedText, title: str) -> str:
    """Return as Markdown what one of several checkpoints predicts, and its words of most weight."""
    result = one.result
    named = ", ".join(
        f"*{escape_markdown(result.text.read[position].word)}* {result.words[position]:.0%}"
        for position in result.strongest(3)
    )
    label, share = result.class_names[result.predicted], result.probabilities[result.predicted]
    return f"{escape_markdown(title)}: **{escape_markdown(label)}**, {share:.0%}" + f" · {named}" * bool(named)


def show_first(run: Run, text: str) -> None:
    """Show what the chosen epoch of ``run`` attends to in ``text``, every sentence open, and name the first word."""
    one = AttendedText(cache.attention(run, run.best_epoch, text)(), next(iter(VIEWS)))
    (strongest,) = one.result.strongest(1)
    answer(
        "{title} gives “{word}” {share:.0%} of its attention.",
        title=run.title,
        word=one.result.text.read[strongest].word,
        share=float(one.result.words[strongest]),
    )
    _show_text(one, _scale(one, [one]), fold=False, selected=None)


def _scale(one: AttendedText, shown: Sequence[AttendedText]) -> float:
    """Return the weight at full colour: the same for all texts whose weights mean the same."""
    return full_scale([other for other in shown if other.unit == one.unit])


def pick_sentence(shown: Sequence[AttendedText]) -> int | None:
    """Return the position of the sentence that stands out; None where none was chosen or there are none."""
    result = [one.result for one in shown if one.result.sentences]
    if not result:
        address.leave_out("sentence")
        return None
    count = max(len(one.sentences) for one in result)
    options = [_NONE, *(str(number) for number in range(1, count + 1))]
    chosen = widgets.pick("sentence", "Sentence", options, of_text=True)
    return None if chosen == _NONE else int(chosen) - 1


def _show_text(one: AttendedText, scale: float, fold: bool, selected: int | None) -> None:
    """Show the text, and say which of its sentences are collapsed."""
    result = one.result
    coloured_text.show(
        attended_html(one, scale, fold=fold, selected=selected) + attended_key_html(one, scale),
        caption=provenance(panels.checkpoints([result]), f"attention, {one.unit}"),
        name=panels.file_name([result], "attention-text"),
        edits=True,
    )
    if not result.sentences or not fold:
        return
    hidden = [position for folded, positions in folds(result.sentences, selected) if folded for position in positions]
    if hidden:
        share = sum(result.sentences[position].weight for position in hidden)
        st.caption(
            f"Collapsed sentences: {len(hidden)} of {len(result.sentences):,}, with {share:.1%} of the weight in "
            "total. Each has less than half the weight it would have under uniform attention."
        )


def _show_sentences(calls: Sequence[Call[AttendedText]], selected: int | None) -> None:
    """Show sentences as bars, where a network reads sentences; a click on one lets it stand out in the text."""
    with_sentences = [call.get("result") for call in calls if call().result.sentences]
    if with_sentences:
        st.markdown("**Sentence weights**: click a bar to mark the sentence in the text.")
        drawn = Call(sentence_bars, with_sentences, selected)
        plotly_view.show(drawn, key="attention_sentences", on_click=widgets.set_to("sentence"))


def _show_words(calls: Sequence[Call[AttendedText]]) -> None:
    """Show the words of most weight as bars."""
    plotly_view.show(Call(word_bars, list(calls)), key="attention_words")


def reading(shown: Sequence[AttendedText]) -> str:
    """Return Markdown that says how to read the weights of words and sentences, with this text's own numbers."""
    chosen = panels.reference(shown)
    result = chosen.result
    if not len(result.words):
        return "The text has no words, so there are no weights."
    (position,) = result.strongest(1)
    word = escape_markdown(result.text.read[position].word)
    equal = f"{1 / len(result.words):.2%}"
    pieces = [
        f"Here, the weight of *{word}* is **{result.words[position]:.1%}**; uniform attention over "
        f"{len(result.words):,} words would give each word {equal}."
    ]
    if result.sentences and result.within is not None:
        own = next(part for part in result.sentences if part.first <= position < part.last)
        pieces.append(
            f"This weight is the product of the word’s weight within its sentence ({result.within[position]:.1%}) and "
            f"the sentence’s weight ({own.weight:.1%}). The colours can show this product, the weight within the "
            "sentence (100% in a one-word sentence), or √sentence weight × word weight. Yang et al. (2016) use the "
            "last option, so that words in low-weight sentences remain visible (here "
            f"{np.sqrt(own.weight) * result.within[position]:.2f})."
        )
    if result.heads is not None:
        layers, heads = result.heads.shape[:2]
        pieces.append(
            f"This weight is the attention that a word receives, averaged over all {len(result.words):,} queries of "
            f"{layers} layers with {heads} heads. The network pools its words with a plain mean, so this "
            "attention is not a weight in the document vector."
        )
    return " ".join(pieces)


def formulas(one: AttendedText) -> list[str]:
    """Return the formulas of a network's weights, in LaTeX."""
    if one.result.heads is not None:
        return [
            r"\alpha_{i,j} = \operatorname{softmax}_j \frac{q_i^\top k_j}{\sqrt{d_k}}, \qquad \sum_j \alpha_{i,j} = 1"
        ]
    words = r"u_t = \tanh(W h_t + b), \qquad \alpha_t = \frac{\exp(u_t^\top u)}{\sum_{t'} \exp(u_{t'}^\top u)}"
    if not one.result.sentences:
        return [words + r", \qquad s = \sum_t \alpha_t h_t"]
    return [
        words + r", \qquad s_i = \sum_{t \in i} \alpha_t h_t",
        r"v = \sum_i \alpha_i h_i, \qquad \text{weight of word } t \text{ of sentence } i = \alpha_i \, \alpha_t",
    ]
