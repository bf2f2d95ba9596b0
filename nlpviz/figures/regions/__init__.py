"""Figures of regions and filters: of one text, and of all test documents."""
