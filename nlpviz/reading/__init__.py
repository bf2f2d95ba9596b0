"""What else a network shows besides its answer: the regions that it takes, the filters that take them."""
