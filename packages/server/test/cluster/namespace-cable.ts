// A machine on its own network: a namespace with a virtual cable that can be unplugged.
import { execFileSync } from 'node:child_process';
import { userInfo } from 'node:os';
import type { Cable } from './cable.ts';

const ip = (...words: readonly string[]): void => {
  execFileSync('ip', words, { stdio: 'pipe' });
};

export const namespacesAbsence = (): false | string => {
  if (userInfo().uid !== 0) return 'network namespaces need root';
  try {
    const name = `fcx${process.pid}`;
    ip('netns', 'add', name);
    ip('netns', 'del', name);
    return false;
  } catch {
    return 'network namespaces cannot be created here';
  }
};

export class NamespaceCable implements Cable {
  readonly url: string;
  /** Addresses of this machine and of the one at the other end. */
  readonly near: string;
  readonly far: string;
  readonly #name: string;

  private constructor(name: string, network: string, natsPort: number) {
    this.#name = name;
    this.near = `${network}.1`;
    this.far = `${network}.2`;
    this.url = `nats://${this.near}:${natsPort}`;
  }

  /** `nth` determines its addresses; NATS listens on all addresses of this machine. */
  static open(nth: number, natsPort: number): NamespaceCable {
    const name = `fc${process.pid % 100_000}n${nth}`;
    const network = `10.${200 + (process.pid % 50)}.${nth}`;
    ip('netns', 'add', name);
    ip('link', 'add', `${name}h`, 'type', 'veth', 'peer', 'name', `${name}m`, 'netns', name);
    ip('address', 'add', `${network}.1/30`, 'dev', `${name}h`);
    ip('link', 'set', `${name}h`, 'up');
    ip('-n', name, 'address', 'add', `${network}.2/30`, 'dev', `${name}m`);
    ip('-n', name, 'link', 'set', `${name}m`, 'up');
    ip('-n', name, 'link', 'set', 'lo', 'up');
    return new NamespaceCable(name, network, natsPort);
  }

  /** Command prefix for running at the other end. */
  get prefix(): readonly string[] {
    return ['ip', 'netns', 'exec', this.#name];
  }

  cut(): void {
    ip('link', 'set', `${this.#name}h`, 'down');
  }

  mend(): void {
    ip('link', 'set', `${this.#name}h`, 'up');
  }

  async close(): Promise<void> {
    ip('netns', 'del', this.#name);
  }
}
