import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { Faircopy, FaircopyError } from '@faircopy/client';
import { setLimits } from '../../src/accounts/accounts.ts';
import { spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { startService } from '../http/service.ts';
import { eventually } from './stream-server.ts';

const WORDS = story(40);
const SPEECH = pcm16Bytes(spoken(WORDS));
const clientOf = ({ url, key }: { url: string; key: string }, retries = 0) =>
  new Faircopy({ baseUrl: url, apiKey: key, retries });

/** Resolves to the FaircopyError that a call rejects with. */
const failureOf = async (call: Promise<unknown>): Promise<FaircopyError> => {
  const thrown = await call.then(
    () => assert.fail('the call did not reject'),
    (reason: unknown) => reason,
  );
  assert.ok(thrown instanceof FaircopyError, String(thrown));
  return thrown;
};

test('a file and a stream of the same speech have the same transcript', async (t) => {
  const service = await startService(t);
  const faircopy = clientOf(service);
  const progress: number[] = [];
  const file = await faircopy.transcribe(new Blob([writeWav(SPEECH) as Uint8Array<ArrayBuffer>]), {
    model: 'svc-1.0-lite',
    onProgress: ({ sentBytes, totalBytes }) => progress.push(sentBytes / totalBytes),
  });
  const stream = faircopy.stream({ model: 'svc-1.0-lite' });
  for (let start = 0; start < SPEECH.length; start += 3333) await stream.send(SPEECH.subarray(start, start + 3333));
  const streamed = await stream.finish();
  assert.equal(file.result.transcript, WORDS.join(' '));
  assert.deepEqual(streamed.result, file.result);
  assert.deepEqual(streamed.usage, file.usage);
  assert.equal('type' in streamed, false);
  assert.equal(progress.at(-1), 1);
});

test('stereo and unusual sample rates give the same text as 16 kHz mono', async (t) => {
  const service = await startService(t);
  const samples = spoken(WORDS.slice(0, 10));
  // Every sample twice in time and twice across: 32 kHz stereo.
  const doubled = Float32Array.from({ length: samples.length * 4 }, (_, at) => samples[Math.floor(at / 4)] ?? 0);
  const stream = clientOf(service).stream({ model: 'svc-1.0-lite', sampleRate: 32_000, channels: 2 });
  await stream.send(pcm16Bytes(doubled));
  const { result } = await stream.finish();
  assert.equal(result.transcript, WORDS.slice(0, 10).join(' '));
  assert.equal(result.duration_seconds, samples.length / 16_000);
});

test('include adds details of the transcript', async (t) => {
  const service = await startService(t);
  const stream = clientOf(service).stream({ model: 'svc-1.0-lite', include: ['segments', 'words'] });
  await stream.send(SPEECH);
  const { detail } = await stream.finish();
  assert.equal(detail?.words?.length, WORDS.length);
  assert.ok((detail?.segments?.length ?? 0) > 0);
});

test('a refused handshake is reported with code, message, status and request id', async (t) => {
  const service = await startService(t);
  const wrong = new Faircopy({ baseUrl: service.url, apiKey: 'fc_wrong' });
  const unauthorized = await failureOf(wrong.stream().opened);
  assert.deepEqual([unauthorized.code, unauthorized.status], ['UNAUTHORIZED', 401]);
  assert.match(unauthorized.requestId ?? '', /^[0-9A-Z]{26}$/);
  const invalid = await failureOf(clientOf(service).stream({ sampleRate: 7 }).finish());
  assert.deepEqual([invalid.code, invalid.status], ['INVALID_REQUEST', 400]);
  assert.match(invalid.message, /sample_rate/);
  await setLimits(service.app.storage, service.accountId, { maxStreams: 0 });
  // A changed limit takes effect within a second.
  const full = await eventually(
    async () => {
      const stream = clientOf(service).stream();
      const refused = await stream.opened.then(
        () => null,
        (error: FaircopyError) => error,
      );
      stream.abort();
      return refused;
    },
    (refused) => refused !== null,
  );
  assert.equal(full?.code, 'CONCURRENT_LIMIT_EXCEEDED');
  assert.ok(full.retryable);
  assert.ok((full.retryAfterSeconds ?? 0) > 0);
});

test('a closed port and foreign responses reject too', async () => {
  const strange = createServer((_request, response) => response.writeHead(502).end('<h1>Bad gateway</h1>'));
  await new Promise<void>((resolve) => strange.listen(0, '127.0.0.1', resolve));
  const { port } = strange.address() as AddressInfo;
  const proxied = new Faircopy({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k' });
  for (const call of [() => proxied.transcribe(new Blob(['x'])), () => proxied.stream().result]) {
    const error = await failureOf(call());
    assert.deepEqual([error.code, error.status, error.retryable], ['UNEXPECTED_ANSWER', 502, false]);
  }
  strange.closeAllConnections();
  await new Promise((resolve) => strange.close(resolve));
  const calls = [
    () => proxied.transcribe(new Blob(['x'])),
    () => proxied.stream().finish(),
    () => proxied.stream().send(SPEECH),
  ];
  for (const call of calls) assert.equal((await failureOf(call())).code, 'CONNECTION_FAILED');
});

test('only retryable errors are retried, and never before Retry-After', async (t) => {
  const answers = [503, 503, 200];
  const seen: number[] = [];
  const busy = createServer((request, response) => {
    request.resume().on('end', () => {
      seen.push(performance.now());
      const status = answers.shift() ?? 400;
      const error = { code: status === 503 ? 'SERVICE_UNAVAILABLE' : 'INVALID_REQUEST', message: 'no' };
      const headers = status === 503 ? { 'retry-after': '1' } : {};
      const ok = { status: 'success', result: {}, usage: {}, request_id: 'x' };
      response.writeHead(status, headers).end(JSON.stringify(status === 200 ? ok : { status: 'error', error }));
    });
  });
  await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
  t.after(() => busy.close());
  const { port } = busy.address() as AddressInfo;
  const client = (retries: number) => new Faircopy({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'k', retries });
  assert.equal((await client(2).transcribe(new Blob(['x']))).status, 'success');
  assert.equal(seen.length, 3);
  assert.ok((seen[2] ?? 0) - (seen[0] ?? 0) >= 2000);
  assert.equal((await failureOf(client(2).transcribe(new Blob(['x'])))).code, 'INVALID_REQUEST');
  assert.equal(seen.length, 4, 'an error that is not retryable is not retried');
  answers.push(503, 200);
  assert.equal((await failureOf(client(0).transcribe(new Blob(['x'])))).code, 'SERVICE_UNAVAILABLE');
});

test('an abort rejects every promise with its reason, in every state', async (t) => {
  const service = await startService(t);
  const reason = new Error('changed my mind');
  const faircopy = clientOf(service);
  await assert.rejects(faircopy.stream({ signal: AbortSignal.abort(reason) }).opened, reason);
  await assert.rejects(faircopy.transcribe(new Blob(['x']), { signal: AbortSignal.abort(reason) }), reason);

  const connecting = new AbortController();
  const first = faircopy.stream({ signal: connecting.signal });
  connecting.abort(reason);
  await assert.rejects(first.opened, reason);
  await assert.rejects(first.send(SPEECH), reason);

  service.engine.hold();
  const finishing = new AbortController();
  const second = faircopy.stream({ signal: finishing.signal });
  await second.send(SPEECH);
  const answer = second.finish();
  await service.engine.until((engine) => engine.running > 0);
  finishing.abort(reason);
  await assert.rejects(answer, reason);
  await eventually(service.rows, (found) => found.length === 1);
  await service.engine.until((engine) => engine.running === 0);

  const uploading = new AbortController();
  const third = faircopy.transcribe(new Blob([writeWav(SPEECH) as Uint8Array<ArrayBuffer>]), {
    signal: uploading.signal,
  });
  await service.engine.until((engine) => engine.running > 0);
  uploading.abort(reason);
  await assert.rejects(third, reason);
  const rows = await eventually(service.rows, (found) => found.length === 2);
  for (const row of rows) assert.equal(row.status, 'CLIENT_DISCONNECTED');
});

test('a stream that the server ends rejects sends and the result with the reason', async (t) => {
  const service = await startService(t, { config: { idleTimeoutMs: 50 } });
  const stream = clientOf(service).stream();
  await stream.send(SPEECH.subarray(0, 3200));
  const closed = await failureOf(stream.result);
  assert.deepEqual([closed.code, closed.closeCode], ['STREAM_CLOSED', 1008]);
  assert.match(closed.message, /idle/);
  assert.equal(await failureOf(stream.send(SPEECH)), closed);
  assert.equal(await failureOf(stream.finish()), closed);
});

test('sending after finish throws; finishing twice returns the same result', async (t) => {
  const service = await startService(t);
  const stream = clientOf(service).stream();
  await stream.send(SPEECH);
  const [first, second] = await Promise.all([stream.finish(), stream.finish()]);
  assert.equal(first, second);
  const finishing = clientOf(service).stream();
  await finishing.opened;
  const answer = finishing.finish();
  await assert.rejects(finishing.send(SPEECH), TypeError);
  assert.equal((await answer).result.transcript, '');
});
