// Finds this machine's model store for tests with real weights. Without models they are skipped, unless
// FAIRCOPY_REQUIRE_MODELS is set.
import { parseRoomSettings } from '../../config/parse.ts';
import { speechSettings } from '../settings.ts';
import { openModelStore } from '../store/open.ts';
import type { ModelStore } from '../store/store.ts';

type StoredModels = { readonly store: ModelStore } | { readonly skip: string };

/** Never pulls: a test must not download hundreds of megabytes. */
export const storedModels = async (
  modelIds: readonly string[],
  { isRequired = Boolean(process.env.FAIRCOPY_REQUIRE_MODELS) } = {},
): Promise<StoredModels> => {
  const store = openModelStore(
    parseRoomSettings(speechSettings, { FAIRCOPY_MODELS_DIR: process.env.FAIRCOPY_MODELS_DIR }),
  );
  for (const modelId of modelIds) {
    const state = await store.state(modelId);
    if (state === 'ready') continue;
    const skip = `${modelId} is ${state} in the model store; run: npx faircopy models pull ${modelId}`;
    if (isRequired) throw new Error(skip);
    return { skip };
  }
  return { store };
};
