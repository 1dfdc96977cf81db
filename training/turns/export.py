"""Command: writes the detector as a float ONNX file.

python3 -m turns.export --weights detector.npz --out turns.onnx"""
import argparse
import os

import numpy as np

from speech.onnx_file import FLOAT, INT64, Graph

from .contour import STEPS
from .words import WORDS

# PyTorch orders the gates reset, update, new; ONNX orders them update, reset, new.
GATES = (1, 0, 2)


def reordered(array):
    parts = array.reshape(3, -1, *array.shape[1:])
    return parts[list(GATES)].reshape(array.shape)


def build(weights):
    graph = Graph("turns")
    constant = lambda array, kind=np.float32: graph.constant(np.asarray(array, kind))
    integers = lambda *values: constant(values, np.int64)
    node = lambda op, *inputs, **attributes: graph.node(op, list(inputs), **attributes)
    linear = lambda x, name: node("Add", node("MatMul", x, constant(weights[name + ".weight"].T.copy())), constant(weights[name + ".bias"]))
    ids = graph.input("words", INT64, ["pauses", WORDS, 2])
    contour = graph.input("contour", FLOAT, ["pauses", 3, STEPS])
    pause = graph.input("pause", FLOAT, ["pauses", 1])
    turn = graph.input("turn", FLOAT, ["pauses", 1])
    width = weights["gru.weight_hh_l0"].shape[1]
    embedded = node("ReduceSum", node("Gather", constant(weights["words.weight"]), ids), integers(2), keepdims=0)
    bias = np.concatenate([reordered(weights["gru.bias_ih_l0"]), reordered(weights["gru.bias_hh_l0"])])
    _, last = graph.node(
        "GRU",
        [
            node("Transpose", embedded, perm=[1, 0, 2]), constant(reordered(weights["gru.weight_ih_l0"])[None]),
            constant(reordered(weights["gru.weight_hh_l0"])[None]), constant(bias[None]),
        ],
        outputs=2, hidden_size=width, linear_before_reset=1,
    )
    text = node("Squeeze", last, integers(0))
    x = contour
    for index in range(len([name for name in weights if name.startswith("convolutions.") and name.endswith("bias")])):
        name = f"convolutions.{index}"
        x = node(
            "Conv", x, constant(weights[name + ".weight"]), constant(weights[name + ".bias"]),
            kernel_shape=[5], strides=[1 if index == 0 else 2], pads=[2, 2],
        )
        x = node("Relu", x)
    tone = node("Relu", linear(node("Flatten", x, axis=1), "sound"))
    times = [
        pause, node("Log", node("Add", pause, constant(0.05))), node("Sqrt", pause), node("Log", node("Add", turn, constant(1.0))),
    ]
    x = node("Concat", text, tone, *times, axis=1)
    x = node("Relu", linear(node("Relu", linear(x, "first")), "second"))
    graph.output(node("Sigmoid", linear(x, "head")), "ended", FLOAT, ["pauses", 1])
    return graph


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
