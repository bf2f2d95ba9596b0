"""The disk space that committed runs may take, in total and per file. Every document and test reads it here."""

from __future__ import annotations

MIB = 1 << 20
TOGETHER = 320 * MIB
"""Bytes of all files under ``trained/`` that are committed."""
LARGEST = 16 * MIB
"""Bytes of one file."""
