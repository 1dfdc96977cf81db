"""The seven classes of a frame with at most three speakers, two of them at once, and how they change when speakers swap."""
import itertools

import numpy as np

SPEAKERS = 3
CLASSES = ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
PERMUTATIONS = tuple(itertools.permutations(range(SPEAKERS)))
INVALID = -1

MEMBERS = np.array([[speaker in each for speaker in range(SPEAKERS)] for each in CLASSES], np.float32)
"""7 × 3: who speaks in each class."""

_BY_BITS = np.full(1 << SPEAKERS, INVALID, np.int64)
for _index, _class in enumerate(CLASSES):
    _BY_BITS[sum(1 << speaker for speaker in _class)] = _index
BY_BITS = _BY_BITS
"""The class of a set of speakers written as bits; INVALID for all three at once."""

SWAPPED = np.array([
    [BY_BITS[sum(1 << order[speaker] for speaker in each)] for each in CLASSES] for order in PERMUTATIONS
])
"""6 × 7: the class that a class becomes when speaker s is called order[s]."""


def classes_of(active):
    """(..., 3) booleans to class numbers."""
    return BY_BITS[(np.asarray(active, np.int64) * (1 << np.arange(SPEAKERS))).sum(-1)]
