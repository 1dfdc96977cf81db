"""Command: writes the 8-bit ONNX file. Weights have one scale per output channel; activations are scaled at run time.

python3 -m disfluency.export --weights 'final-*.npz' --out tagger.int8.onnx"""
import argparse
import os

import numpy as np

from .forward import layer_count, load_weights
from speech.onnx_file import FLOAT, INT64, Graph

HEAD_WIDTH = 64
# The unsigned byte that represents zero.
ZERO = 128


def quantise(weight):
    """Quantises rows to int8, with one scale per row."""
    scale = np.maximum(np.abs(weight).max(1), 1e-8) / 127
    return np.clip(np.round(weight / scale[:, None]), -127, 127).astype(np.int8), scale.astype(np.float32)


def small_table(graph, weight, index):
    """Looks up rows of a table stored in int8."""
    values, scale = quantise(weight)
    rows = graph.node("Cast", [graph.node("Gather", [graph.constant(values), index])], to=FLOAT)
    scales = graph.node("Gather", [graph.constant(scale[:, None]), index])
    return graph.node("Mul", [rows, scales])


def matmul(graph, x, weights, name):
    values, scale = quantise(weights[name + ".weight"])
    # Unsigned bytes, because x64 processors without VNNI saturate sums of products of signed bytes at 16 bits.
    unsigned = (values.astype(np.int16) + ZERO).astype(np.uint8)
    zeros = np.full(len(scale), ZERO, np.uint8)
    constants = (unsigned.T.copy(), scale, zeros, weights[name + ".bias"])
    inputs = [x, *(graph.constant(each) for each in constants)]
    return graph.node("DynamicQuantizeMatMul", inputs, domain="com.microsoft")


def norm(graph, x, weights, name):
    inputs = [x, graph.constant(weights[name + ".weight"]), graph.constant(weights[name + ".bias"])]
    return graph.node("LayerNormalization", inputs, axis=-1, epsilon=1e-5)


def build(weights):
    graph = Graph()
    ids = graph.input("ids", INT64, ["windows", "pieces"])
    signals = graph.input("signals", INT64, ["windows", "pieces"])
    width = weights["project.weight"].shape[0]
    heads = width // HEAD_WIDTH
    integers = lambda *values: graph.constant(np.array(values, np.int64))
    embedded = graph.node("Add", [
        small_table(graph, weights["embedding.weight"], ids),
        graph.node("Gather", [graph.constant(weights["signal.weight"]), signals]),
    ])
    length = graph.node("Slice", [graph.node("Shape", [ids]), integers(1), integers(2)])
    positions = graph.node("Slice", [graph.constant(weights["position.weight"]), integers(0), length, integers(0)])
    x = norm(graph, graph.node("Add", [matmul(graph, embedded, weights, "project"), positions]), weights, "norm_in")
    # Padding gets a large negative number before the softmax.
    pad = graph.node("Cast", [graph.node("Equal", [ids, integers(0)])], to=FLOAT)
    mask = graph.node("Unsqueeze", [graph.node("Mul", [pad, graph.constant(np.float32(-1e4))]), integers(1, 2)])
    scale = graph.constant(np.float32(1 / np.sqrt(width // heads)))
    for index in range(layer_count(weights)):
        name = f"layers.{index}."
        qkv = matmul(graph, norm(graph, x, weights, name + "norm1"), weights, name + "qkv")
        split = graph.node("Reshape", [qkv, integers(0, 0, 3, heads, width // heads)])
        turned = graph.node("Transpose", [split], perm=[2, 0, 3, 1, 4])
        q, k, v = (graph.node("Gather", [turned, graph.constant(np.array(part, np.int64))], axis=0) for part in range(3))
        alike = graph.node("MatMul", [graph.node("Mul", [q, scale]), graph.node("Transpose", [k], perm=[0, 1, 3, 2])])
        attention = graph.node("Softmax", [graph.node("Add", [alike, mask])], axis=-1)
        mixed = graph.node("Transpose", [graph.node("MatMul", [attention, v])], perm=[0, 2, 1, 3])
        mixed = graph.node("Reshape", [mixed, integers(0, 0, width)])
        x = graph.node("Add", [x, matmul(graph, mixed, weights, name + "out")])
        up = matmul(graph, norm(graph, x, weights, name + "norm2"), weights, name + "up")
        x = graph.node("Add", [x, matmul(graph, graph.node("FastGelu", [up], domain="com.microsoft"), weights, name + "down")])
    out = norm(graph, x, weights, "norm_out")
    # The head is small and decisive, so it stays in full precision.
    scores = graph.node("Add", [
        graph.node("MatMul", [out, graph.constant(weights["head.weight"].T.copy())]), graph.constant(weights["head.bias"]),
    ])
    graph.output(scores, "scores", FLOAT, ["windows", "pieces", len(weights["head.bias"])])
    return graph


def main():
    out = argparse.ArgumentParser(description=__doc__)
    out.add_argument("--weights", required=True)
    out.add_argument("--out", required=True)
    options = out.parse_args()
    build(load_weights(options.weights)).save(options.out)
    print(f"{os.path.getsize(options.out) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
