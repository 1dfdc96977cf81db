// Settings of long files, and of model names at the endpoints that imitate other services.
import { isModelId, MODEL_IDS } from '@faircopy/contract';
import { z } from 'zod';
import { declareSettings, type SettingValues, setting } from '../config/setting.ts';
import { listed, wholeNumber } from '../config/values.ts';

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
    longFileMb: setting(
      'FAIRCOPY_LONG_FILE_MB',
      wholeNumber(500, 1, 100_000),
      'Largest file in MB at the OpenAI and Deepgram endpoints and in the playground.',
    ),
    longFileSeconds: setting(
      'FAIRCOPY_LONG_FILE_SECONDS',
      wholeNumber(4 * 60 * 60, 1, 24 * 60 * 60),
      'Longest audio in seconds there. A higher limit of the account overrides it. Stage time-outs grow with the audio.',
    ),
  },
});

export type LongFileSettings = Pick<SettingValues<typeof callSettings>, 'longFileMb' | 'longFileSeconds'>;
