// The caption widget on another site, from a plain module script and under a strict content security policy.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { eventually } from '../stream/stream-server.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

const EXAMPLE = fileURLToPath(new URL('../../../../../examples/captions.mjs', import.meta.url));

/** A hand-written page: no bundler, no import map. */
const pageWith = (baseUrl: string): string => `<!doctype html>
<title>Another site</title>
<div id="captions"></div>
<script type="module" nonce="n">
  import { Faircopy, mountCaptions } from '${baseUrl}/client/faircopy.js';
  window.events = [];
  window.transcribe = async (apiKey, file) =>
    (await new Faircopy({ baseUrl: '${baseUrl}', apiKey }).transcribe(file, { model: 'svc-1.0-lite' })).result.transcript;
  window.widget = mountCaptions(document.getElementById('captions'), {
    baseUrl: '${baseUrl}',
    apiKey: () => fetch('/key').then((answer) => answer.text()),
    texts: { start: 'Untertitel' },
    onEvent: (event) => window.events.push(event.type),
  });
</script>`;

/** Holds the permission prompt until `allow()`, and collects the microphones that the page opens. */
const PROMPT = `
  window.opened = [];
  const allowed = new Promise((resolve) => { window.allow = resolve; });
  const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
  navigator.mediaDevices.getUserMedia = async (constraints) => {
    await allowed;
    const media = await ask(constraints);
    window.opened.push(...media.getTracks());
    return media;
  };`;
/** How many microphones were opened, and how many still are. */
const MICROPHONES = `[opened.length, opened.filter(({ readyState }) => readyState === 'live').length]`;

suite('the caption widget in a browser', { skip: browserAbsence }, () => {
  let site: ConsoleSite;
  let other: Server;
  let address: string;
  let key = '';

  before(async () => {
    site = await startConsoleSite();
    ({ key } = await createKey(site.app.storage, { accountId: site.account.id, name: 'captions', createdBy: null }));
    other = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://x').pathname;
      const policy = `default-src 'none'; script-src 'nonce-n' ${site.url}/client/; connect-src 'self' ${site.url} ${site.url.replace('http', 'ws')}`;
      if (path === '/')
        return response
          .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
          .end(pageWith(site.url));
      if (path === '/key') return response.end(key);
      return response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
  });
  after(async () => {
    other?.close();
    other?.closeAllConnections();
    await site?.close();
  });

  test('it shows words while someone speaks and returns the text at the end', async () => {
    const page = await site.newSession({ permissions: ['microphone'] });
    await page.goto(address);
    await page.getByRole('button', { name: 'Untertitel' }).click();
    await page.locator('.interim:not(.empty)').filter({ hasText: /\w/ }).waitFor();
    await page.locator('.final').first().waitFor();
    const colours = (await page.evaluate(
      `['.interim', '.final'].map((name) => getComputedStyle(document.querySelector('#captions > div').shadowRoot.querySelector(name)).color)`,
    )) as string[];
    assert.notEqual(colours[0], colours[1]);
    const text = await page.evaluate('widget.stop()');
    assert.match(String(text), /\w+ \w+/);
    assert.ok(((await page.evaluate('events')) as string[]).includes('final'));
    await page.getByRole('button', { name: 'Untertitel' }).waitFor();
    await page.evaluate('widget.remove()');
    assert.equal(await page.locator('#captions > div').count(), 0);
    await page.context().close();
  });

  const promptedPage = async () => {
    const page = await site.newSession({ permissions: ['microphone'] });
    await page.addInitScript(PROMPT);
    await page.goto(address);
    await page.evaluate(`void (window.startNow = () => widget.start().then(() => 'started', ({ name }) => name))`);
    return page;
  };

  test('a widget that is removed during the permission prompt releases the microphone and does not stream', async () => {
    const page = await promptedPage();
    const sockets: string[] = [];
    page.on('websocket', (socket) => sockets.push(socket.url()));
    const outcome = page.evaluate(`{ const outcome = startNow(); widget.remove(); allow(); outcome; }`);
    assert.equal(await outcome, 'AbortError');
    assert.deepEqual(await page.evaluate(MICROPHONES), [1, 0]);
    assert.deepEqual(sockets, []);
    await page.context().close();
  });

  test('a start that is stopped during the permission prompt leaves the widget ready for the next', async () => {
    const page = await promptedPage();
    await page.evaluate('void (window.outcome = startNow())');
    assert.equal(await page.evaluate('widget.stop()'), '');
    await page.getByRole('button', { name: 'Untertitel' }).and(page.locator(':enabled')).waitFor();
    assert.deepEqual(await page.evaluate(`allow(), Promise.all([outcome, startNow()])`), ['AbortError', 'started']);
    assert.deepEqual(await page.evaluate(MICROPHONES), [2, 1]);
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await page.context().close();
  });

  test('two starts open one microphone', async () => {
    const page = await promptedPage();
    const both = page.evaluate(`allow(), Promise.all([startNow(), startNow()])`);
    assert.deepEqual(await both, ['started', 'started']);
    assert.deepEqual(await page.evaluate(MICROPHONES), [1, 1]);
    await page.context().close();
  });

  test('when the server ends the stream in order, the widget releases the microphone and shows why', async () => {
    const page = await promptedPage();
    await page.routeWebSocket(/listen/, (socket) =>
      socket.onMessage(() => void socket.close({ code: 1000, reason: 'It was long enough.' })),
    );
    assert.equal(await page.evaluate(`allow(), startNow()`), 'started');
    await page.getByRole('alert').filter({ hasText: 'It was long enough.' }).waitFor();
    await page.getByRole('button', { name: 'Untertitel' }).waitFor();
    await eventually(
      () => page.evaluate(MICROPHONES) as Promise<number[]>,
      ([, live]) => live === 0,
    );
    await page.context().close();
  });

  test('a file is transcribed with nothing but the module', async () => {
    const page = await site.newSession({});
    await page.goto(address);
    const sample = readFileSync(new URL('../../../assets/sample.ogg', import.meta.url)).toString('base64');
    const text = await page.evaluate(
      `transcribe('${key}', Uint8Array.from(atob('${sample}'), (sign) => sign.charCodeAt(0)))`,
    );
    assert.match(String(text), /\w+ \w+/);
    const loaded = (await page.evaluate(
      `performance.getEntriesByType('resource').map(({ name }) => name)`,
    )) as string[];
    assert.deepEqual(
      loaded.filter((name) => name.endsWith('.js')),
      [`${site.url}/client/faircopy.js`],
    );
    await page.context().close();
  });

  test('the example page shows captions', async (t) => {
    const env = { ...process.env, FAIRCOPY_URL: site.url, FAIRCOPY_API_KEY: key, PORT: '0' };
    const example = spawn(process.execPath, [EXAMPLE], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => example.kill());
    const [said] = (await once(example.stdout, 'data')) as [Buffer];
    const page = await site.newSession({ permissions: ['microphone'] });
    await page.goto(String(said).trim());
    await page.getByRole('button', { name: 'Start captions' }).click();
    await page.locator('.final').first().waitFor();
    await page.context().close();
  });

  test('a refused key shows an error in the widget and releases the microphone', async () => {
    const page = await site.newSession({ permissions: ['microphone'] });
    key = 'fc_not_a_key';
    await page.goto(address);
    await page.getByRole('button', { name: 'Untertitel' }).click();
    await page.getByRole('alert').filter({ hasText: 'The API key is not valid' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Untertitel' }).isEnabled(), true);
    await page.context().close();
  });

  test('the content security policy was not violated', () => {
    assert.deepEqual(site.problems, []);
  });

  test('a browser streams to /v1/listen with its key in the subprotocol', async () => {
    const { page, account } = site;
    const made = await createKey(site.app.storage, { accountId: account.id, name: 'dg', createdBy: null });
    await site.open('playground');
    const pcm = (await readFile(site.clip)).subarray(44).toString('base64');
    const results = (await page.evaluate(`new Promise((resolve, reject) => {
      const address = location.origin.replace('http', 'ws') + '/v1/listen?model=nova-3&encoding=linear16&sample_rate=16000&interim_results=true';
      const socket = new WebSocket(address, ['token', '${made.key}']);
      const results = { protocol: null, finals: [], types: new Set() };
      socket.onopen = () => {
        results.protocol = socket.protocol;
        const bytes = Uint8Array.from(atob('${pcm}'), (letter) => letter.charCodeAt(0));
        for (let at = 0; at < bytes.length; at += 32000) socket.send(bytes.subarray(at, at + 32000));
        socket.send(JSON.stringify({ type: 'CloseStream' }));
      };
      socket.onmessage = ({ data }) => {
        const message = JSON.parse(data);
        results.types.add(message.type);
        if (message.is_final) results.finals.push(message.channel.alternatives[0].transcript);
      };
      socket.onclose = ({ code }) => resolve({ ...results, types: [...results.types], code });
      socket.onerror = () => reject(new Error('refused'));
    })`)) as { protocol: string; finals: string[]; types: string[]; code: number };
    assert.equal(results.protocol, 'token');
    assert.equal(results.code, 1000);
    assert.ok(results.types.includes('Metadata'));
    assert.match(results.finals.join(' '), /\w+ \w+/);
  });
});
