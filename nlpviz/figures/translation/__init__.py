"""Figures of translation: alignments, the search, phrases, BLEU."""
