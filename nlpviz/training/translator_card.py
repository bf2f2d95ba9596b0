"""The model card of a translator's run."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.decoding.bleu import SIGNATURE
from nlpviz.runs import Run
from nlpviz.runs.files import write_text
from nlpviz.text.parallel import LANGUAGES

_BEGUN = """ (0 is before training, with random weights
  except for the output biases: the logarithm of how often each word occurs in the training sentences)"""


def write_translator_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of a translator's run, from what its manifest says."""
    test, languages = run.metrics["translation"], (LANGUAGES[run.recipe[side]] for side in ("source", "target"))
    chosen = run.metrics["validation"]["bleu"]
    pair = " to ".join(languages)
    beam = f"beam of {run.recipe['width']}, length penalty {run.recipe['penalty']:g}"
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. {pair}, trained on {corpus.title}, {run.corpus["train"]:,} pairs of sentences. {run.parameter_count:,}
parameters.

## What it reaches

| {run.corpus["test"]:,} test sentences of 2016 | BLEU | with case |
| --- | --- | --- |
| {beam} | {test["bleu"]:.1f} | {test["bleu_with_case"]:.1f} |
| greedy | {test["bleu_greedy"]:.1f} | |

sacrebleu's signature: `{SIGNATURE}`; with case, it says `case:mixed`.
Translations are detokenised and compared with the references as published, one each, with the weights as they are
stored here, quantised to eight bits a number. Epoch {run.best_epoch} is the best by the BLEU of greedy translations of
{run.corpus["validation"]:,} validation sentences ({chosen:.1f}). The test split was measured once,
{test["sentences_per_second"]:.0f} sentences a second with the beam.

## How it was trained

- Epochs kept: {", ".join(map(str, run.epochs))}{_BEGUN if 0 in run.epochs else ""}.
- Trained on {run.device} in {run.seconds:,.0f} s, {run.seconds_per_epoch:,.0f} s an epoch, seed {run.seed},
  {run.created}, with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
- Made by `python -m nlpviz train {run.name}`; measured again by `python -m nlpviz evaluate {run.name}`.
- Corpus: {corpus.url}. {corpus.licence} {corpus.citation}.
- No sentence of the corpus is in this folder: only weights, words with their counts, and numbers.

## What it must not be used for

It was trained on captions of photographs and nothing else, and turns any other text into a caption. Do not rely on what
it writes.
""",
    )
