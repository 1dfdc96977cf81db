import os
import tempfile
import unittest

import numpy as np

from speech import activity
from turns import contour, scores
from turns.export import build
from turns.prepare import outcome
from turns.words import BUCKETS, WORDS, encode, fnv, plain

from .run_onnx import ROOT, run_onnx

MODEL = os.path.join(ROOT, "packages", "turn-model", "turns.onnx")


RATE = 16000


class Activity(unittest.TestCase):
    def test_bursts_are_found_and_short_gaps_bridged(self):
        rng = np.random.default_rng(5)
        sound = rng.normal(size=3 * RATE).astype(np.float32) * 1e-4
        for start, end in ((0.5, 1.0), (1.2, 1.5), (2.2, 2.6)):
            sound[int(start * RATE) : int(end * RATE)] += rng.normal(size=int(round((end - start) * RATE))) * 0.1
        found = activity.runs(activity.active(sound, RATE)) * activity.STEP
        np.testing.assert_allclose(found, [(0.5, 1.5), (2.2, 2.6)], atol=0.03)


class Words(unittest.TestCase):
    def test_hash_is_fnv_1a(self):
        self.assertEqual([fnv(""), fnv("a"), fnv("foobar")], [0x811C9DC5, 0xE40C292C, 0xBF9CF968])

    def test_words_lie_at_the_right(self):
        ids = encode(plain("No, thank you."))
        self.assertEqual(plain("No, thank you. I'm fine"), ["no", "thank", "you", "i'm", "fine"])
        self.assertTrue((ids[: WORDS - 3] == 0).all() and (ids[-3:] > 0).all() and (ids < BUCKETS).all())
        self.assertEqual(ids[-1].tolist(), [1 + fnv("you") % (BUCKETS - 1), 1 + fnv("#you") % (BUCKETS - 1)])


class Contour(unittest.TestCase):
    def test_pitch_of_a_rising_buzz(self):
        hertz = np.linspace(120, 180, contour.LENGTH)
        buzz = 0.1 * np.sign(np.sin(2 * np.pi * np.cumsum(hertz) / contour.RATE))
        octaves, voicing, loudness = contour.contour(buzz[None])[0]
        middle = hertz[contour.FRAME // 2 :: contour.HOP][: contour.STEPS]
        np.testing.assert_allclose(100 * 2**octaves, middle, rtol=0.04)
        self.assertGreater(voicing.min(), 0.9)
        np.testing.assert_allclose(loudness, 2, atol=0.01)

    def test_noise_and_silence_have_no_pitch(self):
        noise = np.random.default_rng(1).normal(size=contour.LENGTH) * 0.05
        found = contour.contour(np.stack([noise, np.zeros(contour.LENGTH)]))
        self.assertGreater((found[0, 0] == 0).mean(), 0.9)
        self.assertTrue((found[1] == 0).all())


class Outcomes(unittest.TestCase):
    def test_who_speaks_next_decides(self):
        self.assertIs(outcome(5.0, 5.6, []), False)
        self.assertIs(outcome(5.0, 9.0, [(5.5, 7.0)]), True)

    def test_unclear_pauses_are_left_out(self):
        self.assertIsNone(outcome(5.0, 9.0, [(4.0, 6.0)]), "the other side speaks already")
        self.assertIsNone(outcome(5.0, 6.5, [(5.4, 6.0)]), "the other side only listens")
        self.assertIsNone(outcome(5.0, 12.0, [(9.0, 11.0)]), "the answer is late")
        self.assertIsNone(outcome(5.0, 12.0, []), "a very long pause")


class Scores(unittest.TestCase):
    def test_table(self):
        row = scores.table(np.array([0.3, 0.3, 0.5, 3.0]), np.array([0.2, 0.9, 9.0, 9.0]), np.array([False, False, True, True]))
        self.assertEqual((3 * row["false"], row["pauses"], row["median"], row["late"]), (1, 0.5, 1.75, 0.5))

    def test_a_stricter_share_never_lowers_the_threshold(self):
        rng = np.random.default_rng(2)
        chances = np.sort(rng.random((300, len(scores.grid()))), 1)
        resumes, ended = rng.uniform(0.1, 3, 300), rng.random(300) < 0.4
        loose, strict = (scores.threshold_for(chances, resumes, ended, share) for share in (0.4, 0.1))
        self.assertLessEqual(loose, strict)


class Exported(unittest.TestCase):
    def inputs(self, texts, pause=0.4):
        return {
            "words": np.stack([encode(plain(text)) for text in texts]),
            "contour": np.zeros((len(texts), 3, contour.STEPS), np.float32),
            "pause": np.full((len(texts), 1), pause, np.float32),
            "turn": np.full((len(texts), 1), 2, np.float32),
        }

    def test_published_weights_know_whole_sentences(self):
        texts = ["how can i help you today", "how can i help", "i would like to check my account balance", "i would like to check my"]
        with tempfile.TemporaryDirectory() as folder:
            whole, part, request, broken = run_onnx(os.path.abspath(MODEL), folder, **self.inputs(texts))[:, 0]
        self.assertGreater(whole, 0.5)
        self.assertGreater(request, 0.5)
        self.assertLess(broken, 0.2)
        self.assertLess(part, whole)

    def test_export_keeps_the_gates_of_the_gru(self):
        rng = np.random.default_rng(3)
        width, text, sound, joint = 6, 5, 4, 7
        shapes = {
            "words.weight": (BUCKETS, width), "gru.weight_ih_l0": (3 * text, width), "gru.weight_hh_l0": (3 * text, text),
            "gru.bias_ih_l0": (3 * text,), "gru.bias_hh_l0": (3 * text,),
            "convolutions.0.weight": (2, 3, 5), "convolutions.0.bias": (2,), "convolutions.1.weight": (2, 2, 5), "convolutions.1.bias": (2,),
            "sound.weight": (sound, 50), "sound.bias": (sound,), "first.weight": (joint, text + sound + 4), "first.bias": (joint,),
            "second.weight": (joint, joint), "second.bias": (joint,), "head.weight": (1, joint), "head.bias": (1,),
        }
        weights = {name: rng.normal(size=shape).astype(np.float32) * 0.4 for name, shape in shapes.items()}
        given = self.inputs(["one two three", "four"])
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "turns.onnx")
            build(weights).save(path)
            got = run_onnx(path, folder, **given)[:, 0]
        np.testing.assert_allclose(got, forward(weights, **given), atol=1e-4)


def forward(weights, words, contour, pause, turn):
    """The network in numpy."""
    sigmoid = lambda x: 1 / (1 + np.exp(-x))
    state = np.zeros((len(words), weights["gru.weight_hh_l0"].shape[1]), np.float32)
    embedded = weights["words.weight"][words].sum(2)
    for step in range(embedded.shape[1]):
        mine = embedded[:, step] @ weights["gru.weight_ih_l0"].T + weights["gru.bias_ih_l0"]
        past = state @ weights["gru.weight_hh_l0"].T + weights["gru.bias_hh_l0"]
        (reset, update, new), (reset_past, update_past, new_past) = np.split(mine, 3, 1), np.split(past, 3, 1)
        gate = sigmoid(update + update_past)
        state = gate * state + (1 - gate) * np.tanh(new + sigmoid(reset + reset_past) * new_past)
    x = contour
    for index in (0, 1):
        kernel, bias = weights[f"convolutions.{index}.weight"], weights[f"convolutions.{index}.bias"]
        views = np.lib.stride_tricks.sliding_window_view(np.pad(x, ((0, 0), (0, 0), (2, 2))), 5, -1)[:, :, :: index + 1]
        x = np.maximum(np.einsum("nctk,ock->not", views, kernel) + bias[:, None], 0)
    linear = lambda x, name: x @ weights[name + ".weight"].T + weights[name + ".bias"]
    tone = np.maximum(linear(x.reshape(len(x), -1), "sound"), 0)
    times = np.concatenate([pause, np.log(pause + 0.05), np.sqrt(pause), np.log1p(turn)], 1)
    x = np.maximum(linear(np.concatenate([state, tone, times], 1), "first"), 0)
    return sigmoid(linear(np.maximum(linear(x, "second"), 0), "head"))[:, 0]


if __name__ == "__main__":
    unittest.main()
