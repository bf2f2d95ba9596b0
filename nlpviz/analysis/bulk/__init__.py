"""What a classifier makes of a file of any length: asked part by part, in constant memory, here or on a cluster.

A part is some thousands of successive rows. What is answered depends on the part alone, so that a job that was stopped
goes on after the parts that are there, and processes and machines may share them: the finished file is the same.
"""

from __future__ import annotations

from nlpviz.data import DataError


class BulkError(DataError):
    """A file cannot be answered; the message is one sentence that a person can act on."""
