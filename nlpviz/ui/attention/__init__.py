"""Attention on a page: words, sentences, heads, and whether it matters."""
