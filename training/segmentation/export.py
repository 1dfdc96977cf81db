"""Command: writes the student as a float ONNX file, waveform to log probabilities.

python3 -m segmentation.export --weights student.npz --out segmentation.onnx"""
import argparse
import os

import numpy as np

from speech.onnx_file import FLOAT, Graph

from . import front
from .frames import FRAMES, SAMPLES
from .powerset import CLASSES

HEADS = 4
EPSILON = 1e-5


class Writer:
    """Adds the layers of the student to a graph."""

    def __init__(self, weights):
        self.graph, self.weights = Graph("segmentation"), weights

    def constant(self, array, kind=np.float32):
        return self.graph.constant(np.asarray(array, kind))

    def integers(self, *values):
        return self.constant(values, np.int64)

    def node(self, op, *inputs, **attributes):
        return self.graph.node(op, list(inputs), **attributes)

    def swapped(self, x):
        return self.node("Transpose", x, perm=[0, 2, 1])

    def silu(self, x):
        return self.node("Mul", x, self.node("Sigmoid", x))

    def linear(self, x, name):
        product = self.node("MatMul", x, self.constant(self.weights[name + ".weight"].T.copy()))
        return self.node("Add", product, self.constant(self.weights[name + ".bias"]))

    def norm(self, x, name):
        parts = (self.constant(self.weights[f"{name}.{part}"]) for part in ("weight", "bias"))
        return self.node("LayerNormalization", x, *parts, axis=-1, epsilon=EPSILON)

    def conv(self, x, name, stride=1, group=1):
        weight = self.weights[name + ".weight"]
        pad = weight.shape[2] // 2
        return self.node(
            "Conv", x, self.constant(weight), self.constant(self.weights[name + ".bias"]),
            kernel_shape=[weight.shape[2]], strides=[stride], pads=[pad, pad], group=group,
        )

    def standardised(self, x, channels):
        return self.node("InstanceNormalization", x, self.constant(np.ones(channels)), self.constant(np.zeros(channels)), epsilon=EPSILON)

    def power(self, x, waves, span, step):
        part = self.node("Slice", x, self.integers(span[0]), self.integers(span[1]), self.integers(2))
        half = len(waves) // 2
        y = self.node("Conv", part, self.constant(waves), kernel_shape=[waves.shape[2]], strides=[step])
        squares = self.node("Mul", y, y)
        cosines = self.node("Slice", squares, self.integers(0), self.integers(half), self.integers(1))
        sines = self.node("Slice", squares, self.integers(half), self.integers(2 * half), self.integers(1))
        return self.node("Add", cosines, sines)

    def log(self, x):
        return self.node("Log", self.node("Add", x, self.constant(front.FLOOR)))

    def attention(self, x, name):
        width = self.weights[name + ".out.bias"].shape[0]
        qkv = self.node("Reshape", self.linear(x, name + ".qkv"), self.integers(0, 0, 3, HEADS, width // HEADS))
        turned = self.node("Transpose", qkv, perm=[2, 0, 3, 1, 4])
        q, k, v = (self.node("Gather", turned, self.constant(part, np.int64), axis=0) for part in range(3))
        scaled = self.node("Mul", q, self.constant(1 / np.sqrt(width // HEADS)))
        alike = self.node("MatMul", scaled, self.node("Transpose", k, perm=[0, 1, 3, 2]))
        mixed = self.node("MatMul", self.node("Softmax", alike, axis=-1), v)
        joined = self.node("Reshape", self.node("Transpose", mixed, perm=[0, 2, 1, 3]), self.integers(0, 0, width))
        return self.linear(joined, name + ".out")

    def local(self, x, name):
        width = self.weights[name + ".out.bias"].shape[0]
        value, gate = self.graph.node("Split", [self.linear(x, name + ".gate"), self.integers(width, width)], outputs=2, axis=-1)
        gated = self.swapped(self.node("Mul", value, self.node("Sigmoid", gate)))
        return self.linear(self.silu(self.swapped(self.conv(gated, name + ".depthwise", group=width))), name + ".out")

    def block(self, x, name):
        x = self.node("Add", x, self.attention(self.norm(x, name + ".norm1"), name + ".attention"))
        x = self.node("Add", x, self.local(self.norm(x, name + ".norm2"), name + ".local"))
        return self.node("Add", x, self.linear(self.silu(self.linear(self.norm(x, name + ".norm3"), name + ".up")), name + ".down"))


def build(weights):
    writer = Writer(weights)
    x = writer.standardised(writer.graph.input("x", FLOAT, ["windows", 1, SAMPLES]), 1)
    bands = writer.power(x, front.mel_waves(), front.MEL_SPAN, front.STEP)
    mels = writer.swapped(writer.node("MatMul", writer.swapped(bands), writer.constant(front.mel_filters())))
    mels = writer.standardised(writer.log(mels), front.MELS)
    tones = writer.power(x, front.tone_waves(), front.TONE_SPAN, front.TONE_STEP)
    tones = writer.standardised(writer.log(tones), front.TONES)
    stem = writer.silu(writer.conv(mels, "stem"))
    x = writer.swapped(writer.silu(writer.node("Add", writer.conv(stem, "halve", stride=2), writer.conv(tones, "tones"))))
    for index in range(len({name.split(".")[1] for name in weights if name.startswith("blocks.")})):
        x = writer.block(x, f"blocks.{index}")
    x = writer.linear(writer.norm(x, "norm"), "widen")
    narrow = weights["skip.bias"].shape[0]
    x = writer.node("Reshape", x, writer.integers(0, -1, narrow))
    x = writer.swapped(writer.node("Slice", x, writer.integers(0), writer.integers(FRAMES), writer.integers(1)))
    x = writer.silu(writer.node("Add", x, writer.conv(stem, "skip")))
    x = writer.node("Add", writer.silu(writer.conv(x, "refine")), x)
    y = writer.node("LogSoftmax", writer.swapped(writer.conv(x, "head")), axis=-1)
    writer.graph.output(y, "y", FLOAT, ["windows", FRAMES, len(CLASSES)])
    return writer.graph


def main():
    out = argparse.ArgumentParser(description=__doc__)
    out.add_argument("--weights", required=True)
    out.add_argument("--out", required=True)
    options = out.parse_args()
    with np.load(options.weights) as file:
        build({name: file[name].astype(np.float32) for name in file}).save(options.out)
    print(f"{os.path.getsize(options.out) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
