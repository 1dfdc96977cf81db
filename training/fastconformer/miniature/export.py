"""Writes the trained miniature as an export: python3 -m fastconformer.miniature.export --model FOLDER --out FOLDER --kind tdt --quantised int8"""
import argparse

from ..export import write_export
from . import model


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--kind", choices=model.KINDS, default="tdt")
    parser.add_argument("--quantised", choices=["int8", "uint8"])
    given = parser.parse_args()
    write_export(given.out, *model.load(given.model, given.kind, given.quantised))


if __name__ == "__main__":
    main()
