"""Figures of explanations: bars, matrices, deletion curves."""
