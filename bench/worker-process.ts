// A child process that handles one request at a time, so that its cost can be attributed to that request.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { killOnExit } from './child-cleanup.ts';

interface Reply<T> {
  readonly value?: T;
  readonly error?: string;
}

export class WorkerProcess<Request extends object, Result> {
  readonly #child: ChildProcess;
  readonly #releaseCleanup: () => void;

  constructor(script: string, args: readonly string[] = []) {
    this.#child = fork(script, args, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#releaseCleanup = killOnExit(this.#child);
  }

  async request(request: Request): Promise<Result> {
    const settled = new AbortController();
    try {
      const { signal } = settled;
      const ended = once(this.#child, 'exit', { signal }).then(() => [{ error: 'the worker process ended' }]);
      const replied = once(this.#child, 'message', { signal });
      this.#child.send(request);
      const [reply] = (await Promise.race([replied, ended])) as [Reply<Result>];
      if (reply.error !== undefined) throw new Error(reply.error);
      return reply.value as Result;
    } finally {
      settled.abort();
    }
  }

  async stop(): Promise<void> {
    this.#releaseCleanup();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
