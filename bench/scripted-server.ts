// The service with a scripted speech engine, for benchmarks of everything except recognition.
import { MODEL_IDS } from '@faircopy/contract';
import { createApp, parseConfig, welcome } from '@faircopy/server/app';
import { passthroughRefiner, ScriptedEngine } from '#testing';

/** Recognition at this multiple of real time, plus a fixed cost per call: about the speed of a small model. */
const SPEED = 40;
const CALL_MS = 20;

const app = await createApp(parseConfig(process.env), {
  engine: new ScriptedEngine({
    slots: 2,
    before: ({ samples }) => new Promise((resolve) => setTimeout(resolve, CALL_MS + samples.length / 16 / SPEED)),
  }),
  refiner: passthroughRefiner,
});
const url = await app.listen();
await app.warm();
console.log(url);
await welcome(app.storage, { url, models: MODEL_IDS, node: 'bench' }, (text = '') => console.log(text));
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
