"""What the models of a kind promise, whichever they are: ``tests/contracts`` asks it of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True)
class Contract:
    """What a model is asked for.

    A module of ``nlpviz.networks.architectures`` that exports ``MODEL`` meets the protocol of one kind at least. Its
    answers do not depend on padding or on the other rows of a batch, are the same every time and finite, and reach
    every parameter.

    Attributes:
        protocol: checkable at run time; it tells the kind's models from others.
        answer: of a model that meets it: from ids (B, T), filled up at the end with the padding id, numbers (B, ...).
        of_words: whether an answer is one for each word, (B, T, ...), so that nothing is promised at padding.
    """

    protocol: type
    answer: Callable[[Any, Tensor], Tensor]
    of_words: bool = False
