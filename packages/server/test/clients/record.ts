// Records a session of every client. After updating a client, run `node packages/server/dist/test/clients/record.js`,
// then `npm run format`. For LiveKit, give a folder where @livekit/agents-plugin-deepgram and -openai are installed.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { startService } from '../http/service.ts';
import { makeCertificate } from '../realtime/certificate.ts';
import { DRIVERS } from './drivers.ts';
import { livekitDrivers } from './livekit.ts';
import { startRecorder } from './recorder.ts';
import { RECORDINGS } from './recording.ts';

const closers: (() => Promise<void>)[] = [];
const service = await startService({ after: (close) => closers.push(close) });
const { tlsKey, tlsCert, remove } = makeCertificate();
const tls = { key: readFileSync(tlsKey), cert: readFileSync(tlsCert) };

const [livekitFolder] = process.argv.slice(2);

for (const { client, rateHz, isTls, run } of [...DRIVERS, ...(livekitFolder ? livekitDrivers(livekitFolder) : [])]) {
  const recorder = await startRecorder(service, rateHz, isTls ? tls : undefined);
  await run(recorder.port, service.key);
  await recorder.closed;
  recorder.stop();
  const recording = { client, path: recorder.path(), rateHz, steps: recorder.steps };
  const name = `${client.replace(/[^a-z0-9]+/giu, '-').replace(/^-/u, '')}.json`;
  writeFileSync(new URL(name, RECORDINGS), `${JSON.stringify(recording, null, 2)}\n`);
  console.log(fileURLToPath(new URL(name, RECORDINGS)), recorder.steps.length, 'steps');
}
for (const close of closers) await close();
remove();
process.exit(0);
