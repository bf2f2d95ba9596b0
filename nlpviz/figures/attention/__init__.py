"""Figures of attention: weights of words, sentences and heads, and their effect."""
