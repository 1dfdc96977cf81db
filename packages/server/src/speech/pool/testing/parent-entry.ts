// A parent with two recognisers, one idle and one hung, that waits to be killed: for the test that no orphans remain.
import { windowOf } from '../../testing/recogniser-fixtures.ts';
import { RecogniserPool } from '../pool.ts';
import type { RecogniserInit } from '../serve-recogniser.ts';

const [entry = '', folder = ''] = process.argv.slice(2);
const init: RecogniserInit = { folders: { faults: folder }, tiers: ['svc-1.0-lite'], threads: 1 };
const pool = new RecogniserPool({
  entry,
  processes: [init, init],
  rssBytesMax: Number.POSITIVE_INFINITY,
});
pool.start();
await pool.ready();
const window = windowOf({ samples: new Float32Array(160), vocabulary: [{ text: 'hang' }] });
pool.recognise(window, new AbortController().signal).catch(() => {});
process.send?.(pool.processes.map(({ pid }) => pid));
