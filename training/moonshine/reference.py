"""Moonshine streaming in numpy: all audio at once, written independently of the server and the export."""
import math

import numpy as np

from .shapes import BEGIN, END, FRAME, KERNEL, rates

BLOCK = 640
erf = np.vectorize(math.erf)
silu = lambda x: x / (1 + np.exp(-x))


def softmax(x):
    grown = np.exp(x - x.max(-1, keepdims=True))
    return grown / grown.sum(-1, keepdims=True)


class Network:
    def __init__(self, shape, weights):
        self.shape = shape
        self.weights = {name: value.astype(np.float64) for name, value in weights.items()}

    def norm(self, x, name):
        centred = x - x.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5)
        return scaled * self.weights[name] + self.weights[name + ".bias"]

    def linear(self, x, name):
        return x @ self.weights[name] + self.weights[name + ".bias"]

    def convolve(self, x, name):
        """A causal convolution with stride 2."""
        padded = np.concatenate([np.zeros((KERNEL - 1, x.shape[1])), x])
        kernel = self.weights[name]
        places = range(0, len(x), 2)
        return np.stack([np.einsum("oik,ki->o", kernel, padded[at : at + KERNEL]) for at in places]) + self.weights[name + ".bias"]

    def features(self, samples):
        padded = np.concatenate([samples, np.zeros(-len(samples) % BLOCK)]).astype(np.float64)
        x = padded.reshape(-1, FRAME)
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6)
        x = silu(self.linear(np.arcsinh(1.5 * x), "front"))
        return self.convolve(silu(self.convolve(x, "conv1")), "conv2")

    def heads(self, x):
        return x.reshape(len(x), self.shape.heads, self.shape.head).transpose(1, 0, 2)

    def mixed(self, query, key, value, allowed=None):
        scores = query @ key.transpose(0, 2, 1) / np.sqrt(self.shape.head)
        if allowed is not None:
            scores = np.where(allowed, scores, -np.inf)
        return (softmax(scores) @ value).transpose(1, 0, 2).reshape(query.shape[1], -1)

    def encode(self, samples):
        x = self.features(samples)
        apart = np.arange(len(x))[:, None] - np.arange(len(x))[None]
        for layer, (back, ahead) in enumerate(self.shape.windows):
            name = f"enc.{layer}"
            normed = self.norm(x, name + ".att.norm")
            query, key, value = (self.heads(normed @ self.weights[f"{name}.{part}"]) for part in "qkv")
            x = x + self.mixed(query, key, value, (apart <= back) & (apart >= -ahead)) @ self.weights[name + ".o"]
            inner = self.linear(self.norm(x, name + ".mlp.norm"), name + ".up")
            x = x + self.linear(inner * 0.5 * (1 + erf(inner / np.sqrt(2))), name + ".down")
        return self.norm(x, "enc.norm")

    def keys(self, encoded):
        """(keys, values) of the audio for each decoder layer."""
        memory = (encoded + self.weights["positions"][: len(encoded)]) @ self.weights["project"]
        return [tuple(self.heads(memory @ self.weights[f"dec.{layer}.cross.{part}"]) for part in "kv") for layer in range(self.shape.depth)]

    def turned(self, x):
        angles = np.arange(x.shape[1])[:, None] * rates(self.shape).astype(np.float64)[None]
        cos, sin = np.cos(angles), np.sin(angles)
        a, b = np.split(x, 2, -1)
        return np.concatenate([a * cos - b * sin, b * cos + a * sin], -1)

    def logits(self, tokens, keys):
        """The logits after each token, computed without a cache."""
        x = self.weights["embed"][tokens]
        causal = np.tri(len(tokens), dtype=bool)
        for layer, (key, value) in enumerate(keys):
            name = f"dec.{layer}"
            normed = self.norm(x, name + ".self.norm")
            query, own, said = (self.heads(normed @ self.weights[f"{name}.self.{part}"]) for part in "qkv")
            x = x + self.mixed(self.turned(query), self.turned(own), said, causal) @ self.weights[name + ".self.o"]
            query = self.heads(self.norm(x, name + ".cross.norm") @ self.weights[name + ".cross.q"])
            x = x + self.mixed(query, key, value) @ self.weights[name + ".cross.o"]
            inner, gate = np.split(self.linear(self.norm(x, name + ".mlp.norm"), name + ".up"), 2, -1)
            x = x + self.linear(inner * silu(gate), name + ".down")
        return self.norm(x, "dec.norm") @ self.weights["head"]

    def decode(self, keys, most):
        """The tokens with their log-probabilities, and the smallest lead of a choice over the next."""
        tokens, chances, lead = [BEGIN], [], np.inf
        while len(tokens) <= most:
            row = self.logits(tokens, keys)[-1]
            best = np.sort(row)[-2:]
            lead = min(lead, best[1] - best[0])
            token = int(row.argmax())
            if token == END:
                break
            tokens.append(token)
            chances.append(row[token] - row.max() - np.log(np.exp(row - row.max()).sum()))
        return tokens[1:], chances, lead
