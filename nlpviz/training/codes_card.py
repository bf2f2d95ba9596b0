"""The model cards of autoencoders of documents and of models of topics."""

from __future__ import annotations

from collections.abc import Mapping

from nlpviz.data import Corpus
from nlpviz.runs import Run
from nlpviz.runs.codes import is_variational
from nlpviz.runs.files import write_text
from nlpviz.training.provenance import made_from, of_texts, plain

_DEFINITION = """\
The **perplexity bound** is exp of the mean of −ELBO per word, over all words of all documents; it is an upper bound of
the perplexity. An ELBO is E[log p(words | code)] − KL(q(code | words) ‖ p(code)), in nats. *By document* averages −ELBO
per word within each document first, as Miao et al. (2016) do. Both are of the words of the vocabulary alone, so that
they cannot be compared across vocabularies. **Completion** is the perplexity of one half of each document's words given
the other half, for which no code pays."""


def write_codes_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of an autoencoder's run, from what its manifest says."""
    chosen = "perplexity bound" if is_variational(run) else "cost of reconstruction"
    begun = " (0 is before training: random weights, but for the output biases, each word's frequency)"
    remedy = run.recipe["remedy"]
    about = (
        f"\nAgainst the collapse of its codes: {remedy}. Three other runs differ from it in that alone.\n"
        if remedy
        else ""
    )
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

{source}. A bag of {run.config["vocabulary_size"] - 2:,} words becomes a code of {run.config["latent"]} numbers, and a
distribution over words again. {run.parameter_count:,} parameters. Trained on {plain(corpus.title)}, without labels.
{about}
## What it reaches

{_table(run)}

{_DEFINITION if is_variational(run) else _without(run)}

{_units(run)}

Epochs kept: {", ".join(map(str, run.epochs))}{begun}; epoch {run.best_epoch} has the lowest {chosen} on the validation
split. The test split was measured once, with the weights as they are stored here. {_left_out(run)}

{_made(run, corpus)}
""",
    )


def write_topics_card(run: Run, corpus: Corpus) -> None:
    """Write ``README.md`` of a run of topics, from what its manifest says."""
    tried = "\n".join(
        f"| {one['topics']} | {one['prior']:g} | {one['perplexity']:.1f} | {one['seconds']:.0f} |"
        for one in run.recipe["tried"]
    )
    write_text(
        run.folder / "README.md",
        f"""# {run.title} (`{run.name}`)

## What it is

Blei, Ng and Jordan 2003; Hoffman, Blei and Bach 2010; fitted by scikit-learn. {run.config["topics"]} topics over
{run.config["vocabulary_size"] - 2:,} words, {run.parameter_count:,} parameters. Trained on {plain(corpus.title)},
without labels. It is the yardstick of the autoencoders on the same corpus: same words, same documents, same split.

## What it reaches

{_table(run)}

{_DEFINITION} The code is the topics' shares θ, whose Dirichlet is fitted to each document; topics are held fixed.

| topics tried | prior, in sum | validation perplexity bound | seconds |
| --- | --- | --- | --- |
{tried}

The lowest one was chosen. The test split was measured once, with the topics as they are stored here. {_left_out(run)}

{_made(run, corpus)}
""",
    )


def _table(run: Run) -> str:
    heads = ["split", "perplexity bound", "by document", "reconstruction (nats a word)", "KL (nats a document)"]
    heads += ["completion", "documents"]
    rows = (f"| {' | '.join(heads)} |", f"|{' --- |' * len(heads)}")
    return "\n".join([*rows, *(_row(split, found) for split, found in run.metrics.items())])


def _row(split: str, found: Mapping[str, float]) -> str:
    bounded = f"{found['perplexity']:.1f} | {found['perplexity by document']:.1f}" if "perplexity" in found else "– | –"
    divergence = f"{found['divergence']:.2f}" if "divergence" in found else "–"
    return (
        f"| {split} | {bounded} | {found['reconstruction']:.3f} | {divergence} | {found['completion']:.1f} "
        f"| {found['documents']:,.0f} |"
    )


def _without(_: Run) -> str:
    return (
        "There is no perplexity bound: nothing says what the code costs, so that reconstruction alone is no bound of\n"
        "anything. **Completion** is the perplexity of one half of each document's words given the other half."
    )


def _units(run: Run) -> str:
    test = run.metrics["test"]
    said = (
        f"{test['active']:.0f} of {run.config['latent']} units are active on the test documents: the variance of "
        f"{'the mean' if is_variational(run) else 'the code'} over documents\nis above 0.01 (Burda et al. 2016)."
    )
    if "information" in test:
        said += (
            f" The mutual information of document and code is about {test['information']:.2f} nats (one code drawn a\n"
            "document; q(z) as the mean of all posteriors; no estimate can exceed the logarithm of their number)."
        )
    return said


def _left_out(run: Run) -> str:
    return (
        f"Of each document the first {run.max_length} tokens are read; {run.corpus['empty']:,} test documents have no "
        "word of the vocabulary\nin them and are left out."
    )


def _made(run: Run, corpus: Corpus) -> str:
    pace = f", {run.seconds_per_epoch:,.1f} s an epoch" if run.epochs else ""
    splits = f"\n- {corpus.splits}" if corpus.splits else ""
    return f"""\
## How it was trained

- Trained on {run.device} in {run.seconds:,.0f} s{pace}, seed {run.seed}, {run.created},
  with {", ".join(f"{name} {number}" for name, number in run.versions.items())}.
{made_from(run, corpus)}{splits}
- {of_texts(run)}: only weights, words with their counts, ids, labels, numbers.

## What it must not be used for

This is a small model for teaching. It knows which words stand together in {corpus.written} and nothing else; what its
codes say of other texts is not known. Do not use it to make decisions about people."""
