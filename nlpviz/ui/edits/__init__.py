"""Edit and see: a text beside itself with other words, the trail of edits, the search for the smallest ones."""
