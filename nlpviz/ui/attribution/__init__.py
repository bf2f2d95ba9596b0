"""Explanations on a page: how far to trust them."""
