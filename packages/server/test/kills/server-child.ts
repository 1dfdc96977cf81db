// The real server in a child process that tests can kill.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { StorageOptions } from '../../src/storage/open.ts';
import { testProgram } from '../programs/test-program.ts';

/** What can be killed while the server runs. */
export const SERVER_PARTS = [
  'recogniser',
  'voice process',
  'decoding thread',
  'text thread',
  'database thread',
] as const;
export type ServerPart = (typeof SERVER_PARTS)[number];

/** The server with every killable part, or one that starts quickly. */
export type ServerScript = 'server-process' | 'job-server-process';
const pathOf = (script: ServerScript): string => testProgram(new URL(`./${script}.js`, import.meta.url));

export class ServerChild {
  readonly address: string;
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;

  private constructor(child: ChildProcess, lines: AsyncIterator<string>, address: string) {
    this.#child = child;
    this.#lines = lines;
    this.address = address;
  }

  static async start(
    { dataDir, databaseUrl }: StorageOptions,
    settings: Readonly<Record<string, string>> = {},
    script: ServerScript = 'server-process',
  ): Promise<ServerChild> {
    const env = {
      ...process.env,
      PORT: '0',
      FAIRCOPY_NODE_NAME: 'killed',
      // Shorter than HUNG_MS of the clients.
      FAIRCOPY_RECOGNITION_TIMEOUT_MS: '30000',
      FAIRCOPY_FINALIZE_TIMEOUT_MS: '30000',
      FAIRCOPY_DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl ?? '',
      ...settings,
    };
    const child = spawn(process.execPath, [pathOf(script)], { env, stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin!.on('error', () => {});
    const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
    const { value: address } = await lines.next();
    assert.ok(address, 'the server started after the previous kill');
    return new ServerChild(child, lines, address);
  }

  /** Returns whether there was such a part. */
  async killPart(part: ServerPart): Promise<boolean> {
    this.#child.stdin!.write(`${part}\n`);
    const { value } = await this.#lines.next();
    assert.ok(value === 'killed' || value === 'none', `the server ended by itself when its ${part} was killed`);
    return value === 'killed';
  }

  async kill(): Promise<void> {
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    const [, signal] = await exited;
    assert.equal(signal, 'SIGKILL', 'the server ended by the kill, not by itself');
  }
}

/** Counts answers to find the moment of the next kill. */
export class AnswerCounter {
  #onAnswer: () => void = () => {};

  count(): void {
    this.#onAnswer();
  }

  /** Waits for a number of answers instead of a time, so that slow machines see kills under load too; then pauses. */
  async waitFor(answers: number, { msMax, pauseMs }: { readonly msMax: number; readonly pauseMs: number }) {
    let left = answers;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, msMax);
      this.#onAnswer = () => {
        if (left-- > 0) return;
        clearTimeout(timer);
        setTimeout(resolve, pauseMs);
      };
      this.#onAnswer();
    });
    this.#onAnswer = () => {};
  }
}
