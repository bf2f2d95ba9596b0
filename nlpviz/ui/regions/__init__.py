"""Regions and filters on a page: of one text, and of all test documents."""
