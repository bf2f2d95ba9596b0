"""Maps of documents on a page: which ones, how far to trust them, a typed review among them."""
