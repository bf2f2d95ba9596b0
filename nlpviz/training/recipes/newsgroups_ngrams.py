"""The linear baseline on 20 Newsgroups: what a bag of n-grams makes of a post without a network.

The penalty was chosen on the last 60 training posts of each group, after training on the others: with n-grams of one
and two words 69.6 % for C = 0.1 and 68.8 % for 1, with a standard error of 1.3 points on 1,200 posts.
"""

from __future__ import annotations

from nlpviz.data.newsgroups import GROUPS
from nlpviz.training.baseline import BaselineSettings, baseline_recipe

RECIPE = baseline_recipe(
    "newsgroups-ngrams",
    "N-grams on 20 Newsgroups",
    BaselineSettings(corpus="newsgroups", class_names=GROUPS, inverse_penalty=0.1, shown=50),
)
