"""Networks without random initialisation, because stored weights replace the initial weights at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from torch import Tensor
from torch.nn import init
from torch.overrides import TorchFunctionMode

# Each asks the mode first. What else draws, such as xavier_uniform_, does so by the methods of a tensor.
_DRAWS = {init.uniform_, init.normal_, init.kaiming_uniform_, init.trunc_normal_, Tensor.uniform_, Tensor.normal_}


class Blank(TorchFunctionMode):
    """Within it, a new tensor that would be filled with random numbers keeps what its memory holds.

    To draw the word vectors of a classifier takes as long as to read stored ones.
    """

    def __torch_function__(
        self,
        function: Callable[..., object],
        _types: object,
        args: Sequence[Any] = (),
        kwargs: Mapping[str, Any] | None = None,
    ) -> object:
        """Call a function of torch's, or leave out what it would draw."""
        kwargs = kwargs or {}
        if function in _DRAWS:
            return args[0] if args else kwargs["tensor"]
        return function(*args, **kwargs)
