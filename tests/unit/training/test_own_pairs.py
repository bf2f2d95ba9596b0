"""A person's own pairs, from files to translators: what is planned and made, what it keeps, and what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from nlpviz.commands.cli import main
from nlpviz.data import CorpusMissing, corpus_named
from nlpviz.data.own_texts import Source
from nlpviz.data.own_texts.names import KEPT_TEXTS, RECIPE
from nlpviz.data.own_texts.recipe import read_recipe
from nlpviz.data.parallel import ParallelTexts
from nlpviz.networks.architectures import translators
from nlpviz.results.own_texts import PairsReport
from nlpviz.runs import Run, list_runs, open_run
from nlpviz.runs.translators import languages_of
from nlpviz.text.parallel import source_tokens
from nlpviz.training.own_plan import plan
from nlpviz.training.own_tasks import OwnRequest, tasks
from tests.own_pairs import KEPT, PAIRS, PLAIN, pairs, train, write_files, write_table


@pytest.fixture
def runs(own_pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the runs."""
    shutil.copytree(own_pairs / "runs", tmp_path / "runs")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    return tmp_path / "runs"


@pytest.fixture
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for files, and no runs."""
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "runs"))
    return tmp_path


def planned(folder: Path, some: list[tuple[str, str]] | None = None, **asked: object) -> PairsReport:
    """Return what is said of two files before a training."""
    source, target = write_files(folder, some)
    request = OwnRequest("toys", Source(str(source)), translations=str(target), **asked)  # type: ignore[arg-type]
    report = plan(request).report
    assert isinstance(report, PairsReport)
    return report


# ----------------------------------------------------------------------------------------------------------- the plan


def test_every_translator_can_be_asked_for() -> None:
    models = tasks()["translation"].models()
    assert next(iter(models)) == "general"
    assert {"general", "dot", "local-p", "none", "reversed", "input-feeding", "transformer"} <= set(models)
    assert set(translators()) == {"seq2seq", "transformer-translator"}  # each of them is among these


def test_what_is_seen_of_pairs(nowhere: Path) -> None:
    some = [*pairs()[:200], ("Amsterdam 1990", "Amsterdam 1990"), (pairs()[0][0], f"Ou {pairs()[1][1]}"), pairs()[2]]
    some.append(("The dog sees a small cat and a horse.", f"Le {'très ' * 40}petit chat."))
    report = planned(nowhere, some)
    assert report.read == "204 rows, 204 pairs used."
    assert sum(one.pairs for one in report.counts) == 204
    assert report.languages == ("Dutch", "French")
    assert (report.in_both, report.repeated, report.empty) == (0, 1, 0)
    assert report.leak == "No test pair shares its sentence or translation with a training pair."
    assert any(note.startswith("1 pair (row 201) has the same text on both sides") for note in report.notes)
    assert any(note.startswith("1 pair (row 204) has very unequal lengths") for note in report.notes)
    train = report.counts[0]
    words = sum(len(source_tokens(text, "nl")) for text, _ in some)
    assert sum(one.source_words for one in report.counts) == words > train.source_words
    said = list(report.lines())
    known, unknown = report.known, report.unknown
    assert f"Vocabulary, including punctuation: {known[0]} (Dutch), {known[1]} (French)." in said
    assert f"Out-of-vocabulary rate in the test text: {unknown[0]:.1%} (Dutch), {unknown[1]:.1%} (French)." in said
    assert f"BLEU of the untranslated test sentences: {report.untranslated:.1f}." in said
    assert "Languages (from the file names): Dutch to French." in "\n".join(said)
    assert 0 < report.seconds < 600


def test_settings_follow_from_how_many_pairs_there_are(nowhere: Path) -> None:
    source, target = write_files(nowhere)
    asked = OwnRequest("toys", Source(str(source)), ("general", "transformer"), translations=str(target))
    recipe = plan(asked).recipe
    assert [run.name for run in recipe.runs] == ["toys-general", "toys-transformer"]
    general, transformer = (run.settings for run in recipe.runs)
    assert general["config"]["score"] == "general"
    assert general["fit"]["batch_size"] == 16
    assert general["fit"]["epochs"] == transformer["fit"]["epochs"] == 40
    assert transformer["architecture"] == "transformer-translator"
    assert recipe.runs[0].title == "General attention on toys, Dutch to French"


def test_a_test_file_is_read_as_the_file_is(nowhere: Path) -> None:
    some = pairs()
    source, target = write_files(nowhere, some[20:])
    test, references = write_files(nowhere, some[:21], "held")
    asked = OwnRequest(
        "toys", Source(str(source)), translations=str(target), test=str(test), test_translations=str(references)
    )
    report = plan(asked).report
    assert isinstance(report, PairsReport)
    assert report.counts[-1].pairs == 21
    assert report.in_both == 1
    assert "1 of 21 test pairs share their sentence or translation" in report.warnings[0]
    assert report.files == ("toys.nl", "toys.fr", "held.nl", "held.fr")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--test", "toys.nl"), "The test file needs translations"),
        (("--test-translations", "toys.nl"), "--test-translations requires --test"),
        (("--languages", "en"), "are not two languages"),
        (("--model", "cnn"), "belong to different tasks"),
        (("--tokens", "words"), "belong to different tasks"),
        (("--label", "x"), "Translators cannot use a label column"),
        (("--held-out", "2"), "must be between 0 and 1"),
        (("--translations", "missing.fr"), "There is no file missing.fr"),
    ],
)
def test_what_cannot_be_is_a_sentence(
    nowhere: Path, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], said: str
) -> None:
    source, target = write_files(nowhere)
    assert train("toys", source, "--translations", str(target), *more) == 2
    assert said in capsys.readouterr().err
    assert not (nowhere / "runs").exists()


def test_too_few_pairs_and_uneven_files_are_refused(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = write_files(nowhere, pairs(99))
    assert train("toys", source, "--translations", str(target)) == 2
    assert "Only 99 pairs can be used; a translator needs at least 100." in capsys.readouterr().err
    source.write_text(source.read_text(encoding="utf-8") + "One more.\n", encoding="utf-8")
    assert train("toys", source, "--translations", str(target)) == 2
    assert "toys.nl has 100 lines and toys.fr 99" in capsys.readouterr().err


# ----------------------------------------------------------------------------------------------------------- the runs


def test_pairs_become_a_translator(runs: Path) -> None:
    found, problems = list_runs()
    assert (sorted(found), problems) == ([KEPT, PLAIN], [])
    run = found[KEPT]
    assert (run.kind, run.recipe["source"], run.recipe["target"], run.epochs[0]) == ("translator", "nl", "fr", 0)
    assert (run.corpus["train"], run.corpus["validation"], run.corpus["test"]) == (194, 22, 24)
    assert run.metrics["translation"]["bleu_untranslated"] < 20
    assert "chien" in languages_of(run).target.words
    card = (runs / KEPT / "README.md").read_text(encoding="utf-8")
    for said in ("sentence pairs of toys.nl and toys.fr", "left untranslated", "a translation"):
        assert said in card
    for not_said in ("captions", "2016", "Multi30k", "Corpus: ."):
        assert not_said not in card
    assert found[PLAIN].title == "No attention on plain-pairs, source to target"


@pytest.mark.usefixtures("runs")
def test_a_run_is_measured_again(capsys: pytest.CaptureFixture[str]) -> None:
    for name in (KEPT, PLAIN):
        assert main(["evaluate", name, "--device", "cpu", "--json"]) == 0
        facts, stored = json.loads(capsys.readouterr().out), open_run(name).metrics["translation"]
        for key in ("bleu", "bleu_untranslated", "sentences"):
            assert facts[key] == pytest.approx(stored[key])
    assert main(["translate", KEPT, "--text", "The dog sees a cat."]) == 0
    assert main(["translate", PLAIN, "--text", "The dog sees a cat.", "--prefix", "xyz"]) == 2
    assert "“xyz” is not in the translator’s target vocabulary" in capsys.readouterr().err


def test_pairs_are_kept_where_that_is_asked_for_and_only_there(runs: Path, own_pairs: Path) -> None:
    sentences = [text.encode() for pair in pairs() for text in pair]
    for path in (runs / PLAIN).iterdir():
        content = path.read_bytes()
        assert not any(sentence in content for sentence in sentences), path
    assert not (runs / PLAIN / KEPT_TEXTS).exists()
    for name in ("train", "validation", "test"):
        kept = corpus_named(KEPT).read(name)
        assert isinstance(kept, ParallelTexts)
        assert set(zip(kept.texts["nl"], kept.texts["fr"], strict=True)) <= set(pairs())
    test = corpus_named(KEPT).read("test")
    assert isinstance(test, ParallelTexts)
    assert corpus_named(KEPT).find("test/fr/3") == test.texts["fr"][2]
    for name in (KEPT, PLAIN):  # as if the files had gone
        recipe = runs / name / RECIPE
        recipe.write_text(recipe.read_text(encoding="utf-8").replace(str(own_pairs), "/gone"), encoding="utf-8")
    assert corpus_named(KEPT).read("test") == test
    with pytest.raises(CorpusMissing, match="no longer exists, and the run stores no texts"):
        corpus_named(PLAIN).read("test")


def test_a_second_file_that_has_changed_is_told(nowhere: Path) -> None:
    source, target = write_files(nowhere)
    recipe = plan(OwnRequest("toys", Source(str(source)), translations=str(target))).recipe
    (nowhere / "runs" / "toys").mkdir(parents=True)
    (nowhere / "runs" / "toys" / RECIPE).write_text(recipe.toml, encoding="utf-8")
    assert read_recipe(nowhere / "runs" / "toys" / RECIPE).texts == recipe.texts
    assert len(corpus_named("toys").read("train")) == 194
    target.write_text(target.read_text(encoding="utf-8").replace("chien", "loup"), encoding="utf-8")
    with pytest.raises(CorpusMissing, match=r"toys.fr has changed since the run was trained"):
        corpus_named("toys").read("train")


@pytest.mark.ci
def test_a_recipe_makes_the_same_weights_again(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = Run.open(runs / PLAIN).files
    shutil.copy(runs / PLAIN / RECIPE, tmp_path / "copy.toml")
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path / "others"))
    assert main(["train", str(tmp_path / "copy.toml"), "--device", "cpu"]) == 0
    again = open_run(PLAIN).files
    weights = [name for name in first if name.endswith(".safetensors")]
    assert weights
    assert {name: again[name] for name in weights} == {name: first[name] for name in weights}


def test_looking_at_a_table_trains_nothing(nowhere: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = write_table(nowhere, ("nl", "fr"))
    assert train("toys", table, "--languages", "nl-fr", "--look") == 0
    said = capsys.readouterr().err
    assert f"toys.tsv (CSV or TSV): {PAIRS:,} rows, {PAIRS:,} pairs used." in said
    assert "Sentence column: 'nl'; translation column: 'fr'." in said
    assert not (nowhere / "runs").exists()
