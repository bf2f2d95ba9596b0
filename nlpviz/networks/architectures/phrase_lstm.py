"""An LSTM that reads the words of each phrase from left to right and ignores the tree.

Hochreiter and Schmidhuber (1997), as Tai, Socher and Manning (2015), section 4.1, train one on the spans of the
treebank: what a tree adds to reading in order is the difference between this and its kin.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nlpviz.networks.architectures import Architecture
from nlpviz.networks.layers import ParameterCount
from nlpviz.networks.tree_networks import Forest, TreeConfig, TreeNetwork


@dataclass(frozen=True)
class PhraseLSTMConfig(TreeConfig):
    """Sizes of a :class:`PhraseLSTM`."""

    units: int = 150


class PhraseLSTM(TreeNetwork):
    """h after the last word of a node's phrase; phrases that begin at one word are read in one go."""

    formula = (
        r"i_t, f_t, o_t = \sigma(W x_t + U h_{t-1} + b), \quad u_t = \tanh(W x_t + U h_{t-1} + b)",
        r"c_t = f_t \circ c_{t-1} + i_t \circ u_t, \quad h_t = o_t \circ \tanh(c_t)",
    )
    counted_as = "LSTM"

    def __init__(self, config: PhraseLSTMConfig) -> None:
        """Make it."""
        super().__init__(config)
        self.lstm = nn.LSTM(self.width, config.units, batch_first=True)

    def states(self, trees: Forest) -> Tensor:
        """Return the state (N, S) after the last word of each node.

        From each word that begins a phrase the text is read to the end of the longest one; of each length there is one
        batch, so that nothing is padded.
        """
        words, (first, end) = self.read(trees.ids), trees.spans.T
        farthest = torch.zeros_like(trees.ids).scatter_reduce(0, first, end, "amax", include_self=False)
        start = torch.arange(len(trees.ids), device=first.device)
        lengths = farthest - start  # (L,), of the longest phrase that begins at each word
        rows = torch.zeros_like(start)  # where the states of each start are among all that were read
        read, total = [], 0
        for length in torch.unique(lengths).tolist():
            begins = torch.nonzero(lengths == length).squeeze(1)
            taken = begins.unsqueeze(1) + torch.arange(length, device=first.device)  # (b, length)
            read.append(self.lstm(words[taken])[0].flatten(0, 1))
            rows[begins] = total + length * torch.arange(len(begins), device=first.device)
            total += length * len(begins)
        return torch.cat(read).index_select(0, rows[first] + end - first - 1)

    def term(self) -> ParameterCount:
        """Return the number of parameters; PyTorch's LSTM has two bias vectors."""
        d, units = self.lstm.input_size, self.lstm.hidden_size
        return ParameterCount(f"4 × {units} × ({d} + {units} + 2)", 4 * units * (d + units + 2))


MODEL = Architecture(
    name="phrase-lstm",
    title="LSTM over phrases",
    source="Tai, Socher and Manning 2015",
    config=PhraseLSTMConfig,
    build=PhraseLSTM,
)
