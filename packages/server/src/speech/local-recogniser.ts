// The recognisers of this machine: prepares the model files, then runs the supervised processes.
import { fileURLToPath } from 'node:url';
import { programUrl } from '../lib/process/programs.ts';
import { configuredTiers } from './cascade/chosen-models.ts';
import { type TierTable, weightsFor } from './cascade/tiers.ts';
import type { OnSpeechEvent } from './engine-events.ts';
import { RecogniserPool } from './pool/pool.ts';
import { PROCESS_BYTES, poolShape, processBytesFor } from './pool/shape.ts';
import type { TierId } from './recogniser.ts';
import type { SpeechSettings } from './settings.ts';
import type { ModelStore } from './store/store.ts';

const RECOGNISER_ENTRY = fileURLToPath(programUrl('speech/pool/recogniser-entry'));
/** Replace a process that is larger than this after a window. */
const RSS_BYTES_MAX = 3_500 * 2 ** 20;
/** With larger models, the limit is at least this multiple of the planned memory. */
const RSS_FACTOR_MIN = 1.5;
/** Limit for one encoder run of a larger model on a busy machine. */
const LARGER_SILENCE_MS_MAX = 180_000;

interface LocalRecogniserOptions {
  readonly config: SpeechSettings;
  readonly tiers: readonly TierId[];
  readonly store: ModelStore;
  readonly onEvent?: OnSpeechEvent;
}

export class LocalRecogniser extends RecogniserPool {
  readonly tiers: readonly TierId[];
  readonly #store: ModelStore;
  readonly #table: TierTable;

  constructor({ config, tiers, store, onEvent }: LocalRecogniserOptions) {
    const table = configuredTiers(config, store.catalogue);
    const processBytes = processBytesFor(tiers, table, store.catalogue);
    const isLarger = processBytes > PROCESS_BYTES;
    const folders = Object.fromEntries(weightsFor(tiers, table).map((id) => [id, store.folderOf(id)]));
    super({
      entry: RECOGNISER_ENTRY,
      processes: poolShape(config, undefined, processBytes).map((threads) => ({
        folders,
        tiers,
        threads,
        table,
        execution: config.execution,
      })),
      rssBytesMax: Math.max(RSS_BYTES_MAX, isLarger ? RSS_FACTOR_MIN * processBytes : 0),
      ...(isLarger && { silenceMsMax: LARGER_SILENCE_MS_MAX }),
      unloadAfterMs: config.unloadAfterMs,
      ...(onEvent && { onEvent }),
    });
    this.tiers = tiers;
    this.#store = store;
    this.#table = table;
  }

  /** Resolves when the models are loaded and every process is warm. */
  async load(signal: AbortSignal): Promise<void> {
    await this.#store.ensure(weightsFor(this.tiers, this.#table), 'quick', signal);
    signal.throwIfAborted();
    this.start();
    await this.ready();
  }
}
