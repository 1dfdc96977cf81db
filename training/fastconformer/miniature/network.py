"""The exported FastConformer in PyTorch: the same weights and names, for batches of unequal length."""
import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from ..reference import mel_matrix
from ..shapes import positions, random_weights
from .model import KINDS, key


def features(samples, lengths, filters):
    """NeMo's features of [batch, samples], which are zero after each end, and the numbers of frames."""
    before = F.pad(samples, (1, 0))[:, :-1]
    is_after = torch.arange(samples.shape[1], device=samples.device) >= lengths[:, None]
    emphasised = (samples - 0.97 * before).masked_fill(is_after, 0)
    window = torch.hann_window(400, periodic=False, device=samples.device)
    spectrum = torch.stft(emphasised, 512, 160, 400, window, center=True, pad_mode="constant", return_complex=True)
    logs = torch.log(filters @ spectrum.abs().square() + 2.0**-24)
    frames = lengths // 160
    valid = (torch.arange(logs.shape[2], device=samples.device) < frames[:, None])[:, None]
    mean = (logs * valid).sum(2, keepdim=True) / frames[:, None, None]
    centred = (logs - mean) * valid
    deviation = (centred.square().sum(2, keepdim=True) / (frames[:, None, None] - 1)).sqrt()
    return centred / (deviation + 1e-5), frames


def mel_filters(mels, device):
    return torch.tensor(mel_matrix(mels), dtype=torch.float32, device=device)


def initial(shape, seed):
    """Initial weights with the names and sizes of the export."""
    rng = np.random.default_rng(seed)
    found = {}
    for name, value in random_weights(shape, 0).items():
        if name.endswith("norm"):
            found[name] = np.ones_like(value)
        elif name.endswith(".bias") or name[-2:] in (".u", ".w") and "att" in name:
            found[name] = np.zeros_like(value)
        else:
            # The dimensions of products are inputs × outputs, those of convolutions outputs × inputs × kernel.
            inputs = value.shape[0] if value.ndim == 2 else int(np.prod(value.shape[1:]))
            size = 1 if name == "embed" else inputs
            found[name] = (rng.normal(size=value.shape) / np.sqrt(size)).astype(np.float32)
    return found


class Network(nn.Module):
    """One encoder with a head of each kind. The names of the heads' weights start with the kind."""

    def __init__(self, shapes, seed=0, dropout=0.1):
        super().__init__()
        self.shape, self.shapes, self.dropout = shapes["tdt"], shapes, dropout
        self.weights = nn.ParameterDict()
        for kind in KINDS:
            for name, value in initial(shapes[kind], seed).items():
                self.weights[key(kind, name).replace(".", "/")] = nn.Parameter(torch.tensor(value))
        self.tables = {}

    def weight(self, name):
        return self.weights[name.replace(".", "/")]

    def trained(self):
        """All weights as numpy arrays."""
        return {name.replace("/", "."): value.detach().float().cpu().numpy() for name, value in self.weights.items()}

    def adopt(self, trained):
        for name, value in trained.items():
            self.weight(name).data.copy_(torch.tensor(value))

    def drop(self, x):
        return F.dropout(x, self.dropout, self.training)

    def linear(self, x, name):
        return x @ self.weight(name) + self.weight(name + ".bias")

    def norm(self, x, name):
        return F.layer_norm(x, (self.shape.width,), self.weight(name), self.weight(name + ".bias"), 1e-5)

    def subsample(self, x, length):
        x = x.transpose(1, 2)[:, None]
        for nth in range(3):
            groups = self.shape.channels if nth else 1
            x = F.conv2d(x, self.weight(f"pre.{nth}"), self.weight(f"pre.{nth}.bias"), 2, 1, groups=groups)
            length = (length - 1) // 2 + 1
            mask = (torch.arange(x.shape[2], device=x.device) < length[:, None])[:, None, :, None]
            x = x * mask
            if nth:
                x = F.conv2d(x, self.weight(f"pre.{nth}.point"), self.weight(f"pre.{nth}.point.bias")) * mask
            x = F.relu(x)
        return self.linear(x.transpose(1, 2).flatten(2)[:, : int(length.max())], "pre.out"), length

    def feed(self, x, name):
        inner = self.drop(F.silu(self.linear(self.norm(x, name + ".norm"), name + ".1")))
        return self.drop(0.5 * self.linear(inner, name + ".2"))

    def places(self, frames, device):
        if frames not in self.tables:
            self.tables[frames] = torch.tensor(positions(self.shape.width, frames), device=device)
        return self.tables[frames]

    def attend(self, x, name, mask):
        batch, frames, _ = x.shape
        heads = self.shape.heads
        x = self.norm(x, name + ".norm")
        split = lambda y: y.reshape(batch, -1, heads, self.shape.width // heads)
        q, k, v = (split(self.linear(x, f"{name}.{part}")) for part in "qkv")
        p = (self.places(frames, x.device) @ self.weight(name + ".pos")).reshape(2 * frames - 1, heads, -1)
        content = torch.einsum("bihd,bjhd->bhij", q + self.weight(name + ".u"), k)
        place = torch.einsum("bihd,jhd->bhij", q + self.weight(name + ".w"), p)
        padded = F.pad(place, (1, 0)).reshape(batch, heads, 2 * frames, frames)
        shifted = padded[:, :, 1:].reshape(batch, heads, frames, 2 * frames - 1)[..., :frames]
        scores = (content + shifted) / np.sqrt(self.shape.width // heads)
        chances = self.drop(torch.softmax(scores.masked_fill(~mask[:, None, None], -1e9), -1))
        mixed = torch.einsum("bhij,bjhd->bihd", chances, v).reshape(batch, frames, -1)
        return self.drop(self.linear(mixed, name + ".o"))

    def convolve(self, x, name, mask):
        conv = lambda y, part, **more: F.conv1d(y, self.weight(f"{name}.{part}"), self.weight(f"{name}.{part}.bias"), **more)
        x = conv(self.norm(x, name + ".norm").transpose(1, 2), "in")
        x = F.glu(x, 1) * mask[:, None]
        x = F.silu(conv(x, "depth", padding=self.shape.kernel // 2, groups=self.shape.width))
        return self.drop(conv(x, "out").transpose(1, 2))

    def encode(self, x, length):
        """[batch, mels, frames] to [batch, frames / 8, width], and the lengths."""
        x, length = self.subsample(x, length)
        mask = torch.arange(x.shape[1], device=x.device) < length[:, None]
        for layer in range(self.shape.layers):
            x = x + self.feed(x, f"{layer}.ff1")
            x = x + self.attend(x, f"{layer}.att", mask)
            x = x + self.convolve(x, f"{layer}.conv", mask)
            x = x + self.feed(x, f"{layer}.ff2")
            x = self.norm(x, f"{layer}.norm")
        return x, length

    def predict(self, tokens, kind):
        """The output of the prediction network after blank, and after each of [batch, tokens]."""
        blank = self.shapes[kind].words
        x = F.embedding(F.pad(tokens, (1, 0), value=blank), self.weight(f"{kind}.embed"))
        hidden = self.shape.hidden
        for layer in range(self.shape.predictor_layers):
            w, r, bias = (self.weight(f"{kind}.lstm.{layer}.{part}") for part in ("w", "r", "bias"))
            # The order of gates is input, output, forget, cell in ONNX, and input, forget, cell, output in PyTorch.
            order = lambda y: torch.cat([y[:hidden], y[2 * hidden : 3 * hidden], y[3 * hidden :], y[hidden : 2 * hidden]])
            start = x.new_zeros(1, len(x), hidden)
            flat = [order(w.T), order(r.T), order(bias[: 4 * hidden]), order(bias[4 * hidden :])]
            x, _, _ = torch.lstm(self.drop(x), (start, start), flat, True, 1, 0.0, self.training, False, True)
        return x

    def join(self, encoded, predicted, kind):
        """Logits of [batch, frames, tokens + 1, outputs]."""
        heard, said = self.linear(encoded, f"{kind}.joint.enc"), self.linear(predicted, f"{kind}.joint.pred")
        return self.linear(F.relu(heard[:, :, None] + said[:, None]), f"{kind}.joint.out")

    def ctc(self, encoded):
        return F.log_softmax(F.conv1d(encoded.transpose(1, 2), self.weight("ctc.head"), self.weight("ctc.head.bias")), 1).transpose(1, 2)
