"""Varies the few real examples, so that the network learns how people correct themselves instead of the sentences.

A network that sees seven thousand pairs a hundred times memorises them and does worse on others."""
from .labels import CUE, FILLER, KEEP, core_of
from .words import CUE_WORDS, FILLERS, GROUP_OF, QUESTION_WORDS

SMALL_LETTERS_MAX = 3
EDGE = 3


class Lexicon:
    """Words by their form, that is capitalisation and ending. A word can be replaced by another of the same form."""

    def __init__(self, sentences):
        self.forms = {}
        for words in sentences:
            for word in words[1:]:
                key = core_of(word)
                if movable(key):
                    self.forms.setdefault(form_of(word, key), []).append(key)

    def other(self, word, rng):
        known = self.forms.get(form_of(word, core_of(word)))
        return rng.choice(known) if known else None


def movable(key):
    return len(key) > SMALL_LETTERS_MAX and key.isalpha() and key not in CUE_WORDS and key not in FILLERS and key not in QUESTION_WORDS \
        and key not in GROUP_OF


def form_of(word, key):
    return word[:1].isupper(), key[-2:]


def reworded(words, kinds, lexicon, rng, rate):
    """Replaces content words. Equal words get the same replacement, so that repetitions stay repetitions."""
    others = {}
    out = []
    for word in words:
        key = core_of(word)
        if movable(key):
            if key not in others:
                others[key] = lexicon.other(word, rng) if rng.random() < rate else None
            other = others[key]
            start = word.lower().find(key)
            if other and start >= 0:
                word = word[:start] + (other.capitalize() if word[start].isupper() else other) + word[start + len(key):]
        out.append(word)
    return out, kinds


def recued(words, kinds, cue, labels):
    """Replaces the cue if there is exactly one."""
    places = [i for i, kind in enumerate(kinds) if kind in (CUE, FILLER)]
    if not places or kinds[places[0] - 1] == KEEP or places[0] == 0 or places[-1] - places[0] + 1 != len(places) or CUE not in kinds:
        return words, kinds
    start, end = places[0], places[-1] + 1
    return words[:start] + cue + words[end:], kinds[:start] + labels + kinds[end:]


def cropped(words, kinds, rng):
    """Drops some of the clean words that are far from the deleted ones."""
    gone = [i for i, kind in enumerate(kinds) if kind != KEEP]
    if not gone:
        return words, kinds
    first, last = max(0, gone[0] - EDGE), min(len(words), gone[-1] + 1 + EDGE)
    start = rng.randint(0, first) if rng.random() < 0.5 else 0
    end = rng.randint(last, len(words)) if rng.random() < 0.5 else len(words)
    return words[start:end], kinds[start:end]
