"""Word vectors on a page: neighbours, analogies, maps, similarity, files of their own."""
