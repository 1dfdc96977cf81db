import os
import tempfile
import unittest

import numpy as np

from fastconformer.export import write_export
from fastconformer.reference import Network, features
from fastconformer.shapes import Shape, random_weights, tokens
from tests.server_code import require_server, run_server_code

SMALL = {"layers": 1, "channels": 2, "wide": 16}
KINDS = [
    Shape("tdt", None, 80), Shape("tdt", "uint8", 80, **SMALL), Shape("rnnt", None, 128, layers=1), Shape("tdt", "int8", 80, **SMALL),
    Shape("ctc", None, 80), Shape("ctc", "uint8", 80, **SMALL), Shape("tdt", None, 128, predictor_layers=1, durations=3),
    Shape("rnnt", "uint8", 80, **SMALL), Shape("tdt", "uint8", 128, kernel=5, **SMALL), Shape("ctc", "int8", 80, width=24, heads=3, **SMALL),
]
# Quantised to bytes, a value near a rounding boundary may fall on either side, so such a case is skipped.
MARGIN = 1e-5
LEAD = 2e-3


def sounds(rng, length):
    """Buzzes of random pitch and length, with noise."""
    pitch = np.repeat(rng.uniform(80, 2000, length // 1600 + 1), 1600)[:length]
    level = np.repeat(rng.uniform(0, 0.3, length // 800 + 1), 800)[:length]
    buzz = np.sin(2 * np.pi * np.cumsum(pitch) / 16000) ** 3
    return (level * buzz + 0.02 * rng.normal(size=length)).astype(np.float32)


class Agreement(unittest.TestCase):
    """The server and numpy agree on features, encoder frames, tokens and times of random models."""

    @classmethod
    def setUpClass(cls):
        require_server("speech/fastconformer")
        cls.cases = []
        with tempfile.TemporaryDirectory() as folder:
            given = []
            for nth in range(3 * len(KINDS)):
                shape = KINDS[nth % len(KINDS)]
                rng = np.random.default_rng(nth)
                samples = sounds(rng, int(rng.integers(8_000, 16_000 if shape.quantised else 50_000)))
                keep, context = int(rng.integers(6, 40)), int(rng.integers(0, 8))
                weights = random_weights(shape, nth)
                path = os.path.join(folder, str(nth))
                write_export(path, shape, weights)
                given.append({"folder": path, "samples": samples.tolist(), "keep": keep, "context": context})
                cls.cases.append((Network(shape, weights), samples, keep, context))
            cls.results = run_server_code("fastconformer/run.mjs", folder, given)

    def test_agreement(self):
        proven = []
        for (network, samples, keep, context), got in zip(self.cases, self.results):
            shape = network.shape
            found = np.array(got["features"], np.float32).reshape(shape.mels, -1)
            np.testing.assert_allclose(found, features(samples, shape.mels), atol=1e-4)
            rows = network.encode_windows(found, keep, context)
            spoken, lead = network.decode(rows)
            if network.activations.margin < MARGIN or lead < LEAD:
                continue
            names = tokens(shape)
            spoken = [each for each in spoken if not names[each[0]].startswith("<")]
            # The server stops when a text repeats itself.
            spoken = spoken[: len(got["tokens"])] if got["degenerate"] else spoken
            np.testing.assert_allclose(np.array(got["rows"]).reshape(-1, got["width"]), rows, atol=1e-4)
            self.assertEqual(got["tokens"], [token for token, *_ in spoken])
            self.assertEqual(got["places"], [[frame, duration] for _, frame, duration, _ in spoken])
            np.testing.assert_allclose(got["logProbabilities"], [chance for *_, chance in spoken], atol=1e-4)
            self.check_words(got, spoken, names, len(samples) / 16)
            proven.append((shape.kind, shape.quantised))
        self.assertGreaterEqual(len(proven), 10)
        self.assertEqual({kind for kind, _ in proven}, {"tdt", "rnnt", "ctc"})
        self.assertEqual({kind for _, kind in proven}, {None, "uint8", "int8"})

    def check_words(self, got, spoken, names, audio_ms):
        """Words are split where a token starts one. They last from the first frame to the end of the last token."""
        words = []
        for token, frame, duration, chance in spoken:
            if names[token].startswith("\u2581") or not words:
                words.append(["", frame, 0])
            words[-1][0] += names[token].strip("\u2581")
        self.assertEqual([word["text"] for word in got["words"]], [text for text, *_ in words])
        starts = [word["startMs"] for word in got["words"]]
        self.assertEqual(starts, [min(audio_ms, 80 * frame) for _, frame, _ in words])
        self.assertTrue(all(word["startMs"] <= word["endMs"] <= audio_ms for word in got["words"]))


if __name__ == "__main__":
    unittest.main()
