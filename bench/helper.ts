// A child process that answers one question at a time: whatever it measures, nothing else runs in it.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { neverLeaveBehind } from './left-behind.ts';

interface Answer<T> {
  readonly value?: T;
  readonly error?: string;
}

export class Helper<Question extends object, Value> {
  readonly #child: ChildProcess;
  readonly #forget: () => void;

  constructor(script: string, args: readonly string[] = []) {
    this.#child = fork(script, args, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#forget = neverLeaveBehind(this.#child);
  }

  async ask(question: Question): Promise<Value> {
    const settled = new AbortController();
    try {
      const { signal } = settled;
      const ended = once(this.#child, 'exit', { signal }).then(() => [{ error: 'the helper process ended' }]);
      const told = once(this.#child, 'message', { signal });
      this.#child.send(question);
      const [answer] = (await Promise.race([told, ended])) as [Answer<Value>];
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value as Value;
    } finally {
      settled.abort();
    }
  }

  async stop(): Promise<void> {
    this.#forget();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill('SIGKILL');
    await once(this.#child, 'exit');
  }
}
