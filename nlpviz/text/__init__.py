"""Texts as models read them: tokens with their spans, vocabularies, sentences, pairs of sentences."""
