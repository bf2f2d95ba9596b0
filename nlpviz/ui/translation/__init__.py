"""Translations on a page: alignment, search, phrases, BLEU."""
