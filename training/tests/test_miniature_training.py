import importlib.util
import unittest

import numpy as np

from fastconformer import reference
from fastconformer.miniature import model, pieces, scores, sentences

HAS_TORCH = importlib.util.find_spec("torch") is not None


def brute_force(blank, token, frames, count):
    """The negative log-probability summed over all paths, by walking them."""
    durations = token.shape[-1]
    reached = np.zeros((frames + 1, count + 1))
    reached[0, 0] = 1
    for t in range(frames):
        for u in range(count + 1):
            for d in range(durations):
                if d and t + d <= frames:
                    reached[t + d, u] += reached[t, u] * np.exp(blank[t, u, d - 1])
                if u < count and t + d <= frames:
                    reached[t + d, u + 1] += reached[t, u] * np.exp(token[t, u, d])
    return -np.log(reached[frames, count])


class Pieces(unittest.TestCase):
    def test_words_are_written_and_read_back(self):
        speaker = sentences.Speaker(np.random.default_rng(3))
        texts = [speaker.sentence() for _ in range(300)]
        names = pieces.learn(texts, 60)
        encoder = pieces.Encoder(names)
        for text in texts:
            tokens = [token for word in text.split() for token in encoder.word(word)]
            self.assertEqual(pieces.text_of(tokens, names), text)
        self.assertEqual((names[0], names[-1], len(set(names))), ("<unk>", "<blk>", len(names)))


class Scores(unittest.TestCase):
    def test_words_right(self):
        self.assertEqual(scores.words_right([("One two, three four.", "one three for")]), 0.5)
        self.assertEqual(scores.aligned("a b c".split(), "a c".split()), (1, [(0, 0), (2, 1)]))


@unittest.skipUnless(HAS_TORCH, "PyTorch is not installed")
class Training(unittest.TestCase):
    def test_loss_sums_all_paths(self):
        import torch

        from fastconformer.miniature.losses import padded_durations, steps, transducer_loss

        torch.manual_seed(0)
        tokens = torch.randint(0, 6, (3, 4))
        frames, counts = torch.tensor([7, 5, 3]), torch.tensor([4, 2, 1])
        for outputs in (7 + 5, 7):
            blank, token = steps(torch.randn(3, 7, 5, outputs), tokens, 6)
            blank, token = padded_durations(blank, token, 5)
            found = transducer_loss(blank, token, frames, counts)
            wanted = [brute_force(blank[nth].numpy(), token[nth].numpy(), int(frames[nth]), int(counts[nth])) for nth in range(3)]
            np.testing.assert_allclose(found.numpy(), wanted, rtol=1e-4)

    def test_network_agrees_with_the_reference(self):
        import torch

        from fastconformer.miniature.network import Network, features, mel_filters

        rng = np.random.default_rng(1)
        network = Network(model.shapes_of(40)).eval()
        lengths = [16_000, 11_111]
        samples = np.zeros((2, 16_000), np.float32)
        for row, length in zip(samples, lengths):
            row[:length] = rng.normal(size=length) * 0.1
        tokens = torch.tensor([[3, 5], [7, 2]])
        with torch.no_grad():
            given, frames = features(torch.tensor(samples), torch.tensor(lengths), mel_filters(80, "cpu"))
            encoded, frames = network.encode(given, frames)
            joined = network.join(encoded, network.predict(tokens, "tdt"), "tdt")
        trained = network.trained()
        for nth, length in enumerate(lengths):
            shape = network.shapes["tdt"]
            numpy = reference.Network(shape, model.weights_of(trained, shape))
            wanted = reference.features(samples[nth, :length], 80)
            np.testing.assert_allclose(given[nth, :, : wanted.shape[1]], wanted, atol=2e-3)
            rows = numpy.encode(wanted)
            self.assertEqual(len(rows), int(frames[nth]))
            np.testing.assert_allclose(encoded[nth, : len(rows)], rows, atol=1e-2)
            states, last = [(np.zeros(shape.hidden),) * 2], shape.words
            for place, token in enumerate([*tokens[nth].tolist(), 0]):
                logits, states = numpy.step(rows[4], last, states)
                np.testing.assert_allclose(joined[nth, 4, place], logits, atol=1e-2)
                last = token


if __name__ == "__main__":
    unittest.main()
