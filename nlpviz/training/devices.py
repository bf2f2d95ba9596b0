"""The differences of a training on a GPU: asynchronous copies, and the precision of matrix products."""

from __future__ import annotations

import torch
from torch import Tensor


def sent(tensor: Tensor, device: torch.device) -> Tensor:
    """Return ``tensor`` on ``device``, where a GPU's copy is queued like its work: nothing waits for it.

    Memory that the system may move would be copied first, and the processor would wait for what the GPU has to do.
    """
    if device.type == "cuda":
        tensor = tensor.pin_memory()
    return tensor.to(device, non_blocking=True)


def set_precision(precision: str) -> None:
    """Set how exact matrix products in single precision are, as torch names it, those inside of cuDNN's layers too.

    ``"high"`` lets a GPU use TensorFloat-32, as cuDNN does by itself; ``"highest"`` does not.
    """
    torch.set_float32_matmul_precision(precision)
    torch.backends.cudnn.allow_tf32 = precision != "highest"
