// The refiner of the service: the chain of rules, then the language model when one is configured.
import { type Draft, finish, refineInSlices } from './chain.ts';
import type { Tagger } from './deletions.ts';
import type { ChatEndpoint } from './model/chat.ts';
import { runModelPass } from './model/model-pass.ts';
import type { Refiner } from './refiner.ts';
import type { RefineSettings } from './settings.ts';
import { RunGate } from './tagger/run-lock.ts';
import { TrainedTagger } from './tagger/tagger.ts';
import { loadTaggerModel } from './tagger/tagger-model.ts';

export interface RefinerOptions {
  /** An OpenAI-compatible chat endpoint for the optional language-model pass. */
  readonly endpoint?: ChatEndpoint | undefined;
  /** Marks disfluent words before the rules; null for the rules alone, absent for the trained one. */
  readonly tagger?: Tagger | null | undefined;
}

/** The language model's share of the stage's time-out; then the rule-based text is returned. */
const MODEL_SHARE = 1 / 3;

export const refinerOptions = (config: RefineSettings, stageTimeoutMs: number): RefinerOptions =>
  config.refinerUrl === undefined
    ? {}
    : {
        endpoint: {
          url: config.refinerUrl,
          model: config.refinerModel,
          apiKey: config.refinerApiKey,
          timeoutMs: Math.round(MODEL_SHARE * stageTimeoutMs),
        },
      };

/** `gateMemory` is shared with whoever may end this thread, see tagger/run-lock.ts. */
export const createRefiner = ({ endpoint, tagger }: RefinerOptions = {}, gateMemory?: SharedArrayBuffer): Refiner => {
  const used = tagger === undefined ? new TrainedTagger(() => loadTaggerModel(new RunGate(gateMemory))) : tagger;
  return {
    refine: async (input, signal) => {
      const draft = await refineInSlices(input, signal, used ?? undefined);
      if (!endpoint || (input.level ?? 'standard') !== 'standard') return finish(draft);
      const outcome = await runModelPass(draft.tokens, input.language, endpoint, signal);
      const merged: Draft = { ...draft, tokens: outcome.tokens, marks: [...draft.marks, ...outcome.marks] };
      return { ...finish(merged), fallback: outcome.fallback };
    },
  };
};
