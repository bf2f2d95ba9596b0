"""Captions of images: the scene, and where the network looked for each word."""
