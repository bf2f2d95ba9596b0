"""The parts of the page for the visitor's texts."""
