"""Edits that turn a prediction: the estimate against brute force, flips that flip, the filter, input reduction."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import torch

from nlpviz.analysis.attribution import edit_candidates, fluency
from nlpviz.analysis.attribution.edit_search import search_edits
from nlpviz.analysis.attribution.first_order import estimates, probabilities, word_table
from nlpviz.analysis.attribution.input_reduction import reduce_input
from nlpviz.language.surprisal import Asked, opened, surprisal
from nlpviz.networks.architectures import class_scores
from nlpviz.results.edits import ANY, DELETE, NEAR, BitsRead, Settings, added_bits, fooling_score
from nlpviz.results.score_changes import score_changes
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.text.edits import apply
from nlpviz.text.tokenizers import CHARACTERS, REVIEWS
from tests.language import write_language_run

TEXT = "the film was dreadful in town"


@pytest.fixture
def trained(toy_trained: Path) -> TrainedModel:
    return Run.open(toy_trained / "toy-cnn").load()


@pytest.fixture
def judge(tmp_path: Path) -> Asked:
    return opened(write_language_run(tmp_path, REVIEWS))


def margin(trained: TrainedModel, ids: np.ndarray, predicted: int) -> float:
    module, row = trained.module, torch.from_numpy(ids)[None]
    with torch.no_grad():
        scores = class_scores(module.classify(module.embed(row), module.mask(row)))[0]
    return float(scores[1 - predicted] - scores[predicted])


def test_the_estimate_is_the_change_by_a_plain_loop_where_the_network_is_linear(trained: TrainedModel) -> None:
    class Linear(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            torch.manual_seed(0)
            self.table, self.weight = torch.randn(len(trained.vocabulary), 5), torch.randn(5)

        def embed(self, ids: torch.Tensor) -> torch.Tensor:
            return self.table[ids]

        def mask(self, ids: torch.Tensor) -> torch.Tensor:
            return ids != 0

        def classify(self, embedded: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
            return ((embedded * mask.unsqueeze(-1)).sum(dim=1) @ self.weight).unsqueeze(-1)

    linear = replace(trained, module=Linear())
    ids = trained.encode(TEXT).ids
    (estimate,) = estimates(linear, [ids], 0, word_table(linear))
    before = margin(linear, ids, 0)
    for place, word in product(range(len(ids)), (2, 5, 9)):
        swapped = ids.copy()
        swapped[place] = word
        assert estimate.swapped[place, word] == pytest.approx(margin(linear, swapped, 0) - before, abs=1e-4)
        assert estimate.deleted[place] == pytest.approx(margin(linear, np.delete(ids, place), 0) - before, abs=1e-4)


def test_texts_of_several_lengths_are_estimated_as_each_by_itself(trained: TrainedModel) -> None:
    rows, table = [trained.encode(text).ids for text in (TEXT, "dreadful", "a dreadful film")], word_table(trained)
    together = estimates(trained, rows, 0, table)
    for row, one in zip(rows, together, strict=True):
        (alone,) = estimates(trained, [row], 0, table)
        np.testing.assert_allclose(one.swapped, alone.swapped, atol=1e-4)


@pytest.mark.parametrize("ways", [(ANY,), (NEAR,), (DELETE,), (ANY, NEAR, DELETE)])
def test_what_is_offered_turns_the_prediction(trained: TrainedModel, ways: tuple[str, ...]) -> None:
    found = search_edits(trained, TEXT, Settings(ways))
    assert found.predicted == 0
    assert found.found or ways == (DELETE,) or ways == (NEAR,)
    for one in found.found:
        assert apply(TEXT, one.edits, trained.vocabulary.tokens) == one.text
        (answer,) = probabilities(trained, [trained.encode(one.text).row])
        assert int(answer.argmax()) == one.predicted == 1
        assert one.probability == pytest.approx(float(answer[0]), abs=1e-5)
        assert len(one.edits) == found.fewest
        assert all(edit.words or DELETE in ways for edit in one.edits)
    assert found.read >= len(found.found) + 1


def test_one_edit_is_found_where_brute_force_finds_one(trained: TrainedModel) -> None:
    ids, flips = trained.encode(TEXT).ids, 0
    for place, word in product(range(len(ids)), range(2, len(trained.vocabulary))):
        swapped = ids.copy()
        swapped[place] = word
        flips += margin(trained, swapped, 0) > 0
    assert flips
    assert search_edits(trained, TEXT, Settings((ANY,))).fewest == 1


def test_the_filter_drops_what_adds_too_many_bits(trained: TrainedModel, judge: Asked) -> None:
    for threshold in (-5.0, 2.0, 30.0):
        found = search_edits(trained, TEXT, Settings((ANY, DELETE), 2, threshold), judge)
        assert found.threshold == threshold
        for one in found.found:
            assert one.added == pytest.approx(fluency.added(judge, TEXT, one.text), abs=1e-3)
            assert one.added <= threshold * len(one.edits)
            words = {trained.vocabulary.tokens(edit.words)[0].word for edit in one.edits if edit.words}
            assert words <= set(judge.vocabulary.words)
    none = search_edits(trained, TEXT, Settings((ANY, DELETE), 1, -99.0), judge)
    assert not none.found
    assert none.best_score is None


def test_no_edit_is_there_only_to_pay_for_another(
    trained: TrainedModel, judge: Asked, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where every edited text adds six bits, one edited word adds too many, and two do not."""
    monkeypatch.setattr(fluency, "expected", lambda _, words, names: np.zeros((len(words), len(names))))
    monkeypatch.setattr(fluency, "in_windows", lambda _, words, candidates, mean: np.zeros(len(candidates)))  # noqa: ARG005
    monkeypatch.setattr(fluency, "read", lambda _, text: BitsRead(0, 6.0 * (text != TEXT)))
    for most in (1, 2):
        found = search_edits(trained, TEXT, Settings((ANY,), most, 4.0), judge)
        assert found.unlike_english, "texts turned by one word were found and dropped"
        for one in found.found:
            assert len(one.edits) == 2
            for left in one.edits:
                (answer,) = probabilities(
                    trained, [trained.encode(apply(TEXT, (left,), trained.vocabulary.tokens)).row]
                )
                assert int(answer.argmax()) == found.predicted, "each of the two is needed"


def test_bits_are_sums_of_surprisals(judge: Asked) -> None:
    total = float(surprisal(judge, TEXT).nats.sum()) / np.log(2)
    assert fluency.read(judge, TEXT) == pytest.approx(BitsRead(6, total), rel=1e-5)
    words = TEXT.split()
    mean = fluency.read(judge, TEXT).mean
    windows = fluency.in_windows(judge, words, [(3, "good"), (0, ""), (5, "film")], mean)
    for bits, edited in zip(
        windows, ("the film was good in town", "film was dreadful in town", f"{TEXT[:-4]}film"), strict=True
    ):
        assert bits == pytest.approx(fluency.added(judge, TEXT, edited), abs=1e-3)
    expected = fluency.expected(judge, words, ["film", "dreadful"])
    assert expected[1, 0] == pytest.approx(0, abs=1e-5)
    assert np.isinf(expected[:, 1]).all()  # the language model does not know it


def test_a_language_model_of_other_tokens_is_refused(trained: TrainedModel, tmp_path: Path) -> None:
    with pytest.raises(RunError, match="different tokens"):
        search_edits(trained, TEXT, asked=opened(write_language_run(tmp_path, CHARACTERS)))


@pytest.mark.parametrize("text", ["", "  ", "…", "zzz", "dreadful"])
def test_a_text_without_much_to_edit_is_answered(trained: TrainedModel, judge: Asked, text: str) -> None:
    found = search_edits(trained, text, Settings(seconds=5), judge)
    assert all(one.text for one in found.found)
    reduction = reduce_input(trained, text)
    assert (reduction is None) == (not trained.encode(text).tokens)


def test_time_ends_a_search(trained: TrainedModel) -> None:
    found = search_edits(trained, TEXT, Settings((DELETE,), 6, seconds=0.0))
    assert found.stopped
    assert not found.found


def test_reduction_keeps_the_prediction_to_the_word_that_decides(trained: TrainedModel) -> None:
    text = f"{TEXT} we watched it at night {'with the people of the city ' * 9}"
    found = reduce_input(trained, text)
    assert found is not None
    assert found.words == tuple(trained.encode(text).read[place].word for place in found.places)
    (answer,) = probabilities(trained, [trained.encode(" ".join(found.words)).row])
    assert trained.run.class_names[int(answer.argmax())] == found.predicted
    assert found.after == pytest.approx(float(answer.max()), abs=1e-5)
    assert len(found.words) <= 2


def test_near_words_are_the_nearest_by_a_plain_loop(trained: TrainedModel) -> None:
    table, vocabulary = word_table(trained).numpy(), trained.vocabulary
    own = table[vocabulary.id("dreadful")]
    cosines = {
        word: float(table[at] @ own / np.linalg.norm(table[at]) / np.linalg.norm(own))
        for at, word in enumerate(vocabulary.words)
        if at > 1 and word != "dreadful"
    }
    best = sorted(cosines, key=lambda word: -cosines[word])
    assert list(edit_candidates.nearest_words(trained, "dreadful")) == best[:8]
    assert edit_candidates.nearest_words(trained, "zzz") == ()


def test_a_score_costs_words_and_bits() -> None:
    assert [fooling_score(1, 0), fooling_score(2, 5), fooling_score(1, -9), fooling_score(9, 40)] == [90, 70, 90, 0]
    assert added_bits(BitsRead(10, 60), BitsRead(10, 63)) == pytest.approx(3)
    assert added_bits(BitsRead(10, 60), BitsRead(11, 63)) == pytest.approx(-3)
    assert added_bits(BitsRead(0, 0), BitsRead(1, 7)) == pytest.approx(7)


def test_scores_are_aligned_word_by_word(trained: TrainedModel) -> None:
    from nlpviz.analysis.attribution import explain

    before, after = (explain(trained, text, "gradient-input", 1) for text in (TEXT, "the film was splendid here in"))
    changes = score_changes(before, after)
    assert [one.words for one in changes] == [
        ("the", "the"), ("film", "film"), ("was", "was"), ("dreadful", ""), ("", "splendid"), ("", "here"),
        ("in", "in"), ("town", ""),
    ]  # fmt: skip
    assert changes[3].scores[0] == pytest.approx(float(before.scores[3]))
    assert np.isnan(changes[3].scores[1])
    assert changes[6].scores == pytest.approx((float(before.scores[4]), float(after.scores[5])))
