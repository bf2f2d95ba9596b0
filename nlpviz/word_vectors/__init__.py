"""Queries on word vectors: neighbours, analogies, similarities, axes; and the file formats of word vectors.

Every module takes :class:`~nlpviz.results.vectors.WordVectors` and returns a result of
:mod:`nlpviz.results.word_queries`. Nothing here needs torch or knows of runs: the user's vectors are queried like those
of a run.
"""


class WordVectorsError(ValueError):
    """The input, or a file of vectors, questions or pairs, cannot be used; the message is one sentence."""
