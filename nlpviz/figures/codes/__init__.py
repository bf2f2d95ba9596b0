"""Figures of codes: of one text, on the way between two, unit by unit, and what becomes of them in training."""
