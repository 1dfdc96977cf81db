// The handshake of Deepgram's turn-based endpoint: its query parameters.
import type { LiveAudio } from '../../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../../calls/call.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import type { TurnThresholds } from '../../../calls/transcript.ts';
import { languagesOf } from '../../../lib/language-names.ts';
import type { Warning } from '../options.ts';
import { allOf, oneOf, type Query, readDeepgramOptions, readRawAudio, type TextForm } from '../parameters.ts';
import { forModel, withThresholds } from './thresholds.ts';

export interface FluxRequest {
  readonly live: TranscriptionOptions;
  readonly text: TextForm;
  readonly audio: LiveAudio;
  readonly thresholds: TurnThresholds;
  /** The same as probabilities of the model. The session reads them at each decision, so they may change. */
  readonly sessionThresholds: TurnThresholds;
  readonly keyterms: readonly string[];
  readonly warnings: readonly Warning[];
}

/** Short, because a pause does not end a turn: its words should be recognised by the time the turn is judged. */
const ENDPOINTING_MS = 300;
const MODEL_DEFAULT = 'flux-general-multi';
const ENGLISH_MODEL = 'flux-general-en';

/** One `language_hint` is a hint; detection chooses among several. The English model never detects. */
const languagesIn = (query: Query): Partial<Pick<TranscriptionOptions, 'languageHint' | 'languages'>> => {
  const hints = languagesOf(allOf(query, 'language_hint'), 'language_hint');
  if (hints.length > 1) return { languages: hints };
  if (hints.length === 1) return { languageHint: hints[0] };
  const isEnglish = oneOf(query, 'model') === ENGLISH_MODEL && !('language' in query || 'detect_language' in query);
  return isEnglish ? { languages: ['en'] } : {};
};

export const readFluxRequest = (query: Query, names: ModelNames): FluxRequest => {
  const given = { model: MODEL_DEFAULT, ...query };
  const { transcription, text, warnings } = readDeepgramOptions(given, names, 'turns');
  const { speakers: _, ...supported } = transcription;
  const thresholds = withThresholds(query);
  const sessionThresholds = forModel(thresholds);
  return {
    live: {
      ...supported,
      ...languagesIn(query),
      finals: { kind: 'utterances', endpointingMs: ENDPOINTING_MS, wantInterims: true, turns: sessionThresholds },
    },
    text: { ...text, base: 'refined' },
    audio: readRawAudio(query) ?? { kind: 'container' },
    thresholds,
    sessionThresholds,
    keyterms: [query.keyterm ?? []].flat().filter((term) => typeof term === 'string'),
    warnings,
  };
};
