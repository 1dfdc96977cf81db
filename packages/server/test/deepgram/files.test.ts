// Deepgram's file endpoint on the wire: all kinds of bodies, channels, addresses that may be fetched or not, errors.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'node:test';
import { requestUuid } from '../../src/endpoints/deepgram/request-uuid.ts';
import { isPublicAddress } from '../../src/lib/net/public-address.ts';
import { openRemoteAudio } from '../../src/lib/net/remote-audio.ts';
import { joined, quiet, spoken, story } from '../../src/speech/testing/tones.ts';
import { pcm16Bytes, writeWav } from '../audio/wav-writer.ts';
import { interleaved, wavOf } from '../http/forms.ts';
import { rowsOnceThere, type Service, sharedService, startService } from '../http/service.ts';

const SPEECH = joined(quiet(0.3), spoken(story(6)), quiet(0.5));
const shared = sharedService();

interface Answer {
  readonly metadata: { readonly request_id: string; readonly channels: number; readonly sha256: string };
  readonly results: {
    readonly channels: readonly {
      readonly alternatives: readonly { readonly transcript: string; readonly words: readonly object[] }[];
      readonly detected_language?: string;
    }[];
    readonly utterances?: readonly { readonly channel: number; readonly transcript: string }[];
  };
}

const post = (
  { url, key }: Service,
  query: string,
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = { 'content-type': 'audio/wav' },
) =>
  fetch(`${url}/v1/listen?${query}`, { method: 'POST', headers: { authorization: `Token ${key}`, ...headers }, body });

const answerOf = async (response: Response): Promise<Answer> => {
  assert.equal(response.status, 200, await response.clone().text());
  return (await response.json()) as Answer;
};
const textsOf = ({ results }: Answer) => results.channels.map(({ alternatives }) => alternatives[0]?.transcript);

test('a file: text, words, language, and the request id as ULID and UUID', async () => {
  const service = shared();
  const response = await post(service, 'model=nova-3&detect_language=true', new Uint8Array(wavOf(SPEECH)));
  const answer = await answerOf(response);
  assert.deepEqual(textsOf(answer), [story(6).join(' ')]);
  assert.equal(answer.results.channels[0]?.detected_language, 'en');
  assert.equal(answer.results.channels[0]?.alternatives[0]?.words.length, 6);
  assert.equal(response.headers.get('dg-request-id'), answer.metadata.request_id);
  const id = response.headers.get('x-request-id');
  assert.ok((await service.rows()).some(({ request_id, status }) => request_id === id && status === 'success'));
});

test('the query describes raw samples', async () => {
  const pcm = new Uint8Array(pcm16Bytes(SPEECH));
  const type = { 'content-type': 'application/octet-stream' };
  const answer = await answerOf(await post(shared(), 'model=base&encoding=linear16&sample_rate=16000', pcm, type));
  assert.deepEqual(textsOf(answer), [story(6).join(' ')]);
  assert.equal((await post(shared(), 'model=base&encoding=linear16', pcm, type)).status, 400);
});

test('each channel of a file is recognised separately, and billed', async () => {
  const [left, right] = [joined(spoken(story(5)), quiet(2.5)), joined(quiet(2), spoken(story(4, 5)), quiet(1))];
  const stereo = interleaved(left, right);
  const body = new Uint8Array(writeWav(pcm16Bytes(stereo), { channels: 2 }));
  const answer = await answerOf(await post(shared(), 'model=nova-3&multichannel=true&utterances=true', body));
  assert.deepEqual(textsOf(answer), [story(5).join(' '), story(4, 5).join(' ')]);
  assert.equal(answer.metadata.channels, 2);
  assert.deepEqual(
    answer.results.utterances?.map(({ channel, transcript }) => [channel, transcript]),
    [
      [0, story(5).join(' ')],
      [1, story(4, 5).join(' ')],
    ],
  );
  const row = (await shared().rows()).find(({ request_id }) => requestUuid(request_id) === answer.metadata.request_id);
  assert.equal(row?.audioSeconds.toFixed(3), (stereo.length / 16_000).toFixed(3));
});

test('a file that is too large for its channels to be read separately is refused with the reason', async () => {
  const body = new Uint8Array(51 * 1024 * 1024);
  const query = 'model=nova-3&multichannel=true&encoding=linear16&sample_rate=16000&channels=2';
  const response = await post(shared(), query, body, { 'content-type': 'application/octet-stream' });
  assert.equal(response.status, 413);
  assert.match(((await response.json()) as { err_msg: string }).err_msg, /at most 50 MB.*each channel/);
});

test('words can be replaced', async () => {
  const [word] = story(1);
  const answer = await answerOf(
    await post(shared(), `model=nova-3&replace=${word}:pear`, new Uint8Array(wavOf(SPEECH))),
  );
  assert.deepEqual(textsOf(answer), [['pear', ...story(6).slice(1)].join(' ')]);
});

test('errors have the Deepgram format, a status and a row', async (t) => {
  const service = await startService(t);
  const wav = new Uint8Array(wavOf(SPEECH));
  const json = { 'content-type': 'application/json' };
  const cases: [Promise<Response>, number, string][] = [
    [post(service, 'model=nova-3', wav, { authorization: 'Token wrong' }), 401, 'INVALID_AUTH'],
    [post(service, 'model=unheard-of', wav), 400, 'Bad Request'],
    [post(service, 'model=nova-3', new Uint8Array(5_000).fill(7)), 400, 'Bad Request'],
    [post(service, 'model=nova-3', new Uint8Array(0)), 400, 'Bad Request'],
    [post(service, 'model=nova-3', '{"url":"http://127.0.0.1/a.wav"}', json), 400, 'Bad Request'],
    [post(service, 'model=nova-3', 'no json', json), 400, 'Bad Request'],
  ];
  for (const [asked, status, code] of cases) {
    const response = await asked;
    const body = (await response.json()) as Record<string, string>;
    assert.equal(response.status, status);
    assert.equal(body.err_code, code);
    assert.equal(typeof body.err_msg, 'string');
    assert.equal(response.headers.get('dg-request-id'), body.request_id);
  }
  assert.equal((await rowsOnceThere(service, 5)).length, 5);
});

test('with fetching enabled, addresses that are not public are still refused', async (t) => {
  const service = await startService(t, { config: { fetchAudioUrls: true } });
  const json = { 'content-type': 'application/json' };
  for (const url of [
    `${service.url}/health`,
    'http://localhost/a',
    'http://[::1]/a',
    'http://0x7f000001/a',
    'http://[::ffff:127.0.0.1]/a',
    'file:///etc/passwd',
    'http://user:secret@example.com/',
  ]) {
    const response = await post(service, 'model=nova-3', JSON.stringify({ url }), json);
    assert.equal(response.status, 400, url);
  }
});

test('private, loopback and link-local addresses are not public', () => {
  for (const address of [
    '10.1.2.3',
    '127.0.0.1',
    '169.254.169.254',
    '192.168.1.1',
    '172.20.0.1',
    '100.64.0.1',
    '0.0.0.0',
  ])
    assert.equal(isPublicAddress(address), false, address);
  for (const address of [
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '::ffff:10.0.0.1',
    '2002:7f00:1::',
    '2001:db8::1',
    '3fff::1',
  ])
    assert.equal(isPublicAddress(address), false, address);
  for (const address of ['93.184.216.34', '2606:4700::1111']) assert.equal(isPublicAddress(address), true, address);
});

test('redirects are followed three times, and each address is checked', async (t) => {
  const server = createServer((request, response) => {
    const hops = Number(request.url?.slice(1));
    if (hops > 0) response.writeHead(302, { location: `/${hops - 1}` }).end();
    else if (request.url === '/away') response.writeHead(302, { location: 'http://10.0.0.1/' }).end();
    else response.end('sound');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const options = {
    owner: 'a',
    timeoutMs: 5_000,
    signal: new AbortController().signal,
    isAllowedAddress: (at: string) => at === '127.0.0.1',
  };
  const response = await openRemoteAudio(`${base}/3`, options);
  response.resume();
  await assert.rejects(openRemoteAudio(`${base}/4`, options), /more than 3 times/);
  await assert.rejects(openRemoteAudio(`${base}/away`, options), /not public/);
  await assert.rejects(openRemoteAudio('http://127.0.0.1:25/', options), /Port 25/);
  await assert.rejects(openRemoteAudio(`${base}/3`, { ...options, isAllowedAddress: isPublicAddress }), /not public/);
});
