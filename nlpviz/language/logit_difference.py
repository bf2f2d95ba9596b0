"""A recurrent language model as a classifier of two classes: which of two words comes next?

The log-odds of one word over another are the difference of two logits, and so an affine function of the last hidden
state: log p(a) − log p(b) = (e_a − e_b) · h + b_a − b_b. With these weights for an output layer a language model meets
what is asked of a recurrent classifier (:class:`nlpviz.networks.architectures.Recurrent`): its gates, its memory, the
path of its state and its units are read by the same functions. Its texts begin after the end of a line, as everywhere
else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, NamedTuple, cast

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures.recurrent_language_model import RecurrentLanguageModel
from nlpviz.networks.sequences import Unrolled
from nlpviz.runs import Run, RunError, TrainedModel
from nlpviz.runs.language import reads_on
from nlpviz.text.tokenizers import CHARACTERS, REVIEWS, WIKITEXT
from nlpviz.text.vocabulary import EOS, SPECIALS, UNKNOWN, EncodedText, shown

READ = 400
"""Tokens of a text that are read so: what all units hold after each of them, and how these depend on each other, takes
memory and time."""
_FIRST = {REVIEWS: ("good", "bad"), WIKITEXT: ("she", "he"), CHARACTERS: (EOS, " ")}
"""The two words that are asked for at first, by the run's tokenizer."""


class _Reading(NamedTuple):
    """What :class:`NextOfTwo` reads of its states."""

    reading: str = "last"


class NextOfTwo(nn.Module):
    """A language network whose one output is the log-odds of one word over another as the next one.

    Attributes:
        encoder: the network's recurrent layers.
        output: one linear layer over the last hidden state.
        started: (S,), the state after the end of a line, at which a text begins.
    """

    config = _Reading()
    started: Tensor

    def __init__(self, network: RecurrentLanguageModel, words: tuple[int, int], boundary: int) -> None:
        """Wrap ``network``, which is shared and not changed.

        Args:
            network: in evaluation mode.
            words: the ids of the word that the score speaks for and of the other one; both are predicted.
            boundary: the id of the end of a line.
        """
        super().__init__()
        self.network, self.encoder = network, network.encoder
        self.parts, self.formula, self.causal = network.parts, network.formula, network.causal
        self.output = nn.Linear(self.encoder.size, 1)
        with torch.no_grad():
            nothing, each = network.bias.new_zeros(1, self.encoder.size), torch.eye(self.encoder.size)
            bias = _log_odds(network, nothing, words)
            self.output.weight.copy_((_log_odds(network, each, words) - bias).unsqueeze(0))
            self.output.bias.copy_(bias)
            first = network.embed(torch.tensor([[boundary]]))[0, 0]
            started, before = network.advance(first, network.bias.new_zeros(network.state_size))
        self.register_buffer("started", started)
        self.register_buffer("_before", before)  # (H,), the last layer's hidden state then
        self.requires_grad_(False).eval()

    def embed(self, ids: Tensor) -> Tensor:
        """Return the word vectors (B, T, D) of ``ids`` (B, T)."""
        return self.network.embed(ids)

    def mask(self, ids: Tensor) -> Tensor:
        """Return where ``ids`` (B, T) are words."""
        return self.network.mask(ids)

    def begin(self) -> Tensor:
        """Return the state (S,) before the first word of a text."""
        return self.started

    @property
    def state_size(self) -> int:
        """S, of all that it goes on from after a word."""
        return self.network.state_size

    def advance(self, embedded: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the state (..., S) after a word (..., D) is read in ``state`` (..., S), and what it shows (..., H)."""
        return self.network.advance(embedded, state)

    def unroll(self, embedded: Tensor, mask: Tensor) -> Unrolled:
        """Return what every layer holds after each word: states (B, T, L, H) and gates by name, as large."""
        rows, longest, _ = embedded.shape
        if not longest:
            return self.network.unroll(embedded, mask)
        with torch.no_grad():
            return self.encoder.unroll_from(embedded, self.started.expand(rows, -1))

    def encode(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the last hidden state of each text, (B, H); that before the first word of a text without words."""
        last = mask.sum(dim=1).view(-1, 1, 1).expand(-1, 1, self.encoder.size)
        return self.hidden(embedded).gather(1, last).squeeze(1)

    def classify(self, embedded: Tensor, mask: Tensor) -> Tensor:
        """Return the log-odds (B, 1) after each text."""
        return cast("Tensor", self.output(self.encode(embedded, mask)))

    def classify_prefixes(self, embedded: Tensor, mask: Tensor, states: Tensor | None = None) -> Tensor:  # noqa: ARG002
        """Return the log-odds (B, T, 1) after each word."""
        return cast("Tensor", self.output(self._states(embedded) if states is None else states))

    def hidden(self, embedded: Tensor) -> Tensor:
        """Return the last layer's states (B, T + 1, H) before the first word and after each."""
        before: Tensor = self._before  # type: ignore[assignment]
        return torch.cat([before.expand(len(embedded), 1, -1), self._states(embedded)], dim=1)

    def _states(self, embedded: Tensor) -> Tensor:
        """Return the last layer's states (B, T, H)."""
        rows, longest, _ = embedded.shape
        if not longest:
            return embedded.new_zeros(rows, 0, self.encoder.size)
        return self.encoder.read_on(embedded, self.started.expand(rows, -1))[0]


def _log_odds(network: RecurrentLanguageModel, hidden: Tensor, words: tuple[int, int]) -> Tensor:
    """Return the logit of the first word less that of the second, (N,), from hidden states (N, H)."""
    logits = network.predict(network.shown(hidden), torch.tensor(sorted(words)))  # candidates ascend
    found = logits[:, 1] - logits[:, 0]
    return found if words[0] > words[1] else -found


class AskedModel(TrainedModel):
    """One epoch of a language model that is asked which of two words comes next."""

    def encode(self, text: str) -> EncodedText:
        """Return ``text`` as the model sees it, its beginning where it is long."""
        return super().encode(text).unpadded()


@dataclass(frozen=True)
class AskedRun(Run):
    """A language model's run that is asked which of two words comes next; it reads at most :data:`READ` tokens.

    Its fingerprint is another one for each two words, and its models are classifiers.

    Attributes:
        words: the one that the score speaks for, and the other, as the vocabulary spells them.
    """

    words: tuple[str, ...] = ()

    def load(self, epoch: int | None = None) -> TrainedModel:
        """Return the model with the weights of ``epoch``, by default the best one, as a classifier of two classes."""
        trained = super().load(epoch)
        ids = [self.vocabulary.id(word) for word in self.words]
        network = cast("RecurrentLanguageModel", trained.module)
        module = NextOfTwo(network, (ids[0], ids[1]), self.vocabulary.id(EOS))
        return AskedModel(self, trained.epoch, module, trained.vocabulary)


def ask(run: Run, words: Sequence[str] | None = None) -> AskedRun:
    """Return ``run`` asked which of two words comes next.

    Args:
        run: a recurrent language model's.
        words: the one that the score speaks for, and the other; None for :func:`first_words`.

    Raises:
        RunError: if the run is no recurrent language model.
        ValueError: if these are not two different words that it predicts.
    """
    if not reads_on(run):
        raise RunError(f"The run {run.name!r} is not a recurrent language model, so it cannot compare next words.")
    chosen = first_words(run) if words is None else tuple(words)
    unknown = [word for word in chosen if not predicts(run, word)]
    if len(chosen) != 2 or chosen[0] == chosen[1] or unknown:
        raise ValueError("a comparison of next words needs two different words from the vocabulary")
    first, second = map(shown, chosen)
    known: dict[str, Any] = {item.name: getattr(run, item.name) for item in fields(Run)}
    known |= {
        "class_names": (f"{second} rather than {first}", f"{first} rather than {second}"),
        "max_length": min(run.max_length, READ),
    }
    asked = AskedRun(**known, words=chosen)
    asked.__dict__["vocabulary"] = run.vocabulary  # read once for all words that are asked for
    return asked


def predicts(run: Run, word: str) -> bool:
    """Return whether a language model gives ``word``, as its vocabulary spells it, a probability of its own."""
    return word in run.vocabulary and run.vocabulary.id(word) > UNKNOWN


def spelt(run: Run, typed: str) -> str | None:
    """Return what was typed as the one token of a run that it is, ↵ and ␣ as what they stand for; None of no token."""
    signs = {shown(sign): sign for sign in (EOS, " ")}
    if typed.strip() in signs:
        return signs[typed.strip()]
    tokens = run.tokenizer.tokens(typed.strip())
    return tokens[0].word if len(tokens) == 1 else None


def first_words(run: Run) -> tuple[str, str]:
    """Return the two words that a run is asked for at first: those that suit its corpus, else its commonest ones."""
    usual = _FIRST[run.tokenizer.name]
    if all(predicts(run, word) for word in usual):
        return usual
    first, second = run.vocabulary.words[len(SPECIALS) : len(SPECIALS) + 2]
    return first, second
