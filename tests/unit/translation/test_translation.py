"""A sentence translated by a toy network: hypotheses, forced words, the beam's tree, and the commands."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from nlpviz.analysis.inspection.beam import beam_tree
from nlpviz.analysis.inspection.translation import (
    ALTERNATIVES,
    LONGEST_PREFIX,
    WIDEST,
    TranslationOptions,
    alignment_of,
    prefix_ids,
    translate,
    translate_all,
)
from nlpviz.commands.translate import _hypothesis_facts, _in_words
from nlpviz.language.decoding.search import ScoredTranslation, Searched, SearchSettings, search
from nlpviz.language.decoding.texts import translate_texts, write
from nlpviz.networks.architectures import Translator
from nlpviz.results.alignment import Hypothesis, NodeStatus, TranslationError, gaussian
from nlpviz.runs import list_runs, open_run
from nlpviz.runs.translators import TrainedTranslator, load_translator
from nlpviz.text.parallel import EOS, LanguagePair
from nlpviz.text.vocabulary import UNKNOWN, Vocabulary
from tests import translators as toy
from tests.unit.conftest import Printed
from tests.unit.translation.test_search import EOS as EOS_ID
from tests.unit.translation.test_search import Table

SENTENCE, TRANSLATION = toy.SENTENCE, "Le chien rouge voit un petit chat."


@pytest.fixture(scope="module")
def folder(toy_translators: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder with three toy translators, in the place of ``trained/``."""
    with toy.discovered(tmp_path_factory.mktemp("modules")), pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(toy_translators))
        yield toy_translators


@pytest.fixture
def trained(folder: Path) -> TrainedTranslator:
    assert os.environ["NLPVIZ_TRAINED"] == str(folder)
    return load_translator(open_run("toy-en-fr-general"))


@pytest.fixture
def local(folder: Path) -> TrainedTranslator:
    assert folder.is_dir()
    return load_translator(open_run("toy-en-fr-local-p"))


# ------------------------------------------------------------------------------------------------------ hypotheses


def test_a_sentence_is_translated_with_its_alignment(trained: TrainedTranslator) -> None:
    result = translate(trained, SENTENCE)
    assert result.text == TRANSLATION
    assert (result.run, result.epoch, result.width) == (trained.run.name, trained.epoch, 3)
    assert result.source_words == ("The", "red", "dog", "sees", "a", "small", "cat", ".")
    best = result.hypotheses[0]
    assert best.shown == ("le", "chien", "rouge", "voit", "un", "petit", "chat", ".", EOS)
    assert best.ended
    assert best.words[-2] == "￭."
    assert best.alignment is not None
    assert best.alignment.shape == (9, 8)
    np.testing.assert_allclose(best.alignment.sum(axis=1), 1, atol=1e-5)
    assert best.centres is None
    assert not best.alignment.flags.writeable
    scores = [one.score for one in result.hypotheses]
    assert scores == sorted(scores, reverse=True)
    assert best.score == pytest.approx(best.total / (14 / 6))


def test_log_probabilities_are_those_of_the_network(trained: TrainedTranslator) -> None:
    result = translate(trained, SENTENCE, TranslationOptions(width=1))
    (best,) = result.hypotheses
    model, pair = trained.module, trained.languages
    before = torch.tensor([[pair.eos, *best.ids[:-1]]])
    decoded, _ = model.decode(before, model.start(torch.from_numpy(result.encoded.ids)[None]))
    logs = model.predict(decoded.states[0]).log_softmax(1)
    expected = [float(logs[position, word]) for position, word in enumerate(best.ids)]
    np.testing.assert_allclose(best.log_probabilities, expected, atol=1e-4)
    for position, others in enumerate(result.alternatives):
        assert len(others) == ALTERNATIVES
        assert others[0].id == int(logs[position].argmax())
        assert [one.log_probability for one in others] == sorted((one.log_probability for one in others), reverse=True)
        assert all(pair.target.words[one.id] == one.word for one in others)
        assert others[2].log_probability == pytest.approx(float(logs[position, others[2].id]), abs=1e-5)


def test_local_attention_says_where_it_looks(local: TrainedTranslator) -> None:
    result = translate(local, SENTENCE)
    best = result.hypotheses[0]
    assert result.window == 2
    assert best.centres is not None
    assert best.alignment is not None
    assert ((best.centres >= -1) & (best.centres <= 7)).all()
    bell = gaussian(best.centres, 2, 8)
    assert not best.alignment[bell == 0].any()
    np.testing.assert_allclose((best.alignment / np.where(bell > 0, bell, 1)).sum(axis=1), 1, atol=1e-4)


@pytest.mark.parametrize(
    ("config", "of"),
    [
        ({"layers": 3, "heads": 4}, "layer 2 of 3, mean of 4 heads"),
        ({"layers": 1, "heads": 2}, "layer 1 of 1, mean of 2 heads"),
        ({"layers": 2, "attention": "dot"}, None),
    ],
)
def test_of_several_attentions_it_says_which_is_the_alignment(config: dict[str, object], of: str | None) -> None:
    translator = cast("TrainedTranslator", SimpleNamespace(run=SimpleNamespace(config=config)))
    assert alignment_of(translator) == of


def test_a_gaussian_is_that_of_equation_22() -> None:
    translated = gaussian(np.array([1.5]), 4, 7)[0]
    expected = [np.exp(-((position - 1.5) ** 2) / (2 * 2.0**2)) for position in range(7)]
    np.testing.assert_allclose(translated[:6], expected[:6])
    assert translated[6] == 0, "4.5 places away, D is 4"


def test_entropy_and_coverage() -> None:
    alignment = np.array([[1.0, 0.0], [0.5, 0.5], [0.1, 0.1]], dtype=np.float32)
    one = Hypothesis(("a",) * 3, (2,) * 3, "", np.zeros(3, np.float32), alignment, None, 0.0, (None,) * 3)
    np.testing.assert_allclose(one.entropies, [0, np.log(2), np.log(2)], atol=1e-6)
    np.testing.assert_allclose(one.coverage, [1.6, 0.6], atol=1e-6)
    assert replace(one, alignment=None).entropies.shape == (0,)
    assert replace(one, alignment=None).coverage.shape == (0,)


def test_a_network_without_attention_has_no_alignment(folder: Path) -> None:
    assert folder.is_dir()
    best = translate(load_translator(open_run("toy-en-fr-none")), SENTENCE).hypotheses[0]
    assert best.alignment is None
    assert best.text.endswith(".")


# ---------------------------------------------------------------------------------------------------------- unknown


def test_an_unknown_word_is_copied_from_where_it_looked(trained: TrainedTranslator) -> None:
    pair = trained.languages
    encoded = pair.read("The Zebra sees", 30)
    words = (pair.target.id("le"), UNKNOWN, pair.eos)
    alignment = np.array([[1, 0, 0], [0.2, 0.7, 0.1], [0, 0, 1]], dtype=np.float32)
    translated = ScoredTranslation(words, np.zeros(3, np.float32), alignment, None, 0.0, (0, 0, 0))
    written = write(translated, encoded, pair)
    assert written.words == ("le", "Zebra", EOS)
    assert written.copied == (None, 1, None)
    assert written.text == "Le Zebra"
    assert write(translated._replace(alignment=None), encoded, pair).text == "Le <unk>"


def test_a_copy_says_where_it_stands_and_where_it_comes_from(trained: TrainedTranslator) -> None:
    best = translate(trained, "the Zebra", TranslationOptions(prefix=(UNKNOWN, UNKNOWN), width=1)).hypotheses[0]
    assert best.ids[:2] == (UNKNOWN, UNKNOWN)
    words = ("the", "Zebra")
    assert len(best.copies) == best.ids.count(UNKNOWN)
    for copy, source in zip(best.copies, [position for position in best.copied if position is not None], strict=True):
        assert copy.source == source
        assert best.text[copy.start : copy.end].lower() == words[source].lower()
    assert translate(trained, SENTENCE).hypotheses[0].copies == []


# ----------------------------------------------------------------------------------------------------------- forced


def test_it_goes_on_from_a_word_that_was_chosen(trained: TrainedTranslator) -> None:
    plain = translate(trained, SENTENCE)
    best = plain.hypotheses[0]
    other = next(one for one in plain.alternatives[1] if one.word == "cheval")
    result = translate(trained, SENTENCE, TranslationOptions(prefix=(*best.ids[:1], other.id)))
    for one in result.hypotheses:
        assert one.words[:2] == ("le", "cheval")
        assert one.forced == 2
    assert result.hypotheses[0].log_probabilities[1] == pytest.approx(other.log_probability, abs=1e-4)
    typed = translate(trained, SENTENCE, TranslationOptions(prefix="Le cheval"))
    assert [one.words for one in typed.hypotheses] == [one.words for one in result.hypotheses]
    assert typed.text.startswith("Le cheval")
    assert translate(trained, SENTENCE, TranslationOptions(prefix="")).text == plain.text


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (TranslationOptions(prefix="Le zèbre"), "“zèbre” is not in the translator’s French vocabulary"),
        (
            TranslationOptions(prefix=f"Le {'z' * 100_000}"),
            f"“{'z' * 39}…” is not in the translator’s French vocabulary. Try another word.$",
        ),
        (TranslationOptions(whole=True), "at least one word"),
        (TranslationOptions(prefix=(3, 10**6)), "The translator’s French vocabulary has no word number 1000000"),
        (TranslationOptions(prefix=(0,)), "The translator’s French vocabulary has no word number 0"),
        (TranslationOptions(prefix=(-1,)), "The translator’s French vocabulary has no word number -1"),
        (TranslationOptions(prefix=(3,) * (LONGEST_PREFIX + 1)), "at most 100 words, not 101"),
        (TranslationOptions(width=0), f"between 1 \\(greedy search\\) and {WIDEST}, not 0"),
        (TranslationOptions(width=1_000), "not 1,000"),
        (TranslationOptions(penalty=-1.0), "between 0 and 5, not -1"),
        (TranslationOptions(penalty=float("nan")), "not nan"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(
    trained: TrainedTranslator, asked: TranslationOptions, said: str
) -> None:
    with pytest.raises(TranslationError, match=said):
        translate(trained, SENTENCE, asked)


def test_the_widest_beam_may_be_asked_for(trained: TrainedTranslator) -> None:
    result = translate(trained, "dog", TranslationOptions(width=WIDEST))
    assert result.width == WIDEST
    assert 1 < len(result.hypotheses) <= WIDEST


@pytest.mark.parametrize("epoch", [0, None])
def test_a_whole_translation_is_scored_and_aligned_as_it_is(trained: TrainedTranslator, epoch: int | None) -> None:
    given = translate(trained, SENTENCE).hypotheses[0]
    other = load_translator(trained.run, epoch)
    pair = other.languages
    for ids in (given.ids, given.ids[:-1], given.ids[:1] * 150, (UNKNOWN, pair.eos)):
        (one,) = translate(other, SENTENCE, TranslationOptions(width=1, prefix=ids, whole=True)).hypotheses
        assert one.ids == ids, "no word more, and no end that was not given"
        assert one.forced == len(ids)
        assert one.ended is (ids[-1] == pair.eos)
        assert one.alignment is not None
        assert one.alignment.shape == (len(ids), 8)
        source = torch.from_numpy(pair.read(SENTENCE, 30).ids)[None]
        decoded, _ = other.module.decode(torch.tensor([[pair.eos, *ids[:-1]]]), other.module.start(source))
        logs = other.module.predict(decoded.states[0]).log_softmax(1)
        expected = [float(logs[position, word]) for position, word in enumerate(ids)]
        np.testing.assert_allclose(one.log_probabilities, expected, atol=1e-4)
    again = translate(trained, SENTENCE, TranslationOptions(width=1, prefix=given.ids, whole=True)).hypotheses[0]
    assert again.score == pytest.approx(given.score, abs=1e-4)
    assert again.text == given.text


def test_a_beginning_may_end_in_an_elision(trained: TrainedTranslator) -> None:
    pair = replace(trained.languages, target=Vocabulary([EOS, "le", "l'￭"], [3, 2, 1]))
    assert prefix_ids(pair, "L'") == (4,)
    with pytest.raises(TranslationError, match="“d” is not in the translator’s"):
        prefix_ids(pair, "Le d'")


def test_a_sentence_that_ends_is_not_gone_on_with(trained: TrainedTranslator) -> None:
    eos = trained.languages.eos
    for asked in (TranslationOptions(prefix=(3, eos)), TranslationOptions(prefix=(eos, 3), whole=True)):
        with pytest.raises(TranslationError, match="already ended at this point"):
            translate(trained, SENTENCE, asked)


# ---------------------------------------------------------------------------------------------------------- bad input


def test_a_text_without_a_word_has_no_translation(trained: TrainedTranslator) -> None:
    for text in ("", "  \n", "\u200b"):
        result = translate(trained, text, TranslationOptions(tree=True))
        assert (result.text, result.hypotheses, result.tree, result.alternatives) == ("", (), None, ())


@pytest.mark.parametrize("text", ["dog", "?", "<b>dog</b>", "Quid novi ?", "犬が好き", "\ud800 dog", "dog " * 200])
def test_any_other_text_has_one(trained: TrainedTranslator, local: TrainedTranslator, text: str) -> None:
    for translator in (trained, local):
        result = translate(translator, text, TranslationOptions(width=2, tree=True))
        assert result.hypotheses
        assert all(np.isfinite(one.score) for one in result.hypotheses)
        assert len(result.encoded.ids) <= translator.run.max_length
        assert len(result.source_words) == len(result.encoded.ids)


# --------------------------------------------------------------------------------------------------------------- tree


@pytest.mark.parametrize("width", [1, 2, 5])
@pytest.mark.parametrize("epoch", [0, 1, None])
def test_the_tree_holds_what_the_search_looked_at(folder: Path, width: int, epoch: int | None) -> None:
    assert folder.is_dir()
    translator = load_translator(open_run("toy-en-fr-general"), epoch)
    result = translate(translator, SENTENCE, TranslationOptions(width=width, penalty=0.5, tree=True))
    greedy = translate(translator, SENTENCE, TranslationOptions(width=1)).hypotheses[0]
    tree = result.tree
    assert tree is not None
    for one, end in zip(result.hypotheses, tree.ends, strict=True):
        assert tree.nodes[end].total == pytest.approx(one.total, abs=1e-3)
        assert tree.nodes[end].score == pytest.approx(one.score, abs=1e-3)
        assert tuple(tree.nodes[position].id for position in tree.path(end)) == one.ids
        assert tree.nodes[end].status is (NodeStatus.ENDED if one.ended else NodeStatus.KEPT)
    assert tuple(tree.nodes[position].id for position in tree.greedy) == greedy.ids
    assert tree.path(tree.greedy[-1]) == tree.greedy
    assert tree.words(tree.greedy[-1])[:2] == tuple(greedy.shown[:2])
    for number, node in enumerate(tree.nodes):
        assert node.parent < number
        assert node.step == (0 if node.parent < 0 else tree.nodes[node.parent].step + 1)
        before = tree.nodes[node.parent].total if node.parent >= 0 else 0.0
        assert node.total == pytest.approx(before + node.log_probability, abs=1e-4)
        if node.parent >= 0 and node.status is not NodeStatus.GREEDY:
            assert tree.nodes[node.parent].status is NodeStatus.KEPT, "only what was kept is gone on with"
    assert [node.step for node in tree.nodes] == sorted(node.step for node in tree.nodes)
    for step in range(tree.steps):
        statuses = [node.status for node in tree.nodes if node.step == step]
        assert sum(status in (NodeStatus.KEPT, NodeStatus.ENDED) for status in statuses) <= width
        assert statuses.count(NodeStatus.GREEDY) <= 1
    if width == 1:
        assert all(node.status in (NodeStatus.KEPT, NodeStatus.ENDED) for node in tree.nodes)


def test_greedy_search_may_leave_the_beam() -> None:
    """Words that the beam never looked at are there all the same, with their log-probabilities."""
    pair = LanguagePair("en", "fr", Vocabulary(["a"], [1]), Vocabulary([EOS, "b", "c"], [3, 2, 1]))
    left = 0
    for seed in range(60):
        table, ids = Table(seed, ending=-3.0), np.array([3, 4])
        settings = SearchSettings(EOS_ID, 2)
        (searched,) = search(table, [ids], settings, record=True)
        greedy = search(table, [ids], SearchSettings(EOS_ID))[0].translations[0]
        tree = beam_tree(searched, greedy, pair, settings)
        path = [tree.nodes[position] for position in tree.greedy]
        assert tuple(node.id for node in path) == greedy.words
        assert [node.log_probability for node in path] == pytest.approx(list(greedy.log_probabilities), abs=1e-5)
        assert path[-1].total == pytest.approx(table.total(ids, greedy.words), abs=1e-3)
        statuses = [node.status for node in path]
        if NodeStatus.GREEDY in statuses:
            left += 1
            first = statuses.index(NodeStatus.GREEDY)
            assert set(statuses[first:]) == {NodeStatus.GREEDY}, "there is no way back"
            assert statuses[first - 1] is NodeStatus.PRUNED
    assert left > 4


# -------------------------------------------------------------------------------------------------------------- texts


def test_many_texts_are_translated_as_each_alone(trained: TrainedTranslator) -> None:
    texts = ["A cat sees the dog.", "", SENTENCE, "the dog", *toy.read("val").texts["en"]]
    settings = SearchSettings(trained.languages.eos, 3, trained.run.recipe["penalty"])
    together = translate_texts(trained.module, trained.languages, texts, settings, 30)
    assert together == [translate(trained, text).text for text in texts]
    assert together[1] == ""
    how = TranslationOptions(width=2, prefix="Un cheval")
    assert translate_all(trained, texts, how) == [translate(trained, text, how).text for text in texts]
    with pytest.raises(TranslationError, match="The beam width must be"):
        translate_all(trained, [], TranslationOptions(width=0))
    assert not translate(trained, SENTENCE, TranslationOptions(alternatives=False)).alternatives


def test_each_text_is_searched_for_once(trained: TrainedTranslator, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []

    def counted(model: Translator, sources: Sequence[NDArray[np.integer]], settings: SearchSettings) -> list[Searched]:
        sizes.append(len(sources))
        return search(model, sources, settings)

    monkeypatch.setattr("nlpviz.language.decoding.texts.BATCH", 2)
    monkeypatch.setattr("nlpviz.language.decoding.texts.search", counted)
    texts = ["A cat.", "", "the dog", SENTENCE, "A dog sees the cat.", "a cat"]
    translate_texts(trained.module, trained.languages, texts, SearchSettings(trained.languages.eos), 30)
    assert sizes == [2, 2, 1]


# ----------------------------------------------------------------------------------------------------------- commands


@pytest.mark.usefixtures("folder")
def test_translate_prints_the_translation(printed: Printed) -> None:
    assert printed("translate", "toy-en-fr-general", "--text", SENTENCE) == f"{TRANSLATION}\n"
    said = printed("translate", "toy-en-fr-general", "--text", SENTENCE, "--attention").splitlines()
    assert said[0] == TRANSLATION
    assert len(said) == 10
    assert said[2].split()[0] == "chien"
    assert not any("copied" in line for line in said)
    said = printed("translate", "toy-en-fr-none", "--text", SENTENCE, "--attention").splitlines()
    assert len(said[1].split()) == 2, "a word and its log-probability"


def test_a_copied_word_is_said_to_be_one(trained: TrainedTranslator) -> None:
    said = _in_words(translate(trained, SENTENCE, TranslationOptions(prefix=(UNKNOWN,))))
    assert said[1].endswith("(unknown: copied from the source)")
    assert not any("copied" in line for line in said[2:])


@pytest.mark.usefixtures("folder")
def test_translate_as_json(printed: Printed) -> None:
    facts = printed.json("translate", "toy-en-fr-local-p", "--text", SENTENCE, "--beam", "2", "--attention")
    assert (facts["run"], facts["beam"], facts["from"], facts["to"]) == ("toy-en-fr-local-p", 2, "en", "fr")
    best = facts["hypotheses"][0]
    assert best["text"] == facts["translation"]
    assert len(best["alignment"]) == len(best["words"]) == len(best["centres"])
    assert len(best["alignment"][0]) == len(facts["source"]) == 8
    assert facts["source"][1] == {"word": "red", "start": 4, "end": 7, "seen": "known"}
    local = load_translator(open_run("toy-en-fr-local-p"))
    own = translate(local, SENTENCE, TranslationOptions(width=2))
    before = torch.tensor([[local.languages.eos, *own.hypotheses[0].ids[:-1]]])
    decoded, _ = local.module.decode(before, local.module.start(torch.from_numpy(own.encoded.ids)[None]))
    assert best["centres"] == pytest.approx((decoded.centres[0] - 1).tolist(), abs=1e-4), "the network counts from 1"
    copy = translate(local, SENTENCE, TranslationOptions(prefix=(UNKNOWN,))).hypotheses[0]
    word = _hypothesis_facts(copy)["words"][0]
    assert facts["source"][word["copy_of"]]["word"] == word["word"].lower(), "places of the source, from 0"
    plain = printed.json("translate", "toy-en-fr-local-p", "--text", SENTENCE, "--epoch", "0")
    assert plain["epoch"] == 0
    assert "alignment" not in plain["hypotheses"][0]
    assert printed.json("translate", "toy-en-fr-general", "--text", "")["hypotheses"] == []


@pytest.mark.usefixtures("folder")
def test_translate_takes_a_file_and_a_prefix(printed: Printed, tmp_path: Path) -> None:
    file = tmp_path / "texts.txt"
    file.write_text(f"{SENTENCE}\n\na cat sees a dog .\n", encoding="utf-8")
    said = printed("translate", "toy-en-fr-general", "--file", str(file), "--prefix", "Un cheval").split("\n")
    assert [line[:9] for line in said] == ["Un cheval", "", "Un cheval", ""]
    assert len(printed.json("translate", "toy-en-fr-general", "--file", str(file))) == 3


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--beam", "0"), "The beam width must be between 1"),
        (("--beam", "1000"), "not 1,000"),
        (("--prefix", "xyz"), "“xyz” is not in the translator’s"),
        (("--epoch", "9"), "has no stored epoch 9"),
    ],
)
def test_translate_refuses_in_a_sentence(printed: Printed, arguments: tuple[str, ...], said: str) -> None:
    assert said in printed.refused("translate", "toy-en-fr-general", "--text", "a dog", *arguments)


def test_translate_wants_a_translator(
    folder: Path, printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "There is no run 'x'" in printed.refused("translate", "x", "--text", "a dog")
    for name in ("toy-en-fr-general", "toy-en-fr-none"):
        shutil.copytree(folder / name, tmp_path / name)
    monkeypatch.setenv("NLPVIZ_TRAINED", str(tmp_path))
    replace(open_run("toy-en-fr-none"), kind="classifier").save()
    assert printed.refused("translate", "toy-en-fr-none", "--text", "a dog") == (
        "The run 'toy-en-fr-none' is a classifier, not a translator. Available translators: toy-en-fr-general."
    )


@pytest.mark.usefixtures("folder")
def test_evaluate_states_bleu_and_its_signature(printed: Printed, tmp_path: Path) -> None:
    facts = printed.json("evaluate", "toy-en-fr-general")
    stored = list_runs()[0]["toy-en-fr-general"]
    assert facts["bleu"] == pytest.approx(stored.metrics["translation"]["bleu"])
    assert facts["epoch"] == stored.best_epoch
    assert facts["signature"].startswith("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.")
    said = printed("evaluate", "toy-en-fr-general", "--epoch", "0")
    assert said.startswith("toy-en-fr-general, epoch 0: BLEU ")
    assert "case:lc" in said
    texts, references = tmp_path / "en", tmp_path / "fr"
    texts.write_text(f"{SENTENCE}\n", encoding="utf-8")
    references.write_text(f"{TRANSLATION}\n", encoding="utf-8")
    own = printed.json("evaluate", "toy-en-fr-general", "--texts", str(texts), "--references", str(references))
    assert own["bleu"] == pytest.approx(100)
    assert own["sentences"] == 1
    own_files = ("--texts", str(texts), "--references", str(references))
    assert ", 1 sentence, " in printed("evaluate", "toy-en-fr-general", *own_files)
    for blank in (references, texts):
        blank.write_text("", encoding="utf-8")
        refused = printed.refused("evaluate", "toy-en-fr-general", *own_files)
        assert refused == f"Line 1 of {blank} is blank. BLEU needs a sentence and its reference on every line."


@pytest.mark.usefixtures("folder")
def test_evaluate_measures_own_sentences_on_the_device_that_was_asked_for(
    printed: Printed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    (tmp_path / "en").write_text(SENTENCE)
    (tmp_path / "fr").write_text(TRANSLATION)
    own = ("--texts", str(tmp_path / "en"), "--references", str(tmp_path / "fr"))
    for files in ((), own):
        refused = printed.refused("evaluate", "toy-en-fr-general", "--device", "cuda", *files)
        assert refused.startswith("PyTorch finds no CUDA device")


@pytest.mark.usefixtures("folder")
def test_evaluate_refuses_what_is_not_for_translators(printed: Printed, tmp_path: Path) -> None:
    (tmp_path / "en").write_text("a\nb\n")
    (tmp_path / "fr").write_text("a\n")
    run = "toy-en-fr-general"
    for option in ("--questions", "--labels"):
        assert printed.refused("evaluate", run, option, "x") == (
            f"The run {run!r} is a translator, so it accepts only --device, --json, --epoch, --texts and --references."
        )
    assert "together" in printed.refused("evaluate", run, "--texts", str(tmp_path / "en"))
    both = ("--texts", str(tmp_path / "en"), "--references", str(tmp_path / "fr"))
    assert "2 lines, but" in printed.refused("evaluate", run, *both)
    assert "has no stored epoch 9" in printed.refused("evaluate", run, "--epoch", "9")


@pytest.mark.usefixtures("folder")
def test_runs_lists_translators(printed: Printed) -> None:
    lines = printed("runs").splitlines()
    assert len(lines) == len(toy.KINDS)
    assert all("BLEU" in line and "on test" in line for line in lines)
    assert json.dumps(printed.json("runs"))
