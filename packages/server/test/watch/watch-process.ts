// Runs `faircopy watch` as a separate process and collects its output.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { BIN } from '../cli/run-cli.ts';

const POLL_MS = 20;
const DEADLINE_MS = 120_000;

/** Waits for a condition. */
export const until = async (what: string, holds: () => Promise<boolean> | boolean): Promise<void> => {
  for (const deadline = Date.now() + DEADLINE_MS; !(await holds()); await pause(POLL_MS))
    if (Date.now() > deadline) throw new Error(`did not happen in time: ${what}`);
};

export interface WatchTarget {
  readonly url: string;
  readonly key: string;
  /** The folder for notes about unfinished jobs. */
  readonly cache: string;
  readonly env?: Readonly<Record<string, string>>;
}

export class WatchProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  stdout = '';
  stderr = '';

  constructor({ url, key, cache, env = {} }: WatchTarget, args: readonly string[]) {
    this.#child = spawn(process.execPath, [BIN, 'watch', ...args], {
      env: { ...process.env, FAIRCOPY_URL: url, FAIRCOPY_API_KEY: key, XDG_CACHE_HOME: cache, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
    });
    this.#child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
    });
    this.#ended = once(this.#child, 'close');
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  async says(pattern: RegExp): Promise<void> {
    await until(`${pattern} in ${this.stderr}`, () => {
      if (pattern.test(this.stderr)) return true;
      if (this.hasEnded) throw new Error(`ended with ${this.#child.exitCode}: ${this.stderr}`);
      return false;
    }).catch((cause: Error) => {
      throw new Error(`${cause.message}; stderr: ${this.stderr}`);
    });
  }

  /** Resolves to the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended();
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }
}
