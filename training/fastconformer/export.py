"""Writes a FastConformer with the files, names, shapes and quantisation of the common ONNX exports of NeMo."""
import json
import os

import numpy as np

from speech.onnx_file import FLOAT, INT32, INT64, Graph

from .quantise import weight_bytes
from .shapes import SUBSAMPLING, positions, tokens

FRAMES_MAX = 512


class Writer:
    """Writes the layers of a graph. Products and convolutions use bytes if the shape is quantised."""

    def __init__(self, shape, weights, title):
        self.shape, self.weights, self.graph = shape, weights, Graph(title)
        self.places = None

    def op(self, name, *inputs, **attributes):
        return self.graph.node(name, list(inputs), **attributes)

    def const(self, value, kind=np.float32):
        return self.graph.constant(np.array(value, kind))

    def ints(self, *values):
        return self.const(values, np.int64)

    def size_of(self, x, axis):
        return self.op("Gather", self.op("Shape", x), self.const([axis], np.int64))

    def in_bytes(self, x, name, op, **attributes):
        """Quantises, multiplies and converts back."""
        table, scale, zero = weight_bytes(self.weights[name], self.shape.quantised)
        given, step, given_zero = self.graph.node("DynamicQuantizeLinear", [x], 3)
        sums = self.op(op, given, self.graph.constant(table), given_zero, self.graph.constant(zero), **attributes)
        return self.op("Mul", self.op("Cast", sums, to=FLOAT), self.op("Mul", step, self.const(scale)))

    def product(self, x, name):
        if self.shape.quantised:
            return self.in_bytes(x, name, "MatMulInteger")
        return self.op("MatMul", x, self.graph.constant(self.weights[name]))

    def linear(self, x, name):
        return self.op("Add", self.product(x, name), self.graph.constant(self.weights[name + ".bias"]))

    def conv(self, x, name, stride=1, groups=1):
        kernel, bias = self.weights[name], self.weights[name + ".bias"]
        reach = [size // 2 for size in kernel.shape[2:]]
        options = dict(pads=reach + reach, strides=[stride] * len(reach), kernel_shape=list(kernel.shape[2:]), group=groups)
        if not self.shape.quantised:
            return self.op("Conv", x, self.graph.constant(kernel), self.graph.constant(bias), **options)
        sums = self.in_bytes(x, name, "ConvInteger", **options)
        return self.op("Add", sums, self.graph.constant(bias.reshape(1, -1, *[1] * len(reach))))

    def norm(self, x, name):
        scale, bias = (self.graph.constant(self.weights[name + part]) for part in ("", ".bias"))
        return self.op("LayerNormalization", x, scale, bias, axis=-1, epsilon=1e-5)

    def swish(self, x):
        return self.op("Mul", x, self.op("Sigmoid", x))

    def valid(self, x, axis, length):
        """1 for the positions before `length`, 0 after them."""
        size = self.op("Squeeze", self.size_of(x, axis), self.ints(0))
        places = self.op("Range", self.const(0, np.int64), size, self.const(1, np.int64))
        return self.op("Cast", self.op("Less", places, length), to=FLOAT)

    def halved(self, length):
        once = self.op("Div", self.op("Sub", length, self.ints(1)), self.ints(2))
        return self.op("Add", once, self.ints(1))

    def subsample(self, audio, length):
        x = self.op("Unsqueeze", self.op("Transpose", audio, perm=[0, 2, 1]), self.ints(1))
        for nth in range(3):
            x = self.conv(x, f"pre.{nth}", 2, self.shape.channels if nth else 1)
            length = self.halved(length)
            mask = self.op("Unsqueeze", self.valid(x, 2, length), self.ints(1))
            x = self.op("Mul", x, mask)
            if nth:
                x = self.op("Mul", self.conv(x, f"pre.{nth}.point"), mask)
            x = self.op("Relu", x)
        x = self.op("Reshape", self.op("Transpose", x, perm=[0, 2, 1, 3]), self.ints(0, 0, -1))
        # The published exports instead mask what follows the end, so that it takes part in quantisation.
        return self.linear(self.op("Slice", x, self.ints(0), length, self.ints(1)), "pre.out"), length

    def feed(self, x, name):
        inner = self.swish(self.linear(self.norm(x, name + ".norm"), name + ".1"))
        return self.op("Mul", self.linear(inner, name + ".2"), self.const(0.5))

    def heads(self, x, bias=None):
        split = self.op("Reshape", x, self.ints(0, 0, self.shape.heads, -1))
        if bias is not None:
            split = self.op("Add", split, self.graph.constant(self.weights[bias]))
        return self.op("Transpose", split, perm=[0, 2, 1, 3])

    def attend(self, x, name):
        x = self.norm(x, name + ".norm")
        query, key, value = (self.linear(x, f"{name}.{part}") for part in "qkv")
        frames = self.size_of(x, 1)
        centre = self.ints(FRAMES_MAX - 1)
        first = self.op("Sub", centre, self.op("Sub", frames, self.ints(1)))
        self.places = self.places or self.graph.constant(positions(self.shape.width, FRAMES_MAX)[None])
        places = self.op("Slice", self.places, first, self.op("Add", centre, frames), self.ints(1))
        turned = lambda y: self.op("Transpose", y, perm=[0, 1, 3, 2])
        content = self.op("MatMul", self.heads(query, name + ".u"), turned(self.heads(key)))
        place = self.op("MatMul", self.heads(query, name + ".w"), turned(self.heads(self.product(places, name + ".pos"))))
        # The relative shift of Transformer-XL.
        padded = self.op("Pad", place, self.ints(0, 0, 0, 1, 0, 0, 0, 0))
        rows = self.op("Concat", self.ints(1, self.shape.heads, -1), frames, axis=0)
        shifted = self.op("Slice", self.op("Reshape", padded, rows), self.ints(1), self.ints(2**31), self.ints(2))
        back = self.op("Concat", self.ints(1, self.shape.heads), frames, self.ints(-1), axis=0)
        shifted = self.op("Slice", self.op("Reshape", shifted, back), self.ints(0), frames, self.ints(3))
        size = np.float32(np.sqrt(self.shape.width // self.shape.heads))
        scores = self.op("Div", self.op("Add", content, shifted), self.const(size))
        chances = self.op("Softmax", scores, axis=-1)
        mixed = self.op("Transpose", self.op("MatMul", chances, self.heads(value)), perm=[0, 2, 1, 3])
        return self.linear(self.op("Reshape", mixed, self.ints(0, 0, -1)), name + ".o")

    def convolve(self, x, name):
        x = self.op("Transpose", self.norm(x, name + ".norm"), perm=[0, 2, 1])
        straight, gate = self.graph.node("Split", [self.conv(x, name + ".in")], 2, axis=1)
        x = self.op("Mul", straight, self.op("Sigmoid", gate))
        x = self.swish(self.conv(x, name + ".depth", groups=self.shape.width))
        return self.op("Transpose", self.conv(x, name + ".out"), perm=[0, 2, 1])

    def encoder(self):
        """Returns the output as [1, width, frames], and its length."""
        shape = self.shape
        audio = self.graph.input("audio_signal", FLOAT, ["batch", shape.mels, "time"])
        x, length = self.subsample(audio, self.graph.input("length", INT64, ["batch"]))
        for layer in range(shape.layers):
            x = self.op("Add", x, self.feed(x, f"{layer}.ff1"))
            x = self.op("Add", x, self.attend(x, f"{layer}.att"))
            x = self.op("Add", x, self.convolve(x, f"{layer}.conv"))
            x = self.op("Add", x, self.feed(x, f"{layer}.ff2"))
            x = self.norm(x, f"{layer}.norm")
        x = self.op("Transpose", x, perm=[0, 2, 1])
        return x, length

    def with_spare_frame(self, x, axis, size):
        """Appends a frame, because the published exports also return frames after the end."""
        dims = [1, 1, 1]
        dims[3 - axis] = size
        return self.op("Concat", x, self.graph.constant(np.full(dims, 9, np.float32)), axis=axis)

    def lstm(self, x, hidden, cell, layer):
        w, r = (self.weights[f"lstm.{layer}.{part}"] for part in "wr")
        bias = self.graph.constant(self.weights[f"lstm.{layer}.bias"][None])
        size = self.shape.hidden
        if not self.shape.quantised:
            turned = [self.graph.constant(part.T[None]) for part in (w, r)]
            return self.graph.node("LSTM", [x, *turned, bias, "", hidden, cell], 3, hidden_size=size)
        (wb, ws, wz), (rb, rs, rz) = (weight_bytes(part, self.shape.quantised) for part in (w, r))
        one = lambda value: self.graph.constant(np.array([value]))
        inputs = [x, self.graph.constant(wb[None]), self.graph.constant(rb[None]), bias, "", hidden, cell, ""]
        inputs += [one(ws), one(wz), one(rs), one(rz)]
        return self.graph.node("DynamicQuantizeLSTM", inputs, 3, domain="com.microsoft", hidden_size=size)

    def embed(self, targets):
        if not self.shape.quantised:
            return self.op("Gather", self.graph.constant(self.weights["embed"]), targets)
        table, scale, zero = weight_bytes(self.weights["embed"], self.shape.quantised)
        found = self.op("Gather", self.graph.constant(table), targets)
        return self.op("DequantizeLinear", found, self.graph.constant(scale), self.graph.constant(zero))

    def decoder_joint(self):
        shape, graph = self.shape, self.graph
        frames = graph.input("encoder_outputs", FLOAT, ["batch", shape.width, "time"])
        targets = graph.input("targets", INT32, ["batch", "tokens"])
        graph.input("target_length", INT32, ["batch"])
        dims = [shape.predictor_layers, "batch", shape.hidden]
        states = [graph.input(f"input_states_{nth}", FLOAT, dims) for nth in (1, 2)]
        x = self.op("Transpose", self.embed(targets), perm=[1, 0, 2])
        after = ([], [])
        for layer in range(shape.predictor_layers):
            given = [self.op("Slice", state, self.ints(layer), self.ints(layer + 1), self.ints(0)) for state in states]
            y, hidden, cell = self.lstm(x, *given, layer)
            x = self.op("Squeeze", y, self.ints(1))
            after[0].append(hidden)
            after[1].append(cell)
        heard = self.linear(self.op("Transpose", frames, perm=[0, 2, 1]), "joint.enc")
        said = self.linear(self.op("Transpose", x, perm=[1, 0, 2]), "joint.pred")
        both = self.op("Add", self.op("Unsqueeze", heard, self.ints(2)), self.op("Unsqueeze", said, self.ints(1)))
        graph.output(self.linear(self.op("Relu", both), "joint.out"), "outputs", FLOAT, ["batch", "time", "tokens", shape.outputs])
        for nth, parts in enumerate(after, 1):
            graph.output(self.op("Concat", *parts, axis=0), f"output_states_{nth}", FLOAT, dims)


def write_export(folder, shape, weights, names=None):
    """`names` are the names of the tokens of a trained model."""
    os.makedirs(folder, exist_ok=True)
    ending = ".int8.onnx" if shape.quantised else ".onnx"
    writer = Writer(shape, weights, "encoder")
    x, length = writer.encoder()
    if shape.kind == "ctc":
        rows = writer.op("LogSoftmax", writer.op("Transpose", writer.conv(x, "head"), perm=[0, 2, 1]), axis=-1)
        writer.graph.output(writer.with_spare_frame(rows, 1, shape.vocabulary), "logprobs", FLOAT, ["batch", "time", shape.vocabulary])
        writer.graph.save(os.path.join(folder, "model" + ending))
    else:
        writer.graph.output(writer.with_spare_frame(x, 2, shape.width), "outputs", FLOAT, ["batch", shape.width, "time"])
        writer.graph.output(length, "encoded_lengths", INT64, ["batch"])
        writer.graph.save(os.path.join(folder, "encoder-model" + ending))
        joint = Writer(shape, weights, "decoder_joint")
        joint.decoder_joint()
        joint.graph.save(os.path.join(folder, "decoder_joint-model" + ending))
    config = {"model_type": f"nemo-conformer-{shape.kind}", "features_size": shape.mels, "subsampling_factor": SUBSAMPLING}
    with open(os.path.join(folder, "config.json"), "w", encoding="utf8") as file:
        json.dump({**config, "max_tokens_per_step": 10}, file)
    with open(os.path.join(folder, "vocab.txt"), "w", encoding="utf8") as file:
        file.writelines(f"{token} {nth}\n" for nth, token in enumerate(names or tokens(shape)))
