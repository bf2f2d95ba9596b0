"""Decoding: from a translator and a source sentence to target words; and how good translations are.

:mod:`nlpviz.decoding.search` finds translations, :mod:`nlpviz.decoding.texts` writes them down,
:mod:`nlpviz.decoding.bleu` compares them with references. Training and reading both need them; what a search looked at
becomes a tree in :mod:`nlpviz.reading.beam`.
"""
