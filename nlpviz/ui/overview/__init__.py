"""The Overview: a review to type, the map that forms beside it, four pictures, the tours, the models."""
