"""The battery: minimal pairs about films, filled from templates that were written for this project.

Templates as in Ribeiro, Wu, Guestrin and Singh (2020), *Beyond Accuracy: Behavioral Testing of NLP Models with
CheckList*, section 3; what may be expected of a pair is said in :mod:`nlpviz.results.minimal_pairs`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

from nlpviz.results.minimal_pairs import MinimalPair

NOT_GOOD = ("is-not", "isnt")
"""The templates of *not good* itself: praise beside the same praise negated."""
_SLOT = re.compile(r"\{(\w+)\}")


@cache
def battery() -> tuple[MinimalPair, ...]:
    """Return the pairs in the order of ``battery.toml``, each template with all combinations of its words."""
    with Path(__file__).with_name("battery.toml").open("rb") as stream:
        written = tomllib.load(stream)
    return tuple(pair for template in written["template"] for pair in filled(template, written["words"]))


def filled(template: Mapping[str, Any], common: Mapping[str, Sequence[str]]) -> Iterator[MinimalPair]:
    """Yield the pairs of one template.

    Args:
        template: as it stands in the file.
        common: the words of slots for which the template has none of its own.
    """
    words = {**common, **template.get("words", {})}
    slots = list(dict.fromkeys(_SLOT.findall(template["first"] + template["second"])))
    for chosen in product(*(words[slot] for slot in slots)):
        sides = [dict(zip(slots, (word.split("|")[side] for word in chosen), strict=True)) for side in (0, -1)]
        first, second = (template[name].format(**side) for name, side in zip(("first", "second"), sides, strict=True))
        yield MinimalPair(
            template["capability"], template["id"], first, second, template["expected"], template.get("misspelt", False)
        )
