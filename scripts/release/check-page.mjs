// Builds a page with Vite from the installed client, serves it under a strict CSP, and streams speech in Chromium.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { root } from './packages.mjs';

const CHROMIUM = [process.env.FAIRCOPY_CHROMIUM, '/usr/bin/chromium', '/usr/bin/google-chrome'].find(
  (path) => path && existsSync(path),
);
const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };
const SPEECH_MS = 6_000;

const PAGE = '<!doctype html><title>test</title><script type="module" src="/main.ts"></script>';
const SCRIPT = `
import { Faircopy } from '@faircopy/client';
import { openMicrophone } from '@faircopy/client/microphone';
import workletUrl from '@faircopy/client/worklet?url';

Object.assign(window, {
  speak: async (baseUrl: string, apiKey: string, speechMs: number): Promise<string> => {
    const microphone = await openMicrophone({ workletUrl });
    const stream = new Faircopy({ baseUrl, apiKey }).stream({ model: 'svc-1.0-lite', sampleRate: microphone.sampleRate });
    const sent = microphone.audio.pipeTo(new WritableStream({ write: (chunk) => stream.send(chunk) }));
    await new Promise((resolve) => setTimeout(resolve, speechMs));
    await microphone.stop();
    await sent;
    return (await stream.finish()).result.transcript;
  },
});
`;

const build = (folder) => {
  const page = join(folder, 'page');
  mkdirSync(page, { recursive: true });
  writeFileSync(join(page, 'index.html'), PAGE);
  writeFileSync(join(page, 'main.ts'), SCRIPT);
  // A strict policy forbids data: scripts, so the worklet must stay a file.
  const config = "export default { build: { assetsInlineLimit: 0, target: 'es2022' } };\n";
  writeFileSync(join(page, 'vite.config.mjs'), config);
  execFileSync('npx', ['vite', 'build', '--logLevel', 'warn'], { cwd: page, stdio: 'inherit' });
  return join(page, 'dist');
};

const serve = async (site, policy) => {
  const server = createServer((request, response) => {
    const path = join(site, request.url === '/' ? 'index.html' : new URL(request.url, 'http://x').pathname);
    if (!existsSync(path)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'image/png', 'content-security-policy': policy });
    return response.end(readFileSync(path));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
};

export const checkPage = async (folder, { url, apiKey }, speechFile) => {
  if (!CHROMIUM) return console.log('page: skipped, no Chromium');
  const service = url.replace('127.0.0.1', 'localhost');
  const policy = `default-src 'none'; script-src 'self'; connect-src ${service} ${service.replace('http', 'ws')}`;
  const site = await serve(build(folder), policy);
  const { chromium } = createRequire(join(root, 'packages/server/package.json'))('playwright-core');
  const microphone = `--use-file-for-fake-audio-capture=${speechFile}%noloop`;
  const args = ['--no-sandbox', '--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream', microphone];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  try {
    const page = await browser.newPage();
    const complaints = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(site.url);
    const transcript = await page.evaluate(
      ([baseUrl, key, speechMs]) => window.speak(baseUrl, key, speechMs),
      [service, apiKey, SPEECH_MS],
    );
    const real = complaints.filter((text) => !text.includes('favicon') && !text.includes('404'));
    if (transcript.trim() === '' || real.length > 0)
      throw new Error(`The page transcribed "${transcript}" and logged: ${real.join('; ')}`);
    console.log(`page under "${policy}": transcribed ${transcript.split(' ').length} words`);
  } finally {
    await browser.close();
    site.close();
  }
};
