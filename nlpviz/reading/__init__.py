"""What else a network shows besides its answer: the regions that it takes, their filters, what it attends to."""
