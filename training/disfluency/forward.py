"""The network's forward pass in numpy: the reference for the export, and fast enough to evaluate on a CPU."""
import glob

import numpy as np


def load_weights(pattern):
    """Weights from one or more npz files, as float32."""
    paths = sorted(glob.glob(pattern))
    if not paths:
        raise FileNotFoundError(pattern)
    weights = {}
    for path in paths:
        with np.load(path) as file:
            for name in file.files:
                weights[name] = file[name].astype(np.float32)
    return weights


def layer_count(weights):
    return 1 + max(int(name.split(".")[1]) for name in weights if name.startswith("layers."))


def layer_norm(x, weights, name):
    mean = x.mean(-1, keepdims=True)
    centred = x - mean
    variance = (centred * centred).mean(-1, keepdims=True)
    return centred / np.sqrt(variance + 1e-5) * weights[name + ".weight"] + weights[name + ".bias"]


def linear(x, weights, name):
    # One large matrix product is much faster than one per window.
    weight = weights[name + ".weight"]
    return (x.reshape(-1, x.shape[-1]) @ weight.T).reshape(*x.shape[:-1], len(weight)) + weights[name + ".bias"]


def gelu(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x * x * x)))


def softmax(x):
    raised = np.exp(x - x.max(-1, keepdims=True))
    return raised / raised.sum(-1, keepdims=True)


def encode(weights, ids, signals, heads):
    """ids and signals: (windows, pieces) int arrays, 0 is padding. Returns the hidden states."""
    mask = np.where(ids > 0, 0.0, -1e4).astype(np.float32)[:, None, None, :]
    x = weights["embedding.weight"][ids] + weights["signal.weight"][signals]
    x = linear(x, weights, "project") + weights["position.weight"][: ids.shape[1]]
    x = layer_norm(x, weights, "norm_in")
    batch, length, width = x.shape
    size = width // heads
    for index in range(layer_count(weights)):
        name = f"layers.{index}."
        h = linear(layer_norm(x, weights, name + "norm1"), weights, name + "qkv")
        q, k, v = h.reshape(batch, length, 3, heads, size).transpose(2, 0, 3, 1, 4)
        attention = softmax(q @ k.transpose(0, 1, 3, 2) / np.sqrt(size).astype(np.float32) + mask)
        mixed = (attention @ v).transpose(0, 2, 1, 3).reshape(batch, length, width)
        x = x + linear(mixed, weights, name + "out")
        x = x + linear(gelu(linear(layer_norm(x, weights, name + "norm2"), weights, name + "up")), weights, name + "down")
    return layer_norm(x, weights, "norm_out")


def kind_probabilities(weights, ids, signals, heads):
    return softmax(linear(encode(weights, ids, signals, heads), weights, "head"))
