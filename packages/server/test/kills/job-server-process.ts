// A server to be killed during jobs and retries. Recognition runs in the process, so that it starts quickly.
// Prints its address when it is ready.
import { setTimeout as wait } from 'node:timers/promises';
import { createApp } from '../../src/app/app.ts';
import { parseConfig } from '../../src/app/config.ts';
import { silentLog } from '../../src/observability/log.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { passthroughRefiner } from '../../src/transcription/testing/passthrough-refiner.ts';
import { ON_THIS_MACHINE } from '../jobs/receiver.ts';

const WINDOW_MS_MAX = 40;

const engine = new ScriptedEngine({ slots: 2, before: () => wait(Math.random() * WINDOW_MS_MAX) });
const parts = { log: silentLog(), engine, refiner: passthroughRefiner, receivers: ON_THIS_MACHINE };
const app = await createApp(parseConfig(process.env), parts);
const address = await app.listen();
await app.warm();
process.stdout.write(`${address}\n`);

// Ends when the parent closes the pipe.
for await (const _nothing of process.stdin);
process.exit(0);
