"""Runs on a page: what they reached and cost."""
