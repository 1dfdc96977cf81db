// Which models a server with the given tiers needs.
import { weightsFor } from '../cascade/tiers.ts';
import type { TierId } from '../recogniser.ts';

export const VAD_WEIGHTS_ID = 'silero-vad';

export const neededModels = (tiers: readonly TierId[], maxWhisper?: string): readonly string[] => [
  VAD_WEIGHTS_ID,
  ...weightsFor(tiers, maxWhisper),
];
