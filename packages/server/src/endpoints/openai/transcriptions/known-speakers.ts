// The people that a request names, with a clip of each: `known_speaker_names[]` and `known_speaker_references[]`.
import { REQUEST_VOICES, RequestVoices, type VoiceClip } from '../../../calls/transcript.ts';
import { invalidRequest } from '../../../lib/fault.ts';

export const NAMES_FIELD = 'known_speaker_names';
export const REFERENCES_FIELD = 'known_speaker_references';
const NAME_CHARACTERS_MAX = 100;

/** Slightly more than a data URL with ten seconds of 48 kHz stereo. */
export const REFERENCE_BYTES_MAX = 2_700_000;

export interface KnownSpeakers {
  readonly names: readonly string[];
  readonly references: readonly Uint8Array[];
  /** The same object for all parts of a form. */
  readonly voices: RequestVoices;
}

const nobody = (): KnownSpeakers => ({ names: [], references: [], voices: new RequestVoices() });

export const withName = (known: KnownSpeakers | undefined, text: string): KnownSpeakers => {
  const name = text.trim();
  if (name === '' || name.length > NAME_CHARACTERS_MAX || /\p{Cc}/u.test(name))
    throw invalidRequest(`A name must have 1 to ${NAME_CHARACTERS_MAX} characters.`, NAMES_FIELD);
  const speakers = known ?? nobody();
  return { ...speakers, names: [...speakers.names, name] };
};

export const withReference = (known: KnownSpeakers | undefined, text: string): KnownSpeakers => {
  const speakers = known ?? nobody();
  return { ...speakers, references: [...speakers.references, bytesOf(text.trim())] };
};

/** The clips of the speakers. Call once all parts have arrived. */
export const clipsOf = ({ names, references }: KnownSpeakers): VoiceClip[] => {
  if (names.length !== references.length)
    throw invalidRequest(
      `Each of "${NAMES_FIELD}" needs one of "${REFERENCES_FIELD}", in the same order.`,
      NAMES_FIELD,
    );
  if (new Set(names).size < names.length) throw invalidRequest('A name is given twice.', NAMES_FIELD);
  return names.map((name, index) => ({ name, audio: references[index]! }));
};

export const KNOWN_SPEAKERS_MAX = REQUEST_VOICES.countMax;

const bytesOf = (text: string): Uint8Array => {
  const [, base64] = /^data:[\w.+-]*(?:\/[\w.+-]*)?(?:;[\w.+=-]+)*;base64,([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  if (base64 === undefined)
    throw invalidRequest(`"${REFERENCES_FIELD}" must be data URLs of audio in base64.`, REFERENCES_FIELD);
  return Buffer.from(base64, 'base64');
};
