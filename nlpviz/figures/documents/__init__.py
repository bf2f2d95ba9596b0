"""Figures of documents: maps, and how good they are."""
