"""The files that a run of a person's own texts holds besides those of its kind."""

RECIPE = "recipe.toml"
"""What the runs are made of and how, whatever was guessed; it repeats them."""
KEPT_TEXTS = "texts.parquet"
"""The texts, where it was asked that they be kept."""
