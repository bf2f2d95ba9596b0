"""What a language model is asked on pages made for classifiers: which of two words comes next."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from nlpviz.runs import Checkpoint, Run
from nlpviz.runs.language import reads_on
from nlpviz.text.vocabulary import shown
from nlpviz.ui import address, widgets
from nlpviz.ui.frame import escape_markdown, messages

_LONGEST = 40  # characters of a word
_FIELDS = {"next": "Next word", "other": "Alternative"}


def asked(checkpoints: Sequence[Checkpoint]) -> tuple[Checkpoint, ...]:
    """Return the checkpoints; language models are asked which of two words comes next, chosen in two fields.

    What is typed and no run predicts is named, and the words that the run begins with are asked for instead.
    """
    run = checkpoints[0].run
    if not reads_on(run):
        address.leave_out(*_FIELDS)
        return tuple(checkpoints)
    from nlpviz.language.logit_difference import first_words

    first = first_words(run)
    typed = [_typed(run, key, word) for key, word in zip(_FIELDS, first, strict=True)]
    words = first if None in typed or typed[0] == typed[1] else tuple(word for word in typed if word is not None)
    if None not in typed and words != tuple(typed):
        messages().info("The two words are the same, so there is nothing to compare. " + _meanwhile(first))
    return asked_for(checkpoints, words)


def asked_anything(checkpoints: Sequence[Checkpoint]) -> tuple[Checkpoint, ...]:
    """Return the checkpoints, language models asked for their first words, where it does not matter for which."""
    if not reads_on(checkpoints[0].run):
        return tuple(checkpoints)
    from nlpviz.language.logit_difference import ask

    return tuple(Checkpoint(ask(run), epoch) for run, epoch in checkpoints)


def asked_for(checkpoints: Sequence[Checkpoint], words: Sequence[str]) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of language models asked for two words, without those of runs that do not predict them."""
    from nlpviz.language.logit_difference import ask

    return tuple(Checkpoint(ask(one, words), epoch) for one, epoch in checkpoints if _predicts_all(one, words))


def asked_like(run: Run, checkpoints: Sequence[Checkpoint]) -> tuple[Checkpoint, ...]:
    """Return the checkpoints of other runs asked what ``run`` is asked."""
    return asked_for(checkpoints, words_of(run)) if reads_on(run) else tuple(checkpoints)


def words_of(run: Run) -> tuple[str, ...]:
    """Return the two words that a language model is asked for; none of a classifier."""
    if not reads_on(run):
        return ()
    from nlpviz.language.logit_difference import AskedRun

    assert isinstance(run, AskedRun), "language models are asked for two words"
    return run.words


def _typed(run: Run, key: str, first: str) -> str | None:
    """Return the word of a field, as the vocabulary spells it; None, with the reason on the page, where it is none."""
    from nlpviz.language.logit_difference import first_words, predicts, spelt

    typed = widgets.text(key, _FIELDS[key], shown(first), _LONGEST, width=150)
    word = spelt(run, typed)
    if word is not None and predicts(run, word):
        return word
    unit = run.tokenizer.unit
    problem = f"is not a single {unit}" if word is None else f"is not in the vocabulary of {escape_markdown(run.title)}"
    messages().info(f"“{escape_markdown(typed)}” {problem}. " + _meanwhile(first_words(run)))
    return None


def _meanwhile(words: Sequence[str]) -> str:
    first, second = (escape_markdown(shown(word)) for word in words)
    return f"Showing *{first}* and *{second}* instead."


def _predicts_all(run: Run, words: Sequence[str]) -> bool:
    """Return whether a run can be asked for the words; the page says where one that is compared cannot."""
    from nlpviz.language.logit_difference import predicts

    able = all(predicts(run, word) for word in words)
    if not able:
        messages().info(
            f"{escape_markdown(run.title)} is not shown, because its vocabulary does not contain both words."
        )
    return able


def tell_characters(run: Run) -> None:
    """Say where a page's words are characters."""
    if run.tokenizer.of_characters:
        st.caption("This network reads characters, so “word” means “character” on this page.")


def explain(run: Run) -> None:
    """Say what the numbers of the page are of, where ``run`` is asked for words."""
    if not reads_on(run):
        return
    first, second = (escape_markdown(shown(word)) for word in words_of(run))
    unit = run.tokenizer.unit
    st.caption(
        f"A language model has no classes, so this page compares two candidates for the next {unit}. P is the "
        f"probability of *{first}*, given that *{first}* or *{second}* comes next."
    )
    tell_characters(run)
