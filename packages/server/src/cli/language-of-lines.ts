// Guesses the language of each line; a line too short to decide gets the most common language of the lines before it.
import { guessLanguage } from '../refine/language.ts';

export class LanguageOfLines {
  readonly #counts = new Map<string, number>();
  #commonest: string | null = null;

  of(line: string): string | null {
    const guessed = guessLanguage(line.toLowerCase().match(/[\p{L}']+/gu) ?? []);
    if (guessed === null) return this.#commonest;
    const count = (this.#counts.get(guessed) ?? 0) + 1;
    this.#counts.set(guessed, count);
    if (this.#commonest === null || count > this.#counts.get(this.#commonest)!) this.#commonest = guessed;
    return guessed;
  }
}
