"""Figures of word vectors: neighbours, analogies, maps, similarity."""
