"""The end-of-turn detector: a GRU for words, convolutions for pitch and loudness, and the length of the pause."""
import torch
import torch.nn as nn
import torch.nn.functional as F

from .contour import STEPS
from .words import BUCKETS

WORD_WIDTH = 48
TEXT_WIDTH = 80
SOUND_WIDTH = 32
JOINT = 64
CHANNELS = (24, 32, 32)


def times(pause, turn):
    """(N,) seconds of the pause and (N,) seconds of the turn so far to (N, 4)."""
    return torch.stack([pause, torch.log(pause + 0.05), torch.sqrt(pause), torch.log1p(turn)], -1)


class Detector(nn.Module):
    def __init__(self, dropout=0.0):
        super().__init__()
        self.words = nn.Embedding(BUCKETS, WORD_WIDTH, padding_idx=0)
        self.gru = nn.GRU(WORD_WIDTH, TEXT_WIDTH, batch_first=True)
        widths = (3, *CHANNELS)
        self.convolutions = nn.ModuleList(
            nn.Conv1d(widths[index], widths[index + 1], 5, stride=1 if index == 0 else 2, padding=2) for index in range(len(CHANNELS))
        )
        self.sound = nn.Linear(CHANNELS[-1] * (STEPS // 4 + 1), SOUND_WIDTH)
        self.first = nn.Linear(TEXT_WIDTH + SOUND_WIDTH + 4, JOINT)
        self.second = nn.Linear(JOINT, JOINT)
        self.head = nn.Linear(JOINT, 1)
        self.dropout = nn.Dropout(dropout)

    def text(self, ids):
        """(N, WORDS, 2) to (N, TEXT_WIDTH)."""
        return self.gru(self.dropout(self.words(ids).sum(2)))[0][:, -1]

    def tone(self, contour):
        """(N, 3, STEPS) to (N, SOUND_WIDTH)."""
        for convolution in self.convolutions:
            contour = F.relu(convolution(contour))
        return F.relu(self.sound(self.dropout(contour.flatten(1))))

    def joined(self, text, tone, pause, turn):
        x = torch.cat([self.dropout(text), self.dropout(tone), times(pause, turn)], -1)
        x = self.dropout(F.relu(self.first(x)))
        return self.head(F.relu(self.second(x)))[:, 0]

    def forward(self, ids, contour, pause, turn):
        """The log odds that the turn has ended."""
        return self.joined(self.text(ids), self.tone(contour), pause, turn)
