// Entry point `#testing`, for this repository only: scripted replacements of real parts, and the locally stored models.
export { freePort } from '../lib/net/testing/free-port.ts';
export { seededRandom } from '../lib/seeded-random.ts';
export { ScriptedEngine } from '../speech/testing/scripted-engine.ts';
export { storedModels } from '../speech/testing/stored-models.ts';
export { spoken, story } from '../speech/testing/tones.ts';
export { passthroughRefiner } from '../transcription/testing/passthrough-refiner.ts';
