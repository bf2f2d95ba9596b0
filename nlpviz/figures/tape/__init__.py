"""Networks with a tape: the sequence with their answers, where the heads turn to, how often answers are wrong."""
