"""Decoding: from a translator and a source sentence to target words; and how good translations are.

:mod:`nlpviz.decoding.search` finds translations, :mod:`nlpviz.decoding.tree` keeps what a search looked at,
:mod:`nlpviz.decoding.bleu` compares translations with references. Training and reading both need them.
"""
