"""Reads the sources: passages of text, Disfl-QA, AMI, questions."""
import json
import lzma
import os
import re

from .labels import CUE, FILLER, IGNORE, KEEP, align, core_of, kinds_of
from .words import FILLERS

SENTENCE_END = re.compile(r'(?<=[.?!])["\')]*\s+')
# Signs that a passage is itself disfluent, or was cut by an editor.
SUSPECT = re.compile(r"\.\.\.|…|--|—|–| - |\b(?:um|uh|er|erm|uhm|hmm|ah|mm)\b", re.I)
REPEATED = re.compile(r"\b(\w+)\W+\1\b", re.I)
TALKATIVE = re.compile(r"\b(?:i mean|sorry|no wait|wait no|or rather|scratch that|you know|like,|, like)\b", re.I)
# Words that are often cues. Clean sentences that contain them are especially useful for training.
CUE_LIKE = re.compile(
    r"\b(?:no|nope|sorry|wait|rather|actually|mean|meant|make that|make it|scratch|oops|pardon|excuse|instead|correction|hold on|or"
    r"|well|never mind|mistake|specifically)\b", re.I)
EDITED = "c"  # podcasts, whose transcripts contain real repetitions
MEETINGS = "a"


def read_json(path):
    if path.endswith(".xz"):
        with lzma.open(path, "rt", encoding="utf8") as file:
            return json.load(file)
    with open(path, encoding="utf8") as file:
        return json.load(file)


def read_passages(path, share=0, shares=1):
    """Yields (source, text) of every `shares`-th passage."""
    opened = lzma.open(path, "rt", encoding="utf8") if path.endswith(".xz") else open(path, encoding="utf8")
    with opened as file:
        for number, line in enumerate(file):
            if number % shares == share and "\t" in line:
                source, text = line.rstrip("\n").split("\t", 1)
                if source != MEETINGS:
                    yield source, text


def sentences_of(text):
    return [sentence for sentence in SENTENCE_END.split(text) if sentence]


def is_clean(source, text):
    return not SUSPECT.search(text) and not (source in EDITED and REPEATED.search(text))


def may_be_broken(sentence):
    """True if the sentence is certainly clean, so that only the words added to it are to be deleted."""
    return not (SUSPECT.search(sentence) or REPEATED.search(sentence) or TALKATIVE.search(sentence))


def disfluent_pairs(pairs):
    """(disfluent words, kinds, original words) of the pairs in which deletion produces the original."""
    out = []
    for pair in pairs:
        original, said = pair["original"].split(), pair["disfluent"].split()
        deleted = align(original, said)
        if deleted is not None and said:
            out.append((said, kinds_of(said, deleted), original))
    return out


def mined_cues(pairs):
    """The cues in the training pairs, with their counts."""
    counts = {}
    for words, kinds, _ in pairs:
        i = 0
        while i < len(words):
            end = i
            while end < len(words) and kinds[end] in (CUE, FILLER):
                end += 1
            if end > i and i > 0 and kinds[i - 1] not in (KEEP, IGNORE):
                cue = " ".join(core_of(word) for word in words[i:end])
                counts[cue] = counts.get(cue, 0) + 1
            i = max(end, i + 1)
    return sorted((cue, count) for cue, count in counts.items() if count >= 2)


ANSWERS = {"mm-hmm", "uh-huh", "mmhmm", "mm", "hmm"}


def meeting_kinds(words, marks):
    """AMI marks: 0 keep, 1 delete, 2 and 3 discourse markers and dropped clauses, which may be kept or deleted."""
    kinds = kinds_of(words, [mark == 1 for mark in marks])
    for i, (word, mark) in enumerate(zip(words, marks)):
        key = core_of(word)
        if mark in (2, 3) or key in ANSWERS:
            kinds[i] = IGNORE
        elif mark == 1 and key in FILLERS:
            kinds[i] = FILLER
    return kinds


def find(folder, name):
    for candidate in (name, name + ".xz"):
        path = os.path.join(folder, candidate)
        if os.path.exists(path):
            return path
    raise FileNotFoundError(f"{name} in {folder}")
