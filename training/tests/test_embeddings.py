import os
import tempfile
import unittest

import numpy as np

from embeddings.export import block_names, random_weights, write_export
from embeddings.reference import HOP, MELS, WINDOW, embed, fbank
from tests.server_code import require_server, run_server_code

WESPEAKER = {"window": "hamming", "scale": 32768, "input": "feats", "output": "embs"}
CAMPPLUS = {"window": "povey", "scale": 1, "input": "x", "output": "embedding"}
STAGES = (1, 2)
# The server's frames have 270 samples; the first one starts at sample 360.
GRID, FIRST, FRAMES_MIN = 270, 360, 100


def frames_of(rows, spans):
    """The rows whose window is centred in the spans, repeated up to FRAMES_MIN if there are fewer."""
    centres = HOP * np.arange(len(rows)) + WINDOW // 2
    inside = [(FIRST + GRID * a <= centres) & (centres < FIRST + GRID * b) for a, b in zip(spans[::2], spans[1::2])]
    kept = np.concatenate([rows[each] for each in inside])
    return np.resize(kept, (max(len(kept), FRAMES_MIN), MELS)) if len(kept) else None


class Agreement(unittest.TestCase):
    """The server and numpy agree on the filter banks of random audio and the embeddings of random models."""

    @classmethod
    def setUpClass(cls):
        require_server("speech/speakers")
        cls.cases = []
        with tempfile.TemporaryDirectory() as folder:
            for nth in range(6):
                facts = [WESPEAKER, CAMPPLUS][nth % 2]
                rng = np.random.default_rng(nth)
                length = int(rng.integers(30_000, 60_000))
                level = np.repeat(rng.uniform(0, 0.3, length // 4000 + 1), 4000)[:length]
                samples = (rng.uniform(-0.1, 0.1) + level * rng.normal(size=length)).astype(np.float32)
                samples[:2000] = 0
                weights = random_weights(4, STAGES, 16, nth)
                path = os.path.join(folder, str(nth))
                os.makedirs(path)
                write_export(os.path.join(path, "embedding.onnx"), weights, STAGES, (facts["input"], facts["output"]))
                cut = int(rng.integers(20, 60))
                regions = [[0, 100], [5, cut, cut + 10, 108], [40, 47], [-9, 2000], [3000, 3010], []]
                cls.cases.append({"folder": path, "samples": samples.tolist(), "fbank": facts, "regions": regions, "weights": weights})
            given = [{key: value for key, value in case.items() if key != "weights"} for case in cls.cases]
            cls.results = run_server_code("embeddings/run.mjs", folder, given)

    def test_features(self):
        for case, got in zip(self.cases, self.results):
            wanted = fbank(np.array(case["samples"]), case["fbank"]["window"], case["fbank"]["scale"])
            found = np.array(got["features"]).reshape(-1, MELS)
            self.assertEqual(found.shape, wanted.shape)
            np.testing.assert_allclose(found, wanted, atol=1e-3)

    def test_embeddings(self):
        for case, got in zip(self.cases, self.results):
            rows = fbank(np.array(case["samples"]), case["fbank"]["window"], case["fbank"]["scale"])
            for spans, found in zip(case["regions"], got["embeddings"]):
                chosen = frames_of(rows, spans) if spans else None
                if chosen is None:
                    self.assertIsNone(found)
                    continue
                wanted = embed(case["weights"], block_names(STAGES), chosen)
                np.testing.assert_allclose(found, wanted / np.linalg.norm(wanted), atol=1e-3)


if __name__ == "__main__":
    unittest.main()
