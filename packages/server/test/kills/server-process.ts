// The real server with recognisers of tones, to be killed under load as a whole or in parts.
// Prints its address, then reads names of parts to kill from standard input and prints whether each existed.

import { createInterface } from 'node:readline';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/app/config.ts';
import { silentLog } from '../../src/observability/log.ts';
import { killThread } from './killable-threads.ts';
import { ProcessEngine } from './process-engine.ts';
import type { ServerPart } from './server-child.ts';

const engine = new ProcessEngine(2);
// The real refiner, in its threads.
const app = await createApp(parseConfig(process.env), { log: silentLog(), engine });
const address = await app.listen();
await app.warm();
process.stdout.write(`${address}\n`);

const killProcess = (pids: readonly number[]): boolean => {
  const pid = pids[Math.floor(Math.random() * pids.length)];
  return pid !== undefined && process.kill(pid, 'SIGKILL');
};

const kill: Record<ServerPart, () => boolean> = {
  recogniser: () => killProcess(engine.recogniserPids),
  'voice process': () => killProcess(engine.voicePids),
  'decoding thread': () => killThread('worker.js', Math.random),
  'text thread': () => killThread('refinement-worker.js', Math.random),
  'database thread': () => killThread('sqlite-worker.js', Math.random),
};

// Ends when the parent closes the pipe.
for await (const part of createInterface(process.stdin)) {
  process.stdout.write(kill[part as ServerPart]() ? 'killed\n' : 'none\n');
}
process.exit(0);
