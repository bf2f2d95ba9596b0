"""A recurrent encoder-decoder with attention.

Luong, Pham and Manning (2015), *Effective Approaches to Attention-based Neural Machine Translation*, as in Tixier
(2018), *Notes on Deep Learning for NLP*, section 7.1 (equations 14 to 22). Without attention it is a model of the kind
of Sutskever, Vinyals and Le (2014). The source may be reversed as there; its annotations are put back into the order of
its words, so that alignments mean the same either way.

Deviations: places beyond the last source word take the last one for p_t of local-m; both kinds of local attention have
the Gaussian, as in Tixier's equation 22 (Luong et al. give it to local-p alone); without attention the decoder's state
still goes through the attentional layer, tanh(W_c h_t); one layer of GRU that reads both ways is the default, where
Sutskever et al. stack four of LSTM; the output layer reads the target's word vectors (Press and Wolf 2017).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from nlpviz.networks.architectures import Architecture, Decoded, DecoderState, ParameterTerm
from nlpviz.networks.layers import CELLS, tied_logits
from nlpviz.text.vocabulary import PAD

ATTENTIONS = ("none", "global", "local-m", "local-p")


@dataclass(frozen=True)
class Seq2SeqConfig:
    """Sizes of a :class:`Seq2Seq`.

    Attributes:
        source_size: ids of the source vocabulary.
        target_size: ids of the target vocabulary.
        dimensions: of a word vector, and of the attentional state.
        units: of the decoder's hidden state and of an annotation; half of them each way in a bidirectional encoder.
        layers: stacked, in encoder and decoder.
        cell: ``"gru"`` or ``"lstm"``.
        bidirectional: whether the encoder reads both ways.
        reverse: whether the encoder reads the source from its end.
        attention: ``"none"``, ``"global"``, ``"local-m"`` (monotonic) or ``"local-p"`` (predictive).
        score: ``"dot"``, ``"general"`` or ``"concat"``.
        window: D of local attention: words to either side of p_t.
        input_feeding: whether the decoder is given its last attentional state as well.
        dropout: on the source's word vectors, annotations, attentional states, and between layers.
    """

    source_size: int
    target_size: int
    dimensions: int = 256
    units: int = 256
    layers: int = 1
    cell: str = "gru"
    bidirectional: bool = True
    reverse: bool = False
    attention: str = "global"
    score: str = "general"
    window: int = 4
    input_feeding: bool = False
    dropout: float = 0.3

    def __post_init__(self) -> None:
        """Refuse what there is not."""
        if self.attention not in ATTENTIONS or self.score not in SCORES or self.cell not in CELLS:
            raise ValueError("unknown attention, score or cell of an encoder-decoder")
        if self.attention.startswith("local") and self.window < 1:
            raise ValueError(f"the window must reach at least one word on either side, not {self.window}")
        if self.bidirectional and self.units % 2:
            raise ValueError(f"{self.units} units cannot be divided equally between two directions")


# ----------------------------------------------------------------------------------- scores (B, T, S), equation 19


def dot(states: Tensor, annotations: Tensor, _: AlignmentModel) -> Tensor:
    """Return h_t · h̄_i of ``states`` (B, T, H) and ``annotations`` (B, S, H)."""
    return states @ annotations.transpose(1, 2)


def general(states: Tensor, annotations: Tensor, attention: AlignmentModel) -> Tensor:
    """Return h_t · W_α h̄_i."""
    return states @ attention.matrix(annotations).transpose(1, 2)


def concat(states: Tensor, annotations: Tensor, attention: AlignmentModel) -> Tensor:
    """Return v_α · tanh(W_α [h_t; h̄_i]), the matrix's two halves applied apart."""
    of_state, of_annotation = attention.matrix.weight.chunk(2, dim=1)
    both = (states @ of_state.T).unsqueeze(2) + (annotations @ of_annotation.T).unsqueeze(1)  # (B, T, S, H)
    return attention.vector(torch.tanh(both)).squeeze(3)


SCORES: dict[str, Callable[[Tensor, Tensor, AlignmentModel], Tensor]] = {
    "dot": dot,
    "general": general,
    "concat": concat,
}


class AlignmentModel(nn.Module):
    """Alignment weights α_t of the source words, and where local attention looks."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        """Make what the score and the place need."""
        super().__init__()
        self.config, units = config, config.units
        if config.score != "dot":
            self.matrix = nn.Linear(units * (1 + (config.score == "concat")), units, bias=False)
        if config.score == "concat":
            self.vector = nn.Linear(units, 1, bias=False)
        if config.attention == "local-p":
            self.place_matrix = nn.Linear(units, units, bias=False)
            self.place_vector = nn.Linear(units, 1, bias=False)

    def forward(self, states: Tensor, annotations: Tensor, mask: Tensor, times: Tensor) -> tuple[Tensor, Tensor | None]:
        """Return the alignment (B, T, S) of ``states`` (B, T, H) and the centres p_t (B, T) of local attention.

        Args:
            states: of the decoder.
            annotations: of the encoder, (B, S, H).
            mask: (B, S), false where padding.
            times: (B, T), t of each state, from 1.
        """
        scores = SCORES[self.config.score](states, annotations, self)
        if self.config.attention == "global":
            # Equation 19.
            return scores.masked_fill(~mask.unsqueeze(1), -torch.inf).softmax(dim=2), None
        centres = self._centres(states, mask.sum(dim=1, keepdim=True), times)
        offsets = torch.arange(1, mask.shape[1] + 1, device=mask.device) - centres.unsqueeze(2)  # (B, T, S): i - p_t
        seen = mask.unsqueeze(1) & (offsets.abs() <= self.config.window)
        within = scores.masked_fill(~seen, -torch.inf).softmax(dim=2)
        return within * torch.exp(-2 * (offsets / self.config.window).square()), centres  # equation 22, σ = D / 2

    def _centres(self, states: Tensor, lengths: Tensor, times: Tensor) -> Tensor:
        """Return p_t (B, T) in sources of ``lengths`` (B, 1): t itself, or equation 21."""
        if self.config.attention == "local-m":
            return torch.minimum(times, lengths).to(states.dtype)
        # Equation 21.
        return lengths * torch.sigmoid(self.place_vector(torch.tanh(self.place_matrix(states)))).squeeze(2)


class Seq2Seq(nn.Module):
    """Encoder, attention, decoder."""

    def __init__(self, config: Seq2SeqConfig) -> None:
        """Build the network with random weights."""
        super().__init__()
        self.config, d, units = config, config.dimensions, config.units
        self.source_embedding = nn.Embedding(config.source_size, d, padding_idx=PAD)
        self.embedding = nn.Embedding(config.target_size, d, padding_idx=PAD)
        for table in (self.source_embedding, self.embedding):
            nn.init.normal_(table.weight, std=d**-0.5)
            table.weight.data[PAD] = 0
        between, ways = config.dropout * (config.layers > 1), 1 + config.bidirectional
        recurrent = CELLS[config.cell].module
        self.encoder = recurrent(
            d, units // ways, config.layers, batch_first=True, dropout=between, bidirectional=config.bidirectional
        )
        fed = d * config.input_feeding
        self.decoder = recurrent(d + fed, units, config.layers, batch_first=True, dropout=between)
        self.attention = AlignmentModel(config) if config.attention != "none" else None
        self.combine = nn.Linear(units * (1 + (self.attention is not None)), d, bias=False)
        self.bias = nn.Parameter(torch.zeros(config.target_size))
        self.dropout = nn.Dropout(config.dropout)

    # ------------------------------------------------------------------------------------------------- the encoder

    def start(self, source: Tensor) -> DecoderState:
        """Return the state from which the decoder writes the first word after reading ``source`` (B, S)."""
        mask = source != PAD
        annotations, hidden = self._encode(source, mask)
        state = {"annotations": self.dropout(annotations), "mask": mask, "time": mask.new_zeros(len(mask)).long()}
        if self.config.input_feeding:
            state["fed"] = annotations.new_zeros(len(mask), self.config.dimensions)
        return state | {name: tensor.transpose(0, 1) for name, tensor in hidden.items()}

    def encode_source(self, source: Tensor) -> Tensor:
        """Return the encoder's last hidden state, of its top layer, (B, H) (Sutskever et al. 2014, figure 2)."""
        return self._encode(source, source != PAD)[1]["hidden"][-1]

    def _encode(self, source: Tensor, mask: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        """Return the annotations (B, S, H), in the order of the words, and the last hidden states, (L, B, H) each."""
        embedded = self.dropout(self.source_embedding(source))
        lengths = mask.sum(dim=1)
        order = torch.arange(source.shape[1], device=source.device).expand_as(source)
        if self.config.reverse:
            order = torch.where(mask, lengths.unsqueeze(1) - 1 - order, order)
            embedded = embedded.gather(1, order.unsqueeze(2).expand_as(embedded))
        if bool(mask.all()):  # nothing to pack: a third less time on a CPU
            annotations, last = self.encoder(embedded)
        else:
            packed = pack_padded_sequence(embedded, lengths.cpu(), batch_first=True, enforce_sorted=False)
            outputs, last = self.encoder(packed)
            annotations, _ = pad_packed_sequence(outputs, batch_first=True, total_length=source.shape[1])
        if self.config.reverse:
            annotations = annotations.gather(1, order.unsqueeze(2).expand_as(annotations))
        names = ("hidden", "cell") if self.config.cell == "lstm" else ("hidden",)
        states = zip(names, last if len(names) > 1 else (last,), strict=True)
        return annotations, {name: self._both_ways(tensor) for name, tensor in states}

    def _both_ways(self, last: Tensor) -> Tensor:
        """Return the last states (L, B, H) of (L * 2, B, H / 2): those of the two directions side by side."""
        if not self.config.bidirectional:
            return last
        # PyTorch alternates the directions: layer 0 forward, layer 0 backward, layer 1 forward, …
        return torch.cat([last[0::2], last[1::2]], dim=2)

    # ------------------------------------------------------------------------------------------------- the decoder

    def decode(self, words: Tensor, state: DecoderState) -> tuple[Decoded, DecoderState]:
        """Return the decoder's output after each of ``words`` (B, T), and the state after the last one.

        Without input feeding nothing that attention finds goes into the recurrent layers: they read all words at once.
        """
        if not self.config.input_feeding:
            return self._decode(self.embedding(words), state)
        parts = []
        for vectors in self.embedding(words).split(1, dim=1):  # (B, 1, D)
            part, state = self._decode(torch.cat([vectors, state["fed"].unsqueeze(1)], dim=2), state)
            state = state | {"fed": part.states.squeeze(1)}
            parts.append(part)
        states, alignments, centres = zip(*parts, strict=True)
        return Decoded(torch.cat(states, 1), _joined(alignments), _joined(centres)), state

    def _decode(self, inputs: Tensor, state: DecoderState) -> tuple[Decoded, DecoderState]:
        """Return what follows ``inputs`` (B, T, D), and the state thereafter."""
        hidden = {name: state[name].transpose(0, 1).contiguous() for name in ("hidden", "cell") if name in state}
        outputs, last = self.decoder(inputs, tuple(hidden.values()) if len(hidden) > 1 else hidden["hidden"])
        times = state["time"].unsqueeze(1) + torch.arange(1, inputs.shape[1] + 1, device=inputs.device)  # (B, T)
        after = zip(hidden, last if len(hidden) > 1 else (last,), strict=True)
        state = state | {name: tensor.transpose(0, 1) for name, tensor in after} | {"time": times[:, -1]}
        alignment = centres = None
        combined = outputs
        if self.attention is not None:
            alignment, centres = self.attention(outputs, state["annotations"], state["mask"], times)
            # c_t of equation 18; local attention (equation 20) has weight 0 outside its window.
            combined = torch.cat([alignment @ state["annotations"], outputs], dim=2)  # [c_t; h_t]
        # h̃_t of equation 17; predict() applies the output layer of equation 16.
        return Decoded(self.dropout(torch.tanh(self.combine(combined))), alignment, centres), state

    def predict(self, states: Tensor, candidates: Tensor | None = None) -> Tensor:
        """Return logits (..., V) of the next word, or (..., K) of ``candidates`` (K,)."""
        return tied_logits(states, self.embedding.weight, self.bias, candidates)

    def parameter_terms(self) -> tuple[ParameterTerm, ...]:
        """Return the terms that the number of trainable parameters is the sum of."""
        config, d = self.config, self.config.dimensions
        units, ways = config.units, 1 + config.bidirectional
        fed = d * (1 + config.input_feeding)
        terms = [
            _term("source word vectors", f"{config.source_size:,} × {d}", self.source_embedding),
            _term("target word vectors", f"{config.target_size:,} × {d}", self.embedding),
            _term("encoder", self._recurrent_formula(d, units // ways, ways), self.encoder),
            _term("decoder", self._recurrent_formula(fed, units, 1), self.decoder),
        ]
        if self.attention is not None and next(self.attention.parameters(), None) is not None:
            shapes = (tuple(weight.shape) for weight in self.attention.parameters())
            terms.append(
                _term("attention", " + ".join(f"{rows} × {columns}" for rows, columns in shapes), self.attention)
            )
        rows, columns = self.combine.weight.shape
        terms.append(_term("attentional state", f"{columns} × {rows}", self.combine))
        return (*terms, ParameterTerm("output biases", f"{config.target_size:,}", config.target_size))

    def _recurrent_formula(self, inputs: int, units: int, ways: int) -> str:
        """Return the number of a stack's weights in numbers: two matrices and two biases for each gate."""
        gates = CELLS[self.config.cell].gates
        sizes = [inputs, *[units * ways] * (self.config.layers - 1)]
        each = " + ".join(f"{units} × ({size} + {units}) + 2 × {units}" for size in sizes)
        return f"{ways} × {gates} × ({each})" if ways > 1 else f"{gates} × ({each})"


def _term(name: str, formula: str, part: nn.Module) -> ParameterTerm:
    return ParameterTerm(name, formula, sum(weight.numel() for weight in part.parameters()))


def _joined(parts: Sequence[Tensor | None]) -> Tensor | None:
    """Return what successive steps gave, side by side, or None where they gave nothing."""
    there = [part for part in parts if part is not None]
    return torch.cat(there, dim=1) if there else None


TRANSLATOR = Architecture(
    name="seq2seq",
    title="Recurrent encoder-decoder",
    source="Luong et al. 2015; Tixier 2018, section 7.1",
    config=Seq2SeqConfig,
    build=Seq2Seq,
)
