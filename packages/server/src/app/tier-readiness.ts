// Why a tier cannot be served now, for /readyz.
import type { ModelId } from '@faircopy/contract';
import type { Workers } from '../cluster/gateway/open-workers.ts';
import type { SpeechEngine } from '../speech/recogniser.ts';

export interface TierSources {
  readonly engine: Pick<SpeechEngine, 'recogniser'>;
  readonly workers: Pick<Workers, 'status'> | undefined;
}

/** Each tier with the reason, or null when a recogniser serves it. */
export const tierReadiness = (
  tiers: readonly ModelId[],
  { engine, workers }: TierSources,
): ReadonlyMap<ModelId, string | null> => {
  const { capacity } = engine.recogniser;
  const reason = (): string => {
    if (!workers) return 'no recogniser runs';
    return workers.status().connected ? 'no worker serves it' : 'NATS is not connected';
  };
  return new Map(tiers.map((tier) => [tier, capacity && !capacity.serves(tier) ? reason() : null]));
};
