// The form fields for speakers and channels, shared by all file endpoints. All are extensions.
import { SPEAKERS_MAX } from '../detail.ts';
import type { Json } from './json-schemas.ts';

const speakerCount = (description: string): Json => ({
  type: 'integer',
  minimum: 1,
  maximum: SPEAKERS_MAX,
  description: `An extension. ${description}`,
});

export const SPEAKER_PARTS: Json = {
  channels: {
    type: 'string',
    enum: ['mix', 'split'],
    description: 'An extension. `split` transcribes each channel separately, as one speaker, and bills each.',
  },
  channel_names: {
    type: 'string',
    examples: ['agent,customer'],
    description: 'An extension. Names of the channels. Implies `channels=split`.',
  },
  num_speakers: speakerCount('How many people speak, if that is known. Implies `speakers`.'),
  min_speakers: speakerCount('At least this many.'),
  max_speakers: speakerCount('At most this many.'),
  known_voices: {
    type: 'boolean',
    description:
      'An extension. Compare the speakers with the voices that the account has enrolled. Implies `speakers`.',
  },
};
