// Languages of an account's recent recordings, as a hint for unclear speech. In memory only, and off by default.
import type { LanguageGuess } from '../../speech/recogniser.ts';

/** Recordings kept per account, and accounts kept. */
const RECORDINGS_MAX = 20;
const ACCOUNTS_MAX = 10_000;
/** Fewer recordings say little about the next one. */
const RECORDINGS_MIN = 3;

export class RecentLanguages {
  /** Languages of recent recordings by account, least recently used account first. */
  readonly #heard = new Map<string, readonly string[]>();

  learn(accountId: string, language: string): void {
    const heard = [...(this.#heard.get(accountId) ?? []), language].slice(-RECORDINGS_MAX);
    this.#heard.delete(accountId);
    this.#heard.set(accountId, heard);
    const [oldest] = this.#heard.keys();
    if (this.#heard.size > ACCOUNTS_MAX && oldest !== undefined) this.#heard.delete(oldest);
  }

  /** Languages with their share of the account's recent recordings; none while there are too few. */
  of(accountId: string): readonly LanguageGuess[] {
    const heard = this.#heard.get(accountId) ?? [];
    if (heard.length < RECORDINGS_MIN) return [];
    return [...new Set(heard)].map((language) => ({
      language,
      probability: heard.filter((other) => other === language).length / heard.length,
    }));
  }
}
