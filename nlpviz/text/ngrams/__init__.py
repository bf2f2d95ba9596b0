"""Counting n-grams, and what a language model makes of the counts; numpy alone."""
