"""The student: mel bands and harmonics, a convolution to half the frame rate, blocks of attention and convolution."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from . import front
from .frames import FRAMES
from .powerset import CLASSES

HEADS = 4
NARROW = 48
STEM = 96
KERNEL = 15
EPSILON = 1e-5


def standardised(x):
    """Mean 0 and variance 1 over time."""
    x = x - x.mean(-1, keepdim=True)
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + EPSILON)


def power(x, waves, step):
    y = F.conv1d(x, waves, stride=step)
    half = y.shape[1] // 2
    return y[:, :half] ** 2 + y[:, half:] ** 2


class Front(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mel_waves", torch.from_numpy(front.mel_waves()), persistent=False)
        self.register_buffer("tone_waves", torch.from_numpy(front.tone_waves()), persistent=False)
        self.register_buffer("mel", torch.from_numpy(front.mel_filters()), persistent=False)

    def forward(self, x):
        """(N, 1, samples) to mels (N, MELS, frames) and tones (N, TONES, half the frames)."""
        x = standardised(x)
        bands = power(x[..., slice(*front.MEL_SPAN)], self.mel_waves, front.STEP)
        mels = torch.matmul(bands.transpose(1, 2), self.mel).transpose(1, 2)
        tones = power(x[..., slice(*front.TONE_SPAN)], self.tone_waves, front.TONE_STEP)
        return standardised(torch.log(mels + front.FLOOR)), standardised(torch.log(tones + front.FLOOR))


class Attention(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        count, length, width = x.shape
        q, k, v = self.qkv(x).view(count, length, 3, HEADS, width // HEADS).permute(2, 0, 3, 1, 4)
        if hasattr(F, "scaled_dot_product_attention"):
            mixed = F.scaled_dot_product_attention(q, k, v)
        else:
            mixed = torch.softmax(q @ k.transpose(-1, -2) / (width // HEADS) ** 0.5, -1) @ v
        return self.out(mixed.transpose(1, 2).reshape(count, length, width))


class Local(nn.Module):
    """Gate, convolution over time per channel, mixing."""

    def __init__(self, width):
        super().__init__()
        self.gate = nn.Linear(width, 2 * width)
        self.depthwise = nn.Conv1d(width, width, KERNEL, padding=KERNEL // 2, groups=width)
        self.out = nn.Linear(width, width)

    def forward(self, x):
        value, gate = self.gate(x).chunk(2, -1)
        y = self.depthwise((value * torch.sigmoid(gate)).transpose(1, 2)).transpose(1, 2)
        return self.out(F.silu(y))


class Block(nn.Module):
    def __init__(self, width, dropout):
        super().__init__()
        self.norm1, self.attention = nn.LayerNorm(width), Attention(width)
        self.norm2, self.local = nn.LayerNorm(width), Local(width)
        self.norm3 = nn.LayerNorm(width)
        self.up, self.down = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = x + self.dropout(self.attention(self.norm1(x)))
        x = x + self.dropout(self.local(self.norm2(x)))
        return x + self.dropout(self.down(F.silu(self.up(self.norm3(x)))))


class Student(nn.Module):
    def __init__(self, width=128, blocks=4, dropout=0.0):
        super().__init__()
        self.front = Front()
        self.stem = nn.Conv1d(front.MELS, STEM, 5, padding=2)
        self.halve = nn.Conv1d(STEM, width, 3, stride=2, padding=1)
        self.tones = nn.Conv1d(front.TONES, width, 3, padding=1)
        self.blocks = nn.ModuleList(Block(width, dropout) for _ in range(blocks))
        self.norm = nn.LayerNorm(width)
        self.widen = nn.Linear(width, 2 * NARROW)
        self.skip = nn.Conv1d(STEM, NARROW, 1)
        self.refine = nn.Conv1d(NARROW, NARROW, 5, padding=2)
        self.head = nn.Conv1d(NARROW, len(CLASSES), 1)

    def scores(self, mels, tones):
        """(N, frames, 7), unnormalised."""
        stem = F.silu(self.stem(mels))
        x = F.silu(self.halve(stem) + self.tones(tones)).transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        x = self.widen(self.norm(x))
        # Each half-rate frame gives two frames; the last one is one too many.
        x = x.reshape(len(x), -1, NARROW)[:, :FRAMES].transpose(1, 2)
        x = F.silu(x + self.skip(stem))
        return self.head(F.silu(self.refine(x)) + x).transpose(1, 2)

    def forward(self, samples):
        return torch.log_softmax(self.scores(*self.front(samples)), -1)
