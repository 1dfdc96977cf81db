// The refinement stage: refines text and counts its tokens.
import type { Refined, RefineInput, Refiner } from '../../refine/refiner.ts';
import { countTokens } from './token-count.ts';

export interface RefinementResult {
  readonly refined: Refined;
  readonly outputTokenCount: number;
}

export interface RefinementStage {
  /** Rejects and stops the work when the signal is aborted. */
  run(input: RefineInput, signal: AbortSignal): Promise<RefinementResult>;
  close(): Promise<void>;
}

/** Runs on the calling thread: for workers and tests. */
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
