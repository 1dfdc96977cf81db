// Speaker features of this machine: makes the model files ready when they are first wanted.
import type { OnSpeechEvent } from '../engine-events.ts';
import { RecogniserUnavailable } from '../recogniser.ts';
import type { ModelStore } from '../store/store.ts';
import { SPEAKER_WEIGHTS } from './families.ts';
import type { SpeakerFeatures, SpeakerSource } from './speaker-features.ts';
import { SpeakerProcess } from './speaker-process.ts';

export interface LocalSpeakersOptions {
  readonly store: ModelStore;
  readonly unloadAfterMs: number | null;
  readonly onEvent?: OnSpeechEvent | undefined;
}

export class LocalSpeakers implements SpeakerSource {
  readonly #options: LocalSpeakersOptions;
  readonly #closing = new AbortController();
  #process: Promise<SpeakerProcess> | undefined;

  constructor(options: LocalSpeakersOptions) {
    this.#options = options;
  }

  async open(owner: string, signal?: AbortSignal): Promise<SpeakerFeatures> {
    this.#process ??= this.#start();
    try {
      return (await this.#process).featuresFor(owner, signal);
    } catch (cause) {
      // The next request tries again.
      this.#process = undefined;
      throw new RecogniserUnavailable('The models for speakers are not available on this server.', { cause });
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the speech engine was closed'));
    const process = await this.#process?.catch(() => undefined);
    await process?.close();
  }

  async #start(): Promise<SpeakerProcess> {
    const { store, unloadAfterMs, onEvent } = this.#options;
    const { signal } = this.#closing;
    await store.ensure([SPEAKER_WEIGHTS.embedding], 'quick', signal);
    const folders = {
      embedding: store.folderOf(SPEAKER_WEIGHTS.embedding),
      segmentation: await this.#segmentationFolder(signal),
    };
    signal.throwIfAborted();
    return new SpeakerProcess({ folders, unloadAfterMs, onEvent });
  }

  /** Undefined where the model cannot be had: voice activity serves instead. */
  async #segmentationFolder(signal: AbortSignal): Promise<string | undefined> {
    const { store } = this.#options;
    try {
      await store.ensure([SPEAKER_WEIGHTS.segmentation], 'quick', signal);
      return store.folderOf(SPEAKER_WEIGHTS.segmentation);
    } catch {
      return undefined;
    }
  }
}
