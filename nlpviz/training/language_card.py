"""The model card of a language model's run."""

from __future__ import annotations

from nlpviz.data import Corpus
from nlpviz.runs import Run
from nlpviz.runs.language import counts_ngrams, predicted_count, settings_of
from nlpviz.text.tokenizers import TOKENIZERS
from nlpviz.training.provenance import checkpoints, libraries, made_from, of_texts, plain, save_card, trained_on
from nlpviz.training.streams import what_is_read

_SPLITS = ("validation", "test")
_START = """, with random weights except for
  the output biases: the log frequency of each token in the training text"""


def write_language_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of a language model's run, from its manifest."""
    unit = TOKENIZERS[run.recipe["tokenizer"]].unit
    save_card(
        run,
        model=f"""\
Source: {source}. {_what(run)} Training data: {plain(corpus.title)}, {run.corpus["train"]:,} {unit}s.""",
        results=f"""\
| Text | Perplexity | Nats per {unit} | Bits per character | {unit.capitalize()}s |
| --- | --- | --- | --- | --- |
{_rows(run)}

**Perplexity** is the exponential of the mean negative log-probability per {unit}. The text is read as one stream,
preceded by an `<eos>`. Every line, even a blank one, ends in an `<eos>`, which is predicted and counted. Contexts
extend across line boundaries. Probabilities cover the full vocabulary of {predicted_count(run):,} {unit}s, including
`<unk>` if the training text contains it. Perplexity cannot be compared across vocabularies or tokenizers. Bits per
character can, provided that neither tokenizer discards any text. Rows that name a cache or another model show results
for its combination with this model.

{_chosen(run, corpus)}""",
        training=f"""\
{_how(run)}
{made_from(run, corpus)}
- {_holds(run)}""",
        limitations="""\
The model estimates how probable a text is, given the text on which the model was trained. It does not judge whether a
text is true or well written, and any text that it generates is fiction.""",
    )


def _what(run: Run) -> str:
    if counts_ngrams(run):
        return f"Counts of {run.parameter_count:,} n-grams of up to {run.config['order']} tokens."
    return f"{run.parameter_count:,} parameters."


def _chosen(run: Run, corpus: Corpus) -> str:
    """Return what was chosen by which text, and what to know of the texts."""
    if run.recipe["learns"] == "train":
        chosen = "Settings were chosen on the validation text. The test text was evaluated once."
    else:
        chosen = "The n-grams of the validation text were counted too, because no settings were chosen on this text."
    return " ".join(filter(None, (chosen, what_is_read(corpus), corpus.splits)))


def _rows(run: Run) -> str:
    """Return the rows of the table: both texts, then the test text with caches, mixtures, shorter n-grams."""
    rows = []
    for split in (name for name in _SPLITS if name in run.metrics):
        found = run.metrics[split]
        rows.append(
            f"| {split} | {found['perplexity']:.2f} | {found['loss']:.4f} | {found['bits_per_character']:.4f} "
            f"| {found['tokens']:,.0f} |"
        )
    for name, found in run.metrics.items():
        if name not in _SPLITS:
            settings = f" ({said})" if (said := settings_of(found)) else ""
            rows.append(
                f"| test, {name}{settings} | {found['perplexity']:.2f} | {found['loss']:.4f} | "
                f"| {found['tokens']:,.0f} |"
            )
    return "\n".join(rows)


def _how(run: Run) -> str:
    if counts_ngrams(run):
        return f"- Counted on `{run.device}` in {run.seconds:,.0f} s, {run.created}, with {libraries(run)}."
    return f"""- Checkpoint epochs: {checkpoints(run, _START)}; epoch {run.best_epoch} has the lowest
  loss on the validation text.{_parts(run)} Large weight matrices are stored with 8 bits
  per number.
{trained_on(run)}"""


def _parts(run: Run) -> str:
    parts = int(run.recipe["fit"]["parts"])
    said = f" The training text is divided into {parts} parts, and each epoch covers one of them, in turn."
    return said * (parts > 1)


def _holds(run: Run) -> str:
    if not counts_ngrams(run):
        return f"{of_texts(run)}, only weights and words with their counts."
    return (
        f"{of_texts(run)}, only words and n-grams with their counts. These include n-grams that occur once, so parts "
        "of the text can be reconstructed."
    )
