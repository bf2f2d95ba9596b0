"""What a trained network shows: attributions, inspection of its parts, projections, and all of them for whole files."""
