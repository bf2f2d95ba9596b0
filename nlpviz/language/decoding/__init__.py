"""Decoding: from a translator and a source sentence to target words; and how good translations are.

:mod:`nlpviz.language.decoding.search` finds translations, :mod:`nlpviz.language.decoding.texts` writes them down,
:mod:`nlpviz.language.decoding.bleu` compares them with references. Training and reading both need them; what a search
looked at becomes a tree in :mod:`nlpviz.analysis.inspection.beam`.
"""
