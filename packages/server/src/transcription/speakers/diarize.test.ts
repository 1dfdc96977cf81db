import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { consensusOfSpeech } from './analysis/consensus.ts';
import { trackAgreement, trackEvidence, windowShares } from './analysis/tracks.ts';
import { diarize, type SpeakerAnalysis } from './diarize.ts';
import { PARAMETERS } from './parameters.ts';
import { madeAtoms, madeWindow } from './testing/made-speakers.ts';
import type { EmbeddedAtom, SpokenSpan } from './types.ts';

const WIDE = { low: 1, high: 0.1 };

const analysisOf = (atoms: readonly EmbeddedAtom[]) => {
  const frames = (atoms.at(-1)?.toFrame ?? 0) + 10;
  return {
    audioSeconds: (frames * 270) / 16_000,
    windows: [],
    atoms,
    consensus: consensusOfSpeech(atoms, 0, frames),
    band: WIDE,
    stop: { wide: 0.26, narrow: 0.3 },
  } satisfies SpeakerAnalysis;
};

const dialogue = (count: number, speakers: number, seed: number): number[] =>
  // At first everybody speaks in turn, then in an order that the seed decides.
  Array.from({ length: count }, (_, i) => (i < 2 * speakers ? i % speakers : (i * 7 + seed * 3 + (i >> 2)) % speakers));

const labelsOf = (spans: readonly SpokenSpan[]): number[] => spans.map(({ speaker }) => speaker);

/** Whether two labellings are the same except for the names. */
const agree = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  const pairs = new Set(Array.from(a, (label, i) => `${label} ${b[i]}`));
  return pairs.size === new Set(Array.from(a)).size && pairs.size === new Set(Array.from(b)).size;
};

test('any number of distinct voices are separated', () => {
  const property = fc.property(fc.integer({ min: 1, max: 8 }), fc.nat(50), (speakers, seed) => {
    const truth = dialogue(60, speakers, seed);
    const { spans, speakers: found } = diarize(analysisOf(madeAtoms(truth, 0.1, seed)));
    assert.equal(found.length, speakers);
    assert.ok(agree(labelsOf(spans), truth));
  });
  fc.assert(property, { numRuns: 30 });
});

test('speakers are numbered in the order in which they are heard, and turns are in order', () => {
  const { spans, turns, speakers } = diarize(analysisOf(madeAtoms([5, 5, 2, 2, 5, 0, 0, 2])));
  assert.deepEqual(labelsOf(spans), [0, 0, 1, 1, 0, 2, 2, 1]);
  assert.deepEqual(
    speakers.map(({ speaker }) => speaker),
    [0, 1, 2],
  );
  turns.slice(1).forEach((turn, index) => {
    assert.ok(turn.startSeconds >= turns[index]!.startSeconds);
  });
});

test('a long recording is labelled the same in blocks as in one piece', () => {
  const property = fc.property(fc.integer({ min: 2, max: 5 }), fc.nat(20), (speakers, seed) => {
    const analysis = analysisOf(madeAtoms(dialogue(300, speakers, seed), 0.2, seed));
    const whole = diarize(analysis);
    const inBlocks = diarize(analysis, {}, PARAMETERS, 70);
    assert.deepEqual(labelsOf(inBlocks.spans), labelsOf(whole.spans));
  });
  fc.assert(property, { numRuns: 10 });
});

test('in a long recording, outliers of a voice are not a speaker, but a person who says little is', () => {
  const truth = dialogue(360, 2, 1);
  const speakersWith = (resemblance: number) => {
    const atoms = madeAtoms(truth, 0.05).map((atom, index) => {
      if (index % 30 !== 15) return atom;
      // One second in each block, all alike, and with the given similarity to the first voice.
      const embedding = new Float32Array(atom.embedding.length);
      embedding[0] = resemblance;
      embedding[9] = Math.sqrt(1 - resemblance ** 2);
      return { ...atom, embedding };
    });
    return diarize(analysisOf(atoms), {}, PARAMETERS, 30).speakers.length;
  };
  assert.equal(speakersWith(0.22), 2);
  assert.equal(speakersWith(0), 3);
});

test('a given count is kept, and so are a minimum and a maximum', () => {
  const analysis = analysisOf(madeAtoms(dialogue(80, 4, 3)));
  for (const count of [1, 2, 3, 4]) assert.equal(diarize(analysis, { count }).speakers.length, count);
  assert.equal(diarize(analysis, { max: 2 }).speakers.length, 2);
  assert.equal(diarize(analysis, { min: 6 }).speakers.length, 6);
  assert.equal(diarize(analysis, { min: 2, max: 6 }).speakers.length, 4);
});

test('more speakers than there is speech for are not invented', () => {
  const { speakers, turns } = diarize(analysisOf(madeAtoms([0, 1])), { count: 10 });
  assert.ok(speakers.length <= 2 && speakers.length > 0);
  assert.ok(turns.length > 0);
});

test('one odd sound is not a speaker', () => {
  const truth = dialogue(60, 2, 1);
  truth[30] = 9;
  const atoms = madeAtoms(truth, 0.1);
  const short = { ...atoms[30]!, toFrame: atoms[30]!.fromFrame + 55 };
  const { speakers } = diarize(analysisOf(atoms.with(30, short)));
  assert.equal(speakers.length, 2);
  assert.equal(diarize(analysisOf(atoms.with(30, short)), { count: 2 }).speakers.length, 2);
});

test('silence has no speakers, and one word has one', () => {
  const silent = diarize(analysisOf([]));
  assert.deepEqual([silent.turns.length, silent.speakers.length], [0, 0]);
  assert.deepEqual(diarize(analysisOf([]), { count: 3 }).speakers, []);
  const word = diarize(analysisOf(madeAtoms([0])));
  assert.deepEqual([word.turns.length, word.speakers.length], [1, 1]);
  assert.equal(word.spans[0]?.confidence, 1);
});

test('local tracks join the atoms of one track and separate those of two', () => {
  const atoms = madeAtoms([0, 0, 0, 0]);
  const inTurn = `${'1'.repeat(6)}0${'2'.repeat(6)}0`;
  const windows = windowShares([madeWindow(0, `${inTurn}${inTurn}`.slice(0, 26))], atoms);
  const agreement = trackAgreement(windows, [0, 1, 2, 3], 4);
  assert.ok(agreement[0 * 4 + 2]! > 0.8 && agreement[1 * 4 + 3]! > 0.5);
  assert.ok(agreement[0 * 4 + 1]! < -0.5 && agreement[2 * 4 + 3]! < -0.5);
  const evidence = trackEvidence(windows, atoms, Int32Array.of(0, 1, 1, 1), 2);
  // Atom 2 shares its track with atom 0, whatever label it has itself.
  assert.ok(evidence[2 * 2]! > 0.7);
  assert.ok(evidence[3 * 2 + 1]! > 0.7);
});

test('when two people speak at once, both have a turn', () => {
  const atoms = madeAtoms([0, 1]);
  const speech = analysisOf(atoms);
  speech.consensus.speakers.fill(2, 40, 60);
  const { turns } = diarize(speech, { count: 2 });
  const during = turns.filter(({ startSeconds, endSeconds }) => startSeconds <= 0.7 && endSeconds >= 0.9);
  assert.deepEqual(during.map(({ speaker }) => speaker).sort(), [0, 1]);
});
