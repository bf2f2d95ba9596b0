"""What a network computes besides its prediction: pooled regions, their filters, attention, states and gates."""
