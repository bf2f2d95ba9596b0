"""Figures of training: curves by epoch."""
