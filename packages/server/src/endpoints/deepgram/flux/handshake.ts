// The handshake of Deepgram's turn-based endpoint: its query parameters.
import type { LiveAudio } from '../../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../../calls/call.ts';
import type { ModelNames } from '../../../calls/model-names.ts';
import type { TurnThresholds } from '../../../calls/transcript.ts';
import { type Query, readDeepgramOptions, readRawAudio, type TextForm } from '../parameters.ts';
import { forModel, withThresholds } from './thresholds.ts';

export interface FluxRequest {
  readonly live: TranscriptionOptions;
  readonly text: TextForm;
  readonly audio: LiveAudio;
  readonly thresholds: TurnThresholds;
  /** The same as probabilities of the model. The session reads them at each decision, so they may change. */
  readonly sessionThresholds: TurnThresholds;
  readonly keyterms: readonly string[];
}

/** Short, because a pause does not end a turn: its words should be recognised by the time the turn is judged. */
const ENDPOINTING_MS = 300;
const MODEL_DEFAULT = 'flux-general-en';

export const readFluxRequest = (query: Query, names: ModelNames): FluxRequest => {
  const { transcription, text } = readDeepgramOptions({ model: MODEL_DEFAULT, ...query }, names, 'live');
  const thresholds = withThresholds(query);
  const sessionThresholds = forModel(thresholds);
  return {
    live: {
      ...transcription,
      finals: { kind: 'utterances', endpointingMs: ENDPOINTING_MS, wantInterims: true, turns: sessionThresholds },
    },
    text: { ...text, base: 'refined' },
    audio: readRawAudio(query) ?? { kind: 'container' },
    thresholds,
    sessionThresholds,
    keyterms: [query.keyterm ?? []].flat().filter((term) => typeof term === 'string'),
  };
};
