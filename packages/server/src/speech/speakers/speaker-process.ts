// Speaker features from a process of their own: started by the first call, one call at a time, started again when it dies.
import { fileURLToPath } from 'node:url';
import type { OnSpeechEvent } from '../engine-events.ts';
import { type ProcessStatus, ProcessUnavailable, SupervisedProcess } from '../process/supervised-process.ts';
import { RecogniserUnavailable } from '../recogniser.ts';
import type { FrameSpans } from './pooling.ts';
import type { EmbeddedStretch, SpeakerFeatures, SpeakerModelFolders } from './speaker-features.ts';

export type SpeakerRequest =
  | { readonly kind: 'segment'; readonly samples: Float32Array; readonly starts: readonly number[] }
  | { readonly kind: 'embed'; readonly stretch: Float32Array; readonly regions: readonly FrameSpans[] };

interface Turn {
  readonly request: SpeakerRequest;
  tries: number;
  readonly resolve: (result: unknown) => void;
  readonly reject: (cause: Error) => void;
}

const ENTRY = fileURLToPath(new URL('./speaker-entry.js', import.meta.url));
const LOAD_MS_MAX = 60_000;
/** The longest call, 60 s of audio, takes about half a second; this leaves room for a starved machine. */
const CALL_MS_MAX = 60_000;
const TRIES_MAX = 2;

export class SpeakerProcess implements SpeakerFeatures {
  readonly hasSegmentation: boolean;
  readonly #process: SupervisedProcess;
  /** Bounded by the callers: an analyser waits for each answer before it asks again. */
  readonly #turns: Turn[] = [];
  #isStarted = false;
  #isClosed = false;

  constructor(folders: SpeakerModelFolders, onEvent?: OnSpeechEvent) {
    this.hasSegmentation = folders.segmentation !== undefined;
    this.#process = new SupervisedProcess({
      name: 'speakers',
      entry: ENTRY,
      init: folders,
      loadMsMax: LOAD_MS_MAX,
      ...(onEvent && { onEvent }),
    });
    this.#process.onChange(() => this.#next());
  }

  get status(): ProcessStatus {
    return this.#process.status;
  }

  segment(samples: Float32Array, starts: readonly number[]): Promise<Uint8Array[]> {
    return this.#ask({ kind: 'segment', samples, starts }) as Promise<Uint8Array[]>;
  }

  embed(stretch: Float32Array, regions: readonly FrameSpans[]): Promise<EmbeddedStretch> {
    return this.#ask({ kind: 'embed', stretch, regions }) as Promise<EmbeddedStretch>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuseAll('The speaker process was closed.');
    await this.#process.close();
  }

  #ask(request: SpeakerRequest): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new RecogniserUnavailable('The speaker process was closed.'));
    if (!this.#isStarted) {
      this.#isStarted = true;
      this.#process.start();
    }
    return new Promise((resolve, reject) => {
      this.#turns.push({ request, tries: 0, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    if (this.#isClosed) return;
    if (this.#process.isBroken) this.#refuseAll('The speaker process cannot load its models.');
    if (this.#process.state !== 'idle') return;
    const turn = this.#turns.shift();
    if (turn) void this.#run(turn);
  }

  async #run(turn: Turn): Promise<void> {
    turn.tries++;
    try {
      const limits = { deadlineMs: CALL_MS_MAX, silenceMsMax: CALL_MS_MAX };
      turn.resolve(await this.#process.call(turn.request, limits));
    } catch (cause) {
      if (cause instanceof ProcessUnavailable && turn.tries < TRIES_MAX && !this.#isClosed) this.#turns.unshift(turn);
      else turn.reject(cause as Error);
    }
    this.#next();
  }

  #refuseAll(why: string): void {
    for (const turn of this.#turns.splice(0)) turn.reject(new RecogniserUnavailable(why));
  }
}
