import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { consensusOfSpeech } from './analysis/consensus.ts';
import { LiveSpeakers, type UtteranceAnalysis, type UtteranceSpeakers } from './live-speakers.ts';
import { PARAMETERS } from './parameters.ts';
import { madeAtoms } from './testing/made-speakers.ts';

/** Utterances of two atoms each, about two seconds long. */
const utterancesOf = (speakers: readonly number[], noise = 0.15): UtteranceAnalysis[] => {
  const atoms = madeAtoms(
    speakers.flatMap((speaker) => [speaker, speaker]),
    noise,
  );
  return speakers.map((_, index) => {
    const own = atoms.slice(2 * index, 2 * index + 2);
    const [from, to] = [own[0]!.fromFrame, own[1]!.toFrame];
    return {
      endSeconds: (to * 270) / 16_000 + 0.05,
      windows: [],
      atoms: own,
      consensus: consensusOfSpeech(own, from, to),
      band: { low: 1, high: 0.1 },
      stop: { wide: 0.26, narrow: 0.3 },
    };
  });
};

const speakersIn = ({ turns }: UtteranceSpeakers): number[] => [...new Set(turns.map(({ speaker }) => speaker))];

test('each utterance has its speaker, and a speaker keeps its number', () => {
  const live = new LiveSpeakers();
  const order = [3, 3, 1, 3, 1, 2, 2, 3, 1, 2];
  const shown = utterancesOf(order).map((utterance) => live.add(utterance));
  const latest = new Map<number, number[]>();
  for (const update of shown) {
    latest.set(update.utterance, speakersIn(update));
    for (const change of update.changed) latest.set(change.utterance, speakersIn(change));
  }
  const names = new Map<number, number>();
  order.forEach((speaker, index) => {
    const [label] = latest.get(index)!;
    assert.equal(latest.get(index)!.length, 1);
    assert.equal(names.get(speaker) ?? label, label);
    names.set(speaker, label!);
  });
  assert.equal(new Set(names.values()).size, 3);
});

test('labels never change once an utterance is ten seconds old', () => {
  const property = fc.property(
    fc.array(fc.nat(3), { minLength: 4, maxLength: 30 }),
    fc.integer({ min: 10, max: 60 }),
    (order, noise) => {
      const utterances = utterancesOf(order, noise / 100);
      const live = new LiveSpeakers({}, PARAMETERS, 12);
      utterances.forEach((utterance) => {
        const { changed } = live.add(utterance);
        for (const change of changed) {
          assert.ok(utterance.endSeconds - utterances[change.utterance]!.endSeconds <= 10);
        }
      });
    },
  );
  fc.assert(property, { numRuns: 30 });
});

test('speakers are recognised again after their atoms were merged into groups', () => {
  const live = new LiveSpeakers({}, PARAMETERS, 20);
  const order = [0, 0, 1, 1, ...new Array<number>(60).fill(2), 0, 1];
  const shown = utterancesOf(order, 0.1).map((utterance) => live.add(utterance));
  const first = speakersIn(shown[1]!)[0];
  assert.deepEqual(speakersIn(shown.at(-2)!), [first]);
  assert.equal(new Set(shown.flatMap(speakersIn)).size, 3);
});

test('an utterance without atoms has no turns', () => {
  const live = new LiveSpeakers();
  const [utterance] = utterancesOf([0]);
  assert.deepEqual(live.add({ ...utterance!, atoms: [] }).turns, []);
  assert.deepEqual(speakersIn(live.add(utterance!)), [0]);
});
