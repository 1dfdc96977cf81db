// A thread that runs commands one after the other as if in separate processes, but loads their code only once.
import { parentPort } from 'node:worker_threads';

export interface CommandCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export interface CommandEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const MAIN = new URL('../../bundle/cli/main.js', import.meta.url).href;

const printed = { stdout: '', stderr: '' };
for (const name of ['stdout', 'stderr'] as const)
  process[name].write = (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
    printed[name] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
    const written = rest.at(-1);
    if (typeof written === 'function') process.nextTick(written as () => void);
    return true;
  };

let calls = 0;
parentPort?.on('message', async ({ args, env }: CommandCall) => {
  calls += 1;
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.argv.splice(2, process.argv.length, ...args);
  process.exitCode = undefined;
  try {
    // Only this module is evaluated again; its imports are already loaded.
    await import(`${MAIN}?${calls}`);
  } catch (thrown) {
    printed.stderr += thrown instanceof Error ? thrown.stack : String(thrown);
    process.exitCode = 1;
  }
  // Each call adds its own listener.
  process.stdout.removeAllListeners('error');
  parentPort?.postMessage({ code: Number(process.exitCode ?? 0), ...printed } satisfies CommandEnd);
  process.exitCode = undefined;
  printed.stdout = '';
  printed.stderr = '';
});
