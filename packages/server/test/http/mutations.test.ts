// Forms that were damaged at random, from a seed: every answer is JSON of the contract, none is a 500, and nothing hangs.
import assert from 'node:assert/strict';
import test from 'node:test';
import { errorResponse, successResponse } from '@faircopy/contract';
import { seededRandom } from '../../src/lib/seeded-random.ts';
import { spoken } from '../../src/speech/testing/tones.ts';
import { BOUNDARY, FORM_TYPE, field, file, form, MODEL, wavOf } from './forms.ts';
import { RawClient } from './raw.ts';
import { startService } from './service.ts';

const ROUNDS = 300;

const random = (seed: number) => {
  const next = seededRandom(seed);
  return (below: number): number => Math.floor(next() * below);
};

const TOKENS = ['\r\n', '--', `--${BOUNDARY}`, `--${BOUNDARY}--`, '\r\n\r\n', '"', ';', ':', '\0', 'name=', 'ÿ'];

const damage = (body: Buffer, next: (below: number) => number): Buffer => {
  let bytes = Buffer.from(body);
  for (let turns = 1 + next(4); turns > 0; turns -= 1) {
    const at = next(bytes.length);
    const token = Buffer.from(TOKENS[next(TOKENS.length)]!, 'latin1');
    // Mostly in the parts between the audio, where the structure is.
    const near = next(3) === 0 ? at : Math.min(at, next(400));
    switch (next(5)) {
      case 0:
        bytes = bytes.subarray(0, near);
        break;
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, near), token, bytes.subarray(near)]);
        break;
      case 2:
        bytes = Buffer.concat([bytes.subarray(0, near), bytes.subarray(near + next(60))]);
        break;
      case 3:
        if (bytes.length > 0) bytes[near] = next(256);
        break;
      default:
        bytes = Buffer.concat([bytes.subarray(0, near), bytes.subarray(near, near + next(200)), bytes.subarray(near)]);
    }
    if (bytes.length === 0) break;
  }
  return bytes;
};

test(`${ROUNDS} damaged forms: each gets a valid response, never a 500`, async (t) => {
  const service = await startService(t);
  const whole = form(MODEL, field('language', 'en'), file(wavOf(spoken(['apple']))), field('include', 'words'));
  const next = random(20_261_115);
  const seen = new Map<number, number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = damage(whole, next);
    const client = new RawClient(service.port);
    await client.head([
      'POST /v1/transcribe HTTP/1.1',
      'Host: localhost',
      `Authorization: Token ${service.key}`,
      `Content-Type: ${FORM_TYPE}`,
      `Content-Length: ${body.length}`,
      'Connection: close',
    ]);
    await client.send(body);
    const answer = await client.answer();
    assert.ok(answer, `round ${round}: no answer`);
    seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1);
    const json: unknown = JSON.parse(answer.body);
    const schema = answer.status === 200 ? successResponse : errorResponse;
    assert.equal(schema.safeParse(json).success, true, `round ${round}: ${answer.body}`);
    assert.ok(answer.status < 500, `round ${round}: ${answer.body}`);
    client.socket.destroy();
  }
  assert.ok((seen.get(200) ?? 0) > 0 && (seen.get(400) ?? 0) > 0, JSON.stringify([...seen]));
  assert.equal((await service.rows()).length, ROUNDS);
});
