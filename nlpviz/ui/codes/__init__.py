"""The page of codes: what autoencoders of documents make of texts."""
