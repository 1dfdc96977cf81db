// Speaker features from a separate process, which is started by the first call, serves one call at a time, is restarted
// when it dies and ended when it is unused.
import { fileURLToPath } from 'node:url';
import { programUrl } from '../../lib/process/programs.ts';
import type { OnSpeechEvent } from '../engine-events.ts';
import { CallQueue } from '../process/call-queue.ts';
import type { ProcessStatus } from '../process/supervised-process.ts';
import type { FrameSpans } from './pooling.ts';
import type { EmbeddedStretch, SpeakerFeatures, SpeakerModels } from './speaker-features.ts';

export type SpeakerRequest =
  | { readonly kind: 'segment'; readonly samples: Float32Array; readonly starts: readonly number[] }
  | { readonly kind: 'embed'; readonly stretch: Float32Array; readonly regions: readonly FrameSpans[] };

const ENTRY = fileURLToPath(programUrl('speech/speakers/speaker-entry'));
const LOAD_MS_MAX = 60_000;
/** The longest call, 60 s of audio, takes about half a second; this leaves room for a starved machine. */
const CALL_MS_MAX = 60_000;

interface SpeakerProcessOptions {
  readonly models: SpeakerModels;
  readonly unloadAfterMs?: number | null;
  readonly onEvent?: OnSpeechEvent | undefined;
}

export class SpeakerProcess {
  readonly #models: SpeakerModels;
  /** Bounded, because an analyser waits for each answer before it asks again. */
  readonly #calls: CallQueue;

  constructor({ models, unloadAfterMs = null, onEvent }: SpeakerProcessOptions) {
    this.#models = models;
    this.#calls = new CallQueue({
      name: 'speakers',
      entry: ENTRY,
      init: models,
      loadMsMax: LOAD_MS_MAX,
      callMsMax: CALL_MS_MAX,
      unloadAfterMs,
      onEvent,
    });
  }

  get status(): ProcessStatus {
    return this.#calls.status;
  }

  /** Features for one owner; owners take turns. */
  featuresFor(owner: string, signal?: AbortSignal): SpeakerFeatures {
    const ask = (request: SpeakerRequest): Promise<unknown> => this.#calls.ask(request, owner, signal);
    return {
      embedding: this.#models.embedding,
      hasSegmentation: this.#models.segmentationFolder !== undefined,
      segment: (samples, starts) => ask({ kind: 'segment', samples, starts }) as Promise<Uint8Array[]>,
      embed: (stretch, regions) => ask({ kind: 'embed', stretch, regions }) as Promise<EmbeddedStretch>,
    };
  }

  close(): Promise<void> {
    return this.#calls.close();
  }
}
