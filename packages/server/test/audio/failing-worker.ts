// Stands in for the decoding thread and fails as its input says: the supervision is tested with it.
import { parentPort, workerData } from 'node:worker_threads';
import { HEARTBEAT_JOB, type ThreadData, type ToThread } from '../../src/audio/protocol.ts';

const { heartbeat } = workerData as ThreadData;

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
  wait: () => Atomics.store(heartbeat, HEARTBEAT_JOB, 0),
  work: (job) => {
    Atomics.store(heartbeat, HEARTBEAT_JOB, 0);
    parentPort?.postMessage({ job, decodedSeconds: 1, outcome: { kind: 'ended' } });
  },
};

parentPort?.on('message', (message: ToThread) => {
  if (message.op !== 'bytes') return;
  Atomics.store(heartbeat, HEARTBEAT_JOB, message.job);
  behaviours[Buffer.from(message.bytes).toString('latin1')]?.(message.job);
});
