"""What the pages on language models show: surprisal, next words, samples, word order, perplexity."""
