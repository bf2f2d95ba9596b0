"""Networks in PyTorch: their building blocks, recurrent cells, and one architecture per file in ``architectures``."""
