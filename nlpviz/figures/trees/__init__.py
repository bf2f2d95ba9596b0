"""Trees of sentences and what networks make of their nodes; negation, contrast and length over many sentences."""
