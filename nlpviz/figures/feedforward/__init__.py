"""Figures of how feed-forward networks are trained."""
