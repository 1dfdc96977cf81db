// The stage after recognition: the refined text, and the number of its tokens.
import type { Refined, RefineInput, Refiner } from '../refine/refiner.ts';
import { countTokens } from './tokens.ts';

export interface Written {
  readonly refined: Refined;
  readonly outputTokenCount: number;
}

export interface TextStage {
  /** Rejects when the signal is aborted, and then stops the work too. */
  write(input: RefineInput, signal: AbortSignal): Promise<Written>;
  close(): Promise<void>;
}

/** Works on the calling thread: fit for a worker, and for tests. */
export class InlineTextStage implements TextStage {
  readonly #refiner: Refiner;

  constructor(refiner: Refiner) {
    this.#refiner = refiner;
  }

  async write(input: RefineInput, signal: AbortSignal): Promise<Written> {
    const refined = await this.#refiner.refine(input, signal);
    return { refined, outputTokenCount: await countTokens(refined.text) };
  }

  async close(): Promise<void> {}
}
