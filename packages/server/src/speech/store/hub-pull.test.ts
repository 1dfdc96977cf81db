// Pulls from a local hub that misbehaves: cuts, stalls, wrong bytes, redirects and rate limits.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Catalogue } from './catalogue.ts';
import { downloadTo } from './sources/download.ts';
import { webSource } from './sources/web-source.ts';
import { ModelStore, type StoreEvent } from './store.ts';

const WEIGHTS = randomBytes(300_000);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');
const NEVER = new AbortController().signal;

/** What the hub does with the next requests; afterwards it serves the file. */
type Turn = 'serve' | 'cut' | 'stall' | 'trickle' | 'garble' | 'redirect' | 'limit' | 'page' | 'endless';

const openHub = async (t: TestContext, turns: Turn[], bytes: Uint8Array = WEIGHTS) => {
  const requests: { readonly path: string; readonly range: string }[] = [];
  const server = createServer((request, response) => {
    const range = request.headers.range ?? '';
    requests.push({ path: request.url ?? '', range });
    const turn = turns.shift() ?? 'serve';
    if (turn === 'redirect') response.writeHead(302, { location: `/cdn${request.url}?signature=1` }).end();
    else if (turn === 'limit') response.writeHead(429, { 'retry-after': '0' }).end('slow down');
    else if (turn === 'page') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>');
    else if (turn === 'endless') pour(response);
    else if (turn === 'stall')
      response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, 100_000));
    else if (turn === 'trickle') trickle(response, bytes);
    else serve(response, turn === 'garble' ? Buffer.alloc(bytes.length, 7) : Buffer.from(bytes), range, turn === 'cut');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const folder = await mkdtemp(join(tmpdir(), 'faircopy-hub-'));
  t.after(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, folder };
};

const serve = (response: ServerResponse, bytes: Buffer, range: string, isCut: boolean): void => {
  const start = Number(/^bytes=(\d+)-/.exec(range)?.[1] ?? 0);
  response.writeHead(start > 0 ? 206 : 200, {
    'content-length': bytes.length - start,
    ...(start > 0 && { 'content-range': `bytes ${start}-${bytes.length - 1}/${bytes.length}` }),
  });
  if (!isCut) response.end(bytes.subarray(start));
  else response.write(bytes.subarray(start, start + 100_000), () => setTimeout(() => response.destroy(), 100));
};

const pour = (response: ServerResponse): void => {
  const more = () => {
    while (response.write(Buffer.alloc(65_536)));
    response.once('drain', more);
  };
  more();
};

const trickle = async (response: ServerResponse, bytes: Uint8Array): Promise<void> => {
  response.writeHead(200, { 'content-length': bytes.length });
  for (let at = 0; at < bytes.length; at += 20_000) {
    response.write(bytes.subarray(at, at + 20_000));
    await delay(100);
  }
  response.end();
};

const catalogueOf = (isPinned: boolean): Catalogue => [
  {
    id: 'toy',
    family: 'toy',
    about: 'a toy',
    licence: 'MIT',
    pins: isPinned ? 'published' : 'recorded',
    hub: { repository: 'someone/toy', revision: isPinned ? 'a'.repeat(40) : 'main' },
    files: [
      {
        name: 'weights.onnx',
        bytes: isPinned ? WEIGHTS.length : 250_000,
        hubPath: 'weights.onnx',
        ...(isPinned && { sha256: sha256(WEIGHTS) }),
      },
    ],
  },
];

const storeOf = (folder: string, url: string, isPinned: boolean, notes: string[] = []) =>
  new ModelStore({
    folder: join(folder, 'models'),
    catalogue: catalogueOf(isPinned),
    sources: [webSource(url)],
    compile: async () => {},
    needsCompiling: () => false,
    report: (event: StoreEvent) => event.kind === 'note' && notes.push(event.text),
  });

test('a pull survives a redirect, a rate limit and a cut, and resumes', async (t) => {
  const hub = await openHub(t, ['limit', 'redirect', 'cut']);
  const store = storeOf(hub.folder, hub.url, true);
  await store.ensure(['toy'], 'quick', NEVER);
  assert.deepEqual(await readFile(join(store.folderOf('toy'), 'weights.onnx')), WEIGHTS);
  assert.deepEqual(
    hub.requests.map(({ path }) => path.startsWith('/cdn')),
    [false, false, true, false],
  );
  assert.match(hub.requests.at(-1)?.range ?? '', /^bytes=[1-9]/);
});

test('a stalled download is resumed with a new request; a slow one is not interrupted', async (t) => {
  const hub = await openHub(t, ['stall', 'serve', 'trickle']);
  const path = join(hub.folder, 'weights.onnx');
  await downloadTo(path, hub.url, { bytes: WEIGHTS.length, silenceMsMax: 500 });
  assert.deepEqual(await readFile(path), WEIGHTS);
  assert.match(hub.requests.at(-1)?.range ?? '', /^bytes=[1-9]/);
  // The whole download takes longer than the allowed silence.
  await downloadTo(path, hub.url, { bytes: WEIGHTS.length, silenceMsMax: 1_000, attempts: 1 });
  assert.deepEqual(await readFile(path), WEIGHTS);
});

test('wrong bytes never enter the store', async (t) => {
  const hub = await openHub(t, ['garble']);
  const store = storeOf(hub.folder, hub.url, true);
  await assert.rejects(store.ensure(['toy'], 'quick', NEVER), /the checksum does not match/);
  assert.equal(await store.state('toy'), 'missing');
  await store.ensure(['toy'], 'quick', NEVER);
  assert.equal(await store.state('toy'), 'ready');
});

test('without a checksum, the first pull records one and warns; later pulls must match it', async (t) => {
  const hub = await openHub(t, ['cut', 'serve', 'garble']);
  const notes: string[] = [];
  const store = storeOf(hub.folder, hub.url, false, notes);
  await store.ensure(['toy'], 'quick', NEVER);
  const path = join(store.folderOf('toy'), 'weights.onnx');
  assert.deepEqual(await readFile(path), WEIGHTS);
  assert.match(notes.join('\n'), new RegExp(`no checksum for toy/weights.onnx; recorded ${sha256(WEIGHTS)}`));
  assert.deepEqual(await store.verify(['toy'], NEVER), []);

  await writeFile(path, Buffer.alloc(WEIGHTS.length, 1));
  assert.equal((await store.verify(['toy'], NEVER))[0]?.problem, 'damaged');
  await assert.rejects(store.ensure(['toy'], 'thorough', NEVER), /the checksum does not match/);
  await store.ensure(['toy'], 'thorough', NEVER);
  assert.deepEqual(await readFile(path), WEIGHTS);
  assert.equal(notes.filter((note) => note.includes('warning')).length, 1);
});

test('without a checksum, a page instead of the file is refused, and an endless answer is stopped', async (t) => {
  const hub = await openHub(t, ['page']);
  const store = storeOf(hub.folder, hub.url, false);
  await assert.rejects(store.ensure(['toy'], 'quick', NEVER), /the checksum does not match/);
  assert.deepEqual(await readdir(store.folderOf('toy')).catch(() => []), []);
  const endless = await openHub(t, ['endless']);
  const options = { bytesMax: 1_000_000, attempts: 1 };
  await assert.rejects(downloadTo(join(endless.folder, 'file'), endless.url, options), /more than 1000000 bytes/);
});

test('a rate limit is waited out, and the pull fails after the last attempt', async (t) => {
  const hub = await openHub(t, ['limit', 'limit']);
  const options = { attempts: 2, retryMs: 1 };
  await assert.rejects(downloadTo(join(hub.folder, 'file'), hub.url, options), /the server answered 429/);
  assert.equal(hub.requests.length, 2);
});
