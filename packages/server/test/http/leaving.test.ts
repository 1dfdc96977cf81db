// Callers who disconnect at any point: everything is freed, and one row records it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { ScriptedEngine } from '../../src/speech/testing/scripted-engine.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { FORM_TYPE, file, form, MODEL, wavOf } from './forms.ts';
import { RawClient } from './raw.ts';
import { rowsOnceThere, type Service, startService } from './service.ts';

const BODY = form(MODEL, file(wavOf(spoken(story(8)))));

const startUpload = async ({ port, key }: Service, bytes: number): Promise<RawClient> => {
  const client = new RawClient(port);
  await client.head([
    'POST /v1/transcribe HTTP/1.1',
    'Host: localhost',
    `Authorization: Token ${key}`,
    `Content-Type: ${FORM_TYPE}`,
    `Content-Length: ${BODY.length}`,
  ]);
  await client.send(BODY.subarray(0, bytes));
  return client;
};

test('disconnecting during recognition stops it; the row is CLIENT_DISCONNECTED, billed 0', async (t) => {
  const engine = new ScriptedEngine();
  engine.hold();
  const service = await startService(t, { engine });
  const client = await startUpload(service, BODY.length);
  await engine.until(({ running }) => running === 1);
  client.socket.destroy();
  await engine.until(({ running, openProbes }) => running === 0 && openProbes === 0);
  assert.equal(engine.asked[0]!.state, 'aborted');
  const rows = await rowsOnceThere(service, 1);
  assert.deepEqual(
    rows.map((row) => [row.status, row.billedSeconds, row.model]),
    [['CLIENT_DISCONNECTED', 0, 'svc-1.0-lite']],
  );
});

const connectionsOf = ({ app }: Service) =>
  new Promise<number>((resolve) => app.http.server.getConnections((_error, count) => resolve(count)));

test('200 clients that disconnect at any point leave no session, probe, decoder or handle behind', async (t) => {
  const engine = new ScriptedEngine({ slots: 2 });
  const service = await startService(t, { engine });
  assert.equal((await service.post(BODY)).status, 200);
  const CALLERS = 200;
  for (let done = 0; done < CALLERS; done += 20) {
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const client = await startUpload(service, Math.floor((BODY.length * ((done + index) % 97)) / 96));
        if (index % 3 === 0) client.socket.resetAndDestroy();
        else client.socket.destroy();
        await client.closed();
      }),
    );
  }
  // A request whose head was not read before its caller disconnected does not count. All others have a row.
  await rowsOnceThere(service, CALLERS / 2);
  await engine.until(({ running, openProbes }) => running === 0 && openProbes === 0);
  while ((await connectionsOf(service)) > 1) await delay(20);
  while (!/^faircopy_open_sessions 0$/m.test(await (await fetch(`${service.url}/metrics`)).text())) await delay(20);
  const rows = await service.rows();
  assert.equal(new Set(rows.map(({ request_id }) => request_id)).size, rows.length);
  assert.ok(rows.length >= CALLERS / 2 && rows.length <= CALLERS + 1, `${rows.length} rows`);
  for (const row of rows) {
    assert.ok(row.status === 'CLIENT_DISCONNECTED' || row.status === 'success', row.status);
    assert.equal(row.billedSeconds > 0, row.status === 'success');
  }
  // And the service still serves.
  assert.equal((await service.post(BODY)).status, 200);
});
