"""Scores a tagger on the development sets at several thresholds. The model is any function from ids to probabilities.

python3 -m disfluency.evaluate --data DIR --vocabulary vocab.json --weights 'tagger-*.npz'"""
import argparse
import json
import re

import numpy as np

from .forward import kind_probabilities, load_weights
from .scores import lost_per_thousand, meeting_scores, pair_scores, spread
from .sources import find, read_json
from .wordpiece import WordPiece

POSITIONS = 128
THRESHOLDS = [(0.5, 0.5), (0.9, 0.5), (0.99, 0.5), (0.997, 0.5), (0.999, 0.5), (0.9997, 0.5), (0.9999, 0.5), (0.9999, 0.8)]


def strip(words):
    return [word for word in (re.sub(r"[^\w]+$|^[^\w]+", "", word) for word in words) if word]


def batches(encoded, size):
    order = sorted(range(len(encoded)), key=lambda i: len(encoded[i][0]))
    for start in range(0, len(order), size):
        chosen = order[start:start + size]
        length = min(POSITIONS, max(len(encoded[i][0]) for i in chosen))
        ids = np.zeros((len(chosen), length), np.int64)
        for row, i in enumerate(chosen):
            pieces = encoded[i][0][:length]
            ids[row, :len(pieces)] = pieces
        yield chosen, ids


def word_probabilities(model, pieces, sentences, size=32):
    """An array (words, kinds) for each sentence. A word without a position counts as kept."""
    encoded = [pieces.encode(words) for words in sentences]
    out = [None] * len(sentences)
    for chosen, ids in batches(encoded, size):
        probabilities = model(ids)
        for row, i in enumerate(chosen):
            places = encoded[i][1]
            table = np.zeros((len(places), probabilities.shape[-1]), np.float32)
            for word, place in enumerate(places):
                if 0 < place < ids.shape[1]:
                    table[word] = probabilities[row, place]
                else:
                    table[word, 0] = 1
            out[i] = table
    return out


class Development:
    def __init__(self, data):
        pairs = list(read_json(find(data, "disflqa-dev.json")).values())
        self.pairs = [(pair["disfluent"].split(), pair["original"]) for pair in pairs]
        self.meetings = read_json(find(data, "ami.json"))["dev"]
        self.held = [text.split() for _, text in read_json(find(data, "clean_held.json"))]

    def table(self, model, pieces, thresholds=THRESHOLDS):
        rows = []
        for form in ("punctuated", "bare"):
            view = strip if form == "bare" else list
            pairs = [(view(words), original) for words, original in self.pairs]
            sets = [
                [words for words, _ in pairs],
                [view(original.split()) for _, original in pairs],
                [view(words) for words in self.held],
                [turn["w"] for turn in self.meetings],
            ]
            scores = [[1 - table[:, 0] for table in word_probabilities(model, pieces, each)] for each in sets]
            for high, low in thresholds:
                said, original, held, meeting = ([spread(list(s), high, low) for s in each] for each in scores)
                rows.append({
                    "form": form, "high": high, "low": low,
                    **pair_scores(pairs, said),
                    "lost questions": lost_per_thousand(original), "lost held": lost_per_thousand(held),
                    **meeting_scores(self.meetings, meeting),
                })
        return rows


def show(rows):
    for row in rows:
        print("  ".join(f"{key} {value:.2f}" if isinstance(value, float) and value > 1 or key.startswith("lost") else f"{key} {value}"
                        for key, value in row.items()), flush=True)


def main():
    out = argparse.ArgumentParser(description=__doc__)
    for name in ("--data", "--vocabulary", "--weights"):
        out.add_argument(name, required=True)
    out.add_argument("--heads", type=int, default=5)
    out.add_argument("--json", action="store_true")
    options = out.parse_args()
    weights = load_weights(options.weights)
    model = lambda ids: kind_probabilities(weights, ids, np.zeros_like(ids), options.heads)
    rows = Development(options.data).table(model, WordPiece.load(options.vocabulary))
    print(json.dumps(rows)) if options.json else show(rows)


if __name__ == "__main__":
    main()
