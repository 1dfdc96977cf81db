// Thread of a supervised process that reads the stop line while the main thread runs native code.
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';
import { STOP_LINE_FD } from './protocol.ts';

const stopped = workerData as Int32Array;
const line = new Socket({ fd: STOP_LINE_FD, readable: true, writable: false });

let buffered = Buffer.alloc(0);
line.on('data', (bytes) => {
  buffered = Buffer.concat([buffered, bytes]);
  for (; buffered.length >= 4; buffered = buffered.subarray(4)) Atomics.store(stopped, 0, buffered.readInt32LE());
});
// The parent is gone or wants this process to end. A model call can only be killed: a regular exit during one would
// dump core.
line.on('close', () => process.kill(process.pid, 'SIGKILL'));
line.on('error', () => process.kill(process.pid, 'SIGKILL'));
