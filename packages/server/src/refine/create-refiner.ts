// Creates the service's refiner: the chain of passes, redaction, then the language model if one is configured.
import { type ChainResult, refineInSlices, toRefined } from './chain.ts';
import type { Tagger } from './disfluency-tagger.ts';
import type { ChatEndpoint } from './language-model/chat-endpoint.ts';
import { runModelPass } from './language-model/model-pass.ts';
import { redactChain } from './redaction/redact-chain.ts';
import type { Refiner } from './refiner.ts';
import type { RefineSettings } from './settings.ts';
import { RunGate } from './tagger/run-gate.ts';
import { TrainedTagger } from './tagger/tagger.ts';
import { loadTaggerModel } from './tagger/tagger-model.ts';

export interface RefinerOptions {
  /** An OpenAI-compatible chat endpoint for the optional language-model pass. */
  readonly endpoint?: ChatEndpoint | undefined;
  /** Tags disfluent words before the rules run. Default: the trained tagger. null: rules only. */
  readonly tagger?: Tagger | null | undefined;
}

/** The language model's share of the stage timeout. After that, the rule-based text is returned. */
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

/** `gateMemory` is shared with the thread that may terminate this one (see tagger/run-gate.ts). */
export const createRefiner = ({ endpoint, tagger }: RefinerOptions = {}, gateMemory?: SharedArrayBuffer): Refiner => {
  const used = tagger === undefined ? new TrainedTagger(() => loadTaggerModel(new RunGate(gateMemory))) : tagger;
  return {
    refine: async (input, signal) => {
      const byRules = await refineInSlices(input, signal, used ?? undefined);
      // Redact before the language model runs, so that hidden text never leaves the server.
      const { result, redaction } = redactChain(input, byRules);
      if (!endpoint || (input.level ?? 'standard') !== 'standard') return { ...toRefined(result), redaction };
      const outcome = await runModelPass(result.tokens, input.language, endpoint, signal);
      const merged: ChainResult = {
        ...result,
        tokens: outcome.tokens,
        records: [...result.records, ...outcome.records],
      };
      return { ...toRefined(merged), fallback: outcome.fallback, redaction };
    },
  };
};
