"""Phrases that people of the field would not write, each with better words for it."""

from __future__ import annotations

import re

BETTER = {
    r"\bepochs pass\b": "Play training; as training goes on",
    r"\btrust in (?:the|this) maps?\b": "Trustworthiness",
    r"\breviews part\b|\bhave parted\b": "the classes separate",
    r"\btak(?:e|en|es|ing) away\b": "subtracted; removed; exported",
    r"\b(?:comes?|came|coming) out (?:at|first|right)\b": "nearest word: queen; top answers; are answered correctly",
    r"\bwhere (?:the|a) sum\b[^.]*\bcomes? out\b": "resulting vector",
    r"\b(?:may|would|could) come out\b": "with the input words allowed: king; Exclude / Include",
    r"\btyped words\b": "input words",
    r"^ask for$": "Look up",
    r"\bgo(?:es)? on from (?!where|there|its|the next)": "Continue with",
    r"\bis to begin with\b|\bmethod to begin with\b": "Forced prefix; the default method",
    r"\bwords were looked at\b": "candidates scored",
    r"\btranslations that it came to\b|\bit comes to\b": "Final hypotheses",
    r"\bepoch chosen\b": "Best epoch (validation)",
    r"\bbeside (?:another|it)\b|\bno other run\b": "Compare with",
    r"\bthey align\b": "Align",
    r"\bof little weight\b|\bfold(?:ed)? away\b": "Low-weight sentences: collapsed",
    r"\b(?:stood|stands?) (?:once|twice|\S+ times)\b|\b(?:never|not) stood\b|\bstood in training\b":
        "39 occurrences in training; frequency 1,777",
    r"\banswers \S+ ?% of the (?:test )?(?:reviews|documents)\b|\bweight \S+ answers\b": "active in 98%",
    r"\banswers? (?:it )?most\b|\bstrongly (?:it|they|filter \S+) answers?\b": "strongest n-grams; activation",
    r"\bgoes most with\b": "most correlated filter",
    r"\bboard of epoch\b[^.]*\bdoes not hold\b": "not among the top n-grams of epoch 0",
    r"\btokens? (?:is |are )?taken out\b|\btakes? tokens? out\b": "tokens removed",
    r"\babandon(?:s|ed|ing)?\b": "Cancel",
    r"\b(?:like|same) company\b|\blike vectors\b": "words in similar contexts get similar vectors",
    r"\bbeside each other\b|\b(?:stands?|cannot stand) beside\b": "side by side",
    r"\bowes? (?:\S+ ){0,2}to\b": "depends on; relies on",
    r"\b(?:is|are) put onto\b": "placed afterwards",
    r"\bit is in the menu\b": "see the page …",
    r"\bnobody asked\b|\bwas not asked\b": "has not been measured",
    r"\bmade to be looked at\b": "a small model for teaching",
    r"\bspeaks? (?:for|against)\b": "evidence for; evidence against",
    r"\bpredicts? otherwise\b": "disagree on; predict another class",
    r"\brandom ones\b": "random words, random orders",
    r"\btold apart\b|\btells? (?:\S+ ){1,5}apart\b": "not significantly different; distinguishes … from …",
    r"\bis not shown that\b": "not significantly more",
    r"\bfitted alone\b|\beach (?:epoch )?alone\b": "each epoch separately",
    r"\bdrawn anew\b": "randomised; drawn again",
    r"\basks? (?:no|the) network\b|\bno network asked\b": "ignores the network; uses the network",
    r"\b(?:never|first) right\b|\bright throughout\b": "never correct; first correct; always correct",
    r"\bflipped on purpose\b": "deliberately flipped",
    r"\bthe visitor's own\b": "your",
    r"\ba person's own\b|\bof one's own\b|\bone's own\b": "your texts; user data",
    r"\bcomes? to its answer\b|\bchange its mind\b": "arrives at its prediction; changes its prediction",
    r"\bhow sure to be\b": "as accurate as it is confident",
    r"\banswers? at random\b": "random baseline",
    r"\b(?:more|less) often than not\b": "in more than half of the cases",
    r"\bflat or off\b": "saturated or inactive",
    r"\bcomes? to rest\b": "settles",
    r"\bin the median\b": "median length ratio",
    r"\btold from chance\b": "significant",
    r"\bnats a (?:bit|position|word|character)\b": "nats per word",
    r"\b(?:the )?last but one\b": "second-to-last",
    r"\bat hand\b": "available; this text",
    r"\bbe had\b": "is available",
    r"\b(?:is|are|was|were) told\b": "is printed; is reported",
    r"[,:] of which\b|\bwhereof\b": "two sentences",
    r"\bwhat came\b": "the actual next word",
    r"\bby what it (?:does|says)\b": "name it",
    r"\bhangs? together\b": "share",
    r"\btrainings\b": "training runs; training processes",
    r"\b(?:largest|smallest) cosine\b": "highest cosine similarity",
    r"\bis (?:not|no) chance\b": "is not the chance level",
    r"\bname another one\b|\btake another one\b": "choose another name",
    r"\bstopped training\b": "interrupted training run",
    r"\bunits? (?:may |can )?follows?\b": "units track",
    r"\bcommonest\b": "most frequent",
    r"\bparted by commas\b": "separated by commas",
    r"\bone a line\b": "one per line",
    r"\bkeeps? no \w+": "stores no; has no stored",
    r"(?<!there )\bis no (?:classifier|file|run|map|network|number|object|text|list|tour|string)\b": "is not a",
    r"\bone in sum\b|\bin sum over\b": "sum to 1",
    r"\d[ \u00a0]%": "95%",
}  # fmt: skip

BETTER_IN_CODE = {
    r"\b(?:person|visitor|one)'s own\b": "user data; the user's file; your texts",
    r"\b(?:is|are|be|was|were) told\b": "progress callback, called with the completed fraction; is reported",
    r"\bat hand\b": "available",
    r"\bbe had\b": "is available; is unavailable",
    r"\btold apart\b|\btells? (?:\S+ ){1,3}apart\b": "significantly different; recognised by",
    r"\bwhat came\b": "name it: the input, the next word",
    r"\b(?:stands?|stood|standing) (?:\S+ ){0,4}beside\b": "next to; compared with",
    r"[,:] of which\b|\bwhereof\b": "two sentences",
}
"""As :data:`BETTER`, for docstrings and comments."""


def odd_phrases(text: str) -> list[str]:
    """Return the phrases of ``text`` that have better words, each with the words round it and the better ones."""
    plain = " ".join(text.split())
    return [
        f"…{plain[max(result.start() - 40, 0) : result.end() + 40]}…, better: {better}"
        for phrase, better in BETTER.items()
        for result in re.finditer(phrase, plain, re.IGNORECASE)
    ]
