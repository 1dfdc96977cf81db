"""Reads the weights from an exported file, so that training can continue from the published model."""
import numpy as np

from speech.onnx_file import TYPES

MODEL_GRAPH, GRAPH_NODE, GRAPH_CONSTANT = 7, 1, 5
DTYPES = {number: dtype for dtype, number in TYPES.items()}


def fields(data):
    """Yields (number, value) of each field of a protobuf message: varints as int, other fields as bytes."""
    at = 0

    def varint():
        nonlocal at
        out = shift = 0
        while True:
            byte = data[at]
            at += 1
            out |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return out

    while at < len(data):
        key = varint()
        number, wire = key >> 3, key & 7
        if wire == 0:
            yield number, varint()
        else:
            size = varint() if wire == 2 else 4
            yield number, data[at:at + size]
            at += size


class Node:
    def __init__(self, data):
        parts = list(fields(data))
        self.inputs = [bytes(value).decode() for number, value in parts if number == 1]
        self.op = next(bytes(value).decode() for number, value in parts if number == 4)


def constant(data):
    parts = list(fields(data))
    shape = [value for number, value in parts if number == 1]
    found = dict((number, value) for number, value in parts if number != 1)
    return bytes(found[8]).decode(), np.frombuffer(found[9], DTYPES[found[2]]).reshape(shape)


def graph_of(path):
    """The nodes of a file, and its constants by name."""
    with open(path, "rb") as file:
        model = dict(fields(memoryview(file.read())))
    nodes, values = [], {}
    for number, value in fields(model[MODEL_GRAPH]):
        if number == GRAPH_NODE:
            nodes.append(Node(value))
        elif number == GRAPH_CONSTANT:
            name, array = constant(value)
            values[name] = array
    return nodes, values


def read_onnx(path):
    nodes, values = graph_of(path)
    of = lambda op: [node for node in nodes if node.op == op]
    matmuls, norms = of("DynamicQuantizeMatMul"), of("LayerNormalization")
    layers = range((len(matmuls) - 1) // 4)
    weights = {}
    names = ["project"] + [f"layers.{n}.{part}" for n in layers for part in ("qkv", "out", "up", "down")]
    for name, node in zip(names, matmuls):
        rows, scale, zeros, bias = (values[node.inputs[k]] for k in (1, 2, 3, 4))
        weights[name + ".weight"] = ((rows.astype(np.float32) - zeros) * scale).T.copy()
        weights[name + ".bias"] = bias
    names = ["norm_in"] + [f"layers.{n}.{part}" for n in layers for part in ("norm1", "norm2")] + ["norm_out"]
    for name, node in zip(names, norms):
        weights[name + ".weight"], weights[name + ".bias"] = (values[node.inputs[k]] for k in (1, 2))
    # The tables in graph order: word pieces, their scales, signals.
    table, scales, signals = (values[node.inputs[0]] for node in of("Gather")[:3])
    weights["embedding.weight"], weights["signal.weight"] = table.astype(np.float32) * scales, signals
    weights["position.weight"] = next(values[node.inputs[0]] for node in of("Slice") if node.inputs[0] in values)
    weights["head.weight"] = values[of("MatMul")[-1].inputs[1]].T.copy()
    weights["head.bias"] = values[of("Add")[-1].inputs[1]]
    return weights
