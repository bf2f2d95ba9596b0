"""The model cards of autoencoders of documents and of topic models."""

from __future__ import annotations

from collections.abc import Mapping

from nlpviz.data import Corpus
from nlpviz.runs import Run
from nlpviz.runs.codes import is_variational
from nlpviz.training.provenance import checkpoints, libraries, made_from, of_texts, plain, save_card

_DEFINITION = """\
The **perplexity bound** is the exponential of the mean negative ELBO per word, taken over all words of all documents.
It is an upper bound on perplexity. The ELBO is E[log p(words | code)] − KL(q(code | words) ‖ p(code)), in nats. The
**bound by document** first averages the negative ELBO per word within each document, as in Miao et al. (2016). Both
bounds include only words in the vocabulary, so they cannot be compared across vocabularies. **Completion** is the
perplexity of one half of each document’s words given the other half, without the KL term."""

_START = ", with random weights except for output biases set from the word frequencies"


def write_codes_card(run: Run, corpus: Corpus, source: str) -> None:
    """Write ``README.md`` of an autoencoder's run, from its manifest."""
    chosen = "perplexity bound" if is_variational(run) else "reconstruction loss"
    remedy = {"nothing": "none"}.get(run.recipe["remedy"], run.recipe["remedy"])
    about = (
        f"\n\nRemedy for posterior collapse: {remedy}. Three other runs differ from this run only in the remedy."
        if remedy
        else ""
    )
    save_card(
        run,
        model=f"""\
Source: {source}. The model encodes a bag of words ({run.config["vocabulary_size"] - 2:,}-word vocabulary) as
{run.config["latent"]} numbers and decodes them into a distribution over words. {run.parameter_count:,} parameters.
Training data: {plain(corpus.title)}, without labels.{about}""",
        results=f"""\
{_table(run)}

{_DEFINITION if is_variational(run) else _without(run)}

{_units(run)}

Checkpoint epochs: {checkpoints(run, _START)}; epoch {run.best_epoch} has the lowest {chosen} on the
validation split. The test split was evaluated once, with the stored weights. {_left_out(run)}""",
        training=_training(run, corpus),
        limitations=_limitations(corpus),
    )


def write_topics_card(run: Run, corpus: Corpus) -> None:
    """Write ``README.md`` of a run of topics, from its manifest."""
    tried = "\n".join(
        f"| {one['topics']} | {one['prior']:g} | {one['perplexity']:.1f} | {one['seconds']:.0f} |"
        for one in run.recipe["tried"]
    )
    save_card(
        run,
        model=f"""\
Source: Blei, Ng and Jordan 2003; Hoffman, Blei and Bach 2010; fitted by scikit-learn. {run.config["topics"]} topics
over {run.config["vocabulary_size"] - 2:,} words, {run.parameter_count:,} parameters. Training data:
{plain(corpus.title)}, without labels. The model is the baseline for the autoencoders on this corpus and uses the same
vocabulary, documents and splits.""",
        results=f"""\
{_table(run)}

{_DEFINITION} The code is the vector θ of topic proportions; its Dirichlet posterior is fitted to each document with the
topics fixed.

| Number of topics | Sum of the prior’s parameters | Perplexity bound on the validation split | Training time (s) |
| --- | --- | --- | --- |
{tried}

The setting with the lowest bound was chosen. The test split was evaluated once, with the stored topics.
{_left_out(run)}""",
        training=_training(run, corpus),
        limitations=_limitations(corpus),
    )


def _table(run: Run) -> str:
    heads = ["Split", "Perplexity bound", "Bound by document", "Reconstruction (nats per word)"]
    heads += ["KL (nats per document)", "Completion", "Documents"]
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
        "A deterministic code has no KL cost, so there is no perplexity bound. **Completion** is the perplexity of\n"
        "one half of each document’s words given the other half."
    )


def _units(run: Run) -> str:
    test = run.metrics["test"]
    said = (
        f"{test['active']:.0f} of {run.config['latent']} units are active on the test documents: the variance of "
        f"their {'means' if is_variational(run) else 'values'} over documents\nexceeds 0.01 (Burda et al. 2016)."
    )
    if "information" in test:
        said += (
            f" The mutual information between document and code is about {test['information']:.2f} nats.\n"
            "It is estimated from one sampled code per document, with the mean of all posteriors as q(z). The\n"
            "estimate cannot exceed the logarithm of the number of documents."
        )
    return said


def _left_out(run: Run) -> str:
    empty = run.corpus["empty"]
    excluded = (
        f"{empty:,} test documents contain no in-vocabulary words and are excluded."
        if empty
        else "Every test document contains at least one in-vocabulary word."
    )
    return f"Only the first {run.max_length} tokens of each document are used. {excluded}"


def _training(run: Run, corpus: Corpus) -> str:
    pace = f", {run.seconds_per_epoch:,.1f} s per epoch" if run.epochs else ""
    splits = f"\n- {corpus.splits}" if corpus.splits else ""
    return f"""\
- Trained on `{run.device}` in {run.seconds:,.0f} s{pace}, seed {run.seed}, {run.created},
  with {libraries(run)}.
{made_from(run, corpus)}{splits}
- {of_texts(run)}, only weights, words, word counts, ids, labels and numerical results."""


def _limitations(corpus: Corpus) -> str:
    return f"""\
This is a small model for teaching, trained only on word co-occurrence in {corpus.written}. Its codes have not been
tested on other texts. Do not use it to make decisions about people."""
