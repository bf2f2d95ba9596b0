"""A run of a small variational autoencoder on the toy corpus: made, measured again, mapped, asked."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from nlpviz.analysis.inspection.codes import text_code, unit_classes, unit_topics, walk
from nlpviz.commands.cli import main
from nlpviz.figures.codes.topics import auc_said
from nlpviz.networks.architectures.variational_autoencoder import VariationalAutoencoder
from nlpviz.results.history import CodesEpoch
from nlpviz.run_kinds import kind_of
from nlpviz.run_kinds.document_autoencoder import lines
from nlpviz.runs import Run
from nlpviz.runs.codes import BAGS, CODES, divergences_of
from nlpviz.runs.documents import documents_of, embeddings_of, projections_of, run_documents
from nlpviz.runs.history import read_history
from nlpviz.training import Options
from nlpviz.training.bags import kept_bags
from nlpviz.training.codes import CodesSettings, codes_recipe
from nlpviz.training.codes_fit import CodesFit
from nlpviz.training.codes_measures import posteriors
from nlpviz.training.produce import produce
from nlpviz.training.topics import TopicSettings, topics_recipe
from tests import toy

SETTINGS = CodesSettings(
    corpus="toy",
    class_names=toy.CLASSES,
    architecture="variational-autoencoder",
    config={"latent": 2, "hidden": 8},
    words=30,
    validation=60,
    kept_documents=60,
    kept_epochs=(0,),
    fit=CodesFit(epochs=6, batch_size=16, learning_rate=1e-2, warmup=5),
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run ``toy-vae``, with its maps."""
    folder, recipe = tmp_path_factory.mktemp("trained"), codes_recipe("toy-vae", "Toy VAE", SETTINGS)
    with toy.discovered(tmp_path_factory.mktemp("discovered")):
        made = produce(recipe, Options(device="cpu"), lambda one: kind_of(one).finish(one, lambda _: None), runs=folder)
    assert made is not None
    return Run.open(made.folder)


def test_training_lowers_the_bound(run: Run) -> None:
    records = read_history(run, CodesEpoch)
    assert [record.epoch for record in records] == list(range(7))
    assert run.epochs[0] == 0
    best = min(records, key=lambda record: record.bound)
    assert best.epoch == run.best_epoch > 0
    assert best.bound < records[0].bound
    assert run.metrics["test"]["documents"] + run.corpus["empty"] == toy.SIZES["test"]


def test_folder_holds_what_the_kind_says(run: Run) -> None:
    assert set(run.files) == kind_of(run).files(run) | {"README.md"}
    assert run_documents(run).probabilities == {}
    assert {one.projector for one in projections_of(run)} == {BAGS, CODES}
    found = divergences_of(run, run.best_epoch)
    assert found is not None
    assert found.sum() > 0
    card = (run.folder / "README.md").read_text(encoding="utf-8")
    assert f"{run.metrics['test']['perplexity']:.1f}" in card


def test_the_mean_divergence_of_each_unit_is_kept_to_five_decimals(run: Run, tmp_path: Path) -> None:
    for epoch in run.epochs:
        with toy.discovered(tmp_path / str(epoch)):
            found = posteriors(cast("VariationalAutoencoder", run.load(epoch).module), kept_bags(run))
        mean, variance = found.mean.numpy().astype(float), found.log_variance.numpy().astype(float)
        expected = (0.5 * (mean**2 + np.exp(variance) - 1 - variance)).mean(axis=0)
        kept = divergences_of(run, epoch)
        assert kept is not None
        np.testing.assert_allclose(kept, expected, atol=6e-6)
        np.testing.assert_array_equal(kept, kept.round(5))


def test_codes_of_two_numbers_are_their_own_map(run: Run) -> None:
    drawn = next(one for one in projections_of(run) if one.projector == CODES and one.epoch == run.best_epoch)
    np.testing.assert_allclose(drawn.coordinates, embeddings_of(run, run.best_epoch), atol=5e-3)
    bags = next(one for one in projections_of(run) if one.projector == BAGS)
    assert bags.named
    assert bags.coordinates.shape == (60, 2)


def test_measured_again_it_is_the_same(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(run.folder.parent))
    with toy.discovered(tmp_path):
        again = codes_recipe("toy-vae", "Toy VAE", SETTINGS).evaluate(run.name, Options(device="cpu"), None)
    assert again == pytest.approx(dict(run.metrics["test"]), rel=1e-6)


def test_what_was_measured_is_said_in_lines() -> None:
    plain = {"documents": 1200, "words": 34567, "reconstruction": 6.54321, "active": 2, "completion": 812.345}
    assert lines("toy-ae, epoch 2", plain) == [
        "toy-ae, epoch 2: 1,200 test documents with 34,567 in-vocabulary words.",
        "reconstruction 6.5432 nats per word",
        "2 active units: variance over documents above 0.01",
        "completion: perplexity 812.35 of one half of each document’s words given the other half",
        "No perplexity bound: the code is not a distribution, so it has no KL divergence.",
    ]
    bound = {"bound": 6.7, "perplexity": 812.4, "perplexity by document": 799.9, "divergence": 3.25, "information": 1.5}
    said = lines("toy-vae", {**plain, **bound})
    assert said[1] == "perplexity bound 812.40 (averaged per document first: 799.90); 6.7000 nats per word"
    assert said[2:5] == [
        "reconstruction 6.5432 nats per word",
        "KL 3.250 nats per document",
        "mutual information of document and code: about 1.500 nats",
    ]
    assert said[-1].startswith("Perplexity bound: exp of the mean of -ELBO")


def test_the_epoch_whose_codes_cost_most_is_named(run: Run) -> None:
    costs = (0.0, 2.0, 9.0, 4.0, 3.0, 2.0, 1.0)
    history = [
        replace(record, divergence=cost) for record, cost in zip(read_history(run, CodesEpoch), costs, strict=True)
    ]
    said = " ".join(sentence.format(**pieces) for sentence, pieces in kind_of(run).learnt(run, history))
    assert f"Best epoch (validation): {run.best_epoch}, with a perplexity bound" in said
    assert f"{run.metrics['test']['active']:.0f} of 2 units are active" in said
    assert said.endswith("The KL divergence was largest after epoch 2: 9.00 nats per document.")


def test_a_text_without_a_known_word_has_a_code_and_no_perplexity(run: Run) -> None:
    code = text_code(run.load(), "zzz the of")
    assert code.words == 0
    assert np.isnan(code.perplexity)
    assert np.isnan(code.bound)
    assert len(code.returned) > 0
    known = text_code(run.load(), "splendid camera camera")
    assert known.words == 3
    assert {one.word: one.times for one in known.read} == {"camera": 2, "splendid": 1}
    assert sum(known.divergence) > 0  # type: ignore[arg-type]


def test_a_walk_begins_and_ends_at_its_texts(run: Run) -> None:
    model = run.load()
    found = walk(model, "splendid camera", "dreadful town", ("one", "two"), steps=5)
    np.testing.assert_allclose(found.codes[0], text_code(model, "splendid camera").mean, atol=1e-6)
    np.testing.assert_allclose(found.codes[-1], text_code(model, "dreadful town").mean, atol=1e-6)
    np.testing.assert_allclose(found.codes[2], (found.codes[0] + found.codes[4]) / 2, atol=1e-6)
    assert {one.id for one in found.nearest} <= set(documents_of(run).ids)
    still = walk(model, "splendid camera", "camera splendid", ("one", "two"))
    assert still.length == 0, "equal bags have one code"
    assert np.ptp(still.probabilities, axis=0).max() == 0


def test_units_raise_the_words_that_they_stand_for(run: Run) -> None:
    for topic in unit_topics(run.load(), divergences_of(run, run.best_epoch)):
        assert [change for _, change in topic.up] == sorted((change for _, change in topic.up), reverse=True)
        assert topic.up[0][1] > 0 < topic.down[0][1]
        assert topic.divergence is not None


def test_auc_is_that_of_scikit_learn_and_chance_is_shuffled(run: Run) -> None:
    from sklearn.metrics import roc_auc_score

    found, labels, codes = unit_classes(run.load()), documents_of(run).labels, embeddings_of(run, run.best_epoch)
    for unit in range(2):
        assert float(found.auc[unit, 1]) == pytest.approx(roc_auc_score(labels, codes[:, unit]), abs=1e-6)
        assert float(found.auc[unit].sum()) == pytest.approx(1), "two classes mirror each other"
    assert 0.05 < found.threshold < 0.35
    assert all(
        abs(found.auc[unit, label] - 0.5) > found.threshold for unit in range(2) for label in found.follows(unit)
    )


def test_command_shows_codes_walks_and_units(
    run: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NLPVIZ_TRAINED", str(run.folder.parent))
    assert main(["codes", run.name, "--text", "splendid camera", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["words"] == 2
    assert len(facts["code"]) == len(facts["kl"]) == 2
    assert main(["codes", run.name, "--text", "zzz"]) == 0
    assert "No word of the text is in the vocabulary" in capsys.readouterr().out
    assert main(["codes", run.name, "--text", "splendid", "--to", "dreadful", "--steps", "3"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3
    assert main(["codes", run.name, "--units"]) == 0
    assert "unit 1 (" in capsys.readouterr().out
    for wrong in (["--text", "a", "--to", "b", "--steps", "1"], ["--units", "--to", "b"]):
        assert main(["codes", run.name, *wrong]) == 2
        assert capsys.readouterr().err.count("\n") == 1


def test_topics_are_made_and_measured_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = TopicSettings("toy", toy.CLASSES, words=30, validation=60, topics=(2, 3), priors=(1.0, 3.0), passes=2)
    recipe = topics_recipe("toy-lda", "Toy LDA", settings)
    with toy.discovered(tmp_path / "discovered"):
        made = produce(recipe, Options(device="cpu"), runs=tmp_path)
        assert made is not None
        monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
        assert recipe.evaluate("toy-lda", Options(), None) == pytest.approx(dict(made.metrics["test"]))
    assert len(made.recipe["tried"]) == 3, "a prior above the number of topics is left out"
    assert made.config["topics"] == min(made.recipe["tried"], key=lambda one: one["perplexity"])["topics"]


@pytest.mark.parametrize(("auc", "said"), [(0.21, "0.79 downwards"), (0.79, "0.79 upwards"), (0.5, "0.50 upwards")])
def test_an_area_below_a_half_is_said_as_its_complement(auc: float, said: str) -> None:
    assert auc_said(auc) == said
