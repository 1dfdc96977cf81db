// The real server, on a scripted speech engine, to be killed under load. Prints its address once it serves.
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/platform/config.ts';
import { silentLog } from '../../src/platform/log.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { passthroughRefiner } from '../../src/transcription/testing/passthrough-refiner.ts';

const app = await createApp(parseConfig(process.env), {
  log: silentLog(),
  engine: new ScriptedEngine({ slots: 8 }),
  refiner: passthroughRefiner,
});
const address = await app.listen();
await app.warm();
process.stdout.write(`${address}\n`);
