"""Random miniature Moonshine streaming models with the parts of the published ones."""
from dataclasses import dataclass

import numpy as np

from speech.random_weights import RandomWeights

FRAME = 80
KERNEL = 5
POSITIONS = 512
BEGIN, END = 1, 2


@dataclass(frozen=True)
class Shape:
    """`windows` are the frames that each encoder layer looks back and ahead. The decoder has as many layers."""

    width: int = 16
    decoder: int = 12
    heads: int = 2
    head: int = 6
    wide: int = 24
    windows: tuple = ((16, 4), (16, 0))
    words: int = 40
    #: Required by Writer of fastconformer.export.
    quantised: None = None

    @property
    def depth(self):
        return len(self.windows)

    @property
    def lookahead(self):
        return sum(ahead for _, ahead in self.windows)

    def config(self):
        return {
            "encoder_dim": self.width, "decoder_dim": self.decoder, "depth": self.depth, "nheads": self.heads,
            "head_dim": self.head, "vocab_size": self.words, "bos_id": BEGIN, "eos_id": END, "frame_len": FRAME,
            "total_lookahead": self.lookahead, "d_model_frontend": self.width, "c1": 2 * self.width, "c2": self.width,
            "frontend_state_shapes": {
                "sample_buffer": [1, FRAME - 1], "sample_len": [1], "conv1_buffer": [1, self.width, KERNEL - 1],
                "conv2_buffer": [1, 2 * self.width, KERNEL - 1], "frame_count": [1],
            },
        }


def random_weights(shape, seed):
    weights = RandomWeights(seed)
    add, linear, norm = weights.add, weights.linear, weights.norm

    inner = shape.heads * shape.head
    linear("front", FRAME, shape.width)
    for nth, (inputs, outputs) in enumerate([(shape.width, 2 * shape.width), (2 * shape.width, shape.width)], 1):
        add(f"conv{nth}", outputs, inputs, KERNEL, scale=0.25)
        add(f"conv{nth}.bias", outputs, scale=0.1)
    for layer in range(shape.depth):
        for part in ("att", "mlp"):
            norm(f"enc.{layer}.{part}.norm", shape.width)
        for part in "qkv":
            add(f"enc.{layer}.{part}", shape.width, inner)
        add(f"enc.{layer}.o", inner, shape.width)
        linear(f"enc.{layer}.up", shape.width, shape.wide)
        linear(f"enc.{layer}.down", shape.wide, shape.width)
    norm("enc.norm", shape.width)
    add("positions", POSITIONS, shape.width, scale=0.5)
    add("project", shape.width, shape.decoder)
    add("embed", shape.words, shape.decoder, scale=1)
    for layer in range(shape.depth):
        for part in ("self", "cross", "mlp"):
            norm(f"dec.{layer}.{part}.norm", shape.decoder)
        for part in ("self", "cross"):
            for each in "qkv":
                add(f"dec.{layer}.{part}.{each}", shape.decoder, inner, scale=0.6)
            add(f"dec.{layer}.{part}.o", inner, shape.decoder, scale=0.6)
        linear(f"dec.{layer}.up", shape.decoder, 2 * shape.wide)
        linear(f"dec.{layer}.down", shape.wide, shape.decoder)
    norm("dec.norm", shape.decoder)
    add("head", shape.decoder, shape.words, scale=1)
    return weights


def rates(shape):
    """The rates of the rotary positions."""
    return 10000.0 ** (-np.arange(0, shape.head, 2, dtype=np.float32) / shape.head)
