"""What is committed under trained/: whole, small, without any text of a corpus, and as good as its card says."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import asdict
from itertools import product
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from nlpviz.analysis.bulk.reading import forward, read
from nlpviz.analysis.inspection.regions import predictive_regions
from nlpviz.analysis.projections import NEIGHBOURS, Fitting, projectors
from nlpviz.analysis.projections.quality import shared_neighbours
from nlpviz.analysis.projections.texts import fitted_map
from nlpviz.data import corpora
from nlpviz.data.examples import every_example
from nlpviz.discovery.read_once import sha256
from nlpviz.networks.architectures import SkipsWords, class_probabilities, class_scores
from nlpviz.results.dynamics import LASTING
from nlpviz.results.history import EpochRecord
from nlpviz.results.projection import displacement
from nlpviz.results.survey import UNCOUNTED
from nlpviz.run_kinds import kind_of
from nlpviz.runs import Run, list_runs, ngram_counts, open_run, root
from nlpviz.runs.attention_effects import ATTENTION
from nlpviz.runs.budget import LARGEST, TOGETHER
from nlpviz.runs.deletions import DELETION
from nlpviz.runs.documents import DOCUMENTS, MAPS, documents_of, embeddings_of, probabilities_of, projections_of
from nlpviz.runs.dynamics import DYNAMICS, dynamics_of
from nlpviz.runs.history import read_history
from nlpviz.runs.initial_weights import before_training
from nlpviz.runs.predictions import PREDICTIONS
from nlpviz.runs.run import MANIFEST
from nlpviz.runs.surveys import DOCUMENT_REGIONS, FILTERS, REGIONS, document_regions, filters, top_ngrams
from nlpviz.runs.vectors import read_vectors
from nlpviz.runs.weights import FROZEN, INITIAL
from nlpviz.text.vocabulary import tokenize
from nlpviz.training import on_device
from nlpviz.training.provenance import in_words
from nlpviz.training.recipes import recipes
from nlpviz.training.vectors import is_language_model
from tests.promises import for_each
from tests.trained.again import again

ROOT = Path(__file__).resolve().parents[2]
SURVEY = (REGIONS, FILTERS, DOCUMENT_REGIONS)
BARS = {
    "imdb-bigru-attention": 0.900,
    "imdb-bigru-judge": 0.880,
    "imdb-cnn": 0.890,
    "imdb-cnn-judge": 0.880,
    "imdb-cnn-static": 0.890,
    "imdb-cnn-seed-1": 0.890,
    "imdb-elman": 0.840,
    "imdb-gated": 0.885,
    "imdb-gru": 0.885,
    "imdb-han": 0.900,
    "imdb-lstm": 0.885,
    "imdb-lstm-lm": 0.915,
    "imdb-lstm-pooled": 0.905,
    "imdb-lstm-seed-1": 0.885,
    "imdb-ngrams": 0.915,
    "imdb-pv-dbow": 0.890,
    "imdb-pv-dm": 0.820,
    "imdb-qrnn": 0.900,
    "imdb-skip": 0.900,
    "imdb-tcn": 0.885,
    "imdb-transformer": 0.885,
    "newsgroups-cnn": 0.60,
    "newsgroups-ngrams": 0.60,
}  # test accuracy
KEPT = 2_000  # documents
SAMPLE = 300  # test texts on which a card's accuracy is measured again

COLUMNS = {
    DOCUMENTS: re.compile(r"id|label|rating|length|probability\.\d\d|embedding\.\d\d\.(levels|low|step)"),
    REGIONS: re.compile(r"epoch|target|size|ngram|contribution|support|precision|seen|example|rated"),
    FILTERS: re.compile(r"\w+"),
    PREDICTIONS: re.compile(r"id|label|rated|(predicted|probability)\.\d\d|masked\.(predicted|probability)"),
    DOCUMENT_REGIONS: re.compile(r"id|target|(pro|contra)\.(ngrams|contributions)"),
    MAPS: re.compile(r"[a-z-]+\.[23]d\.\d\d(\.alone)?"),
    ATTENTION: re.compile(r"epoch|id|tokens|(change|flipped)\.(uniform|shuffled|(top|random|mass)\.\d+)|tau\.[a-z_]+"),
    DELETION: re.compile(r"epoch|id|tokens|random|(aopc|better)\.[a-z0-9-]+"),
}

WORDS = {
    DOCUMENTS: ["id"],
    PREDICTIONS: ["id"],
    ATTENTION: ["id"],
    DELETION: ["id"],
    REGIONS: ["ngram", "example"],
    FILTERS: ["ngrams"],
    DOCUMENT_REGIONS: ["id", "pro.ngrams", "contra.ngrams"],
}


RUNS = list(list_runs()[0].values())
CLASSIFIERS = [run for run in RUNS if run.kind == "classifier"]
MEASURED = [run for run in RUNS if "accuracy" in run.metrics.get("test", {})]
REGIONAL = [run for run in CLASSIFIERS if REGIONS in run.files]
RECURRENT = [run for run in CLASSIFIERS if DYNAMICS in run.files]


def near(measured: float, stored: float, texts: int) -> bool:
    """Whether an accuracy over ``texts`` is within three standard errors of the stored one."""
    return abs(measured - stored) <= 3 * math.sqrt(stored * (1 - stored) / texts)


# ------------------------------------------------------------------------------------------------------------ files


def test_every_folder_is_a_readable_run() -> None:
    assert list_runs()[1] == []


def test_all_runs_together_are_small() -> None:
    sizes = {path: path.stat().st_size for path in root().rglob("*") if path.is_file() and not hidden(path)}
    assert sum(sizes.values()) <= TOGETHER, sorted(sizes.items(), key=lambda item: -item[1])[:5]


def test_no_file_is_stored_twice() -> None:
    """After a training elsewhere, or a merge, `python -m nlpviz share` sees to it."""
    digests: dict[str, Path] = {}
    for path in sorted(path for path in root().rglob("*") if path.is_file() and not hidden(path)):
        assert digests.setdefault(sha256(path), path) is path, f"{path} is {digests[sha256(path)]}"


@for_each(RUNS)
def test_manifest_says_how_much_the_run_stores_and_where_the_rest_is(run: Run) -> None:
    own = set(run.files) - set(run.shared)
    assert run.stored_bytes == sum((run.folder / name).stat().st_size for name in own)
    for name, stored in run.shared.items():
        holder = open_run(stored.run)
        assert stored.file not in holder.shared, "no reference leads to another one"
        assert holder.files[stored.file] == run.files[name]


def hidden(path: Path) -> bool:
    """Whether a path under trained/ is of an unfinished training, which is not committed."""
    return any(part.startswith(".") for part in path.relative_to(root()).parts)


@for_each(RUNS)
def test_every_file_is_listed_genuine_and_of_a_size_that_may_be_committed(run: Run) -> None:
    assert {path.name for path in run.folder.iterdir()} == {MANIFEST, *run.files} - set(run.shared)
    for name in run.files:
        assert run.file(name).stat().st_size < LARGEST


@for_each(RUNS)
def test_only_files_that_a_run_is_made_of_are_there(run: Run) -> None:
    """Its kind says which: what a network cannot show it is not asked for."""
    assert set(run.files) - {FROZEN, INITIAL} == {"README.md", *kind_of(run).files(run)}
    still = run.config.get("static") or run.config.get("trained_bands") is not None
    assert (FROZEN in run.files) == bool(still) or kind_of(run).name != "classifier"


@for_each(CLASSIFIERS)
def test_no_text_of_a_corpus_is_in_a_table(classifier: Run) -> None:
    for name, known in COLUMNS.items():
        if name not in classifier.files:
            continue
        schema = pq.read_schema(classifier.file(name))
        assert all(known.fullmatch(column) for column in schema.names)
        words = [field.name for field in schema if not (pa.types.is_primitive(field.type) or is_vector(field.type))]
        assert words == WORDS.get(name, [])
    assert all(re.fullmatch(r"[\w./-]{1,40}", name) for name in documents_of(classifier).ids)
    assert not any(sign.isspace() for word in classifier.vocabulary.words for sign in word)


@for_each(REGIONAL)
def test_of_the_corpus_words_only_short_ngrams_are_kept(regional: Run) -> None:
    longest, known = max(regional.config["region_sizes"]), set(regional.vocabulary.words)
    targets = range(len(regional.class_names)) if len(regional.class_names) > 2 else (-1,)
    rankings = [row.ngram for epoch in regional.epochs for one in targets for row in top_ngrams(regional, epoch, one)]
    answered = [said.ngram for epoch in regional.epochs for one in filters(regional, epoch) for said in one.ngrams]
    of_documents = [ngram for said in document_regions(regional).values() for side in said[:2] for ngram, _ in side]
    for ngram in (*rankings, *answered, *of_documents):
        assert 1 <= len(ngram.split(" ")) <= longest
        assert set(ngram.split(" ")) <= known


def is_vector(kind: pa.DataType) -> bool:
    """Whether a column holds vectors or lists of numbers."""
    listed = pa.types.is_fixed_size_list(kind) or pa.types.is_list(kind)
    return listed and pa.types.is_primitive(kind.value_type)


# ------------------------------------------------------------------------------------------------------- what it says


@for_each(RUNS)
def test_manifest_says_where_the_run_comes_from(run: Run) -> None:
    corpus = corpora()[run.corpus["name"]]
    assert run.corpus["sha256"] in corpus.sha256
    if "test" in run.metrics:
        counted = {"language-model": "tokens", "tree-classifier": "roots_fine_nodes"}.get(run.kind, "documents")
        assert run.metrics["test"][counted] == run.corpus["test"] >= 1_000
    assert re.fullmatch(r"cuda: .+|cpu: \d+ threads?", run.device)
    assert run.seconds > 0
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", run.created)
    assert {"nlpviz", "python", "torch"} <= set(run.versions)
    assert run.parameter_count > 0


@for_each(CLASSIFIERS)
def test_run_is_what_its_recipe_makes(classifier: Run) -> None:
    settings = on_device(recipes()[classifier.name].settings, classifier.device)
    assert classifier.architecture == settings.architecture
    assert classifier.max_length == settings.max_length
    assert classifier.config["vocabulary_size"] == len(classifier.vocabulary) <= settings.vocabulary_size
    same = {key: classifier.config[key] for key in settings.config}
    assert {key: tuple(value) if isinstance(value, list) else value for key, value in same.items()} == settings.config
    assert classifier.seed == settings.fit.seed
    fit = asdict(settings.fit)
    for name in ("batch_size", "learning_rate", "weight_decay", "averaging"):
        assert classifier.recipe["fit"][name] == fit[name]


@for_each(RUNS)
def test_card_says_what_was_measured(run: Run) -> None:
    card = run.file("README.md").read_text(encoding="utf-8")
    assert card.startswith(f"# {run.title} (`{run.name}`)\n")
    accuracies = {name: values["accuracy"] for name, values in run.metrics.items() if "accuracy" in values}
    assert all(f"| {in_words(name)} | {accuracy:.2%} |" in card for name, accuracy in accuracies.items())
    assert run.device in card
    assert f"{run.parameter_count:,}" in card
    assert corpora()[run.corpus["name"]].url in card


@for_each(MEASURED)
def test_accuracy_is_what_it_must_be(measured: Run) -> None:
    assert measured.metrics["test"]["accuracy"] >= BARS[measured.name], "a run without a bar gets one above"


def test_skipping_costs_less_than_a_point_beside_the_plain_cell() -> None:
    known = list_runs()[0]
    skipping, plain = (known[name].metrics["test"] for name in ("imdb-skip", "imdb-gru"))
    assert skipping["accuracy"] >= plain["accuracy"] - 0.01
    assert skipping["updates"] <= 0.60


# ------------------------------------------------------------------------------------------------------------ epochs


@for_each(CLASSIFIERS)
def test_every_kept_epoch_loads_and_is_another_model(classifier: Run) -> None:
    trained = tuple(record.epoch for record in read_history(classifier, EpochRecord))
    assert trained == tuple(range(len(trained))), "from before training on, without a gap"
    kept = classifier.recipe["kept_epochs"]
    wanted = set(trained if kept is None else kept) | {classifier.best_epoch}
    assert classifier.epochs == tuple(sorted(wanted))
    before = None
    for epoch in classifier.epochs:
        module = classifier.load(epoch).module
        weights = torch.cat([weight.flatten() for weight in module.parameters()])
        assert weights.isfinite().all()
        assert before is None or not torch.equal(weights, before)
        assert tuple(module.parameter_terms()) == classifier.parameters
        before = weights


@for_each(CLASSIFIERS)
def test_history_has_every_kept_epoch_and_the_best_one_was_chosen_on_validation(classifier: Run) -> None:
    records = read_history(classifier, EpochRecord)
    best = max(records, key=lambda record: (record.validation_accuracy, -record.validation_loss))
    assert best.epoch == classifier.best_epoch
    assert classifier.metrics["validation"]["accuracy"] == pytest.approx(best.validation_accuracy, abs=1e-6)
    assert records[0].train_accuracy == pytest.approx(1 / len(classifier.class_names), abs=0.1)
    assert all(record.seconds > 0 and record.gradient_norm > 0 for record in records[1:])


# --------------------------------------------------------------------------------------------------------- documents


@for_each(CLASSIFIERS)
def test_documents_have_every_epochs_answers(classifier: Run) -> None:
    documents = documents_of(classifier)
    count = len(documents.ids)
    assert count == len(set(documents.ids)) >= KEPT
    classes = len(classifier.class_names)
    assert np.bincount(documents.labels).tolist() == [count // classes] * classes
    if classifier.corpus["name"] == "imdb":  # others call their texts what they will
        assert np.array_equal(documents.labels == 1, [name.startswith("test/pos/") for name in documents.ids])
        assert np.array_equal(documents.labels == 1, documents.ratings >= 7)
        assert documents.ratings.min() >= 1
    assert documents.lengths.min() > 0
    for epoch in classifier.epochs:
        probabilities, embeddings = probabilities_of(classifier, epoch), embeddings_of(classifier, epoch)
        assert probabilities.shape == (count, classes)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1, atol=1e-3)
        assert embeddings.shape[0] == count
        assert (probabilities >= 0).all()
        assert (probabilities <= 1).all()
        assert np.isfinite(embeddings).all()


@for_each(CLASSIFIERS)
def test_documents_are_like_all_test_texts(classifier: Run) -> None:
    labels = documents_of(classifier).labels
    right = probabilities_of(classifier, classifier.best_epoch).argmax(axis=1) == labels
    assert near(float(right.mean()), classifier.metrics["test"]["accuracy"], len(right))
    untrained = probabilities_of(classifier, 0).argmax(axis=1) == labels
    assert untrained.mean() < 0.7


@for_each(CLASSIFIERS)
def test_probabilities_follow_from_the_embeddings(classifier: Run) -> None:
    """The document embedding is what the last layer reads; it is kept in eight bits a number."""
    for epoch in (0, classifier.best_epoch):
        module = classifier.load(epoch).module
        embeddings = torch.from_numpy(embeddings_of(classifier, epoch))
        probabilities = class_probabilities(module.output(embeddings)).numpy()
        np.testing.assert_allclose(probabilities_of(classifier, epoch), probabilities, atol=1e-2)


@for_each(CLASSIFIERS)
def test_maps_are_there_for_every_projector_and_epoch(classifier: Run) -> None:
    charts = {
        (chart.projector, chart.dimensions, chart.epoch, chart.alone): chart for chart in projections_of(classifier)
    }
    names = {chart.projector for chart in charts.values()}
    assert {"pca", "tsne"} <= names <= projectors().keys(), "of a new projector none need be stored"
    assert set(charts) == {
        (name, size, epoch, alone)
        for name in names
        for size in (2, 3)
        for epoch in classifier.epochs
        for alone in (False, True)
    }
    for chart in charts.values():
        assert chart.coordinates.shape == (len(documents_of(classifier).ids), chart.dimensions)
        assert np.isfinite(chart.coordinates).all()
        assert 0.5 < chart.trustworthiness <= 1
        assert chart.neighbours == NEIGHBOURS
        assert chart.perplexity == projectors()[chart.projector].perplexity


@for_each(CLASSIFIERS)
def test_epoch_0_has_the_word_vectors_that_it_is_said_to_have(classifier: Run) -> None:
    """What is said of it on pages and cards: not all of it was random."""
    name = classifier.recipe["fit"]["starts_from"]
    if is_language_model(name):
        assert f"with the word vectors and the recurrent layers of {name} and" in before_training(classifier)
        own, theirs = classifier.load(0).module.state_dict(), open_run(name).load().module.state_dict()
        taken = {key: value for key, value in own.items() if not key.startswith("output.")}
        assert any(key.startswith("encoder.") for key in taken)
        for key, value in taken.items():
            torch.testing.assert_close(value, theirs[key.replace("embedding.", "words.", 1)], rtol=1e-2, atol=1e-3)
        return
    assert f"with the word vectors of {name} and" in before_training(classifier)
    vectors = read_vectors(open_run(name))
    words = ["film", "waste", "wonderful", "7"]
    rows = classifier.load(0).module.embedding.weight[classifier.vocabulary.ids(words)].numpy()  # type: ignore[union-attr, index]
    for word, row in zip(words, rows, strict=True):
        own = vectors.directions[vectors.positions[word]]
        assert row @ own / np.linalg.norm(row) > 0.999, word


@for_each(CLASSIFIERS)
def test_labels_part_while_the_network_learns(classifier: Run) -> None:
    """Epoch 0 is mixed, the chosen epoch is not: by nearest neighbours and by mean distances."""
    charts = {chart.epoch: chart for chart in projections_of(classifier)}
    before, chosen = charts[0], charts[classifier.best_epoch]
    assert before.purity < 0.65
    assert chosen.purity > before.purity + 0.15
    assert -0.1 < before.silhouette < 0.02
    assert chosen.silhouette > before.silhouette + 0.05


@for_each(CLASSIFIERS)
def test_maps_are_of_these_documents(classifier: Run) -> None:
    epochs = (0, classifier.best_epoch)
    embeddings = [embeddings_of(classifier, epoch) for epoch in epochs]
    computed = projectors()["pca"].project(embeddings, Fitting(1, 2))
    stored = {
        chart.epoch: chart
        for chart in projections_of(classifier)
        if (chart.projector, chart.dimensions, chart.alone) == ("pca", 2, False)
    }
    for epoch, positions in zip(epochs, computed, strict=True):
        np.testing.assert_allclose(stored[epoch].coordinates, positions, atol=1e-2 * np.abs(positions).max())


@pytest.mark.ci
def test_successive_maps_move_less_than_maps_fitted_alone() -> None:
    """What the switch shows: t-SNE's comparable maps, between neighbouring epochs that are alike."""
    moved = {run.name: np.array(list(moves(run))).reshape(-1, 2) for run in CLASSIFIERS}
    together = np.concatenate(list(moved.values()))
    assert len(together) >= 6
    comparable, alone = together.mean(axis=0)
    assert comparable < 0.5 * alone
    for name, of_run in moved.items():
        comparable, alone = of_run.sum(axis=0)
        assert comparable <= alone, name


def moves(run: Run) -> Iterator[tuple[float, float]]:
    """Yield how far documents move on the 2-D t-SNE maps from an epoch to the next, where that is like it.

    On maps that are comparable, and on those of each epoch alone.
    """
    charts = {
        (one.epoch, one.alone): one for one in projections_of(run) if (one.projector, one.dimensions) == ("tsne", 2)
    }
    for epoch in run.epochs:
        if epoch + 1 not in run.epochs:
            continue
        before, after = (embeddings_of(run, one) for one in (epoch, epoch + 1))
        if shared_neighbours(before, after, 15) > 0.25:
            comparable, alone = (displacement(charts[epoch, way], charts[epoch + 1, way]) for way in (False, True))
            yield comparable, alone


@again(CLASSIFIERS)
def test_a_review_is_placed_where_it_lies(run: Run) -> None:
    """Documents of the map itself: exactly by PCA, near their place by t-SNE; and fast enough to be typed."""
    rows = range(0, len(documents_of(run).ids), 101)
    for chart in projections_of(run):
        if chart.epoch not in (0, run.best_epoch):
            continue
        projector = projectors()[chart.projector]
        assert projector.transform is not None
        placed = projector.transform(fitted_map(run, chart), embeddings_of(run, chart.epoch)[list(rows)])
        missed = np.linalg.norm(placed - chart.coordinates[list(rows)], axis=1)
        # exactly, but for the embeddings' eight bits: before training they hardly differ
        assert np.median(missed) < (1e-2 if projector.exact else 0.1) * chart.spread


# ---------------------------------------------------------------------------------------------------------- regions


@again(REGIONAL)
def test_regions_and_bias_are_the_logit_for_every_example(run: Run) -> None:
    for epoch in run.epochs:
        trained = run.load(epoch)
        for target, example in product((0, 1), every_example()):
            result = predictive_regions(trained, example.text, target)
            ids = torch.from_numpy(trained.vocabulary.encode(example.text, run.max_length).ids)
            logit = class_scores(trained.module(ids.unsqueeze(0)))[0, target].item()
            total = result.bias + sum(region.contribution for region in result.regions)
            assert total == pytest.approx(logit, abs=1e-4), example.id


@for_each(run for run in REGIONAL if run.corpus["name"] == "imdb")
def test_board_speaks_as_the_notes_do(regional: Run) -> None:
    """Tixier, section 5.4.2, names "worst movie ever" and "don't waste your money": parts of them are on the board.

    The latter has four tokens, and no region of these networks is as long.
    """
    assert len(tokenize("don't waste your money")) > max(regional.config["region_sizes"])
    rows = top_ngrams(regional, regional.best_epoch)
    ranked = sorted((row for row in rows if row.size > 1), key=lambda row: row.total)
    worst, best = (" / ".join(row.ngram for row in chosen) for chosen in (ranked[:60], ranked[-60:]))
    assert "worst movie" in worst
    assert "waste" in worst
    assert "highly recommended" in best
    assert "loved it" in best
    strong = [row for row in rows if row.support >= 30 and abs(row.contribution) > 0.5 and row.size == 3]
    assert np.mean([row.precision for row in strong]) > 0.85


@for_each(REGIONAL)
def test_board_has_unseen_ngrams_that_the_counts_confirm(regional: Run) -> None:
    counts = ngram_counts(regional.corpus["name"])
    assert counts is not None
    rows = top_ngrams(regional, regional.best_epoch)
    assert sum(row.seen == 0 for row in rows) >= (100 if len(regional.class_names) == 2 else 30)
    for row in rows[::17]:
        expected = UNCOUNTED if "<unk>" in row.ngram.split(" ") else counts.of(row.ngram.split(" "))
        assert row.seen == expected


@for_each(REGIONAL)
def test_filters_are_those_of_the_embeddings(regional: Run) -> None:
    """Their means over all test documents are near those over the documents that the run keeps."""
    for epoch in (0, regional.best_epoch):
        result, embeddings = filters(regional, epoch), embeddings_of(regional, epoch)
        assert len(result) == embeddings.shape[1]
        np.testing.assert_allclose([one.mean for one in result], embeddings.mean(axis=0), atol=0.06)
        weights = regional.load(epoch).module.output.weight[-1].tolist()
        assert [one.weight for one in result] == pytest.approx(weights, abs=1e-6)


@for_each(REGIONAL)
def test_strongest_regions_of_documents_agree_with_their_answers(regional: Run) -> None:
    said, shares = document_regions(regional), probabilities_of(regional, regional.best_epoch)
    assert tuple(said) == documents_of(regional).ids
    balance = np.array([sum(amount for side in one[:2] for _, amount in side) for one in said.values()])
    sure, expected = shares.max(axis=1) > 0.95, shares.argmax(axis=1) == [one.target for one in said.values()]
    assert ((balance > 0) == expected)[sure].mean() > 0.95


# -------------------------------------------------------------------------------------------------------- dynamics


@for_each(RECURRENT)
def test_slow_points_keep_their_slowest_directions(recurrent: Run) -> None:
    for epoch in recurrent.epochs:
        for slow in dynamics_of(recurrent, epoch).slow:
            constants, kept = slow.time_constants, slow.eigenvalues.shape[1]
            assert (np.diff(np.minimum(constants, 1e6), axis=1) <= 1e-3 * np.minimum(constants, 1e6)[:, :-1]).all()
            np.testing.assert_array_equal((constants > LASTING).sum(axis=1), np.minimum(slow.lasting, kept))
            assert (slow.unstable >= (np.abs(slow.eigenvalues) > 1 + 1e-6).sum(axis=1)).all()


# ------------------------------------------------------------------------------------------------ with the corpus


@again(CLASSIFIERS)
@pytest.mark.usefixtures("imdb_archive", "newsgroups_archive")
def test_accuracy_of_the_card_is_measured_again(run: Run) -> None:
    trained, test = run.load(), corpora()[run.corpus["name"]].read("test")
    module, names = trained.module, run.class_names
    positions = np.random.default_rng(0).choice(len(test.texts), SAMPLE, replace=False)
    found = read(trained, [test.texts[position] for position in positions])

    def answer(ids: torch.Tensor) -> list[torch.Tensor]:
        updates = module.updated(ids) if isinstance(module, SkipsWords) else torch.zeros(ids.shape)
        return [class_probabilities(module(ids)), updates.sum(dim=1, keepdim=True)]

    probabilities, updates = forward(found, answer, [len(names), 1])
    right = (probabilities.argmax(axis=1) == np.asarray(test.labels)[positions]).mean()
    assert near(right, run.metrics["test"]["accuracy"], SAMPLE)
    if isinstance(module, SkipsWords):
        words = sum(len(one.row) for one in found)
        assert updates.sum() / words == pytest.approx(run.metrics["test"]["updates"], abs=0.02)


@again(CLASSIFIERS)
@pytest.mark.usefixtures("imdb_archive", "newsgroups_archive")
def test_documents_are_the_corpus_own(run: Run) -> None:
    """Their answers are those of the texts that bear their ids."""
    trained, documents = run.load(), documents_of(run)
    corpus, probabilities = corpora()[run.corpus["name"]], probabilities_of(run, run.best_epoch)
    for position in range(0, len(documents.ids), 97):
        encoded = trained.encode(corpus.find(documents.ids[position]))
        assert len(encoded.tokens) == documents.lengths[position]
        answer = class_probabilities(trained.module(torch.from_numpy(encoded.row).unsqueeze(0)))[0].numpy()
        np.testing.assert_allclose(answer, probabilities[position], atol=1e-3)
