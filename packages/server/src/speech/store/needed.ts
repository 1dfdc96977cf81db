// Which models of the store a server with the given tiers needs.
import type { ModelId } from '@faircopy/contract';
import { modelsFor } from '../cascade/tiers.ts';

export const VAD_WEIGHTS_ID = 'silero-vad';

export const neededModels = (tiers: readonly ModelId[]): readonly string[] => [VAD_WEIGHTS_ID, ...modelsFor(tiers)];
