// Messages of a watcher on standard error: each problem is reported once, until it is over or changes.
import { sentenceOf } from '../client/service-client.ts';
import { sanitise } from '../output.ts';

export class WatchMessages {
  readonly #troubles = new Map<string, string>();

  say(address: string, sentence: string): void {
    console.error(`${sanitise(address)}: ${sentence}`);
  }

  trouble(address: string, thrown: unknown, hint = ''): void {
    const sentence = `${sentenceOf(thrown)}${hint}`;
    if (this.#troubles.get(address) === sentence) return;
    this.#troubles.set(address, sentence);
    this.say(address, sentence);
  }

  /** Call when a problem is over. Returns whether there was one. */
  over(address: string): boolean {
    return this.#troubles.delete(address);
  }

  /** Forgets problems of all other addresses, which no longer exist. */
  keepOnly(addresses: ReadonlySet<string>): void {
    for (const address of this.#troubles.keys()) if (!addresses.has(address)) this.#troubles.delete(address);
  }
}
