"""The pages' only way to translators: computed once, shared by all visitors, bounded, keyed as in ``cache``."""

from __future__ import annotations

from dataclasses import astuple
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from nlpviz.analysis.inspection.translation import TranslationOptions, translate
from nlpviz.figures.translation.bleu import RunBleu
from nlpviz.results.alignment import Translation
from nlpviz.results.bleu import BleuDifference, ChangedSetting, paired_bootstrap
from nlpviz.results.history import EpochBleu
from nlpviz.run_kinds.drawn import translators
from nlpviz.runs import Run, open_run
from nlpviz.runs.translators import languages_of, load_translator, read_bleu, read_sentences
from nlpviz.text.parallel import LanguagePair
from nlpviz.ui import cache, limits

if TYPE_CHECKING:
    from nlpviz.runs.translators import TrainedTranslator


def languages(run: Run) -> LanguagePair:
    """Return the languages of a run with the words that it knows; no network is loaded."""
    return _languages(run.name, run.fingerprint)


def translation(run: Run, epoch: int, text: str, query: TranslationOptions) -> Translation:
    """Return what the network of one epoch makes of ``text``.

    Raises:
        TranslationError: if it cannot be made as it was asked for.
    """
    return _translation(run.name, run.fingerprint, epoch, text, astuple(query))


def phrase_states(run: Run, epoch: int, phrases: tuple[str, ...]) -> NDArray[np.float32]:
    """Return what the encoder holds of each of ``phrases``, which have a word each: (N, E)."""
    return _phrase_states(run.name, run.fingerprint, epoch, phrases)


def bleu(run: Run) -> tuple[EpochBleu, ...]:
    """Return the BLEU of each kept epoch on the test sentences, by length."""
    return _bleu(run.name, run.fingerprint)


def bleu_difference(first: Run, second: Run) -> BleuDifference:
    """Return how two translators of the same test sentences differ, which takes a twentieth of a second."""
    return _bleu_difference(*cache.prints((first, second)))


def changed_setting(first: Run, second: Run) -> ChangedSetting:
    """Return what changes from one translator to another, on all test sentences and by their length."""
    return _changed_setting(*cache.prints((first, second)))


def run_bleu(run: Run) -> RunBleu:
    """Return the BLEU of a translator: after each epoch, and on the test sentences at the chosen one."""
    return _run_bleu(run.name, run.fingerprint)


@st.cache_resource(max_entries=16, show_spinner=False)
def _languages(name: str, fingerprint: str) -> LanguagePair:  # noqa: ARG001 - the cache's key
    return languages_of(open_run(name))


@st.cache_resource(max_entries=limits.entries(12), show_spinner="Loading the network…")
def _translator(name: str, fingerprint: str, epoch: int) -> TrainedTranslator:  # noqa: ARG001 - the cache's key
    return load_translator(open_run(name), epoch)


@st.cache_resource(max_entries=96, show_spinner="Translating…")
def _translation(name: str, fingerprint: str, epoch: int, text: str, query: tuple[Any, ...]) -> Translation:
    return translate(_translator(name, fingerprint, epoch), text, TranslationOptions(*query))


@st.cache_resource(max_entries=64, show_spinner="Encoding the phrases…")
def _phrase_states(name: str, fingerprint: str, epoch: int, phrases: tuple[str, ...]) -> NDArray[np.float32]:
    from nlpviz.analysis.inspection.phrases import phrase_states as read

    return read(_translator(name, fingerprint, epoch), phrases)


@st.cache_data(max_entries=32, show_spinner=False)
def _bleu(name: str, fingerprint: str) -> tuple[EpochBleu, ...]:  # noqa: ARG001 - the cache's key
    return read_bleu(open_run(name))


@st.cache_resource(max_entries=32, show_spinner=False)
def _run_bleu(name: str, fingerprint: str) -> RunBleu:  # noqa: ARG001 - the cache's key
    return translators.run_bleu(open_run(name))


@st.cache_data(max_entries=64, show_spinner=False)
def _bleu_difference(first: tuple[str, str], second: tuple[str, str]) -> BleuDifference:
    return paired_bootstrap(read_sentences(open_run(first[0])), read_sentences(open_run(second[0])))


@st.cache_data(max_entries=64, show_spinner=False)
def _changed_setting(first: tuple[str, str], second: tuple[str, str]) -> ChangedSetting:
    return translators.changed_setting(open_run(first[0]), open_run(second[0]))
