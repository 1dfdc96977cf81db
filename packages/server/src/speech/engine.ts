// The speech engine of a server: voice activity detection on this machine; recognisers here, on workers, or both.
import { join } from 'node:path';
import { systemClock } from '../lib/time/clock.ts';
import { chosenEmbedding } from './cascade/chosen-models.ts';
import type { OnSpeechEvent } from './engine-events.ts';
import { LocalRecogniser } from './local-recogniser.ts';
import type { ProcessStatus } from './process/supervised-process.ts';
import type { Recogniser, SpeechEngine, TierId, VoiceProbe } from './recogniser.ts';
import { RecogniserSet } from './recogniser-set.ts';
import { RemoteTier, type RemoteTierObserver } from './remote-tier/remote-tier.ts';
import type { SpeechSettings } from './settings.ts';
import { LocalSpeakers } from './speakers/local-speakers.ts';
import { VAD_WEIGHTS_ID } from './store/needed.ts';
import type { ModelStore } from './store/store.ts';
import type { TurnDetector } from './turns/turn-detector.ts';
import { VadProcess } from './vad/vad-process.ts';

const SILERO_FILE = 'silero_vad_v6.onnx';

const SILENT: RemoteTierObserver = { answered: () => {}, circuit: () => {} };

interface EngineOptions {
  readonly config: SpeechSettings;
  readonly store: ModelStore;
  readonly workers?: Recogniser;
  /** Receives the outcomes of remote tiers. */
  readonly remoteObserver?: RemoteTierObserver;
  /** Receives ended processes and retried windows. */
  readonly onEvent?: OnSpeechEvent;
}

/** The tiers recognised on this machine: those without a remote server, or with local fallback. */
export const localTiers = ({
  models,
  recognisers,
  remoteTiers,
}: Pick<SpeechSettings, 'models' | 'recognisers' | 'remoteTiers'>): readonly TierId[] =>
  recognisers === 'none' ? [] : models.filter((tier) => remoteTiers[tier]?.fallback ?? true);

export class LocalSpeechEngine implements SpeechEngine {
  readonly recogniser: Recogniser;
  /** Always on this machine, even if workers recognise. */
  readonly speakers: LocalSpeakers;
  readonly #store: ModelStore;
  readonly #local: LocalRecogniser | undefined;
  readonly #vad: VadProcess;
  readonly #closing = new AbortController();
  #started: Promise<void> | undefined;

  readonly #remoteTiers: SpeechSettings['remoteTiers'];

  constructor({ config, store, workers, onEvent, remoteObserver: observer = SILENT }: EngineOptions) {
    this.#store = store;
    this.#vad = new VadProcess({
      modelPath: join(store.folderOf(VAD_WEIGHTS_ID), SILERO_FILE),
      ...(onEvent && { onEvent }),
    });
    this.speakers = new LocalSpeakers({
      store,
      embedding: chosenEmbedding(config.modelsDir, store.catalogue),
      unloadAfterMs: config.unloadAfterMs,
      onEvent,
    });
    this.#remoteTiers = config.remoteTiers;
    const tiers = localTiers(config);
    if (tiers.length > 0) this.#local = new LocalRecogniser({ config, tiers, store, ...(onEvent && { onEvent }) });
    const remote = config.models.flatMap((tier) => {
      const settings = config.remoteTiers[tier];
      return settings ? [new RemoteTier({ tier, settings, clock: systemClock, observer })] : [];
    });
    const isPlain = !workers && remote.length === 0;
    this.recogniser =
      this.#local && isPlain
        ? this.#local
        : new RecogniserSet({ ...(this.#local && { local: this.#local }), ...(workers && { workers }), remote });
  }

  steers(tier: TierId): boolean {
    return this.#remoteTiers[tier] === undefined;
  }

  /** Prepares the model files and starts the processes; later calls return the same promise. */
  ready(): Promise<void> {
    this.#started ??= this.#start();
    return this.#started;
  }

  get processes(): readonly ProcessStatus[] {
    return this.#local?.processes ?? [];
  }

  openVoiceProbe(): VoiceProbe {
    return this.#vad.openProbe();
  }

  get turns(): TurnDetector {
    return this.#vad;
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the speech engine was closed'));
    await Promise.all([this.recogniser.close(), this.#vad.close(), this.speakers.close()]);
  }

  async #start(): Promise<void> {
    const { signal } = this.#closing;
    await this.#store.ensure([VAD_WEIGHTS_ID], 'quick', signal);
    signal.throwIfAborted();
    this.#vad.start();
    await Promise.all([this.#vad.ready(), this.#local?.load(signal)]);
  }
}
