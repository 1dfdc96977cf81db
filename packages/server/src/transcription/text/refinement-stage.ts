// The refinement stage after recognition: the refined text, and the number of its tokens.
import type { Refined, RefineInput, Refiner } from '../../refine/refiner.ts';
import { countTokens } from './token-count.ts';

export interface RefinementResult {
  readonly refined: Refined;
  readonly outputTokenCount: number;
}

export interface RefinementStage {
  /** Rejects when the signal is aborted, and then stops the work too. */
  run(input: RefineInput, signal: AbortSignal): Promise<RefinementResult>;
  close(): Promise<void>;
}

/** Works on the calling thread: fit for a worker, and for tests. */
export class InlineRefinementStage implements RefinementStage {
  readonly #refiner: Refiner;

  constructor(refiner: Refiner) {
    this.#refiner = refiner;
  }

  async run(input: RefineInput, signal: AbortSignal): Promise<RefinementResult> {
    const refined = await this.#refiner.refine(input, signal);
    return { refined, outputTokenCount: await countTokens(refined.text) };
  }

  async close(): Promise<void> {}
}
