"""Encodes the last words of a turn as numbers: two hashes per word, so that two words rarely share both."""
import re

import numpy as np

WORDS = 24
BUCKETS = 4096
PRIME, OFFSET = 16777619, 2166136261
LETTERS = re.compile(r"[^a-z0-9']+")


def fnv(text):
    """32-bit FNV-1a of the UTF-8 bytes."""
    value = OFFSET
    for byte in text.encode():
        value = (value ^ byte) * PRIME & 0xFFFFFFFF
    return value


def plain(text):
    """Lower-case words without punctuation."""
    return [word for word in LETTERS.sub(" ", text.lower().replace("’", "'")).split() if word.strip("'")]


def ids_of(word, known={}):
    """The two buckets of a word, from 1 to BUCKETS - 1; 0 means no word."""
    if word not in known:
        known[word] = (1 + fnv(word) % (BUCKETS - 1), 1 + fnv("#" + word) % (BUCKETS - 1))
    return known[word]


def encode(words):
    """The last WORDS words, aligned to the right, as (WORDS, 2)."""
    out = np.zeros((WORDS, 2), np.int64)
    for place, word in enumerate(reversed(words[-WORDS:])):
        out[WORDS - 1 - place] = ids_of(word)
    return out
