"""The network in PyTorch: a small pre-norm transformer that assigns a kind to every piece."""
from dataclasses import asdict, dataclass

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

from .labels import KINDS
from .signals import SIGNALS


@dataclass(frozen=True)
class Shape:
    vocabulary: int
    layers: int = 8
    width: int = 320
    heads: int = 5
    hidden: int = 1280
    embedding: int = 128
    positions: int = 128


class Layer(nn.Module):
    def __init__(self, shape, dropout):
        super().__init__()
        self.heads, self.dropout = shape.heads, dropout
        self.norm1, self.norm2 = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.qkv, self.out = nn.Linear(shape.width, 3 * shape.width), nn.Linear(shape.width, shape.width)
        self.up, self.down = nn.Linear(shape.width, shape.hidden), nn.Linear(shape.hidden, shape.width)

    def forward(self, x, mask):
        batch, length, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4).unbind(0)
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=mask).transpose(1, 2).reshape(batch, length, width)
        x = x + F.dropout(self.out(mixed), self.dropout, self.training)
        return x + F.dropout(self.down(F.gelu(self.up(self.norm2(x)), approximate="tanh")), self.dropout, self.training)


class Tagger(nn.Module):
    def __init__(self, shape, dropout=0.0):
        super().__init__()
        self.shape = shape
        self.embedding, self.signal = nn.Embedding(shape.vocabulary, shape.embedding), nn.Embedding(SIGNALS, shape.embedding)
        self.project, self.position = nn.Linear(shape.embedding, shape.width), nn.Embedding(shape.positions, shape.width)
        self.norm_in, self.norm_out = nn.LayerNorm(shape.width), nn.LayerNorm(shape.width)
        self.layers = nn.ModuleList(Layer(shape, dropout) for _ in range(shape.layers))
        self.head = nn.Linear(shape.width, len(KINDS))
        for module in self.modules():
            if isinstance(module, (nn.Linear, nn.Embedding)):
                nn.init.normal_(module.weight, 0, 0.02)
            if isinstance(module, nn.Linear):
                nn.init.zeros_(module.bias)
        nn.init.zeros_(self.signal.weight)

    def forward(self, ids, signals):
        x = self.norm_in(self.project(self.embedding(ids) + self.signal(signals)) + self.position.weight[: ids.shape[1]])
        mask = (ids > 0)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        return self.head(self.norm_out(x))


def pick_layers(weights, order):
    """The weights of a network with the given layers in this order. A repeated layer initially adds nothing."""
    out = {name: value for name, value in weights.items() if not name.startswith("layers.")}
    seen = set()
    for new, old in enumerate(order):
        for name, value in weights.items():
            if name.startswith(f"layers.{old}."):
                part = name[len(f"layers.{old}."):]
                silent = old in seen and part.split(".")[0] in ("out", "down")
                out[f"layers.{new}.{part}"] = value * 0 if silent else value
        seen.add(old)
    return out


def narrow(weights, hidden):
    """The weights with the `hidden` most important hidden units of each layer."""
    out = dict(weights)
    for name, up in weights.items():
        if not name.endswith(".up.weight"):
            continue
        layer = name[: -len("up.weight")]
        down = weights[layer + "down.weight"]
        telling = np.linalg.norm(up, axis=1) * np.linalg.norm(down, axis=0)
        chosen = np.sort(np.argsort(-telling)[:hidden])
        out[layer + "up.weight"], out[layer + "up.bias"] = up[chosen], weights[layer + "up.bias"][chosen]
        out[layer + "down.weight"] = down[:, chosen]
    return out


def load_into(model, weights):
    model.load_state_dict({name: torch.tensor(np.asarray(value, np.float32)) for name, value in weights.items()})


PART_BYTES_MAX = 14_000_000


def save_parts(model, path):
    """Saves half-precision weights in files of at most about 14 MB: path-0.npz, path-1.npz …"""
    parts, size = [{}], 0
    for name, value in model.state_dict().items():
        value = value.detach().float().cpu().numpy().astype(np.float16)
        if size + value.nbytes > PART_BYTES_MAX:
            parts.append({})
            size = 0
        parts[-1][name] = value
        size += value.nbytes
    for number, part in enumerate(parts):
        np.savez(f"{path}-{number}.npz", **part)
    return asdict(model.shape)
