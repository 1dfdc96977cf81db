// whisper.cpp as a peer, built from a source folder for this machine and run through its HTTP server example.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '#testing';
import { killOnExit } from './child-cleanup.ts';
import { pcm16, wavOf } from './pcm-speech.ts';
import type { PeerProcess } from './peer.ts';
import { costBetween, processCost } from './process-cost.ts';

const run = promisify(execFile);
const STARTS_MAX_MS = 60_000;

/** Returns the path of the server program. cmake does not rebuild what is up to date. */
const build = async (source: string): Promise<string> => {
  const folder = join(source, 'build');
  const options = ['-DCMAKE_BUILD_TYPE=Release', '-DGGML_NATIVE=ON', '-DWHISPER_BUILD_TESTS=OFF'];
  await run('cmake', ['-S', source, '-B', folder, ...options]);
  const jobs = String(availableParallelism());
  await run('cmake', ['--build', folder, '--target', 'whisper-server', '-j', jobs], { maxBuffer: 2 ** 26 });
  return join(folder, 'bin', 'whisper-server');
};

const answers = async (url: string): Promise<void> => {
  const end = performance.now() + STARTS_MAX_MS;
  for (;;) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    if (performance.now() > end) throw new Error('whisper.cpp did not start');
    await pause(100);
  }
};

export const startNativeWhisper = async (source: string, weights: string): Promise<PeerProcess> => {
  const program = await build(source);
  const port = await freePort();
  const args = ['-m', weights, '-t', String(availableParallelism()), '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(program, args, { stdio: 'ignore' });
  const release = killOnExit(child);
  await once(child, 'spawn');
  await answers(`http://127.0.0.1:${port}/`);
  return {
    async request({ samples, language }) {
      const form = new FormData();
      form.append('file', wavOf(pcm16(samples)), 'clip.wav');
      form.append('response_format', 'json');
      if (language !== undefined) form.append('language', language);
      const before = await processCost(child.pid!);
      const startedMs = performance.now();
      const response = await fetch(`http://127.0.0.1:${port}/inference`, { method: 'POST', body: form });
      const { text } = (await response.json()) as { text: string };
      const wallMs = performance.now() - startedMs;
      const { cpuSeconds, rssBytes } = costBetween(before, await processCost(child.pid!));
      return { text, wallMs, cpuMs: cpuSeconds * 1000, rssBytes };
    },
    async stop() {
      release();
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
};
