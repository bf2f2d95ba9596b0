"""Figures of one text through a training."""
