"""A translator whose words are cut into pieces, from its training to the page on translation's sentences."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.analysis.inspection.translation import TranslationOptions, prefix_ids, translate, translate_all
from nlpviz.figures.translation.alignments import Aligned
from nlpviz.figures.translation.matrix import alignment_matrix
from nlpviz.language.decoding.bleu import corpus_bleu
from nlpviz.networks.architectures import translators
from nlpviz.networks.architectures.transformer_translator import TransformerTranslator, TransformerTranslatorConfig
from nlpviz.results.alignment import TranslationError
from nlpviz.run_kinds import kinds
from nlpviz.runs import Run, RunError, open_run
from nlpviz.runs.translators import MERGES, TrainedTranslator, languages_of, load_translator
from nlpviz.text.parallel import EOS, GOES_ON
from nlpviz.text.subwords import whole_words
from nlpviz.text.vocabulary import UNKNOWN
from nlpviz.training import Options
from nlpviz.training.translator import evaluate
from tests import translators as toy
from tests.unit.conftest import Printed

NAME = f"toy-en-fr-{toy.PIECES}"


@pytest.fixture(scope="module")
def run(toy_translator: Callable[[str], Path], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Run]:
    """The toy translator of pieces, in the place of ``trained/``."""
    folder = toy_translator(toy.PIECES)
    with toy.discovered(tmp_path_factory.mktemp("modules")), pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLPVIZ_TRAINED", str(folder.parent))
        yield open_run(NAME)


@pytest.fixture(scope="module")
def trained(run: Run) -> TrainedTranslator:
    return load_translator(run)


# ------------------------------------------------------------------------------------------------------------ the run


def test_a_run_keeps_its_merges_and_one_vocabulary(run: Run) -> None:
    assert set(run.files) - {"README.md"} == kinds()["translator"].files(run)
    merges = run.file(MERGES).read_text(encoding="utf-8").splitlines()
    assert len(merges) == run.recipe["subwords"] == 40
    languages = languages_of(run)
    assert languages.source.words == languages.target.words
    assert run.config["source_size"] == run.config["target_size"] == len(languages.source)
    assert {"le", "the", EOS, "￭."} <= set(languages.target.words)
    assert "40 merges" in run.file("README.md").read_text(encoding="utf-8")


def test_it_learns_the_planted_language_and_is_measured_on_sentences(run: Run, trained: TrainedTranslator) -> None:
    texts = toy.read("test_2016_flickr").texts
    stored = run.metrics["translation"]["bleu"]
    assert stored > 90
    assert corpus_bleu(translate_all(trained, texts["en"]), texts["fr"]).score == pytest.approx(stored)
    assert evaluate(NAME, Options(device="cpu"))["bleu"] == pytest.approx(stored)


def test_merges_that_are_missing_or_damaged_are_named(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / NAME
    shutil.copytree(run.folder, folder)
    (folder / MERGES).write_text("a b\n", encoding="utf-8")
    damaged = Run.open(folder).save()
    with pytest.raises(RunError, match=r"vocabulary .* is damaged: each line must contain one merge of two subwords"):
        languages_of(damaged)
    (folder / MERGES).unlink()
    with pytest.raises(RunError, match=MERGES):
        languages_of(Run.open(folder))


# ------------------------------------------------------------------------------------------------------ a translation


def test_a_sentence_is_translated_and_aligned_by_its_pieces(trained: TrainedTranslator) -> None:
    result = translate(trained, toy.SENTENCE)
    best = result.hypotheses[0]
    assert result.text == "Le chien rouge voit un petit chat."
    assert whole_words(best.words) == ["le", "chien", "rouge", "voit", "un", "petit", "chat", "￭.", EOS]
    assert "".join(result.source_words).replace("·", "") == toy.SENTENCE.replace(" ", "")
    for shown, words in ((result.source_words, result.encoded.read), (best.shown, best.words)):
        marked = [getattr(word, "word", word).endswith(GOES_ON) for word in words]
        assert [word.endswith("·") for word in shown] == marked
        assert any(marked)
    assert best.alignment is not None
    assert best.alignment.shape == (len(best.words), len(result.source_words))
    assert best.copied == (None,) * len(best.words)
    drawn = alignment_matrix(Aligned(result)).figure
    assert list(drawn.layout.xaxis.ticktext) == list(result.source_words)
    assert any(word.endswith("·") for word in drawn.layout.yaxis.ticktext)


def test_a_word_that_was_never_seen_is_read_piece_by_piece(trained: TrainedTranslator) -> None:
    encoded = trained.languages.read("The redcat sees a dogman.", 100)
    assert UNKNOWN not in encoded.ids
    unknown = trained.languages.read("The 日本 dog.", 100)
    assert [token.word for token, number in zip(unknown.tokens, unknown.ids, strict=True) if number == UNKNOWN] == [
        f"日{GOES_ON}",
        "本",
    ]
    assert translate(trained, "The 日本 dog.").text


def test_no_text_and_a_very_long_one_are_translated_as_by_words(trained: TrainedTranslator) -> None:
    assert translate(trained, "").hypotheses == ()
    assert translate(trained, " \n").hypotheses == ()
    long = translate(trained, "x" * 100_000, TranslationOptions(width=1, alternatives=False))
    assert len(long.encoded.ids) == trained.run.max_length
    assert len(long.encoded.tokens) > 99_000


def test_a_translation_begins_as_it_is_typed_or_with_pieces(trained: TrainedTranslator) -> None:
    typed = translate(trained, toy.SENTENCE, TranslationOptions(prefix="Un chat"))
    assert typed.text.startswith("Un chat ")
    assert whole_words(typed.hypotheses[0].words[: typed.hypotheses[0].forced]) == ["un", "chat"]
    free = translate(trained, toy.SENTENCE).hypotheses[0]
    (first, *_) = (position for position, word in enumerate(free.words) if word.endswith(GOES_ON))
    begun = translate(trained, toy.SENTENCE, TranslationOptions(prefix=free.ids[: first + 1]))
    assert begun.hypotheses[0].ids == free.ids, "the word that was begun is gone on with"
    with pytest.raises(TranslationError, match="“日·” is not in the translator’s"):
        prefix_ids(trained.languages, "Un 日本")


def test_the_tree_of_a_beam_shows_pieces(trained: TrainedTranslator) -> None:
    tree = translate(trained, toy.SENTENCE, TranslationOptions(tree=True)).tree
    assert tree is not None
    assert any(node.word.endswith("·") for node in tree.nodes)
    assert not any(GOES_ON in node.word for node in tree.nodes)


def test_the_command_shows_pieces(run: Run, printed: Printed) -> None:
    assert run.name == NAME
    facts = printed.json("translate", NAME, "--text", toy.SENTENCE)
    assert any(one["word"].endswith("·") for one in facts["hypotheses"][0]["words"])
    assert any(one["word"].endswith("·") for one in facts["source"])
    assert GOES_ON not in json.dumps(facts, ensure_ascii=False)


# ---------------------------------------------------------------------------------------------------- shared vectors


def test_shared_vectors_are_read_written_and_predicted() -> None:
    sizes = {"source_size": 12, "target_size": 12, "dimensions": 16, "layers": 1}
    torch.manual_seed(0)
    module = TransformerTranslator(TransformerTranslatorConfig(**sizes, shared=True)).eval()
    apart = TransformerTranslator(TransformerTranslatorConfig(**sizes)).eval()
    assert sum(map(torch.numel, apart.parameters())) - sum(map(torch.numel, module.parameters())) == 12 * 16
    weights = module.state_dict()
    apart.load_state_dict({**weights, "source_embedding.weight": weights["embedding.weight"]})
    source, words = torch.tensor([[3, 4, 5]]), torch.tensor([[2, 6]])
    ours, theirs = (one.predict(one.decode(words, one.start(source))[0].states) for one in (module, apart))
    assert torch.equal(ours, theirs)
    np.testing.assert_array_equal(module.encode_source(source).detach(), apart.encode_source(source).detach())


def test_two_vocabularies_share_no_vectors() -> None:
    with pytest.raises(ValueError, match="12 source and 10 target words cannot share vectors"):
        TransformerTranslatorConfig(source_size=12, target_size=10, shared=True)


def test_a_run_from_before_says_nothing_of_either(toy_translator: Callable[[str], Path]) -> None:
    run = Run.open(toy_translator(toy.TRANSFORMER))
    before = replace(
        run,
        recipe={name: value for name, value in run.recipe.items() if name != "subwords"},
        config={name: value for name, value in run.config.items() if name != "shared"},
    )
    assert languages_of(before).subwords is None
    assert not translators()[run.architecture].config(**before.config).shared
    assert load_translator(before).languages.subwords is None
