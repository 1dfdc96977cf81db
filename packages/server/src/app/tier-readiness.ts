// Which tiers can be served now, and why the others cannot: for /readyz and for jobs.
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
  const reason = (): string => {
    if (engine.recogniser.isBroken) return 'no recogniser can load its models';
    if (!workers) return 'no recogniser runs';
    return workers.status().connected ? 'no worker serves it' : 'NATS is not connected';
  };
  return new Map(tiers.map((tier) => [tier, isServed(tier, engine) ? null : reason()]));
};

export const servedTiers = (tiers: readonly ModelId[], { engine }: TierSources): ModelId[] =>
  tiers.filter((tier) => isServed(tier, engine));

const isServed = (tier: ModelId, { recogniser }: TierSources['engine']): boolean =>
  !recogniser.isBroken && (recogniser.capacity?.serves(tier) ?? true);
