// Counts the recordings whose language was detected correctly, among those in a supported language.
import { LANGUAGES } from '@faircopy/contract';
import type { Hypothesis, ManifestRow } from './score.ts';

export class LanguageCount {
  #clips = 0;
  readonly #wrong: string[] = [];

  add(rows: readonly ManifestRow[], found: ReadonlyMap<string, Hypothesis>): void {
    for (const { file, text, language } of rows) {
      const hypothesis = found.get(file);
      if (!hypothesis || text === '' || !language || !LANGUAGES.includes(language)) continue;
      this.#clips += 1;
      if (hypothesis.language !== language) this.#wrong.push(`${file} ${hypothesis.language ?? 'unclear'}`);
    }
  }

  sentence(): string {
    const right = this.#clips - this.#wrong.length;
    const percent = ((100 * right) / Math.max(1, this.#clips)).toFixed(1);
    const wrong = this.#wrong.length === 0 ? '' : ` Wrong: ${this.#wrong.join(', ')}.`;
    return `Language: ${right} of ${this.#clips} right (${percent} %).${wrong}`;
  }
}
