// Lists the models that a server needs for its tiers.
import { type TierTable, weightsFor } from '../cascade/tiers.ts';
import type { TierId } from '../recogniser.ts';

export const VAD_WEIGHTS_ID = 'silero-vad';

export const neededModels = (tiers: readonly TierId[], table?: TierTable): readonly string[] => [
  VAD_WEIGHTS_ID,
  ...weightsFor(tiers, table),
];
