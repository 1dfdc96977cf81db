"""Command: makes training examples from the sources, for a number of rounds or seconds, in several processes.

python3 -m disfluency.prepare --data DIR --vocabulary vocab.json --out DIR --seconds 60 --workers 8"""
import argparse
import multiprocessing
import os
import random
import re
import time

import numpy as np

from .augment import Lexicon, cropped, recued, reworded
from .labels import IGNORE, KEEP, core_of
from .signals import draw_signals
from .sources import (CUE_LIKE, REPEATED, disfluent_pairs, find, is_clean, may_be_broken, meeting_kinds, mined_cues,
                      read_json, read_passages, sentences_of)
from .synthesis import Synthesiser
from .traps import frame, trap
from .words import QUESTION_WORDS
from .wordpiece import WordPiece

PIECES_MAX = 112
# The share of real examples whose words are replaced, and the possible shares of words to replace.
REWORDED = 0.6
REWORDING = (0.15, 0.3, 0.5)
POOLS = ("synthetic", "distracted", "clean", "questions", "meetings")
EDGES = re.compile(r"[^\w\s]+$|^[^\w\s]+")


def strip_all(words, kinds):
    pairs = [(word, kind) for word, kind in ((EDGES.sub("", w), k) for w, k in zip(words, kinds)) if word]
    return [word for word, _ in pairs], [kind for _, kind in pairs]


def dress(words, kinds, rng):
    """Varies the punctuation: as written, none, only at the ends of sentences, or partly missing."""
    roll = rng.random()
    if roll < 0.42:
        return words, kinds
    if roll < 0.74:
        return strip_all(words, kinds)
    if roll < 0.87:
        changed = [w if i == len(words) - 1 or w[-1:] in ".?!" else EDGES.sub("", w) for i, w in enumerate(words)]
    else:
        changed = [re.sub(r"[^\w\s]+$", "", w) if rng.random() < 0.5 else w for w in words]
    pairs = [(word, kind) for word, kind in zip(changed, kinds) if word]
    return [word for word, _ in pairs], [kind for _, kind in pairs]


class Pools:
    def __init__(self, pieces):
        self.pieces = pieces
        self.rows = {name: ([], [], []) for name in POOLS}

    def put(self, pool, words, kinds, rng):
        ids, places = self.pieces.encode(words)
        if not 3 < len(ids) <= PIECES_MAX:
            return
        labels = np.full(len(ids), IGNORE, np.int8)
        signals = np.zeros(len(ids), np.uint8)
        for place, kind, signal in zip(places, kinds, draw_signals(words, kinds, rng)):
            if place >= 0:
                labels[place] = kind
                signals[place] = signal
        for column, values in zip(self.rows[pool], (np.array(ids, np.uint16), labels, signals)):
            column.append(values)

    def save(self, path):
        arrays = {}
        for name, (ids, labels, signals) in self.rows.items():
            if ids:
                arrays[name + "_ids"] = np.concatenate(ids)
                arrays[name + "_labels"] = np.concatenate(labels)
                arrays[name + "_signals"] = np.concatenate(signals)
                arrays[name + "_lengths"] = np.array([len(row) for row in ids], np.int32)
        np.savez(path, **arrays)
        return {name: len(rows[0]) for name, rows in self.rows.items()}


def neighbours_of(questions):
    """For each question, some others that share a rare word with it."""
    by_word = {}
    keys = [{core_of(word) for word in words if len(core_of(word)) > 3} for words in questions]
    for number, words in enumerate(keys):
        for word in sorted(words):
            by_word.setdefault(word, []).append(number)
    out = []
    for number, words in enumerate(keys):
        rare = sorted((word for word in words if 1 < len(by_word[word]) <= 80), key=lambda word: (len(by_word[word]), word))
        out.append([other for word in rare for other in by_word[word] if other != number][:14])
    return out


class Examples:
    """Draws examples from all sources."""

    def __init__(self, data, pieces, rng, share=0, shares=1):
        self.rng = rng
        self.pools = Pools(pieces)
        self.passages = [passage for name in ("spoken.txt", "books.txt") if has(data, name)
                         for passage in read_passages(find(data, name), share, shares)]
        rng.shuffle(self.passages)
        self.pairs = disfluent_pairs(list(read_json(find(data, "disflqa-train.json")).values()))
        self.meetings = read_json(find(data, "ami.json"))["train"]
        originals = [words for _, _, words in self.pairs]
        self.question_sets = [
            (originals, neighbours_of(originals)),
            ([text.split() for text in read_json(find(data, "questions.json"))], None),
        ]
        sentences, self.hard = [], []
        for source, text in self.passages:
            if len(sentences) > 60_000 and len(self.hard) > 30_000:
                break
            for sentence in sentences_of(text):
                words = sentence.split()
                if not 2 <= len(words) <= 45:
                    continue
                if may_be_broken(sentence):
                    sentences.append(words)
                if is_clean(source, sentence) and (CUE_LIKE.search(sentence) or REPEATED.search(sentence)):
                    self.hard.append(words)
        self.questions = [words for words in sentences if core_of(words[0]) in QUESTION_WORDS] or originals
        self.synthesiser = Synthesiser(sentences + 3 * originals, rng, mined_cues(self.pairs))
        self.question_words = Lexicon(originals + self.question_sets[1][0])
        self.meeting_words = Lexicon([turn["w"] for turn in self.meetings] + sentences[:20_000])
        self.count = 0

    def put(self, pool, words, kinds):
        self.pools.put(pool, words, kinds, self.rng)

    def clean(self, words, stripped=0.35):
        kinds = [KEEP] * len(words)
        self.put("clean", *(strip_all(words, kinds) if self.rng.random() < stripped else dress(words, kinds, self.rng)))

    def step(self):
        rng, n = self.rng, self.count
        self.count += 1
        if self.passages:
            self.passage()
        if n % 8 == 0:
            self.put("synthetic", *dress(*self.synthesiser.make(rng.choice(self.questions), 1), rng))
        if n % 3 == 2:
            self.question()
        if n % 5 == 4 and self.hard:
            self.clean(rng.choice(self.hard))
        if n % 7 == 0:
            self.put("synthetic", *dress(*self.synthesiser.make(frame(rng), rng.choice((1, 1, 1, 2))), rng))
        if n % 8 == 3:
            self.trapped()
        if n % 12 == 0:
            self.clean(frame(rng))
        if n % 6 == 0:
            self.pair()
        if n % 6 == 1:
            self.meeting()

    def passage(self):
        rng = self.rng
        source, text = self.passages[rng.randrange(len(self.passages))]
        sentences = sentences_of(text)
        count = rng.choices((1, 2, 3, 4, 5), (40, 25, 17, 10, 8))[0]
        start = rng.randrange(max(1, len(sentences) - count + 1))
        sentences = sentences[start:start + count]
        joined = " ".join(sentences)
        words = joined.split()
        if not 2 <= len(words) <= 62 or not is_clean(source, joined):
            return
        if rng.random() < 0.2:
            self.clean(words)
            return
        words, kinds = [], []
        for sentence in sentences:
            part = sentence.split()
            broken, labels = part, [KEEP] * len(part)
            if may_be_broken(sentence) and len(part) <= 40 and rng.random() < 0.6:
                broken, labels = self.synthesiser.make(part)
            words += broken
            kinds += labels
        self.put("synthetic", *dress(words, kinds, rng))

    def question(self):
        rng = self.rng
        questions, near = rng.choice(self.question_sets)
        i = rng.randrange(len(questions))
        if near and near[i]:
            j = rng.choice(near[i])
        else:
            j = min(len(questions) - 1, max(0, i + rng.choice((-3, -2, -1, 1, 2, 3))))
        result = self.synthesiser.drop_in(list(questions[i]), list(questions[j]))
        if result:
            self.put("distracted", *(dress(*result, rng) if rng.random() < 0.5 else result))

    def trapped(self):
        rng = self.rng
        words, kinds = trap(rng)
        pool = "clean"
        if rng.random() < 0.35:
            more, labels = trap(rng) if rng.random() < 0.5 else self.synthesiser.make(frame(rng), 1)
            words, kinds = (words + more, kinds + labels) if rng.random() < 0.5 else (more + words, labels + kinds)
            pool = "synthetic" if any(kinds) else pool
        self.put(pool, *dress(words, kinds, rng))

    def pair(self):
        rng = self.rng
        words, kinds, original = rng.choice(self.pairs)
        words, kinds = list(words), list(kinds)
        if rng.random() < 0.35:
            cue = self.synthesiser.question_cue()
            words, kinds = recued(words, kinds, cue, self.synthesiser.cue_kinds(cue))
        if rng.random() < REWORDED:
            words, kinds = reworded(words, kinds, self.question_words, rng, rng.choice(REWORDING))
        if rng.random() < 0.2:
            words, kinds = cropped(words, kinds, rng)
        if rng.random() < 0.12 and self.hard:
            beside = rng.choice(self.hard)
            clean = [KEEP] * len(beside)
            words, kinds = (beside + words, clean + kinds) if rng.random() < 0.5 else (words + beside, kinds + clean)
        if rng.random() < 0.15:
            words, kinds = self.synthesiser.filler(words, kinds)
        if rng.random() < 0.12:
            words, kinds = self.synthesiser.repeat(words, kinds) or (words, kinds)
        self.put("questions", *((words, kinds) if rng.random() < 0.5 else dress(words, kinds, rng)))
        self.clean(original, 0.2)

    def meeting(self):
        rng = self.rng
        first = rng.randrange(len(self.meetings))
        words, kinds = [], []
        for turn in self.meetings[first:first + rng.choice((1, 1, 2, 3))]:
            if turn["m"] != self.meetings[first]["m"]:
                break
            for word, kind in zip(turn["w"], meeting_kinds(turn["w"], turn["y"])):
                # Recognisers often drop broken-off words.
                if not (word.endswith("-") and rng.random() < 0.35):
                    words.append(word)
                    kinds.append(kind)
        if rng.random() < REWORDED:
            words, kinds = reworded(words, kinds, self.meeting_words, rng, rng.choice(REWORDING))
        if 1 <= len(words) <= 70:
            self.put("meetings", *dress(words, kinds, rng))


def has(folder, name):
    try:
        find(folder, name)
        return True
    except FileNotFoundError:
        return False


def work(task):
    options, share = task
    rng = random.Random(options.seed * 1000 + share)
    pieces = WordPiece.load(options.vocabulary)
    examples = Examples(options.data, pieces, rng, share, options.workers)
    end = time.time() + options.seconds if options.seconds else None
    while (time.time() < end) if end else examples.count < options.steps:
        examples.step()
    return examples.pools.save(os.path.join(options.out, f"shard{share}.npz"))


def prepare(options):
    os.makedirs(options.out, exist_ok=True)
    tasks = [(options, share) for share in range(options.workers)]
    if options.workers == 1:
        counts = [work(tasks[0])]
    else:
        with multiprocessing.get_context("fork").Pool(options.workers) as pool:
            counts = pool.map(work, tasks, chunksize=1)
    return {name: sum(count[name] for count in counts) for name in POOLS}


def parser():
    out = argparse.ArgumentParser(description=__doc__)
    out.add_argument("--data", required=True)
    out.add_argument("--vocabulary", required=True)
    out.add_argument("--out", required=True)
    out.add_argument("--seconds", type=float, default=0, help="stop after this time instead of after --steps")
    out.add_argument("--steps", type=int, default=20_000, help="rounds per worker")
    out.add_argument("--workers", type=int, default=2)
    out.add_argument("--seed", type=int, default=1)
    return out


if __name__ == "__main__":
    print(prepare(parser().parse_args()))
