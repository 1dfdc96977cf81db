// The caption widget on another site, with a strict content security policy.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createKey } from '../../src/accounts/keys/keys.ts';
import { browserAbsence } from './browser.ts';
import { type ConsoleSite, startConsoleSite } from './console-site.ts';

const ROOT = new URL('../../../../../', import.meta.url);

const pageWith = (baseUrl: string): string => `<!doctype html>
<title>Another site</title>
<script type="importmap" nonce="n">{ "imports": {
  "@faircopy/client/captions": "/packages/client/dist/src/captions.js",
  "@faircopy/contract": "/packages/contract/dist/src/index.js",
  "zod": "/node_modules/zod/index.js"
} }</script>
<div id="captions"></div>
<script type="module" nonce="n">
  import { mountCaptions } from '@faircopy/client/captions';
  window.events = [];
  window.widget = mountCaptions(document.getElementById('captions'), {
    baseUrl: '${baseUrl}',
    apiKey: () => fetch('/key').then((answer) => answer.text()),
    workletUrl: '/packages/client/dist/src/worklet.js',
    texts: { start: 'Untertitel' },
    onEvent: (event) => window.events.push(event.type),
  });
</script>`;

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
      const policy = `default-src 'none'; script-src 'self' 'nonce-n'; connect-src 'self' ${site.url} ${site.url.replace('http', 'ws')}`;
      if (path === '/')
        return response
          .writeHead(200, { 'content-type': 'text/html', 'content-security-policy': policy })
          .end(pageWith(site.url));
      if (path === '/key') return response.end(key);
      if (!path.endsWith('.js')) return response.writeHead(404).end();
      readFile(fileURLToPath(new URL(`.${path}`, ROOT))).then(
        (script) => response.writeHead(200, { 'content-type': 'text/javascript' }).end(script),
        () => response.writeHead(404).end(),
      );
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
});
