"""Splits words into WordPieces, exactly like the TypeScript runtime."""
import json
import re

# A run is a sequence of letters and digits, or a punctuation mark. Everything else is dropped.
RUN = re.compile(r"[^\W_]+(?:'[^\W_]+)*|\.{2,}|[,.?!;:…]|[-–—]+")
PAD, UNKNOWN, START, END, MASK = range(5)
MARKS = [",", ".", "?", "!", ";", ":", "…", "-"]
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *MARKS]
FIRST_MARK, LAST_MARK = 5, 5 + len(MARKS) - 1
RUN_CHARACTERS_MAX = 40


def runs_of(word):
    out = []
    for match in RUN.finditer(word.lower().replace("’", "'")):
        run = match.group(0)
        if run[0] in "-–—":
            run = "-"
        elif run.startswith(".."):
            run = "…"
        out.append(run)
    return out


class WordPiece:
    def __init__(self, vocabulary):
        self.vocabulary = vocabulary
        self.ids = {piece: index for index, piece in enumerate(vocabulary)}
        self.cache = {}

    @classmethod
    def load(cls, path):
        with open(path, encoding="utf8") as file:
            return cls(json.load(file))

    def split_run(self, run):
        if run in MARKS:
            return [self.ids[run]]
        if len(run) > RUN_CHARACTERS_MAX:
            return [UNKNOWN]
        out = []
        start = 0
        while start < len(run):
            for end in range(len(run), start, -1):
                piece = self.ids.get(run[start:end] if start == 0 else "##" + run[start:end])
                if piece is not None:
                    break
            if piece is None:
                return [UNKNOWN]
            out.append(piece)
            start = end
        return out

    def split(self, word):
        """Piece ids of one word with its punctuation."""
        pieces = self.cache.get(word)
        if pieces is None:
            pieces = [piece for run in runs_of(word) for piece in self.split_run(run)]
            if len(self.cache) < 400_000:
                self.cache[word] = pieces
        return pieces

    def encode(self, words):
        """(ids, position of each word's first piece). A word without letters or digits has the position -1."""
        ids = [START]
        places = []
        for word in words:
            pieces = self.split(word)
            bare = not pieces or FIRST_MARK <= pieces[0] <= LAST_MARK
            places.append(-1 if bare else len(ids))
            ids += pieces
        ids.append(END)
        return ids, places
