// A machine of the cluster: a process that can be started, suspended, killed and queried.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { testProgram } from '../programs/test-program.ts';
import type { Cable } from './cable.ts';

export interface MachineOptions {
  readonly name: string;
  /** A compiled file in this folder. */
  readonly entry: string;
  readonly plan?: unknown;
  readonly cable: Cable;
  readonly env: Readonly<Record<string, string>>;
  /** Command before the program, such as `ip netns exec name`. */
  readonly prefix?: readonly string[];
}

export class Machine<Figures> {
  readonly name: string;
  readonly cable: Cable;
  /** Its first output: an address or an id. */
  greeting = '';
  isUp = false;
  readonly #options: MachineOptions;
  #child!: ChildProcess;
  #lines!: AsyncIterator<string>;
  #asking: Promise<unknown> = Promise.resolve();

  constructor(options: MachineOptions) {
    this.#options = options;
    this.name = options.name;
    this.cable = options.cable;
  }

  async start(): Promise<void> {
    const { entry, plan, env, cable, prefix = [], name } = this.#options;
    const script = testProgram(new URL(entry, import.meta.url));
    const words = [...prefix, process.execPath, '--enable-source-maps', script, JSON.stringify(plan ?? {})];
    this.#child = spawn(words[0]!, words.slice(1), {
      env: { ...process.env, ...env, NATS_URL: cable.url, FAIRCOPY_NODE_NAME: name, PORT: '0' },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#child.stdin!.on('error', () => {});
    this.#lines = createInterface(this.#child.stdout!)[Symbol.asyncIterator]();
    const { value } = await this.#lines.next();
    assert.ok(value, `${name} came up`);
    this.greeting = value;
    this.isUp = true;
  }

  /** Undefined while it is down. */
  ask(line = ''): Promise<Figures | undefined> {
    // One question at a time, so that answers are not mixed up.
    const answer = this.#asking.then(async () => {
      if (!this.isUp) return undefined;
      this.#child.stdin!.write(`${line}\n`);
      const { value } = await this.#lines.next();
      return value === undefined ? undefined : (JSON.parse(value) as Figures);
    });
    this.#asking = answer.catch(() => {});
    return answer;
  }

  async kill(): Promise<void> {
    this.isUp = false;
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  suspend(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  async close(): Promise<void> {
    await this.kill();
    await this.cable.close();
  }
}
