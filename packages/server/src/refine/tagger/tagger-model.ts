// Loads the tagger's network, which returns the probability of each kind for every word of a window.
import '../../lib/process/no-telemetry.ts';
import { readFile } from 'node:fs/promises';
import type { InferenceSession } from 'onnxruntime-node';
import { RunGate } from './run-gate.ts';
import { WordPiece } from './word-piece.ts';

export const KINDS = ['keep', 'filler', 'repeat', 'repair', 'cue'] as const;

/** The probability of each kind, in the order of KINDS. */
export type KindProbabilities = readonly number[];

interface WindowWord {
  readonly text: string;
  /** See signals.ts; 0 when unknown. */
  readonly signal: number;
}

export interface TaggerModel {
  /** The number of word pieces in a word. */
  size(word: string): number;
  /** Null when the thread is about to be terminated. */
  probabilities(words: readonly WindowWord[]): Promise<readonly KindProbabilities[] | null>;
}

/** Maximum word pieces in a window, including the start and end pieces. */
export const WINDOW_PIECES_MAX = 112;
const KEPT: KindProbabilities = [1, 0, 0, 0, 0];

const softmax = (scores: Float32Array, from: number): KindProbabilities => {
  const row = Array.from(scores.subarray(from, from + KINDS.length));
  const top = Math.max(...row);
  const raised = row.map((score) => Math.exp(score - top));
  const sum = raised.reduce((total, value) => total + value, 0);
  return raised.map((value) => value / sum);
};

class OnnxTagger implements TaggerModel {
  readonly #session: InferenceSession;
  readonly #ort: typeof import('onnxruntime-node');
  readonly #pieces: WordPiece;
  readonly #gate: RunGate;

  constructor(ort: typeof import('onnxruntime-node'), session: InferenceSession, pieces: WordPiece, gate: RunGate) {
    this.#ort = ort;
    this.#session = session;
    this.#pieces = pieces;
    this.#gate = gate;
  }

  size(word: string): number {
    return this.#pieces.split(word).length;
  }

  async probabilities(words: readonly WindowWord[]): Promise<readonly KindProbabilities[] | null> {
    const { ids, places } = this.#pieces.encode(words.map(({ text }) => text));
    if (ids.length > WINDOW_PIECES_MAX) return words.map(() => KEPT);
    const signals = new BigInt64Array(ids.length);
    places.forEach((place, word) => {
      if (place >= 0) signals[place] = BigInt(words[word]!.signal);
    });
    const tensor = (values: BigInt64Array) => new this.#ort.Tensor('int64', values, [1, ids.length]);
    if (!this.#gate.enter()) return null;
    try {
      const { scores } = await this.#session.run({
        ids: tensor(BigInt64Array.from(ids, BigInt)),
        signals: tensor(signals),
      });
      const data = scores!.data as Float32Array;
      return places.map((place) => (place < 0 ? KEPT : softmax(data, place * KINDS.length)));
    } finally {
      this.#gate.leave();
    }
  }
}

/** Rejects when the weights are missing or damaged. */
export const loadTaggerModel = async (gate: RunGate = new RunGate()): Promise<TaggerModel> => {
  const { modelFile, vocabularyFile } = await import('@faircopy/refiner-model');
  const ort = await import('onnxruntime-node');
  const vocabulary = JSON.parse(await readFile(vocabularyFile, 'utf8')) as string[];
  if (!gate.enter()) throw new Error('the thread is about to be terminated');
  try {
    const session = await ort.InferenceSession.create(modelFile, {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      graphOptimizationLevel: 'all',
    });
    return new OnnxTagger(ort, session, new WordPiece(vocabulary), gate);
  } finally {
    gate.leave();
  }
};
