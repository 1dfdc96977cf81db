"""The teacher, pyannote segmentation-3.0, as a PyTorch network read from its float ONNX graph."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from disfluency.from_onnx import graph_of

LAYERS = 4
HIDDEN = 128
# ONNX keeps the gates as input, output, forget, cell; PyTorch as input, forget, cell, output.
GATES = (0, 2, 3, 1)


def reordered(array):
    parts = torch.from_numpy(array.copy()).view(4, HIDDEN, *array.shape[1:])
    return parts[list(GATES)].reshape(array.shape)


def normalised(x, values, name):
    return F.instance_norm(x, weight=values[name + ".w"], bias=values[name + ".b"], eps=1e-5)


class Teacher(nn.Module):
    def __init__(self, path):
        super().__init__()
        _, values = graph_of(path)
        self.values = {name: torch.from_numpy(array.copy()) for name, array in values.items()}
        self.lstm = nn.LSTM(60, HIDDEN, LAYERS, batch_first=True, bidirectional=True)
        with torch.no_grad():
            for layer in range(LAYERS):
                for direction, suffix in enumerate(("", "_reverse")):
                    bias = values[f"B{layer}"][direction]
                    for kind, array in (
                        ("weight_ih", values[f"W{layer}"][direction]), ("weight_hh", values[f"R{layer}"][direction]),
                        ("bias_ih", bias[: 4 * HIDDEN]), ("bias_hh", bias[4 * HIDDEN :]),
                    ):
                        getattr(self.lstm, f"{kind}_l{layer}{suffix}").copy_(reordered(array))

    def to(self, device):
        self.values = {name: value.to(device) for name, value in self.values.items()}
        return super().to(device)

    def forward(self, x):
        """(N, 1, samples) to log probabilities (N, frames, 7)."""
        values = self.values
        x = normalised(x, values, "sincnet.wav_norm1d")
        x = F.max_pool1d(F.conv1d(x, values["filt"], stride=10).abs(), 3)
        x = F.leaky_relu(normalised(x, values, "sincnet.norm1d.0"))
        for index in (1, 2):
            x = F.max_pool1d(F.conv1d(x, values[f"cw{index}"], values[f"cb{index}"]), 3)
            x = F.leaky_relu(normalised(x, values, f"sincnet.norm1d.{index}"))
        x, _ = self.lstm(x.transpose(1, 2))
        for index in (0, 1):
            x = F.leaky_relu(x @ values[f"lw{index}"] + values[f"lb{index}"])
        return torch.log_softmax((x @ values["lw2"] + values["lb2"]).float(), -1)
