"""The model card of a translator's run."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.decoding.bleu import SIGNATURE
from nlpviz.runs import Run
from nlpviz.runs.files import write_text
from nlpviz.text.languages import pair_title
from nlpviz.training.provenance import made_from, of_texts, plain

_BEGUN = """ (0 is before training, with random weights
  except for the output biases: the logarithm of how often each word occurs in the training sentences)"""


def _pieces(run: Run) -> str:
    """Return the line on pieces of words; empty where whole words are read and written."""
    if not (merges := run.recipe.get("subwords")):
        return ""
    return f"""\
- Words are cut into pieces by byte pair encoding (Sennrich, Haddow and Birch 2016): {merges:,} merges, learnt from the
  training sentences of both languages together.
"""


def write_translator_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of a translator's run, from what its manifest says."""
    test = run.metrics["translation"]
    chosen = run.metrics["validation"]["bleu"]
    pair = pair_title(run.recipe["source"], run.recipe["target"])
    beam = f"beam of {run.recipe['width']}, length penalty {run.recipe['penalty']:g}"
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. {pair}, trained on {plain(corpus.title)}, {run.corpus["train"]:,} pairs of sentences. {run.parameter_count:,}
parameters.

## What it reaches

| {run.corpus["test"]:,} test sentences | BLEU | with case |
| --- | --- | --- |
| {beam} | {test["bleu"]:.1f} | {test["bleu_with_case"]:.1f} |
| greedy | {test["bleu_greedy"]:.1f} | |
| left untranslated | {test["bleu_untranslated"]:.1f} | |

sacrebleu's signature: `{SIGNATURE}`; with case, it says `case:mixed`.
Translations are detokenised and compared with the references as they stand in the corpus, one each, with the weights as
they are stored here, quantised to eight bits a number. Left untranslated, the sources themselves are compared with the
references: names, numbers and marks are alike in both. Epoch {run.best_epoch} is the best by the BLEU of greedy
translations of {run.corpus["validation"]:,} validation sentences ({chosen:.1f}). The test split was measured once,
{test["sentences_per_second"]:.0f} sentences a second with the beam.{f" {corpus.splits}" if corpus.splits else ""}

## How it was trained

{_pieces(run)}- Epochs kept: {", ".join(map(str, run.epochs))}{_BEGUN if 0 in run.epochs else ""}.
- Trained on {run.device} in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s an epoch, seed {run.seed},
  {run.created}, with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
{made_from(run, corpus)}
- {of_texts(run)}: only weights, words with their counts, and numbers.

## What it must not be used for

It was trained on {corpus.written} and nothing else, and writes the like of them whatever it reads. Do not rely on what
it writes.
""",
    )
