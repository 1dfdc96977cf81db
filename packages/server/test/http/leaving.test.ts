// Callers who disconnect at any point: everything is freed, and one row records it.
import assert from 'node:assert/strict';
import test from 'node:test';
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
  const rows = await rowsOnceThere(service, CALLERS + 1);
  assert.equal(new Set(rows.map(({ request_id }) => request_id)).size, rows.length);
  // A request whose head was not read before its caller left does not count. All others have a row.
  assert.ok(rows.length > CALLERS / 2 && rows.length <= CALLERS + 1, `${rows.length} rows`);
  for (const row of rows) {
    assert.ok(row.status === 'CLIENT_DISCONNECTED' || row.status === 'success', row.status);
    assert.equal(row.billedSeconds > 0, row.status === 'success');
  }
  await engine.until(({ running, openProbes }) => running === 0 && openProbes === 0);
  const connections = await new Promise<number>((resolve) =>
    service.app.http.server.getConnections((_error, count) => resolve(count)),
  );
  assert.ok(connections <= 1, `${connections} connections are open`);
  assert.match(await (await fetch(`${service.url}/metrics`)).text(), /^faircopy_open_sessions 0$/m);
  // And the service still serves.
  assert.equal((await service.post(BODY)).status, 200);
});
