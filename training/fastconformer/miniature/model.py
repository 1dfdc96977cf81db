"""The trained miniature: one encoder with heads of all kinds in one file, and access to the weights of each kind."""
import dataclasses
import json
import os

import numpy as np

from ..shapes import Shape, random_weights

KINDS = ("tdt", "rnnt", "ctc")
HEADS = ("head", "embed", "lstm", "joint")


def shapes_of(words):
    size = dict(mels=80, width=128, heads=4, layers=4, wide=384, kernel=9, channels=32, hidden=128, joint=128)
    return {kind: Shape(kind, None, predictor_layers=1, words=words, **size) for kind in KINDS}


def key(kind, name):
    """Heads share no weights, so the names of their weights start with the kind."""
    return f"{kind}.{name}" if name.split(".")[0] in HEADS else name


def weights_of(trained, shape):
    """The weights of one kind, with the names of the export."""
    return {name: trained[key(shape.kind, name)] for name in random_weights(shape, 0)}


def save(folder, weights, tokens, report):
    os.makedirs(folder, exist_ok=True)
    np.savez(os.path.join(folder, "miniature.npz"), **weights)
    with open(os.path.join(folder, "miniature.json"), "w", encoding="utf8") as file:
        json.dump({"tokens": tokens, **report}, file, indent=1)


def names(folder):
    """The names of the tokens."""
    with open(os.path.join(folder, "miniature.json"), encoding="utf8") as file:
        return json.load(file)["tokens"]


def trained(folder):
    with np.load(os.path.join(folder, "miniature.npz")) as file:
        return dict(file)


def load(folder, kind, quantised=None):
    """Shape, weights and token names."""
    found = names(folder)
    shape = dataclasses.replace(shapes_of(len(found) - 1)[kind], quantised=quantised)
    return shape, weights_of(trained(folder), shape), found
