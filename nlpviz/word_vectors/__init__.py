"""What can be asked of word vectors: neighbours, analogies, similarities, axes; and the files that others keep them in.

Every module takes :class:`~nlpviz.results.vectors.WordVectors` and returns a result of
:mod:`nlpviz.results.relations`. Nothing here needs torch or knows of runs: the user's vectors are queried like those
of a run.
"""


class WordVectorsError(ValueError):
    """What was typed, or a file of vectors, questions or pairs, cannot be used; the message is one sentence."""
