"""Writes a random 8-bit FastConformer as large as Parakeet TDT 0.6B v3: `python3 -m fastconformer.full_size FOLDER`."""
import sys

from .export import write_export
from .shapes import Shape, random_weights

PARAKEET = Shape(
    "tdt", "int8", mels=128, width=1024, heads=8, layers=24, wide=4096, kernel=9, channels=256, hidden=640,
    predictor_layers=2, joint=640, words=8192, durations=5,
)

if __name__ == "__main__":
    write_export(sys.argv[1], PARAKEET, random_weights(PARAKEET, 1))
