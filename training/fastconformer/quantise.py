"""Quantises like onnxruntime's dynamic quantisation: weights once, activations at every product."""
import numpy as np


def weight_bytes(array, kind):
    """The bytes, scale and zero point of a weight."""
    if kind == "int8":
        scale = np.float32(np.abs(array).max() / 127)
        return np.clip(np.rint(array / scale), -127, 127).astype(np.int8), scale, np.int8(0)
    low, high = min(array.min(), 0), max(array.max(), 0)
    scale = np.float32((high - low) / 255)
    zero = np.uint8(np.rint(-low / scale))
    return np.clip(np.rint(array / scale) + zero, 0, 255).astype(np.uint8), scale, zero


class Activations:
    """Quantises activations and records the smallest distance of any value to a rounding boundary, in steps."""

    def __init__(self):
        self.margin = 0.5

    def bytes(self, x, is_exact=False):
        """`is_exact`: the values are bit-identical wherever they are computed, so their distances do not matter."""
        low, high = np.float32(min(x.min(), 0)), np.float32(max(x.max(), 0))
        scale = np.float32((high - low) / np.float32(255)) or np.float32(1)
        exact = -low / scale
        steps = np.float32(x) / scale
        for each in () if is_exact else (np.atleast_1d(exact), steps.ravel()):
            self.margin = min(self.margin, float(np.abs(each - np.floor(each) - 0.5).min()))
        zero = np.rint(exact)
        return np.clip(np.rint(steps) + zero, 0, 255).astype(np.int64) - int(zero), scale
