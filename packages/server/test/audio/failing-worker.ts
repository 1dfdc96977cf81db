// Stands in for the decoding thread and fails as its input says: the supervision is tested with it.
import { parentPort, workerData } from 'node:worker_threads';
import { PULSE_JOB, type ThreadData, type ToThread } from '../../src/audio/protocol.ts';

const { pulse } = workerData as ThreadData;

const behaviours: Record<string, (job: number) => void> = {
  crash: () => {
    throw new Error('crashed as told');
  },
  exit: () => process.exit(3),
  hang: () => {
    for (;;);
  },
  exhaust: () => {
    const hoard: string[][] = [];
    for (;;) hoard.push(Array.from({ length: 100_000 }, (_, at) => `${at}`));
  },
  wait: () => Atomics.store(pulse, PULSE_JOB, 0),
  work: (job) => {
    Atomics.store(pulse, PULSE_JOB, 0);
    parentPort?.postMessage({ job, heardSeconds: 1, outcome: { kind: 'ended' } });
  },
};

parentPort?.on('message', (message: ToThread) => {
  if (message.op !== 'bytes') return;
  Atomics.store(pulse, PULSE_JOB, message.job);
  behaviours[Buffer.from(message.bytes).toString('latin1')]?.(message.job);
});
