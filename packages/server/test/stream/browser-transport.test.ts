// The client's browser entry, on a WebSocket with the browser's interface. test/browser runs it in a real browser.
import assert from 'node:assert/strict';
import test from 'node:test';
import type * as Client from '@faircopy/client';
import { WebSocket } from 'ws';
import { setLimits } from '../../src/accounts/accounts.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes } from '../audio/wav-writer.ts';
import { startService } from '../http/service.ts';
import { eventually } from './stream-server.ts';

/** `ws` throws on an error without a listener; browsers do not. */
class BrowserSocket extends WebSocket {
  constructor(...args: ConstructorParameters<typeof WebSocket>) {
    super(...args);
    this.on('error', () => undefined);
  }
}
Object.assign(globalThis, { WebSocket: BrowserSocket });
const entry = new URL('../../../../client/dist/src/browser.js', import.meta.url).href;
const { Faircopy, FaircopyError } = (await import(entry)) as typeof Client;

const refusalOf = async (stream: Client.TranscriptionStream): Promise<Client.FaircopyError | null> => {
  try {
    await stream.opened;
    return null;
  } catch (thrown) {
    assert.ok(thrown instanceof FaircopyError, String(thrown));
    return thrown;
  } finally {
    stream.abort();
  }
};

test('a stream works in a browser', async (t) => {
  const service = await startService(t);
  const words = story(6);
  const stream = new Faircopy({ baseUrl: service.url, apiKey: service.key }).stream({ model: 'svc-1.0-lite' });
  await stream.send(pcm16Bytes(spoken(words)));
  assert.equal((await stream.finish()).result.transcript, words.join(' '));
});

test('a browser learns why a handshake was refused', async (t) => {
  const service = await startService(t);
  const client = (apiKey: string, baseUrl = service.url) => new Faircopy({ baseUrl, apiKey, retries: 0 });
  const unauthorized = await refusalOf(client('fc_wrong').stream());
  assert.deepEqual([unauthorized?.code, unauthorized?.status], ['UNAUTHORIZED', 401]);
  assert.match(unauthorized?.requestId ?? '', /^[0-9A-Z]{26}$/);
  const invalid = await refusalOf(client(service.key).stream({ sampleRate: 1 }));
  assert.equal(invalid?.code, 'INVALID_REQUEST');
  await setLimits(service.app.storage, service.accountId, { maxStreams: 0 });
  // A changed limit takes effect within a second.
  const full = await eventually(
    () => refusalOf(client(service.key).stream()),
    (refused) => refused !== null,
  );
  assert.equal(full?.code, 'CONCURRENT_LIMIT_EXCEEDED');
  const absent = await refusalOf(client(service.key, 'http://127.0.0.1:9').stream());
  assert.equal(absent?.code, 'CONNECTION_FAILED');
});
