// Every setting in deploy/, compose.yaml and the Dockerfile exists.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseConfig, SETTINGS } from '../../src/app/config.ts';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const KNOWN = new Set<string>(SETTINGS.map(([, { env }]) => env));
/** Variables of Compose, which passes them to NATS and (as NATS_PASSWORD) to the server, and variables of the build. */
const OWN = new Set(['NATS_GATEWAY_PASSWORD', 'NATS_WORKER_PASSWORD', 'FAIRCOPY_BUILD']);

const filesBelow = async (folder: string): Promise<string[]> =>
  (await readdir(join(ROOT, folder), { withFileTypes: true, recursive: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

test('servers behind the proxy of Compose trust it, and no other network', async () => {
  const compose = await readFile(join(ROOT, 'compose.yaml'), 'utf8');
  const subnet = /^x-proxy-subnet: &proxy-subnet (\S+)$/m.exec(compose)?.[1];
  assert.deepEqual(parseConfig({ FAIRCOPY_TRUSTED_PROXIES: subnet }).trustedProxies, [subnet]);
  const service = (name: string) => new RegExp(`^ {2}${name}:.*\\n((?: {4}.*\\n|\\n)+)`, 'm').exec(compose)?.[1] ?? '';
  assert.match(service('server-1'), /FAIRCOPY_TRUSTED_PROXIES: \*proxy-subnet\n.*networks: \[default, proxy\]/s);
  assert.match(service('proxy'), /networks: \[proxy\]/);
  assert.match(compose, /^networks:\n {2}proxy:\n {4}ipam:\n {6}config:\n {8}- subnet: \*proxy-subnet$/m);
  assert.match(await readFile(join(ROOT, 'deploy/container/nginx.conf'), 'utf8'), /X-Forwarded-For \$remote_addr;/);
});

test('the image has everything that the server package has, and the packages that it needs', async () => {
  const text = (path: string) => readFile(join(ROOT, path), 'utf8');
  const dockerfile = await text('Dockerfile');
  const { files, dependencies } = JSON.parse(await text('packages/server/package.json')) as {
    files: string[];
    dependencies: Record<string, string>;
  };
  const folders = [
    ...files.filter((name) => !name.startsWith('!')).map((name) => `packages/server/${name}`),
    ...Object.keys(dependencies)
      .flatMap((name) => /^@faircopy\/(.+)/.exec(name)?.[1] ?? [])
      .map((name) => `packages/${name}`),
  ];
  for (const folder of folders) assert.ok(dockerfile.includes(`COPY --from=build /app/${folder}`), folder);
  // The build renders the documentation.
  assert.doesNotMatch(await text('.dockerignore'), /^docs/m);
});

test('every setting in a deployment file exists', async () => {
  const folders = await Promise.all(['container', 'kubernetes', 'systemd'].map((name) => filesBelow(`deploy/${name}`)));
  const paths = [...folders.flat(), join(ROOT, 'compose.yaml'), join(ROOT, 'Dockerfile')];
  let count = 0;
  for (const path of paths)
    for (const [name] of (await readFile(path, 'utf8'))
      .replaceAll(/#.*/g, '')
      .matchAll(/\b(?:FAIRCOPY|NATS|OTEL)_[A-Z_]+\b|\bDATABASE_URL\b/g)) {
      assert.ok(KNOWN.has(name) || OWN.has(name), `${path}: ${name}`);
      count += 1;
    }
  assert.ok(count > 20, `${count} settings found`);
});
