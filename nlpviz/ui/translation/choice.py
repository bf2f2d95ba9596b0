"""What is to be translated, by which network, how: the controls of the pages on translation.

A typed sentence stays in the session; it never gets into an address.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import streamlit as st

from nlpviz.analysis.inspection.translation import TranslationOptions
from nlpviz.data.sentences import ExampleSentence
from nlpviz.results.alignment import Translation, TranslationError
from nlpviz.runs import Run, list_runs
from nlpviz.runs.translators import KIND
from nlpviz.text.languages import within
from nlpviz.ui import address, cache, limits, text_editor, texts, typed_texts, widgets
from nlpviz.ui.frame import bar, escape_markdown, explain_error, messages, more
from nlpviz.ui.translation import beginning, examples
from nlpviz.ui.translation import cache as translation_cache

OWN = "own"
WIDTHS = tuple(str(width) for width in range(1, 11))
PENALTIES = tuple(f"{step / 5:.1f}" for step in range(11))
_FIRST = "adjectives"  # its alignment crosses
_OFFERED = ("everyday", "ambiguous", "negation", "unknown", "long", "other-language")
_LONGEST = 10_000  # characters of a sentence, which the caches keep with what every network makes of it
RUN = "translator"
"""The control of the run, which every page on translation shares."""
_SENTENCE, _EXAMPLE = "source_sentence", "source_example"  # in the session
_FILLED = "source of the sentence"


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
            "There is no translator yet. Run `python -m nlpviz fetch multi30k`, then `python -m nlpviz "
            "train multi30k-en-fr-general`. With your own sentence pairs, run `python -m nlpviz train "
            "en-fr --texts a.en --translations a.fr`."
        )
        st.stop()
    return result


def pick_run() -> Run:
    """Return the translator that the visitor chose."""
    result = offered()
    return result[widgets.pick(RUN, "Network", result, parameter="run")]


def pick_epoch(run: Run) -> int:
    """Return the epoch that the visitor chose; there is a choice only where a run keeps several."""
    return widgets.pick_epoch(run) if len(run.epochs) > 1 else widgets.only_epoch(run)


def pick_search(run: Run, view: Callable[[], None] | None, *, ready: bool) -> TranslationOptions:
    """Return how the translation is searched: beam and length penalty, at first the run's own, and how it begins."""
    prefix = beginning.ask(run, ready=ready)
    with more():
        width = _slide(
            "beam", "Beam width", WIDTHS, str(run.recipe["width"]),
            "The number of hypotheses kept at each step. With 1, this is greedy search.",
        )  # fmt: skip
        penalty = _slide(
            "penalty", "Length penalty α", PENALTIES, f"{run.recipe['penalty']:.1f}",
            "Without a length penalty (α = 0), short translations are favoured.",
        )  # fmt: skip
        if view is not None:
            view()
    return TranslationOptions(int(width), float(penalty), prefix)


def _slide(key: str, label: str, options: Sequence[str], default: str, explained: str) -> str:
    """Return one of ``options`` from a slider, whose value is in the address."""
    first = [default] if default in options else options[:1]
    return widgets.pick(key, label, options, default=first, draw=st.select_slider, help=explained)


def first() -> TranslationRequest | None:
    """Return the first example as the first translator that can read it is asked; None where there is none."""
    for run in runs().values():
        if ready := {one.id: one.text for one in examples.of(run)}:
            query = TranslationOptions(int(run.recipe["width"]), float(run.recipe["penalty"]))
            return TranslationRequest(run, run.best_epoch, ready[_first(ready)], query, ready=True)
    return None


def _first(ready: Mapping[str, object]) -> str:
    """Return the id of the example that is shown first; without examples, the visitor's sentence."""
    return _FIRST if _FIRST in ready else next(iter(ready), OWN)


def ask(view: Callable[[], None] | None = None) -> TranslationRequest:
    """Return what the visitor wants translated, by which network and how: the bar, with the search under More.

    Args:
        view: draws what a view has to choose besides that is rarely chosen.
    """
    with bar():
        run = pick_run()
        epoch = pick_epoch(run)
        text, ready = pick_sentence(run)
        query = pick_search(run, view, ready=ready)
    return TranslationRequest(run, epoch, text, query, ready=ready)


def pick_sentence(run: Run) -> tuple[str, bool]:
    """Return the sentence that the visitor chose or typed, and whether it is an example; it opens from the bar."""
    ready = {one.id: one for one in examples.of(run)}
    options, first = [*ready, OWN], [_first(ready)]
    purpose = f"sentence, {run.recipe['source']}"
    address.read(_EXAMPLE, "sentence", options, first, memory=purpose)
    source, own = str(st.session_state[_EXAMPLE]), typed_texts.latest(purpose)
    text = ready[source].text if source in ready else own or ""
    begins = _FILLED not in st.session_state
    if not begins and st.session_state[_FILLED] != (source, text):
        beginning.free()
        st.session_state[_SENTENCE] = text
    st.session_state[_FILLED] = (source, text)
    if source == OWN and own is None and ready:
        messages().info("This link does not include the typed sentence. Type it again.")
    older = typed_texts.older(purpose)
    label = f"Type a sentence in {within(run.recipe['source'])}"
    with text_editor.place(texts.opener(text), label, own=source == OWN):
        written = st.text_area(
            label, text if begins else "", key=_SENTENCE, persist_state="session", height=96, on_change=_typed,
            args=(purpose,), max_chars=limits.most_characters(_LONGEST),
            placeholder="For example: a man is riding a bike." if _FIRST in ready else "",
        )  # fmt: skip
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.button("Apply", key="apply_sentence", type="primary")
            widgets.select(
                _EXAMPLE, "Sentence", texts.listed(options, older),
                lambda key: ready[key].title if key in ready else texts.title_of(key, older) or "Your own sentence",
                lambda: texts.chosen(purpose, _EXAMPLE),
            )  # fmt: skip
        if ready:
            _offer(ready)
        else:
            st.caption(examples.why_none(run))
        st.caption(typed_texts.privacy())
    if begins and written and written != text:
        _typed(purpose)  # the tab was open at a server that is gone, and brought along what stood in the box
        st.rerun()
    address.write(_EXAMPLE, "sentence", [source], first)
    return texts.readable(written), source in ready


def _offer(ready: Mapping[str, ExampleSentence]) -> None:
    """Show the first sentence of some kinds as buttons, in a row that wraps."""
    firsts = {one.kind: one for one in reversed(list(ready.values())) if one.kind in _OFFERED}
    if not firsts:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("Try", width="content")
        for one in (firsts[kind] for kind in _OFFERED if kind in firsts):
            label = escape_markdown(one.title)
            st.button(label, key=f"try_{one.id}", type="tertiary", on_click=widgets.set_to(_EXAMPLE), args=(one.id,))


def translated(request: TranslationRequest, *, tree: bool = False) -> tuple[TranslationRequest, Translation]:
    """Return what was translated and the translation; the page ends, with a sentence, where there is nothing to do so.

    Where the requested prefix is impossible, the page says so once; then the translation, like all later queries of
    the result, has no prefix.
    """

    def search() -> Translation:
        query = replace(request.query, tree=tree)
        return translation_cache.translation(request.run, request.epoch, request.text, query)()

    try:
        result = search()
    except TranslationError as error:
        explain_error(str(error))
        request = replace(request, query=replace(request.query, prefix=()))
        result = search()
    if not result.hypotheses:
        why = examples.why_none(request.run)
        st.info(f"The text contains no words. Type a sentence{f'. {why}' if why else ', or choose an example.'}")
        st.stop()
    return request, result


def _typed(purpose: str) -> None:
    """The sentence was changed: it is no example any more, and its translation begins freely."""
    text = st.session_state[_SENTENCE] or ""
    typed_texts.note(purpose, text)
    st.session_state[_EXAMPLE], st.session_state[_FILLED] = OWN, (OWN, text)
    beginning.free()
