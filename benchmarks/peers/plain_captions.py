"""The peer of our captioning: an image at a time, a word at a time, as most would write it after the equations.

It takes the weights of our network, so that both must say the same.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from nlpviz.networks.architectures.captioner import Captioner


@torch.inference_mode()
def captions_one_by_one(network: Captioner, images: Tensor, words: int, first: int) -> list[list[int]]:
    """Return so many ``words`` of each of ``images`` (N, 3, S, S), soft attention, the likeliest at each step."""
    weight = dict(network.named_parameters())
    result = []
    for image in images:
        places = network.annotate(image[None])[0]  # (L, D)
        start = torch.tanh(functional.linear(places.mean(dim=0), weight["first.weight"], weight["first.bias"]))
        hidden, cell = start.chunk(2)
        word, said = first, []
        for _ in range(words):
            vector = weight["embedding.weight"][word]
            sought = weight["of_state.weight"] @ hidden + weight["of_state.bias"] + weight["of_word.weight"] @ vector
            scores = torch.tanh(places @ weight["of_place.weight"].T + sought) @ weight["score.weight"][0]
            beta = torch.sigmoid(weight["gate.weight"][0] @ hidden + weight["gate.bias"][0])
            context = beta * (scores.softmax(dim=0) @ places)
            read = torch.cat([vector, context])[None]
            after, kept = network.lstm(read, (hidden[None], cell[None]))
            hidden, cell = after[0], kept[0]
            combined = weight["combine.weight"] @ torch.cat([hidden, context]) + weight["combine.bias"]
            logits = weight["output.weight"] @ torch.tanh(vector + combined) + weight["output.bias"]
            word = 2 + int(logits[2:].argmax())  # neither padding nor the unknown word
            said.append(word)
        result.append(said)
    return result
