// The `info` event that describes this server to Home Assistant.
import type { ModelId } from '@faircopy/contract';
import { VERSION } from '../../lib/process/version.ts';

const ATTRIBUTION = { name: 'Faircopy', url: 'https://github.com/faircopy/faircopy' };
/** Languages that Whisper transcribes well. Home Assistant offers pipelines only for these. */
const LANGUAGES = (
  'af ar bg bn bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv mk mr ms ne nl no pl ' +
  'pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh'
).split(' ');

const modelOf = (name: ModelId) => ({
  name,
  attribution: ATTRIBUTION,
  installed: true,
  description: `Faircopy ${name}`,
  version: VERSION,
  languages: LANGUAGES,
});

export const infoOf = (models: readonly ModelId[]) => ({
  asr: [
    {
      name: 'faircopy',
      attribution: ATTRIBUTION,
      installed: true,
      description: 'Speech to refined text',
      version: VERSION,
      models: models.map(modelOf),
      supports_transcript_streaming: false,
      requires_external_vad: true,
      prefers_auto_gain_enabled: true,
      prefers_noise_reduction_enabled: true,
    },
  ],
  tts: [],
  handle: [],
  intent: [],
  wake: [],
  mic: [],
  snd: [],
});
