"""A small byte-pair vocabulary in the form of NeMo's exports: controls, merges in order, letters, blank."""
from collections import Counter

START = "\u2581"
UNKNOWN, BLANK = "<unk>", "<blk>"


def learn(texts, merges):
    """The names of the tokens; blank is the last."""
    counts = Counter(START + word for text in texts for word in text.split())
    words = {word: list(word) for word in counts}
    letters = sorted({letter for word in words for letter in word})
    merged = []
    while len(merged) < merges:
        pairs = Counter()
        for word, parts in words.items():
            for pair in zip(parts, parts[1:]):
                pairs[pair] += counts[word]
        pair = max(sorted(pairs), key=pairs.get)
        merged.append("".join(pair))
        for word, parts in words.items():
            words[word] = joined(parts, *pair)
    return [UNKNOWN, *merged, *letters, BLANK]


def joined(parts, left, right):
    found, at = [], 0
    while at < len(parts):
        if parts[at : at + 2] == [left, right]:
            found.append(left + right)
            at += 2
        else:
            found.append(parts[at])
            at += 1
    return found


class Encoder:
    def __init__(self, names):
        self.ids = {name: nth for nth, name in enumerate(names)}
        self.known = {}

    def word(self, word):
        """The token ids of one word. Merges pairs in the order in which they were learned."""
        if word not in self.known:
            parts = list(START + word)
            while True:
                ranks = [(self.ids.get(a + b, len(self.ids)), at) for at, (a, b) in enumerate(zip(parts, parts[1:]))]
                rank, at = min(ranks, default=(len(self.ids), 0))
                if rank == len(self.ids):
                    break
                parts[at : at + 2] = [parts[at] + parts[at + 1]]
            self.known[word] = [self.ids[part] for part in parts]
        return self.known[word]


def text_of(tokens, names):
    return "".join(names[token] for token in tokens if not names[token].startswith("<")).replace(START, " ").strip()
