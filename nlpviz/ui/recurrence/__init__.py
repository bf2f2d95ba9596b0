"""What pages show of networks that read word by word: gates, memory, states, units."""
