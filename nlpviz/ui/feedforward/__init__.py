"""How feed-forward networks are trained, on pages."""
