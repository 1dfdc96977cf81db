"""Random weights for miniature models."""
import numpy as np


class RandomWeights(dict):
    """Arrays by name. Their values depend on the seed and on the order in which they are added."""

    def __init__(self, seed):
        super().__init__()
        self._rng = np.random.default_rng(seed)

    def add(self, name, *dims, scale=None):
        size = scale if scale is not None else 1.2 / np.sqrt(dims[0])
        self[name] = (self._rng.normal(size=dims) * size).astype(np.float32)

    def linear(self, name, inputs, outputs):
        self.add(name, inputs, outputs)
        self.add(name + ".bias", outputs, scale=0.1)

    def norm(self, name, width):
        self[name] = (1 + 0.2 * self._rng.normal(size=width)).astype(np.float32)
        self.add(name + ".bias", width, scale=0.1)
