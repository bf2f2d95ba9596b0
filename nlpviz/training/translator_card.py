"""The model card of a translator's run."""

from __future__ import annotations

from collections.abc import Mapping

from nlpviz.data import Corpus
from nlpviz.language.decoding.bleu import SIGNATURE
from nlpviz.runs import Run
from nlpviz.text.languages import pair_title
from nlpviz.training.provenance import checkpoints, made_from, of_texts, plain, save_card, trained_on

_START = """, with random weights
  except for the output biases: the log frequency of each word in the training sentences"""


_UNTRANSLATED = """\
“Left untranslated” is the BLEU of the source sentences themselves, in which names, numbers and punctuation can match
the references. """


def _untranslated(test: Mapping[str, float]) -> str:
    """Return the row of the sources themselves; empty for a run that was measured before they were."""
    return f"| left untranslated | {test['bleu_untranslated']:.1f} | |\n" if "bleu_untranslated" in test else ""


def _pieces(run: Run) -> str:
    """Return the line on pieces of words; empty where whole words are read and written."""
    if not (merges := run.recipe.get("subwords")):
        return ""
    return f"""\
- Words are split into subwords by byte pair encoding (Sennrich, Haddow and Birch 2016), with {merges:,} merges learnt
  jointly on the training sentences of both languages.
"""


def write_translator_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of a translator's run, from its manifest."""
    test = run.metrics["translation"]
    chosen = run.metrics["validation"]["bleu"]
    pair = pair_title(run.recipe["source"], run.recipe["target"])
    beam = f"beam of {run.recipe['width']}, length penalty {run.recipe['penalty']:g}"
    save_card(
        run,
        model=f"""\
Source: {source}. {pair}. {run.parameter_count:,} parameters. Training data: {run.corpus["train"]:,}
sentence pairs of {plain(corpus.title)}.""",
        results=f"""\
| {run.corpus["test"]:,} test sentences | BLEU | BLEU, cased |
| --- | --- | --- |
| {beam} | {test["bleu"]:.1f} | {test["bleu_with_case"]:.1f} |
| greedy | {test["bleu_greedy"]:.1f} | |
{_untranslated(test)}
Sacrebleu signature: `{SIGNATURE}`; cased: `case:mixed`. Translations were
produced with the stored weights (quantised to eight bits per number), detokenised and compared with the single
reference in the corpus. {_UNTRANSLATED if "bleu_untranslated" in test else ""}Epoch
{run.best_epoch} has the highest BLEU for greedy translations of {run.corpus["validation"]:,} validation
sentences ({chosen:.1f}). The test split was evaluated once; beam search translated
{test["sentences_per_second"]:.0f} sentences per second.{f" {corpus.splits}" if corpus.splits else ""}""",
        training=f"""\
{_pieces(run)}- Checkpoint epochs: {checkpoints(run, _START)}.
{trained_on(run)}
{made_from(run, corpus)}
- {of_texts(run)}, only weights, words, word counts and numerical results.""",
        limitations=f"The model was trained only on {corpus.written} and produces similar text for any input. "
        "Do not rely on its translations.",
    )
