// The parent's side of a child process: sends messages, and reports its messages and its exit.
import { type ChildProcess, fork } from 'node:child_process';
import type { Writable } from 'node:stream';
import { lastOutput } from './last-output.ts';
import type { FromChild, ToChild } from './protocol.ts';
import { STOP_LINE_FD } from './protocol.ts';

/** Environment variables passed to model processes: no keys, no database addresses. */
const ENVIRONMENT = ['PATH', 'HOME', 'LANG', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH', 'NODE_OPTIONS', 'NODE_EXTRA_CA_CERTS'];

interface ChildListener {
  onMessage(message: FromChild): void;
  /** Called once, even if the process could not be started; `why` is for logs. */
  onExit(why: string): void;
}

export class Child {
  readonly #process: ChildProcess;
  readonly #stopLine: Writable | null;

  constructor(entry: string, listener: ChildListener) {
    const env = Object.fromEntries(
      ENVIRONMENT.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])),
    );
    this.#process = fork(entry, {
      serialization: 'advanced',
      execArgv: ['--enable-source-maps'],
      env,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe'],
    });
    // Without file descriptors, Node returns a child that has no pipes and will report an error.
    const { stdio, stderr } = this.#process as Partial<ChildProcess>;
    this.#stopLine = (stdio?.[STOP_LINE_FD] as Writable | undefined) ?? null;
    // The pipe of a dead child breaks; its exit is reported anyway.
    this.#stopLine?.on('error', () => {});
    const stderrOf = lastOutput(stderr ?? null);
    this.#process.on('message', (message: FromChild) => listener.onMessage(message));
    let isOver = false;
    const over = (why: string) => {
      if (isOver) return;
      isOver = true;
      this.#stopLine?.destroy();
      const stderr = stderrOf();
      listener.onExit(stderr ? `${why}: ${stderr}` : why);
    };
    this.#process.on('error', (cause) => {
      if (this.#process.pid === undefined) over(cause.message);
    });
    this.#process.on('exit', (code, signal) => over(signal ? `killed by ${signal}` : `exit code ${code}`));
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  send(message: ToChild): void {
    // A failed send means that the child is exiting; its exit ends the pending call.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  /** Asks the child to stop a call; it is received even during a model run. */
  stopCall(id: number): void {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(id);
    this.#stopLine?.write(bytes);
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }
}
