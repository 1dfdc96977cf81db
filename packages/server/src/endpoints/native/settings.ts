// Settings of the contract's own endpoints.
import { z } from 'zod';
import { declareSettings, type SettingValues, setting } from '../../config/setting.ts';

export const nativeSettings = declareSettings({
  topic: 'Endpoints',
  settings: {
    fileFormats: setting(
      'FAIRCOPY_FILE_FORMATS',
      z.enum(['contract', 'all'], 'must be contract or all').default('contract'),
      'What POST /v1/transcribe accepts: wav, ogg and webm (contract), or every format that can be decoded (all), as all other endpoints do.',
    ),
  },
});

export type NativeSettings = SettingValues<typeof nativeSettings>;
