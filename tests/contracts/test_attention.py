"""What every architecture with attention promises, whichever it is; and what is read off its toy run."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from nlpviz.analysis.inspection.attention import attend
from nlpviz.networks.architectures import (
    Classifier,
    HierarchicalAttention,
    PoolingAttention,
    SelfAttention,
    class_probabilities,
    padded,
)
from nlpviz.runs import RunError, TrainedModel
from nlpviz.text.vocabulary import PAD, Seen
from tests import toy
from tests.promises import Promises

SEVERAL = "He saw a splendid film. We were there!<br />It is a night at home"
TEXTS = [*toy.read("test").texts[:8], SEVERAL, "splendid", "zzz", ""]


def parts(trained: TrainedModel, texts: list[str] | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Return ids, embedded words and mask of a batch."""
    ids = padded([trained.encode(text).row for text in (TEXTS if texts is None else texts)])
    return ids, trained.module.embed(ids), trained.module.mask(ids)


pooling, hierarchical, self_attending, attending = (Promises() for _ in range(4))


@pytest.mark.architectures(meet=PoolingAttention | SelfAttention)
def test_attention_keeps_its_promises(trained: TrainedModel, subtests: pytest.Subtests) -> None:
    asked = {PoolingAttention: pooling, HierarchicalAttention: hierarchical, SelfAttention: self_attending}
    for promises in (attending, *(one for protocol, one in asked.items() if isinstance(trained.module, protocol))):
        promises.ask(subtests, trained=trained)


@pooling
def weights_sum_to_one_and_are_zero_at_padding(trained: TrainedModel) -> None:
    ids, embedded, mask = parts(trained)
    weights = trained.module.attend(embedded, mask)
    assert weights.shape == ids.shape
    assert not weights[ids == PAD].any()
    assert (weights >= 0).all()
    torch.testing.assert_close(weights.sum(dim=1), (ids != PAD).any(dim=1).float())


@pooling
def weights_of_a_batch_are_those_of_its_rows(trained: TrainedModel) -> None:
    ids, embedded, mask = parts(trained)
    weights = trained.module.attend(embedded, mask)
    for row, result in zip(ids, weights, strict=True):
        alone = row[row != PAD].unsqueeze(0)
        own = trained.module.attend(trained.module.embed(alone), trained.module.mask(alone))[0]
        torch.testing.assert_close(result[: len(own)], own)


@pooling
def with_its_own_weights_a_network_answers_as_it_does(trained: TrainedModel) -> None:
    _, embedded, mask = parts(trained)
    weights = trained.module.attend(embedded, mask)
    answers = trained.module.classify(embedded, mask)
    torch.testing.assert_close(trained.module.classify_attending(embedded, mask, weights), answers)
    turned = torch.where(mask != 0, weights.max(dim=1, keepdim=True).values - weights, 0.0)
    assert not torch.allclose(trained.module.classify_attending(embedded, mask, turned), answers)


@hierarchical
def levels_sum_to_one_and_make_up_the_weights(trained: TrainedModel) -> None:
    module = trained.module
    _, embedded, mask = parts(trained)
    within, sentences = module.attend_levels(embedded, mask)
    assert sentences.shape == (len(TEXTS), 3)
    torch.testing.assert_close(sentences.sum(dim=1), (mask > 0).any(dim=1).float())
    for text, weights, ofs, whole in zip(mask, within, sentences, module.attend(embedded, mask), strict=True):
        for number, of in enumerate(ofs):
            if (text == number + 1).any():
                torch.testing.assert_close(weights[text == number + 1].sum(), torch.tensor(1.0))
                torch.testing.assert_close(whole[text == number + 1], weights[text == number + 1] * of)
    torch.testing.assert_close(
        module.classify_attending(embedded, mask, within, sentences), module.classify(embedded, mask)
    )


@self_attending
def heads_sum_to_one_and_never_attend_to_padding(trained: TrainedModel) -> None:
    module = trained.module
    ids, embedded, mask = parts(trained)
    heads = module.heads(embedded, mask)
    assert heads.dim() == 5
    assert heads.shape[3:] == (ids.shape[1], ids.shape[1])
    for row, result in zip(ids, heads, strict=True):
        own = row != PAD
        assert not result[..., ~own].any()
        torch.testing.assert_close(result.sum(dim=-1), torch.full(result.shape[:-1], float(own.any())))
        alone = row[own].unsqueeze(0)
        torch.testing.assert_close(
            result[:, :, own][..., own], module.heads(module.embed(alone), module.mask(alone))[0]
        )
    torch.testing.assert_close(module.classify_attending(embedded, mask, heads), module.classify(embedded, mask))


@attending
def attend_says_what_the_network_did(trained: TrainedModel) -> None:
    module = trained.module
    assert isinstance(module, Classifier)
    for text in TEXTS:
        result = attend(trained, text)
        _, embedded, mask = parts(trained, [text])
        assert (result.run, result.epoch, result.class_names) == (trained.run.name, trained.epoch, toy.CLASSES)
        assert result.text.text == text
        expected = class_probabilities(module.classify(embedded, mask))[0]
        np.testing.assert_allclose(result.probabilities, expected.numpy(), rtol=1e-5, atol=1e-7)
        assert result.words.dtype == np.float32
        assert result.words.sum() == pytest.approx(1.0 if len(result.text.ids) else 0.0, abs=1e-5)
        if isinstance(module, PoolingAttention):
            assert result.heads is None
            np.testing.assert_allclose(result.words, module.attend(embedded, mask)[0].numpy(), rtol=1e-5, atol=1e-7)
        else:
            assert result.heads is not None
            np.testing.assert_array_equal(result.heads, module.heads(embedded, mask)[0].numpy())
            received = result.heads.sum(axis=(0, 1, 2)) / max(np.prod(result.heads.shape[:3]), 1)
            np.testing.assert_allclose(result.words, received, rtol=1e-5)
        assert (result.within is not None) == isinstance(module, HierarchicalAttention)


@hierarchical
def sentences_are_those_of_the_text(trained: TrainedModel) -> None:
    result = attend(trained, SEVERAL)
    assert result.within is not None
    assert [SEVERAL[sentence.start : sentence.end] for sentence in result.sentences] == [
        "He saw a splendid film.",
        "We were there!",
        "It is a night at home",
    ]
    assert [(sentence.first, sentence.last) for sentence in result.sentences] == [(0, 6), (6, 10), (10, 16)]
    assert sum(sentence.weight for sentence in result.sentences) == pytest.approx(1)
    for sentence in result.sentences:
        own = slice(sentence.first, sentence.last)
        assert result.within[own].sum() == pytest.approx(1)
        np.testing.assert_allclose(result.words[own], result.within[own] * sentence.weight, rtol=1e-6)


@attending
def any_text_gets_an_answer(trained: TrainedModel) -> None:
    for text, read, sentences in (
        ("", 0, 0),
        (" \n<br />", 0, 0),
        ("splendid", 1, 1),
        ("zzz qqq", 2, 1),
        ("a " * 99, 20, 1),
        ("It is. " * 300, 20, 7),
        ("<script>alert('x')</script> it is", 8, 1),
        ("Это не кино. Совсем.", 6, 2),
    ):
        result = attend(trained, text)
        assert result.words.shape == (read,)
        assert np.isfinite(result.words).all()
        if isinstance(trained.module, HierarchicalAttention):
            assert len(result.sentences) == sentences
        if result.heads is not None:
            assert result.heads.shape[2:] == (read, read)
        assert result.text.seen.count(Seen.CUT) == len(result.text.tokens) - read


@pooling
def a_planted_word_gets_the_most(trained: TrainedModel) -> None:
    """In short texts with one word that decides, pooling by attention finds it."""
    result = 0
    for text in toy.read("test").texts[:20]:
        attended = attend(trained, text)
        result += attended.text.read[attended.strongest(1)[0]].word in toy.PLANTED
    assert result >= 15


def test_what_has_no_attention_is_refused(trained: TrainedModel) -> None:
    with pytest.raises(RunError, match="has no attention mechanism"):
        attend(replace(trained, module=nn.Linear(1, 1)), "a")
