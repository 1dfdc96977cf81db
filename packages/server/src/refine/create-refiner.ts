// The refiner of the service: the chain of rules, then the language model when one is configured.
import { type Draft, finish, refineInSlices } from './chain.ts';
import type { ChatEndpoint } from './model/chat.ts';
import { runModelPass } from './model/model-pass.ts';
import type { Refiner } from './refiner.ts';
import { RunGate } from './tagger/run-gate.ts';
import { loadTaggerModel, type TaggerModel } from './tagger/tagger-model.ts';

export interface RefinerOptions {
  /** An OpenAI-compatible chat endpoint for the optional language-model pass. */
  readonly endpoint?: ChatEndpoint | undefined;
  /** Shared with whoever may end this thread, see run-gate.ts. */
  readonly gateMemory?: SharedArrayBuffer | undefined;
  /** Told once when the tagger cannot be loaded and the rules serve alone. */
  readonly onTaggerAbsent?: ((failure: unknown) => void) | undefined;
}

interface RefinerSettings {
  readonly refinerUrl: string | undefined;
  readonly refinerModel: string;
  readonly refinerApiKey: string | undefined;
  readonly refinerTimeoutMs: number;
}

/** The part of the configuration that the refiner reads. */
export const refinerOptions = (config: RefinerSettings): RefinerOptions =>
  config.refinerUrl === undefined
    ? {}
    : {
        endpoint: {
          url: config.refinerUrl,
          model: config.refinerModel,
          apiKey: config.refinerApiKey,
          timeoutMs: config.refinerTimeoutMs,
        },
      };

export const createRefiner = ({ endpoint, gateMemory, onTaggerAbsent }: RefinerOptions = {}): Refiner => {
  const tagger: Promise<TaggerModel | null> = loadTaggerModel(new RunGate(gateMemory)).catch((failure: unknown) => {
    onTaggerAbsent?.(failure);
    return null;
  });
  return {
    refine: async (input, signal) => {
      const draft = await refineInSlices(input, signal, await tagger);
      if (!endpoint) return finish(draft);
      const outcome = await runModelPass(draft.tokens, input.language, endpoint, signal);
      const marks = [...draft.marks, ...outcome.marks];
      const merged: Draft = { rawText: draft.rawText, tokens: outcome.tokens, marks };
      return { ...finish(merged), fallback: outcome.fallback };
    },
  };
};
