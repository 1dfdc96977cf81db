"""Random miniature FastConformers with the parts and proportions of the published models."""
from dataclasses import dataclass

import numpy as np

from speech.random_weights import RandomWeights

SUBSAMPLING = 8


@dataclass(frozen=True)
class Shape:
    """`kind` is tdt, rnnt or ctc; `quantised` is None, uint8 or int8."""

    kind: str = "tdt"
    quantised: str | None = None
    mels: int = 80
    width: int = 16
    heads: int = 2
    layers: int = 2
    wide: int = 32
    kernel: int = 9
    channels: int = 4
    hidden: int = 12
    predictor_layers: int = 2
    joint: int = 16
    words: int = 30
    durations: int = 5

    @property
    def vocabulary(self):
        """Includes blank, which is the last."""
        return self.words + 1

    @property
    def outputs(self):
        return self.vocabulary + (self.durations if self.kind == "tdt" else 0)


def tokens(shape):
    """Token names. Every third token starts a word; two are controls, as in the published lists."""
    names = ["<unk>", "<|nospeech|>"]
    for nth in range(shape.words - 2):
        letter = chr(ord("a") + nth % 26) + ("" if nth < 26 else "x")
        names.append("\u2581" + letter if nth % 3 == 0 else letter)
    return names + ["<blk>"]


def random_weights(shape, seed):
    weights = RandomWeights(seed)
    add, linear = weights.add, weights.linear

    def norm(name):
        weights.norm(name, shape.width)

    for nth, (inputs, groups) in enumerate([(1, 1), (1, shape.channels), (1, shape.channels)]):
        add(f"pre.{nth}", shape.channels, inputs, 3, 3, scale=0.4)
        add(f"pre.{nth}.bias", shape.channels, scale=0.1)
        if nth:
            add(f"pre.{nth}.point", shape.channels, shape.channels, 1, 1, scale=0.6)
            add(f"pre.{nth}.point.bias", shape.channels, scale=0.1)
    linear("pre.out", shape.channels * shape.mels // SUBSAMPLING, shape.width)
    for layer in range(shape.layers):
        for name in ("ff1", "ff2"):
            norm(f"{layer}.{name}.norm")
            linear(f"{layer}.{name}.1", shape.width, shape.wide)
            linear(f"{layer}.{name}.2", shape.wide, shape.width)
        norm(f"{layer}.att.norm")
        for name in ("q", "k", "v", "o"):
            linear(f"{layer}.att.{name}", shape.width, shape.width)
        add(f"{layer}.att.pos", shape.width, shape.width)
        for name in ("u", "w"):
            add(f"{layer}.att.{name}", shape.heads, shape.width // shape.heads, scale=0.3)
        norm(f"{layer}.conv.norm")
        add(f"{layer}.conv.in", 2 * shape.width, shape.width, 1, scale=0.3)
        add(f"{layer}.conv.in.bias", 2 * shape.width, scale=0.1)
        add(f"{layer}.conv.depth", shape.width, 1, shape.kernel, scale=0.4)
        add(f"{layer}.conv.depth.bias", shape.width, scale=0.1)
        add(f"{layer}.conv.out", shape.width, shape.width, 1, scale=0.3)
        add(f"{layer}.conv.out.bias", shape.width, scale=0.1)
        norm(f"{layer}.norm")
    if shape.kind == "ctc":
        add("head", shape.vocabulary, shape.width, 1, scale=0.7)
        add("head.bias", shape.vocabulary, scale=0.3)
        weights["head.bias"][shape.words] += 1
        return weights
    add("embed", shape.vocabulary, shape.hidden, scale=0.8)
    for layer in range(shape.predictor_layers):
        add(f"lstm.{layer}.w", shape.hidden, 4 * shape.hidden, scale=0.5)
        add(f"lstm.{layer}.r", shape.hidden, 4 * shape.hidden, scale=0.5)
        add(f"lstm.{layer}.bias", 8 * shape.hidden, scale=0.2)
    linear("joint.enc", shape.width, shape.joint)
    linear("joint.pred", shape.hidden, shape.joint)
    linear("joint.out", shape.joint, shape.outputs)
    # Random models repeat themselves unless audio and tokens have large weights. Speech has more blanks than tokens.
    weights["joint.enc"] *= 3
    weights["joint.pred"] *= 3
    weights["joint.out.bias"][shape.words] += 4 if shape.kind == "tdt" else 8
    return weights


def positions(width, frames):
    """Sinusoids for the relative positions frames − 1 down to 1 − frames."""
    steps = np.arange(frames - 1, -frames, -1, dtype=np.float32)[:, None]
    rates = np.exp(np.arange(0, width, 2, dtype=np.float32) * -(np.log(10000.0) / width))
    table = np.zeros((2 * frames - 1, width), np.float32)
    table[:, 0::2], table[:, 1::2] = np.sin(steps * rates), np.cos(steps * rates)
    return table
