"""Writes random speaker embedding models with the graph, inputs and outputs of the common exports.

`python3 -m embeddings.export FILE` writes one of the size of ResNet34, to measure the cost of a real one.
"""
import sys

import numpy as np

from speech.onnx_file import FLOAT, Graph

from .reference import MELS

RESNET34 = {"width": 32, "stages": (3, 4, 6, 3), "dimensions": 256}


def block_names(stages):
    """(name, stride) of every residual block."""
    return [(f"{stage}.{nth}", 2 if stage and not nth else 1) for stage, count in enumerate(stages) for nth in range(count)]


def random_weights(width, stages, dimensions, seed):
    rng = np.random.default_rng(seed)
    weights = {}

    def conv(name, outputs, inputs, size):
        weights[name] = (rng.normal(size=(outputs, inputs, size, size)) / np.sqrt(inputs * size * size)).astype(np.float32)
        weights[name + ".bias"] = (0.1 * rng.normal(size=outputs)).astype(np.float32)

    conv("first", width, 1, 3)
    channels, height = width, MELS
    for name, stride in block_names(stages):
        outputs = channels * stride
        conv(name + ".1", outputs, channels, 3)
        conv(name + ".2", outputs, outputs, 3)
        if stride > 1:
            conv(name + ".skip", outputs, channels, 1)
        channels, height = outputs, -(-height // stride)
    inputs = 2 * channels * height
    weights["out"] = (rng.normal(size=(inputs, dimensions)) / np.sqrt(inputs)).astype(np.float32)
    weights["out.bias"] = (0.1 * rng.normal(size=dimensions)).astype(np.float32)
    return weights


def write_export(path, weights, stages, names):
    """`names` are the names of the input [batch, frames, mels] and of the output."""
    graph = Graph("embedding")
    ints = lambda *values: graph.constant(np.array(values, np.int64))
    op = lambda name, *inputs, **attributes: graph.node(name, list(inputs), **attributes)

    def conv(x, name, stride=1):
        kernel = weights[name]
        reach = kernel.shape[2] // 2
        constants = [graph.constant(kernel), graph.constant(weights[name + ".bias"])]
        return op("Conv", x, *constants, kernel_shape=list(kernel.shape[2:]), pads=[reach] * 4, strides=[stride] * 2)

    given = graph.input(names[0], FLOAT, ["B", "T", MELS])
    x = op("Unsqueeze", op("Transpose", given, perm=[0, 2, 1]), ints(1))
    x = op("Relu", conv(x, "first"))
    for name, stride in block_names(stages):
        inner = conv(op("Relu", conv(x, name + ".1", stride)), name + ".2")
        x = op("Relu", op("Add", conv(x, name + ".skip", stride) if name + ".skip" in weights else x, inner))
    x = op("Transpose", x, perm=[3, 0, 1, 2])
    frames = op("Cast", op("Gather", op("Shape", x), ints(0)), to=FLOAT)
    x = op("Reshape", x, op("Concat", ints(0, 0), ints(-1), axis=0))
    mean = op("ReduceMean", x, axes=[0], keepdims=0)
    squares = op("ReduceSum", op("Mul", *[op("Sub", x, mean)] * 2), ints(0), keepdims=0)
    variance = op("Div", squares, op("Sub", frames, graph.constant(np.float32(1))))
    deviation = op("Sqrt", op("Add", variance, graph.constant(np.float32(1e-7))))
    statistics = op("Concat", mean, deviation, axis=1)
    row = op("Add", op("MatMul", statistics, graph.constant(weights["out"])), graph.constant(weights["out.bias"]))
    graph.output(row, names[1], FLOAT, ["B", weights["out"].shape[1]])
    graph.save(path)


if __name__ == "__main__":
    write_export(sys.argv[1], random_weights(**RESNET34, seed=1), RESNET34["stages"], ("feats", "embs"))
