"""Small networks that are trained live: toy tasks for recurrent networks, and feed-forward networks in NumPy."""
