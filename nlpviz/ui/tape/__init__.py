"""Networks with a tape, on pages: what is asked of which network, its steps, its errors by length."""
