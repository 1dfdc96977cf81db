// Settings of the Deepgram endpoints.
import { declareSettings, type SettingValues, setting } from '../../config/setting.ts';
import { trueOrFalse } from '../../config/values.ts';

export const deepgramSettings = declareSettings({
  topic: 'Endpoints',
  settings: {
    fetchAudioUrls: setting(
      'FAIRCOPY_FETCH_AUDIO_URLS',
      trueOrFalse(false),
      'Lets POST /v1/listen fetch recordings from public addresses in JSON bodies.',
    ),
  },
});

export type DeepgramSettings = SettingValues<typeof deepgramSettings>;
