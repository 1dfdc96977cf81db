// The recognisers of this machine: makes the model files ready, then runs the supervised processes.
import { fileURLToPath } from 'node:url';
import type { Config } from '../platform/config.ts';
import { weightsFor } from './cascade/tiers.ts';
import type { OnSpeechEvent } from './engine-events.ts';
import { RecogniserPool } from './pool/pool.ts';
import { poolShape } from './pool/shape.ts';
import type { TierId } from './recogniser.ts';
import type { ModelStore } from './store/store.ts';

const RECOGNISER_ENTRY = fileURLToPath(new URL('./pool/recogniser-entry.js', import.meta.url));

export interface LocalRecogniserOptions {
  readonly config: Pick<Config, 'recognisers' | 'recogniserThreads' | 'recogniserMemoryMb' | 'unloadAfterMs'>;
  readonly tiers: readonly TierId[];
  readonly store: ModelStore;
  readonly onEvent?: OnSpeechEvent;
}

export class LocalRecogniser extends RecogniserPool {
  readonly tiers: readonly TierId[];
  readonly #store: ModelStore;

  constructor({ config, tiers, store, onEvent }: LocalRecogniserOptions) {
    const folders = Object.fromEntries(weightsFor(tiers).map((id) => [id, store.folderOf(id)]));
    super({
      entry: RECOGNISER_ENTRY,
      processes: poolShape(config).map((threads) => ({ folders, tiers, threads })),
      rssBytesMax: config.recogniserMemoryMb * 2 ** 20,
      unloadAfterMs: config.unloadAfterMs,
      ...(onEvent && { onEvent }),
    });
    this.tiers = tiers;
    this.#store = store;
  }

  /** Resolves when the models are there and every process is warm. */
  async load(signal: AbortSignal): Promise<void> {
    await this.#store.ensure(weightsFor(this.tiers), 'quick', signal);
    signal.throwIfAborted();
    this.start();
    await this.ready();
  }
}
