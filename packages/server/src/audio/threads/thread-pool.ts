// A few threads shared by many uploads: started on demand, replaced when lost.
import { Fault } from '../../lib/fault.ts';
import { Thread, type ThreadOptions } from './thread.ts';

export class ThreadPool {
  readonly #options: ThreadOptions;
  readonly #size: number;
  #threads: Thread[] = [];
  #state: 'open' | 'closed' = 'open';

  constructor(size: number, options: ThreadOptions) {
    this.#size = size;
    this.#options = options;
  }

  /** The thread with the least load; a new one while all are busy and the pool is not full. */
  pick(): Thread {
    if (this.#state === 'closed') throw new Fault('SERVICE_UNAVAILABLE', { cause: new Error('decoding is closed') });
    this.#threads = this.#threads.filter((thread) => thread.isAlive);
    const [idlest] = this.#threads.toSorted((a, b) => a.load - b.load);
    if (idlest && (idlest.load === 0 || this.#threads.length >= this.#size)) return idlest;
    const thread = new Thread(this.#options);
    this.#threads.push(thread);
    return thread;
  }

  async close(): Promise<void> {
    this.#state = 'closed';
    await Promise.all(this.#threads.splice(0).map((thread) => thread.close()));
  }
}
