// Runs the given program in this thread, and ends the thread on request.
import { BroadcastChannel, threadId } from 'node:worker_threads';
import type { KILL_CHANNEL } from './killable-threads.ts';

const channelName: typeof KILL_CHANNEL = 'faircopy-kill-thread';
const channel = new BroadcastChannel(channelName);
channel.onmessage = (event) => {
  const { threadId: wanted, how } = (event as { data: { threadId: number; how: 'exit' | 'throw' } }).data;
  if (wanted !== threadId) return;
  if (how === 'exit') process.exit(9);
  setImmediate(() => {
    throw new Error('the test made this thread fail');
  });
};
channel.unref();
await import(process.argv[2]!);
