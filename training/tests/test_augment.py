import os
import random
import tempfile
import unittest

import numpy as np

from disfluency.augment import Lexicon, cropped, recued, reworded
from disfluency.export import build
from disfluency.from_onnx import read_onnx
from disfluency.labels import CUE, KEEP, REPAIR
from disfluency.miniature import random_weights

SENTENCES = ["the quick farmer sold wooden tables".split(), "she painted golden mirrors slowly".split(),
             "we counted little shadows".split(), "they wanted broken candles".split()]
WORDS = "who painted the mirrors no wait who painted the shadows".split()
KINDS = [REPAIR] * 4 + [CUE] * 2 + [KEEP] * 4


class Augment(unittest.TestCase):
    def test_a_word_said_again_is_still_said_again(self):
        lexicon = Lexicon(SENTENCES)
        changed = False
        for seed in range(20):
            words, kinds = reworded(WORDS, KINDS, lexicon, random.Random(seed), 1.0)
            self.assertEqual(kinds, KINDS)
            self.assertEqual(words[1], words[7])
            self.assertEqual((words[0], words[4], words[5]), ("who", "no", "wait"))
            changed = changed or words[1] != "painted"
        self.assertTrue(changed)

    def test_another_cue_in_place_of_the_only_one(self):
        words, kinds = recued(WORDS, KINDS, ["sorry"], [CUE])
        self.assertEqual(" ".join(words), "who painted the mirrors sorry who painted the shadows")
        self.assertEqual(kinds, [REPAIR] * 4 + [CUE] + [KEEP] * 4)

    def test_crops_only_clean_words(self):
        for seed in range(20):
            words, kinds = cropped(WORDS + ["today"] * 9, KINDS + [KEEP] * 9, random.Random(seed))
            self.assertEqual(words[:len(WORDS) - 1], WORDS[:-1])
            self.assertEqual(len(words), len(kinds))


class FromOnnx(unittest.TestCase):
    def test_the_weights_come_back_but_for_rounding(self):
        weights = random_weights(50)
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "tagger.onnx")
            build(weights).save(path)
            found = read_onnx(path)
        self.assertEqual(set(found), set(weights))
        for name, value in weights.items():
            self.assertEqual(found[name].shape, value.shape, name)
            self.assertLess(np.abs(found[name] - value).max(), 0.02 * max(1e-3, np.abs(value).max()), name)


if __name__ == "__main__":
    unittest.main()
