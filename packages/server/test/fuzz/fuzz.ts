// `npm run fuzz -- --seconds 60 --seed 1 [--containers mp3,mp4]`: damaged files of every kind against the decoders, until the time is up.
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { FuzzReport, FuzzTask } from './fuzz-worker.ts';
import { fuzzInput, trial } from './trial.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: process.env.FUZZ_SECONDS ?? '60' },
    seed: { type: 'string', default: '1' },
    /** Damages files of these containers only, such as mp3,mp4. */
    containers: { type: 'string' },
    /** Runs this one input and says what comes of it. */
    only: { type: 'string' },
  },
});

const containers = values.containers?.split(',');

const HANG_MS = 10_000;
/** The corpus is small and the limit is 20 s of sound: a healthy run stays far below. */
const RSS_MB_MAX = 1500;

const runOne = async (seed: number): Promise<void> => {
  const { name, bytes } = fuzzInput(seed, containers);
  console.log(`input ${seed}: ${bytes.length} bytes made of "${name}"`);
  console.log(await trial(seed, containers));
};

interface Totals {
  inputs: number;
  ended: number;
  slowestMs: number;
  faults: number;
}

/** One thread until it is done or hangs; hands back the seed to go on from. */
const runThread = (firstSeed: number, untilMs: number, totals: Totals): Promise<number> =>
  new Promise((resolve, reject) => {
    const current = new Int32Array(new SharedArrayBuffer(4));
    const workerData: FuzzTask = { firstSeed, untilMs, inputsMax: Number.POSITIVE_INFINITY, containers, current };
    const worker = new Worker(new URL('./fuzz-worker.js', import.meta.url), { workerData });
    let seen = -1;
    const fault = (seed: number, what: string): void => {
      totals.faults++;
      console.log(`input ${seed} (${fuzzInput(seed, containers).name}): ${what}`);
    };
    const watch = setInterval(() => {
      const seed = Atomics.load(current, 0);
      if (seed === seen && seed !== 0) {
        fault(seed, 'hangs');
        totals.inputs += seed - firstSeed + 1;
        clearInterval(watch);
        void worker.terminate().then(() => resolve(seed + 1));
      }
      seen = seed;
      const rssMb = process.memoryUsage.rss() / 2 ** 20;
      if (rssMb > RSS_MB_MAX) fault(seed, `memory has grown to ${rssMb.toFixed(0)} MB`);
    }, HANG_MS);
    worker.on('message', (report: FuzzReport) => {
      if (report.kind === 'fault') {
        fault(report.seed, report.what);
        return;
      }
      totals.inputs += report.inputs;
      totals.ended += report.ended;
      totals.slowestMs = Math.max(totals.slowestMs, report.slowestMs);
      clearInterval(watch);
      resolve(firstSeed + report.inputs);
    });
    worker.on('error', reject);
  });

const runAll = async (firstSeed: number, seconds: number): Promise<number> => {
  const untilMs = Date.now() + seconds * 1000;
  const totals: Totals = { inputs: 0, ended: 0, slowestMs: 0, faults: 0 };
  for (let seed = firstSeed; Date.now() < untilMs; ) seed = await runThread(seed, untilMs, totals);
  const { inputs, ended, slowestMs, faults } = totals;
  const rssMb = process.memoryUsage.rss() / 2 ** 20;
  console.log(
    `${inputs} inputs from seed ${firstSeed}, each decoded twice: ${ended} decoded, ${inputs - ended} refused, ` +
      `slowest ${slowestMs.toFixed(0)} ms, memory ${rssMb.toFixed(0)} MB, ${faults} faults`,
  );
  return faults;
};

if (values.only) await runOne(Number(values.only));
else process.exitCode = (await runAll(Number(values.seed), Number(values.seconds))) > 0 ? 1 : 0;
