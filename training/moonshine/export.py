"""Writes a Moonshine streaming model in its published form: five graphs with their names, shapes and states."""
import json
import os

import numpy as np

from fastconformer.export import Writer
from speech.onnx_file import FLOAT, INT64, value_info

from .shapes import FRAME, KERNEL, rates

ALL = 2**31


class StreamingWriter(Writer):
    def out(self, value, name, kind, *dims):
        self.graph.output(value, name, kind, list(dims))

    def given(self, name, kind, *dims):
        return self.graph.input(name, kind, list(dims))

    def span(self, x, first, last, axis):
        return self.op("Slice", x, first, last, self.ints(axis))

    def scalar(self, x):
        return self.op("Squeeze", x, self.ints(0))

    def convolve(self, x, name):
        kernel, bias = (self.graph.constant(self.weights[name + part]) for part in ("", ".bias"))
        return self.op("Conv", x, kernel, bias, kernel_shape=[KERNEL], strides=[2])

    def frontend(self):
        width = self.shape.width
        chunk, buffered = self.given("audio_chunk", FLOAT, 1, "chunk_len"), self.given("sample_buffer", FLOAT, 1, FRAME - 1)
        length, before = self.given("sample_len", INT64, 1), {}
        for nth, size in enumerate([width, 2 * width], 1):
            before[nth] = self.given(f"conv{nth}_buffer", FLOAT, 1, size, KERNEL - 1)
        count = self.given("frame_count", INT64, 1)
        samples = self.op("Concat", self.span(buffered, self.ints(0), length, 1), chunk, axis=1)
        frames = self.op("Div", self.size_of(samples, 1), self.ints(FRAME))
        used = self.op("Mul", frames, self.ints(FRAME))
        x = self.op("Reshape", self.span(samples, self.ints(0), used, 1), self.ints(1, -1, FRAME))
        x = self.op("Sub", x, self.op("ReduceMean", x, axes=[-1]))
        power = self.op("ReduceMean", self.op("Mul", x, x), axes=[-1])
        x = self.op("Div", x, self.op("Sqrt", self.op("Add", power, self.const(1e-6))))
        x = self.swish(self.linear(self.op("Asinh", self.op("Mul", x, self.const(1.5))), "front"))
        hidden = self.op("Transpose", x, perm=[0, 2, 1])
        inner = self.swish(self.convolve(self.op("Concat", before[1], hidden, axis=2), "conv1"))
        features = self.convolve(self.op("Concat", before[2], inner, axis=2), "conv2")
        rest = self.span(samples, used, self.ints(ALL), 1)
        padded = self.op("Concat", rest, self.graph.constant(np.zeros((1, FRAME - 1), np.float32)), axis=1)
        self.out(self.op("Transpose", features, perm=[0, 2, 1]), "features", FLOAT, 1, "feat_len", width)
        self.out(self.span(padded, self.ints(0), self.ints(FRAME - 1), 1), "sample_buffer_out", FLOAT, 1, FRAME - 1)
        self.out(self.size_of(rest, 1), "sample_len_out", INT64, 1)
        for nth, value in enumerate([hidden, inner], 1):
            last = self.span(value, self.ints(1 - KERNEL), self.ints(ALL), 2)
            self.out(last, f"conv{nth}_buffer_out", FLOAT, 1, nth * width, "kept")
        self.out(self.op("Add", count, frames), "frame_count_out", INT64, 1)

    def split(self, x):
        return self.op("Transpose", self.op("Reshape", x, self.ints(1, -1, self.shape.heads, self.shape.head)), perm=[0, 2, 1, 3])

    def joined(self, x):
        return self.op("Reshape", self.op("Transpose", x, perm=[0, 2, 1, 3]), self.ints(1, -1, self.shape.heads * self.shape.head))

    def chances(self, query, key, allowed=None):
        scores = self.op("MatMul", query, self.op("Transpose", key, perm=[0, 1, 3, 2]))
        scores = self.op("Mul", scores, self.const(self.shape.head**-0.5))
        if allowed is not None:
            scores = self.op("Where", allowed, scores, self.const(-1e9))
        return self.op("Softmax", scores, axis=-1)

    def range(self, first, last):
        return self.op("Range", first, last, self.const(1, np.int64))

    def encoder(self):
        x = self.given("features", FLOAT, 1, "feat_len", self.shape.width)
        places = self.range(self.const(0, np.int64), self.scalar(self.size_of(x, 1)))
        apart = self.op("Sub", self.op("Unsqueeze", places, self.ints(1)), self.op("Unsqueeze", places, self.ints(0)))
        for layer, (back, ahead) in enumerate(self.shape.windows):
            name = f"enc.{layer}"
            seen = [self.op("LessOrEqual", apart, self.const(back, np.int64)), self.op("GreaterOrEqual", apart, self.const(-ahead, np.int64))]
            normed = self.norm(x, name + ".att.norm")
            query, key, value = (self.split(self.product(normed, f"{name}.{part}")) for part in "qkv")
            mixed = self.op("MatMul", self.chances(query, key, self.op("And", *seen)), value)
            x = self.op("Add", x, self.product(self.joined(mixed), name + ".o"))
            inner = self.linear(self.norm(x, name + ".mlp.norm"), name + ".up")
            half = self.op("Add", self.op("Erf", self.op("Mul", inner, self.const(0.5**0.5))), self.const(1))
            inner = self.op("Mul", self.op("Mul", inner, half), self.const(0.5))
            x = self.op("Add", x, self.linear(inner, name + ".down"))
        self.out(self.norm(x, "enc.norm"), "encoded", FLOAT, 1, "feat_len", self.shape.width)

    def adapter(self):
        x = self.given("encoded", FLOAT, 1, "enc_len", self.shape.width)
        first = self.given("pos_offset", INT64, 1)
        places = self.graph.constant(self.weights["positions"][None])
        own = self.span(places, first, self.op("Add", first, self.size_of(x, 1)), 1)
        self.out(self.product(self.op("Add", x, own), "project"), "memory", FLOAT, 1, "enc_len", self.shape.decoder)

    def cross_kv(self):
        memory = self.given("memory", FLOAT, 1, "mem_len", self.shape.decoder)
        for part in "kv":
            layers = [self.split(self.product(memory, f"dec.{layer}.cross.{part}")) for layer in range(self.shape.depth)]
            stacked = self.op("Concat", *[self.op("Unsqueeze", each, self.ints(0)) for each in layers], axis=0)
            self.out(stacked, part + "_cross", FLOAT, *self.cache("mem_len"))

    def cache(self, length):
        return self.shape.depth, 1, self.shape.heads, length, self.shape.head

    def turned(self, x, places):
        angles = self.op("Mul", self.op("Unsqueeze", self.op("Cast", places, to=FLOAT), self.ints(1)), self.const(rates(self.shape)[None]))
        cos, sin = self.op("Cos", angles), self.op("Sin", angles)
        a, b = self.graph.node("Split", [x], 2, axis=-1)
        first = self.op("Sub", self.op("Mul", a, cos), self.op("Mul", b, sin))
        return self.op("Concat", first, self.op("Add", self.op("Mul", b, cos), self.op("Mul", a, sin)), axis=-1)

    def decoder(self, attention):
        token = self.given("token", INT64, 1, "token_len")
        past = [self.given(name, FLOAT, *self.cache("cache_len")) for name in ("k_self", "v_self")]
        cross = [self.given(name, FLOAT, *self.cache("memory_len")) for name in ("out_k_cross", "out_v_cross")]
        layer_of = lambda cache, layer: self.op("Gather", cache, self.const(layer, np.int64), axis=0)
        cached = self.scalar(self.size_of(past[0], 3))
        end = self.op("Add", cached, self.scalar(self.size_of(token, 1)))
        own, all_places = self.range(cached, end), self.range(self.const(0, np.int64), end)
        causal = self.op("LessOrEqual", self.op("Unsqueeze", all_places, self.ints(0)), self.op("Unsqueeze", own, self.ints(1)))
        x, present = self.op("Gather", self.graph.constant(self.weights["embed"]), token), ([], [])
        for layer in range(self.shape.depth):
            name = f"dec.{layer}"
            normed = self.norm(x, name + ".self.norm")
            query, key, value = (self.split(self.product(normed, f"{name}.self.{part}")) for part in "qkv")
            key = self.op("Concat", layer_of(past[0], layer), self.turned(key, own), axis=2)
            value = self.op("Concat", layer_of(past[1], layer), value, axis=2)
            present[0].append(key)
            present[1].append(value)
            mixed = self.op("MatMul", self.chances(self.turned(query, own), key, causal), value)
            x = self.op("Add", x, self.product(self.joined(mixed), name + ".self.o"))
            query = self.split(self.product(self.norm(x, name + ".cross.norm"), name + ".cross.q"))
            chances = self.chances(query, layer_of(cross[0], layer))
            if attention:
                self.out(chances, f"cross_attentions.{layer}", FLOAT, 1, self.shape.heads, "token_len", "memory_len")
            x = self.op("Add", x, self.product(self.joined(self.op("MatMul", chances, layer_of(cross[1], layer))), name + ".cross.o"))
            inner, gate = self.graph.node("Split", [self.linear(self.norm(x, name + ".mlp.norm"), name + ".up")], 2, axis=-1)
            x = self.op("Add", x, self.linear(self.op("Mul", inner, self.swish(gate)), name + ".down"))
        self.out(self.product(self.norm(x, "dec.norm"), "head"), "logits", FLOAT, 1, "token_len", self.shape.words)
        for name, layers in zip(("out_k_self", "out_v_self"), present):
            stacked = self.op("Concat", *[self.op("Unsqueeze", each, self.ints(0)) for each in layers], axis=0)
            self.out(stacked, name, FLOAT, *self.cache("present_len"))
        # The published graphs return the keys of the audio unchanged.
        for name in ("out_k_cross", "out_v_cross"):
            self.graph.outputs.append(value_info(name, FLOAT, self.cache("memory_len")))


def write_export(folder, shape, weights):
    os.makedirs(folder, exist_ok=True)
    graphs = {
        "frontend": StreamingWriter.frontend, "encoder": StreamingWriter.encoder, "adapter": StreamingWriter.adapter,
        "cross_kv": StreamingWriter.cross_kv, "decoder_kv_with_attention": lambda writer: writer.decoder(True),
    }
    for name, write in graphs.items():
        writer = StreamingWriter(shape, weights, name)
        write(writer)
        writer.graph.save(os.path.join(folder, name + ".onnx"))
    with open(os.path.join(folder, "streaming_config.json"), "w", encoding="utf8") as file:
        json.dump(shape.config(), file)
