"""Writes ONNX files with numpy alone, using the few parts of the protobuf format that a graph needs."""
import struct

import numpy as np

TYPES = {np.dtype(np.float32): 1, np.dtype(np.uint8): 2, np.dtype(np.int8): 3, np.dtype(np.int32): 6, np.dtype(np.int64): 7}
FLOAT, INT32, INT64 = 1, 6, 7
IR_VERSION, OPSET = 8, 17


def varint(number):
    number &= (1 << 64) - 1
    out = bytearray()
    while True:
        byte, number = number & 127, number >> 7
        if not number:
            out.append(byte)
            return bytes(out)
        out.append(byte | 128)


def field(number, value):
    if isinstance(value, bool) or isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def tensor(name, array):
    array = np.array(array, order="C")
    dims = b"".join(field(1, int(size)) for size in array.shape)
    return dims + field(2, TYPES[array.dtype]) + field(8, name) + field(9, array.astype(array.dtype.newbyteorder("<")).tobytes())


def attribute(name, value):
    head = field(1, name)
    if isinstance(value, int):
        return head + field(3, value) + field(20, 2)
    if isinstance(value, float):
        return head + field(2, value) + field(20, 1)
    return head + b"".join(field(8, int(each)) for each in value) + field(20, 7)


def value_info(name, kind, dims):
    shape = b"".join(field(1, field(2, size) if isinstance(size, str) else field(1, size)) for size in dims)
    return field(1, name) + field(2, field(1, field(1, kind) + field(2, shape)))


class Graph:
    """Collects nodes and constants. Each call returns the name of its result."""

    def __init__(self, title="tagger"):
        self.title = title
        self.nodes, self.constants, self.inputs, self.outputs = [], [], [], []
        self.count = 0

    def name(self):
        self.count += 1
        return f"t{self.count}"

    def constant(self, array):
        name = self.name()
        self.constants.append(tensor(name, np.asarray(array)))
        return name

    def node(self, op, inputs, outputs=1, domain="", **attributes):
        names = [self.name() for _ in range(outputs)]
        body = b"".join(field(1, each) for each in inputs) + b"".join(field(2, each) for each in names)
        body += field(3, f"n{self.count}") + field(4, op)
        body += b"".join(field(5, attribute(key, value)) for key, value in attributes.items())
        if domain:
            body += field(7, domain)
        self.nodes.append(body)
        return names[0] if outputs == 1 else names

    def input(self, name, kind, dims):
        self.inputs.append(value_info(name, kind, dims))
        return name

    def output(self, value, name, kind, dims):
        body = field(1, value) + field(2, name) + field(3, f"out-{name}") + field(4, "Identity")
        self.nodes.append(body)
        self.outputs.append(value_info(name, kind, dims))

    def save(self, path):
        graph = b"".join(field(1, node) for node in self.nodes) + field(2, self.title)
        graph += b"".join(field(5, each) for each in self.constants)
        graph += b"".join(field(11, each) for each in self.inputs) + b"".join(field(12, each) for each in self.outputs)
        opsets = field(8, field(1, "") + field(2, OPSET)) + field(8, field(1, "com.microsoft") + field(2, 1))
        with open(path, "wb") as file:
            file.write(field(1, IR_VERSION) + field(2, "faircopy") + field(7, graph) + opsets)
