// Speaker features on this machine: prepares the model files on first use.
import type { OnSpeechEvent } from '../engine-events.ts';
import type { ProcessStatus } from '../process/supervised-process.ts';
import { RecogniserUnavailable } from '../recogniser.ts';
import type { ModelStore } from '../store/store.ts';
import type { SpeakerEmbedding } from './embeddings/embedding.ts';
import { SPEAKER_WEIGHTS } from './families.ts';
import type { SpeakerFeatures, SpeakerSource } from './speaker-features.ts';
import { SpeakerProcess } from './speaker-process.ts';

/** The longest that the first request waits for the segmentation model, which is optional. */
const SEGMENTATION_PULL_MS_MAX = 20_000;

interface LocalSpeakersOptions {
  readonly store: Pick<ModelStore, 'ensure' | 'folderOf'>;
  readonly embedding: SpeakerEmbedding;
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

  get embedding(): SpeakerEmbedding {
    return this.#options.embedding;
  }

  async open(owner: string, signal?: AbortSignal): Promise<SpeakerFeatures> {
    this.#process ??= this.#start();
    try {
      return (await this.#process).featuresFor(owner, signal);
    } catch (cause) {
      // The next request tries again.
      this.#process = undefined;
      throw new RecogniserUnavailable('The speaker models are not available on this server.', { cause });
    }
  }

  /** Status of the speaker process; null before its first use. */
  async status(): Promise<ProcessStatus | null> {
    const process = await this.#process?.catch(() => undefined);
    return process?.status ?? null;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the speech engine was closed'));
    const process = await this.#process?.catch(() => undefined);
    await process?.close();
  }

  async #start(): Promise<SpeakerProcess> {
    const { store, embedding, unloadAfterMs, onEvent } = this.#options;
    const { signal } = this.#closing;
    await store.ensure([embedding.id], 'quick', signal);
    const models = {
      embedding,
      embeddingFolder: store.folderOf(embedding.id),
      segmentationFolder: await this.#segmentationFolder(signal),
    };
    signal.throwIfAborted();
    return new SpeakerProcess({ models, unloadAfterMs, onEvent });
  }

  /** Undefined if the model is not available; voice activity is used instead. */
  async #segmentationFolder(signal: AbortSignal): Promise<string | undefined> {
    const { store, onEvent } = this.#options;
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(SEGMENTATION_PULL_MS_MAX)]);
      await store.ensure([SPEAKER_WEIGHTS.segmentation], 'quick', inTime);
      return store.folderOf(SPEAKER_WEIGHTS.segmentation);
    } catch (failure) {
      signal.throwIfAborted();
      onEvent?.({ type: 'segmentation_missing', error: failure instanceof Error ? failure.message : String(failure) });
      return undefined;
    }
  }
}
