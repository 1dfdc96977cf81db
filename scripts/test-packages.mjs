// Packs the packages and uses them like an outside user: installed in an empty folder, on each requested Node.
// `npm run test:packages -- 20 22 24`. Without versions, uses the Node that runs this script.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPage } from './release/check-page.mjs';
import { checkTypeScript } from './release/check-typescript.mjs';
import { startServer } from './release/installed-server.mjs';
import { lintPackages } from './release/lint-packages.mjs';
import { packAll, readJson, root, sizeTable } from './release/packages.mjs';

const versions = process.argv.slice(2).filter((word) => /^\d+$/.test(word));
const scratch = mkdtempSync(join(tmpdir(), 'faircopy-packages-'));
const npm = (folder, ...args) =>
  execFileSync('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'], env: withoutProject() });

/** The environment without npm's variables, such as this project's prefix, which the inner npm would read. */
const withoutProject = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cache)$)/i.test(name)));

/** Installs Node of a major version from the npm registry; returns its path. */
const nodeOf = (major) => {
  const folder = join(scratch, `node-${major}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{}');
  npm(folder, 'install', `node@${major}`);
  return join(folder, 'node_modules', 'node', 'bin', 'node');
};

const SCRIPT = `
import { openAsBlob } from 'node:fs';
import { Faircopy } from '@faircopy/client';
const faircopy = new Faircopy({ baseUrl: process.env.FAIRCOPY_URL, apiKey: process.env.FAIRCOPY_API_KEY });
const sample = await openAsBlob('node_modules/@faircopy/server/assets/sample.ogg');
const answer = await faircopy.transcribe(sample, { model: 'svc-1.0-lite' });
if (!answer.result.transcript) process.exit(1);
`;

const checkAnswers = async ({ url }) => {
  const page = await (await fetch(`${url}/console`)).text();
  const [, asset] = /src="([^"]+\.js)"/.exec(page) ?? [];
  for (const path of [
    '/openapi.json',
    '/asyncapi.json',
    '/readyz',
    '/metrics',
    new URL(asset, `${url}/console/`).pathname,
  ]) {
    const { status } = await fetch(url + path);
    if (status !== 200) throw new Error(`${path} answers ${status}`);
  }
};

const check = async (tarballs, node, isFirst) => {
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  const folder = mkdtempSync(join(scratch, 'empty-'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  npm(folder, 'install', ...tarballs);
  const server = await startServer(folder, node);
  try {
    await checkAnswers(server);
    writeFileSync(join(folder, 'use.mjs'), SCRIPT);
    const env = { ...process.env, FAIRCOPY_URL: server.url, FAIRCOPY_API_KEY: server.apiKey };
    execFileSync(node, ['use.mjs'], { cwd: folder, env, stdio: 'inherit' });
    console.log(`Node ${version}: serve, console, documents and client work from an empty folder`);
    if (!isFirst) return;
    const { vite } = readJson(join(root, 'packages/console/package.json')).dependencies;
    const types = readJson(join(root, 'package.json')).devDependencies['@types/node'];
    npm(folder, 'install', `vite@${vite}`, `@types/node@${types}`);
    checkTypeScript(folder);
    const speech = join(scratch, 'speech.wav');
    writeFileSync(speech, readFileSync(process.env.FAIRCOPY_SPEECH_FILE ?? (await speechFile())));
    await checkPage(folder, server, speech);
  } finally {
    await server.stop();
  }
};

const speechFile = async () => {
  const { speechClip } = await import('../packages/server/dist/test/speech/clip.js');
  return speechClip();
};

try {
  const packed = packAll(scratch);
  console.log(sizeTable(packed));
  lintPackages(packed);
  const tarballs = packed.map(({ path }) => path);
  const nodes = versions.length === 0 ? [process.execPath] : versions.map(nodeOf);
  for (const [index, node] of nodes.entries()) await check(tarballs, node, index === 0);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
