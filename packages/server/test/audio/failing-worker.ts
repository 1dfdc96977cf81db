// Replaces the decoding thread and fails as its input says, to test supervision.
import { parentPort, workerData } from 'node:worker_threads';
import { HEARTBEAT_TASK, type ThreadData, type ToThread } from '../../src/audio/threads/protocol.ts';

const { heartbeat } = workerData as ThreadData;

const behaviours: Record<string, (task: number) => void> = {
  crash: () => {
    throw new Error('crashed on purpose');
  },
  exit: () => process.exit(3),
  hang: () => {
    for (;;);
  },
  exhaust: () => {
    const hoard: string[][] = [];
    for (;;) hoard.push(Array.from({ length: 100_000 }, (_, at) => `${at}`));
  },
  wait: () => Atomics.store(heartbeat, HEARTBEAT_TASK, 0),
  work: (task) => {
    Atomics.store(heartbeat, HEARTBEAT_TASK, 0);
    parentPort?.postMessage({ task, decodedSeconds: 1, outcome: { kind: 'ended' } });
  },
};

parentPort?.on('message', (message: ToThread) => {
  if (message.op !== 'bytes') return;
  Atomics.store(heartbeat, HEARTBEAT_TASK, message.task);
  behaviours[Buffer.from(message.bytes).toString('latin1')]?.(message.task);
});
