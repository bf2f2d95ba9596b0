"""What is to be translated, by which network, how: the controls of the pages on translation.

A typed sentence stays in the session; it never gets into an address.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st

from nlpviz.data.sentences import ExampleSentence, sentences
from nlpviz.reading.translation import TranslationOptions
from nlpviz.results.alignment import Translation, TranslationError
from nlpviz.runs import Run, list_runs
from nlpviz.runs.translators import KIND
from nlpviz.text.parallel import LANGUAGES
from nlpviz.ui import address, cache, texts, widgets
from nlpviz.ui.frame import escape_markdown, explain_error
from nlpviz.ui.translation import beginning
from nlpviz.ui.translation import cache as translation_cache

OWN = "own"
WIDTHS = tuple(str(width) for width in range(1, 11))
PENALTIES = tuple(f"{step / 5:.1f}" for step in range(11))
_FIRST = "adjectives"  # its alignment crosses
_OFFERED = ("everyday", "ambiguous", "negation", "unknown", "long", "other-language")
_READS = "en"  # the language of the examples
_LONGEST = 10_000  # characters of a sentence, which the caches keep with what every network makes of it
RUN = "translator"
"""The control of the run, which every page on translation shares."""
_SENTENCE, _EXAMPLE, _SHOWN = "source_sentence", "source_example", "source_shown"  # in the session


@dataclass(frozen=True)
class TranslationRequest:
    """What is to be translated, and how.

    Attributes:
        run: whose network.
        epoch: of its weights.
        text: the sentence.
        query: beam, penalty, and how the translation is to begin.
        ready: whether the sentence is an example, and nothing that a person typed.
    """

    run: Run
    epoch: int
    text: str
    query: TranslationOptions
    ready: bool = False


def runs() -> dict[str, Run]:
    """Return the translators by name, that with most epochs first, then by BLEU; none where there is none."""
    ranked = sorted(cache.runs(KIND).values(), key=lambda run: (-len(run.epochs), -run.metrics["translation"]["bleu"]))
    return {run.name: run for run in ranked}


def offered() -> dict[str, Run]:
    """Return the translators as :func:`runs` does, and say what is wrong with any run; for a page's first control.

    The page ends where there is no translator.
    """
    for problem in list_runs()[1]:
        explain_error(problem)
    result = runs()
    if not result:
        st.info(
            "There is no translator yet. `python -m nlpviz train multi30k-en-fr-general` trains one; it needs the "
            "sentences that `python -m nlpviz fetch multi30k` downloads."
        )
        st.stop()
    return result


def pick_run() -> Run:
    """Return the translator that the visitor chose."""
    result = offered()
    names = list(result)
    address.read(RUN, "run", names, names[:1])
    name = st.selectbox("Network", names, format_func=lambda name: result[name].title, key=RUN, persist_state="session")
    address.write(RUN, "run", [name], names[:1])
    return result[name]


def pick_epoch(run: Run) -> int:
    """Return the epoch that the visitor chose; there is a choice only where a run keeps several."""
    return widgets.pick_epoch(run) if len(run.epochs) > 1 else widgets.only_epoch(run)


def pick_search(run: Run) -> TranslationOptions:
    """Return how wide the beam is, and its length penalty, at first the run's own."""
    width = _slide("beam", "Beam: hypotheses kept", WIDTHS, str(run.recipe["width"]), "1 is greedy search.")
    penalty = _slide(
        "penalty", "Length penalty α", PENALTIES, f"{run.recipe['penalty']:.1f}",
        "0 compares log-probabilities as they are, which favours short translations.",
    )  # fmt: skip
    return TranslationOptions(int(width), float(penalty))


def _slide(key: str, label: str, options: Sequence[str], default: str, explained: str) -> str:
    """Return one of ``options`` from a slider, whose value is in the address."""
    first = default if default in options else options[0]
    address.read(key, key, options, [first])
    chosen = st.select_slider(label, options, key=key, persist_state="session", help=explained)
    address.write(key, key, [chosen], [first])
    return str(chosen)


def _pick_example(run: Run) -> str:
    """Return the id of the example sentence that the visitor chose, or :data:`OWN`."""
    names = {one.id: one.title for one in _examples(run)} | {OWN: "Your own words"}
    options, first = list(names), [_FIRST if _FIRST in names else OWN]
    address.read(_EXAMPLE, "example", options, first)
    chosen = st.selectbox("Example", options, format_func=names.__getitem__, key=_EXAMPLE, persist_state="session")
    address.write(_EXAMPLE, "example", [chosen], first)
    return chosen


def _examples(run: Run) -> list[ExampleSentence]:
    """Return the example sentences that a run's network can read; none where it reads another language."""
    return list(sentences()) if run.recipe["source"] == _READS else []


def first() -> TranslationRequest | None:
    """Return the first example as the first translator that can read it is asked; None where there is none."""
    run = next((run for run in runs().values() if _examples(run)), None)
    if run is None:
        return None
    text = next(one.text for one in sentences() if one.id == _FIRST)
    query = TranslationOptions(int(run.recipe["width"]), float(run.recipe["penalty"]))
    return TranslationRequest(run, run.best_epoch, text, query, ready=True)


def ask(run: Run, epoch: int, query: TranslationOptions) -> TranslationRequest:
    """Return what is to be translated: the sentence in the box, and how its translation is to begin."""
    left, middle, right = st.columns([5, 3, 3], gap="medium")
    with middle:
        example = _pick_example(run)
    ready = {one.id: one.text for one in sentences()}
    if example in ready and st.session_state.get(_SHOWN) != example:
        st.session_state[_SENTENCE] = ready[example]
        beginning.free()
    st.session_state[_SHOWN] = example
    with left:
        text = st.text_area(
            f"Sentence in {LANGUAGES[run.recipe['source']]}: type any", key=_SENTENCE, persist_state="session",
            height=70, on_change=_typed, max_chars=_LONGEST, placeholder="For example: a man is riding a bike.",
        )  # fmt: skip
    with right:
        prefix = beginning.ask(run, ready=example in ready)
    _offer(_examples(run))
    return TranslationRequest(run, epoch, texts.readable(text), replace(query, prefix=prefix), ready=example in ready)


def _offer(examples: Sequence[ExampleSentence]) -> None:
    """Show the first sentence of some kinds as buttons, in a row that wraps."""
    firsts = {one.kind: one for one in reversed(examples)}
    if not firsts:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("Try", width="content")
        for one in (firsts[kind] for kind in _OFFERED if kind in firsts):
            label = escape_markdown(one.title)
            st.button(label, key=f"try_{one.id}", type="tertiary", on_click=widgets.set_to(_EXAMPLE), args=(one.id,))


def translated(request: TranslationRequest, *, tree: bool = False) -> tuple[TranslationRequest, Translation]:
    """Return what was translated and the translation; the page ends, with a sentence, where there is nothing to do so.

    Where the beginning that was asked for cannot be had, the page says so once, and the translation, like all else that
    is asked of what is returned, begins freely.
    """

    def search() -> Translation:
        query = replace(request.query, tree=tree)
        return translation_cache.translation(request.run, request.epoch, request.text, query)

    try:
        result = search()
    except TranslationError as error:
        explain_error(str(error))
        request = replace(request, query=replace(request.query, prefix=()))
        result = search()
    if not result.hypotheses:
        st.info("There is no word to translate. Type a sentence, or take one of the examples.")
        st.stop()
    return request, result


def _typed() -> None:
    """The sentence was changed: it is no example any more, and its translation begins freely."""
    st.session_state[_EXAMPLE] = st.session_state[_SHOWN] = OWN
    beginning.free()
