"""The files that a run on user data has in addition to those of its kind."""

RECIPE = "recipe.toml"
"""What the runs are made of and how, whatever was guessed; it repeats them."""
KEPT_TEXTS = "texts.parquet"
"""The texts, where it was asked that they be kept."""
