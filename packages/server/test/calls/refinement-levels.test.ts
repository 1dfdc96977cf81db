// The refinement level comes from the request, or else from the account.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setRefinement } from '../../src/accounts/accounts.ts';
import { createRefiner } from '../../src/refine/create-refiner.ts';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { type FormPart, field, file, form, MODEL, wavOf } from '../http/forms.ts';
import { failure, startService, success } from '../http/service.ts';
import { connect, eventually, startStreamServer } from '../stream/stream-server.ts';

const CLIP = file(wavOf(spoken(story(2))));
const RAW = 'um the the meeting is at three p m';

test('a file may request less refinement, and an unknown level is refused', async (t) => {
  const engine = new ScriptedEngine({ text: () => RAW });
  const service = await startService(t, { engine, overrides: { refiner: createRefiner({}) } });
  const transcriptOf = async (...fields: FormPart[]) =>
    (await success(await service.post(form(MODEL, ...fields, CLIP)))).result.transcript;
  assert.equal(await transcriptOf(field('refine', 'none')), RAW);
  assert.match(await transcriptOf(field('refine', 'light')), /^the meeting is at three p m/i);
  assert.match(await transcriptOf(), /3 p\.m\./);
  assert.equal(await transcriptOf(field('refine', '')), await transcriptOf(field('refine', 'standard')));
  const refused = await failure(await service.post(form(MODEL, field('refine', 'much'), CLIP)));
  assert.equal(refused.error.code, 'INVALID_REQUEST');
  assert.match(refused.error.message, /"refine" must be one of none, light, standard/);
});

test('a field after the file still applies', async (t) => {
  const engine = new ScriptedEngine({ text: () => RAW });
  const service = await startService(t, { engine, overrides: { refiner: createRefiner({}) } });
  const body = await success(await service.post(form(MODEL, CLIP, field('refine', 'none'))));
  assert.equal(body.result.transcript, RAW);
});

test('a stream gets the level that it requests, or else the level of its account', async (t) => {
  const server = await startStreamServer(t);
  const levelOf = async (parameters: Record<string, string>) => {
    const before = server.transcriber.sessions.length;
    const socket = await connect(server.address(parameters));
    socket.send(Buffer.alloc(3200));
    await eventually(
      () => server.transcriber.sessions.length,
      (count) => count > before,
    );
    socket.terminate();
    return server.transcriber.sessions.at(-1)?.request.refinement;
  };
  assert.equal(await levelOf({}), undefined);
  await setRefinement(server.storage, server.accountId, 'none');
  await eventually(
    () => levelOf({}),
    (level) => level === 'none',
  );
  assert.equal(await levelOf({ refine: 'light' }), 'light');
});
