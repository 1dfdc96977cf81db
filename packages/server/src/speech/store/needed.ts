// Which models of the store a server with the given tiers needs.
import type { ModelId } from '@faircopy/contract';
import { modelsFor } from '../routing/tiers.ts';

export const VOICE_MODEL_ID = 'silero-vad';

export const neededModels = (tiers: readonly ModelId[]): readonly string[] => [VOICE_MODEL_ID, ...modelsFor(tiers)];
