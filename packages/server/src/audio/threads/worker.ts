// The decoding thread: switches between its tasks and reports progress through its heartbeat.
import { parentPort, workerData } from 'node:worker_threads';
import { DecodeTask } from './decode-task.ts';
import { HEARTBEAT_COUNT, HEARTBEAT_TASK, type ThreadData, type ToThread } from './protocol.ts';
import { TurnOrder } from './turn-order.ts';

const port = parentPort;
if (!port) throw new Error('this file must run as a worker thread');
const { heartbeat } = workerData as ThreadData;

// The Opus library logs every bad packet; a hostile file has thousands.
console.error = () => undefined;

const tasks = new Map<number, DecodeTask>();
/** Tasks that may have work to do. */
const waiting = new TurnOrder<DecodeTask>();
let state: 'asleep' | 'running' = 'asleep';

const beat = (): void => {
  Atomics.add(heartbeat, HEARTBEAT_COUNT, 1);
};

/** Lets messages arrive between two slices: an abort, or bytes for another task. */
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const run = async (): Promise<void> => {
  state = 'running';
  for (let task = waiting.take(); task; task = waiting.take()) {
    Atomics.store(heartbeat, HEARTBEAT_TASK, task.id);
    const startMs = performance.now();
    const { report, runAgain } = await task.slice(beat);
    waiting.charge(task.owner, performance.now() - startMs);
    Atomics.store(heartbeat, HEARTBEAT_TASK, 0);
    if (report) port.postMessage(report, report.samples ? [report.samples.buffer as ArrayBuffer] : []);
    if (report?.outcome) tasks.delete(task.id);
    if (runAgain) waiting.add(task.owner, task);
    await nextTurn();
  }
  state = 'asleep';
};

const handle = (message: ToThread): DecodeTask | undefined => {
  if (message.op === 'open') {
    const task = new DecodeTask(message);
    tasks.set(message.task, task);
    return task;
  }
  const task = tasks.get(message.task);
  if (message.op === 'bytes') task?.push(message.bytes);
  else if (message.op === 'end') task?.end();
  else if (message.op === 'credit') task?.credit(message.samples);
  else {
    task?.free();
    tasks.delete(message.task);
    return undefined;
  }
  return task;
};

port.on('message', (message: ToThread) => {
  const task = handle(message);
  if (!task) return;
  waiting.add(task.owner, task);
  if (state === 'asleep') void run();
});
