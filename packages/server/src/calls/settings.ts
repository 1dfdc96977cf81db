// Settings of model names at endpoints of other services.
import { isModelId, MODEL_IDS } from '@faircopy/contract';
import { z } from 'zod';
import { declareSettings, setting } from '../config/setting.ts';
import { listed } from '../config/values.ts';

/** `name=tier` pairs separated by commas; a name may end with `*`. */
const modelAliases = z
  .string()
  .default('')
  .transform((list, context) =>
    listed(list).flatMap((pair) => {
      const [name = '', tier = '', ...more] = pair.split('=').map((part) => part.trim());
      if (isModelId(tier) && /^[^*\s]+\*?$/.test(name) && more.length === 0) return [[name, tier] as const];
      const fault = isModelId(tier)
        ? 'is not a pair such as whisper-1=svc-1.0-pro'
        : `"${tier}" is not a tier; the tiers are ${MODEL_IDS.join(', ')}`;
      context.addIssue({ code: 'custom', message: `"${pair}": ${fault}` });
      return [];
    }),
  );

export const callSettings = declareSettings({
  topic: 'Endpoints',
  settings: {
    modelAliases: setting(
      'FAIRCOPY_MODEL_ALIASES',
      modelAliases,
      'Tiers for model names of other services, such as whisper-1=svc-1.0-pro,nova*=svc-1.0-lite.',
    ),
  },
});
