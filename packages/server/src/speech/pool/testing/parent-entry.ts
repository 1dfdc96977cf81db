// A parent with two recognisers, one idle and one hanging, that waits to be killed: for the test that no orphan stays.
import { jobOf } from '../../testing/heard.ts';
import { RecogniserPool } from '../pool.ts';

const [entry = '', folder = ''] = process.argv.slice(2);
const pool = new RecogniserPool({
  entry,
  processes: 2,
  init: { folders: { marks: folder }, tiers: ['svc-1.0-lite'], threads: 1 },
  rssBytesMax: Number.POSITIVE_INFINITY,
});
pool.start();
await pool.ready();
const job = jobOf({ samples: new Float32Array(160), vocabulary: ['hang'] });
pool.recognise(job, new AbortController().signal).catch(() => {});
process.send?.(pool.status.processes.map(({ pid }) => pid));
