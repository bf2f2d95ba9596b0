"""Networks over the trees of sentences: one sentence and its edits, negation and contrast, accuracy by length."""
