"""An image is read by convolutions and described by an LSTM that attends to its regions.

Xu, Ba, Kiros, Cho, Courville, Salakhutdinov, Zemel and Bengio (2015), *Show, Attend and Tell*, section 3 (equations 1
to 7) and 4: soft attention takes the mean of the annotations by their weights, hard attention one of them, drawn.

Deviations: the convolutions are small, with batch normalisation (Ioffe and Szegedy 2015), and learnt along with the
decoder, where the paper takes those of VGG, trained on ImageNet before; captions say where things are, and a linear map
of its x and y is added to each annotation; attention hears the last word as well as the state before it, so that after
"red" it looks at what is red; hard attention takes the likeliest place where nothing is learnt.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import prod
from typing import NamedTuple

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture, ParameterTerm
from nlpviz.text.vocabulary import PAD

ATTENTIONS = ("soft", "hard")
_STRIDES = (2, 2, 2, 1)
"""The first three convolutions halve the sides: a place of the grid is eight pixels wide, and sees 31."""
_SHRINKS = prod(_STRIDES)


@dataclass(frozen=True)
class CaptionerConfig:
    """Sizes of a :class:`Captioner`.

    Attributes:
        vocabulary_size: ids, those of padding and of the unknown word among them.
        side: of an image, in pixels; a multiple of eight.
        channels: D, numbers of an annotation.
        dimensions: of a word vector.
        units: of the LSTM.
        attention: ``"soft"`` or ``"hard"``.
        dropout: on the word vectors and what the output layer reads.
    """

    vocabulary_size: int
    side: int = 64
    channels: int = 64
    dimensions: int = 48
    units: int = 128
    attention: str = "soft"
    dropout: float = 0.1

    def __post_init__(self) -> None:
        """Refuse what there is not."""
        if self.attention not in ATTENTIONS:
            raise ValueError(f"attention must be {' or '.join(ATTENTIONS)}, not {self.attention!r}")
        if self.side % _SHRINKS:
            raise ValueError(f"the image side must be a multiple of {_SHRINKS} pixels, not {self.side}")

    @property
    def grid(self) -> int:
        """Places in a row and in a column."""
        return self.side // _SHRINKS

    @property
    def sizes(self) -> tuple[int, ...]:
        """Channels before each convolution, at first three colours, and after the last one."""
        d = self.channels
        return 3, d // 2, d, d, d


class CaptionState(NamedTuple):
    """The decoder's state: annotations (B, L, D), W_a times each (B, L, H), hidden and cell state (B, H)."""

    annotations: Tensor
    keys: Tensor
    hidden: Tensor
    cell: Tensor


class CaptionStep(NamedTuple):
    """What a step gives.

    Attributes:
        logits: (B, V), of the next word.
        weights: (B, L), α: how much each place weighs, or how likely hard attention is to look there.
        place: (B,), where hard attention looked; None for soft attention.
        state: after it.
    """

    logits: Tensor
    weights: Tensor
    place: Tensor | None
    state: CaptionState


class Captioner(nn.Module):
    """Convolutional encoder, LSTM with attention."""

    def __init__(self, config: CaptionerConfig) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.config, d, units = config, config.channels, config.units
        self.convolutions = nn.ModuleList(
            nn.Sequential(nn.Conv2d(before, after, 3, stride, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU())
            for (before, after), stride in zip(pairwise(config.sizes), _STRIDES, strict=True)
        )
        self.convolutions.to(memory_format=torch.channels_last)  # type: ignore[call-overload] # nearly twice as fast
        self.place = nn.Linear(2, d, bias=False)
        self.embedding = nn.Embedding(config.vocabulary_size, config.dimensions, padding_idx=PAD)
        self.first = nn.Linear(d, 2 * units)
        self.of_place = nn.Linear(d, units, bias=False)
        self.of_state = nn.Linear(units, units)
        self.of_word = nn.Linear(config.dimensions, units, bias=False)
        self.score = nn.Linear(units, 1, bias=False)
        self.gate = nn.Linear(units, 1)
        self.lstm = nn.LSTMCell(config.dimensions + d, units)
        self.combine = nn.Linear(units + d, config.dimensions)
        self.output = nn.Linear(config.dimensions, config.vocabulary_size)
        self.dropout = nn.Dropout(config.dropout)

    def annotate(self, images: Tensor) -> Tensor:
        """Return the annotations (B, L, D) of ``images`` (B, 3, S, S), 0 to 255; places row by row from the top."""
        hidden = images.float() / 127.5 - 1
        for convolution in self.convolutions:
            hidden = convolution(hidden)
        along = torch.linspace(-1, 1, self.config.grid, device=images.device)
        # Convolutions do not know where they are: the position is added.
        return hidden.flatten(2).transpose(1, 2) + self.place(torch.cartesian_prod(along, along))  # rows before columns

    def start(self, images: Tensor) -> CaptionState:
        """Return the decoder's state before the first word, computed from the mean annotation (section 3.1.2)."""
        annotations = self.annotate(images)
        hidden, cell = torch.tanh(self.first(annotations.mean(dim=1))).chunk(2, dim=1)
        return CaptionState(annotations, self.of_place(annotations), hidden, cell)

    def step(self, words: Tensor, state: CaptionState, heard: Tensor | None = None) -> CaptionStep:
        """Return the step after the last written ``words`` (B,); ``heard`` replaces them except in the attention.

        In training hard attention draws its place; a draw in two is left out for the mean, as section 4.3 has it.
        """
        annotations, keys, hidden, cell = state
        vectors = self.dropout(self.embedding(words))
        sought = self.of_state(hidden) + self.of_word(vectors)
        # W_a times the annotations does not depend on the word: it is computed once, in start().
        scores = self.score(torch.tanh(keys + sought.unsqueeze(1))).squeeze(2)
        weights = scores.softmax(dim=1)  # equation 5
        context, place = self._context(annotations, weights)
        context = torch.sigmoid(self.gate(hidden)) * context  # β of section 4.2.1
        vectors = vectors if heard is None else self.dropout(self.embedding(heard))
        hidden, cell = self.lstm(torch.cat([vectors, context], dim=1), (hidden, cell))
        # equation 7 with a tanh before the last layer
        said = torch.tanh(vectors + self.combine(torch.cat([hidden, context], dim=1)))
        after = state._replace(hidden=hidden, cell=cell)
        return CaptionStep(self.output(self.dropout(said)), weights, place, after)

    def _context(self, annotations: Tensor, weights: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the context vector (B, D), and where hard attention looked."""
        mean = (weights.unsqueeze(1) @ annotations).squeeze(1)
        if self.config.attention == "soft":
            return mean, None
        place = torch.multinomial(weights, 1).squeeze(1) if self.training else weights.argmax(dim=1)
        looked = annotations[torch.arange(len(place), device=place.device), place]
        if self.training:
            drawn = torch.rand(len(place), 1, device=place.device) < 0.5
            looked = torch.where(drawn, looked, mean)
        return looked, place

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        config, d, units, words = self.config, self.config.channels, self.config.units, self.config.dimensions
        convolutions = " + ".join(f"{after} × ({before} × 3 × 3 + 2)" for before, after in pairwise(config.sizes))
        attention = [self.of_place, self.of_state, self.of_word, self.score, self.gate]
        return (
            _term("convolutions", convolutions, self.convolutions),
            _term("positions", f"2 × {d}", self.place),
            _term("word vectors", f"{config.vocabulary_size} × {words}", self.embedding),
            _term("initial state", f"2 × {units} × ({d} + 1)", self.first),
            ParameterTerm(
                "attention", f"{units} × ({d} + {units} + {words} + 1) + 2 × {units} + 1",
                sum(weight.numel() for part in attention for weight in part.parameters()),
            ),
            _term("LSTM", f"4 × ({units} × ({words} + {d} + {units}) + 2 × {units})", self.lstm),
            _term("hidden output layer", f"{words} × ({units} + {d} + 1)", self.combine),
            _term("output layer", f"{config.vocabulary_size} × ({words} + 1)", self.output),
        )  # fmt: skip


def _term(name: str, formula: str, part: nn.Module) -> ParameterTerm:
    return ParameterTerm(name, formula, sum(weight.numel() for weight in part.parameters()))


CAPTIONER = Architecture(
    name="captioner",
    title="Convolutional encoder, LSTM decoder with attention",
    source="Xu et al. 2015",
    config=CaptionerConfig,
    build=Captioner,
)
