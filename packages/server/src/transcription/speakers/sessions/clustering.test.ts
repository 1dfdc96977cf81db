import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecogniserUnavailable } from '../../../speech/recogniser.ts';
import { diarize, type SpeakerAnalysis } from '../diarize.ts';
import { madeAtoms, madeWindow } from '../testing/made-speakers.ts';
import { Clustering } from './clustering.ts';
import { packed, unpacked } from './clustering-messages.ts';

const analysisOf = (speakers: readonly number[]): SpeakerAnalysis => {
  const atoms = madeAtoms(speakers);
  const frames = atoms.at(-1)?.toFrame ?? 0;
  return {
    audioSeconds: frames / 59,
    atoms,
    windows: [madeWindow(0, '1122'), madeWindow(100, '2210')],
    consensus: { frames, speech: atoms.map(({ fromFrame, toFrame }) => ({ fromFrame, toFrame })) },
    band: { low: 1, high: 1 },
    stop: { wide: 0.26, narrow: 0.3 },
  };
};

test('packing and unpacking preserve an analysis, even an empty one', () => {
  for (const speakers of [[0, 0, 1, 2], []]) {
    const analysis = analysisOf(speakers);
    assert.deepEqual(unpacked(packed(analysis)), analysis);
  }
});

test('the thread gives the same result as the function', async (t) => {
  const clustering = new Clustering();
  t.after(() => clustering.close());
  const analysis = analysisOf([0, 0, 1, 1, 0, 1, 0, 0, 1, 1]);
  assert.deepEqual(await clustering.diarize(analysis, { max: 4 }), diarize(analysis, { max: 4 }));
});

test('the thread does not end under an open stream, even if it was idle before', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const clustering = new Clustering();
  t.after(() => clustering.close());
  await clustering.diarize(analysisOf([0, 1]), {});
  t.mock.timers.tick(50_000);
  const live = clustering.openLive({});
  t.mock.timers.tick(50_000);
  const update = await live.add({
    endSeconds: 1,
    windows: [],
    atoms: [],
    consensus: { fromFrame: 0, speakers: new Float32Array(10), change: new Float32Array(10) },
    band: { low: 1, high: 1 },
    stop: { wide: 0.2, narrow: 0.2 },
  });
  assert.ok(update);
  live.close();
});

test('tasks that wait when the threads are closed are refused', async () => {
  const clustering = new Clustering();
  const waiting = clustering.diarize(analysisOf([0, 1]), {});
  const refused = assert.rejects(waiting, RecogniserUnavailable);
  await clustering.close();
  await refused;
  assert.throws(() => clustering.openLive({}), RecogniserUnavailable);
});
