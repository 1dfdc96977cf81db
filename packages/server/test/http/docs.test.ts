// The documentation as pages: every link resolves, Markdown and llms.txt are served too, and nothing else.
import assert from 'node:assert/strict';
import test from 'node:test';
import { sharedService } from './service.ts';

const shared = sharedService();
const get = (path: string) => fetch(`${shared().url}${path}`, { redirect: 'manual' });

test('/docs leads to the index, and pages carry the security headers', async () => {
  const redirect = await get('/docs');
  assert.equal(redirect.headers.get('location'), '/docs/');
  const index = await get('/docs/');
  assert.match(index.headers.get('content-type') ?? '', /text\/html/);
  assert.match(index.headers.get('content-security-policy') ?? '', /default-src 'none'/);
  assert.match(await index.text(), /<h1 id="documentation">Documentation<\/h1>/);
});

test('every link between pages, and every anchor, exists', async () => {
  const seen = new Map<string, string>();
  const queue = ['/docs/'];
  const anchors: [from: string, page: string, id: string][] = [];
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    if (seen.has(path)) continue;
    const response = await get(path);
    assert.equal(response.status, 200, path);
    const html = await response.text();
    seen.set(path, html);
    for (const [, href = ''] of html.matchAll(/(?:href|src)="([^"]+)"/g)) {
      if (/^(https?|mailto|wss?):/.test(href)) continue;
      const { pathname, hash } = new URL(href, `http://docs${path}`);
      if (!pathname.startsWith('/docs/')) continue;
      queue.push(pathname);
      if (hash !== '') anchors.push([path, pathname, decodeURIComponent(hash.slice(1))]);
    }
  }
  assert.ok(seen.size > 30, `${seen.size} pages`);
  for (const [from, page, id] of anchors)
    assert.ok(seen.get(page)?.includes(`id="${id}"`), `${from} links to ${page}#${id}`);
});

test('each page of llms.txt is Markdown, and search finds a section', async () => {
  const text = await (await get('/llms.txt')).text();
  const links = [...text.matchAll(/\]\((docs\/[^)]+)\)/g)].map(([, path]) => `/${path}`);
  assert.ok(links.length > 15);
  for (const path of links) {
    const response = await get(path);
    assert.equal(response.status, 200, path);
    assert.match(response.headers.get('content-type') ?? '', /text\/markdown/);
  }
  const sections = (await (await get('/docs/search.json')).json()) as { page: string; heading: string; text: string }[];
  assert.ok(sections.some(({ page, text: found }) => page === 'openai' && found.includes('response_format')));
});

test('only files of the documentation are served', async () => {
  for (const path of [
    '/docs/nothing',
    '/docs/../package.json',
    '/docs/%2e%2e/package.json',
    '/docs/..%2f..%2fpackage.json',
  ])
    assert.equal((await get(path)).status, 404, path);
});
