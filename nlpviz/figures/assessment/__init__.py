"""A classifier on labelled texts: whether it knows how sure to be, each class, and where it errs."""
