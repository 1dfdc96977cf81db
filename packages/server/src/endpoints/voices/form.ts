// The form of POST /v1/voices.
import { VOICE_LIMITS } from '@faircopy/contract';
import { checkedVoiceName } from '../../accounts/voices/voice-prints.ts';
import { invalidRequest } from '../../lib/fault.ts';
import { booleanFieldOf, type FormShape } from '../../transport/http/upload/upload-form.ts';

interface VoiceValues {
  readonly name: string | undefined;
  readonly hasConsent: boolean;
}

export const VOICE_FORM: FormShape<VoiceValues> = {
  filePart: 'audio',
  fileBytesMax: VOICE_LIMITS.fileBytesMax,
  initial: { name: undefined, hasConsent: false },
  field: (partName) => {
    if (partName === 'name') return { name: 'name', parse: (text) => ({ name: checkedVoiceName(text) }) };
    if (partName === 'consent')
      return { name: 'consent', parse: (text) => ({ hasConsent: booleanFieldOf(text, 'consent') }) };
    return null;
  },
};

export const voiceRequestOf = ({ name, hasConsent }: VoiceValues): { readonly name: string } => {
  if (name === undefined) throw invalidRequest('The field "name" is missing. Send the name of the speaker.', 'name');
  if (!hasConsent)
    throw invalidRequest(
      'A voice print is biometric data. Send "consent" as true once the person has agreed to the enrolment.',
      'consent',
    );
  return { name };
};
