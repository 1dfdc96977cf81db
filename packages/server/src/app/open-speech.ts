// Opens decoding, recognition and transcription, and connects to workers.
import { hostname } from 'node:os';
import { createUploadDecoding } from '../audio/create-upload-decoding.ts';
import type { UploadDecoding } from '../audio/upload-decoding.ts';
import type { Workers } from '../cluster/gateway/open-workers.ts';
import { Fault } from '../lib/fault.ts';
import { type Metrics, RECOGNISER_SLOTS, RECOGNISER_SLOTS_BUSY } from '../observability/metrics.ts';
import { refinerOptions } from '../refine/create-refiner.ts';
import { LocalSpeechEngine } from '../speech/engine.ts';
import type { SpeechEngine } from '../speech/recogniser.ts';
import { watchRemoteTiers } from '../speech/remote-tier/metrics.ts';
import { openModelStore } from '../speech/store/open.ts';
import { RecentLanguages } from '../transcription/language/recent-languages.ts';
import { type WatchedTranscription, watchTranscription } from '../transcription/metrics.ts';
import { PendingTranscriber } from '../transcription/pending-transcriber.ts';
import { TranscriptionService } from '../transcription/service.ts';
import { InlineRefinementStage, type RefinementStage } from '../transcription/text/refinement-stage.ts';
import { RefinementThreads, serviceRefiner } from '../transcription/text/refinement-threads.ts';
import type { Base } from './open-observability.ts';

export interface Speech {
  readonly decoding: UploadDecoding;
  readonly workers: Workers | undefined;
  readonly engine: SpeechEngine;
  readonly transcriber: PendingTranscriber;
  readonly transcription: WatchedTranscription;
  /** Loads the models; the transcriber works once they are loaded. */
  warm(): Promise<void>;
}

export const openSpeech = async (base: Base): Promise<Speech> => {
  const { overrides, lifecycle, metrics, tracer } = base;
  const decoding = lifecycle.own('decoding', overrides.decoding ?? createUploadDecoding());
  const workers = await connectWorkers(base);
  const engine = lifecycle.own('speech engine', openEngine(base, workers));
  const transcriber = lifecycle.own('transcriber', new PendingTranscriber());
  const transcription = watchTranscription(metrics, tracer);
  watchOwnSlots(metrics, { engine, workers, transcription });
  const warm = async () => {
    await engine.ready();
    transcriber.attach(openTranscription(base, engine, transcription));
  };
  return { decoding, workers, engine, transcriber, transcription, warm };
};

/** Throws SERVICE_UNAVAILABLE if the models are missing. */
export const requireSpeakers = ({ speakers }: SpeechEngine): NonNullable<SpeechEngine['speakers']> => {
  if (speakers) return speakers;
  throw new Fault('SERVICE_UNAVAILABLE', { message: 'This server has no speaker models.' });
};

/** Counts only the slots of this process: workers report their own. */
const watchOwnSlots = (
  metrics: Metrics,
  { engine, workers, transcription }: Pick<Speech, 'engine' | 'workers' | 'transcription'>,
): void => {
  const own = (all: number, ofWorkers = 0) => Math.max(0, all - ofWorkers);
  metrics.watch('faircopy_recogniser_slots', RECOGNISER_SLOTS, () => own(engine.recogniser.slots, workers?.pool.slots));
  metrics.watch('faircopy_recogniser_slots_busy', RECOGNISER_SLOTS_BUSY, () =>
    own(transcription.level.busySlots, workers?.pool.running),
  );
};

/** Loads the NATS client only if it is needed. */
const connectWorkers = async ({ config, lifecycle, log, metrics }: Base): Promise<Workers | undefined> => {
  if (config.natsUrl === undefined) return undefined;
  const { openWorkers } = await import('../cluster/gateway/open-workers.ts');
  const name = config.nodeName ?? hostname();
  return lifecycle.own('workers', await openWorkers(config, { log, metrics, name }));
};

const openEngine = ({ config, overrides, log, metrics }: Base, workers: Workers | undefined): SpeechEngine => {
  if (typeof overrides.engine === 'function') return overrides.engine(workers?.pool);
  if (overrides.engine) return overrides.engine;
  let isSegmented = true;
  metrics.watch(
    'faircopy_speakers_without_segmentation',
    '1 while speakers are found without the segmentation model, because it is missing.',
    () => (isSegmented ? 0 : 1),
  );
  return new LocalSpeechEngine({
    config,
    store: openModelStore(config, overrides.onStore),
    ...(workers && { workers: workers.pool }),
    remoteObserver: watchRemoteTiers(metrics, log),
    onEvent: (event) => {
      if (event.type === 'segmentation_missing') isSegmented = false;
      log.warn(event, 'speech engine');
    },
  });
};

const openTranscription = (
  { config, overrides, clock }: Base,
  engine: SpeechEngine,
  { observer }: WatchedTranscription,
): TranscriptionService => {
  const refinementStage: RefinementStage = overrides.refiner
    ? new InlineRefinementStage(overrides.refiner)
    : new RefinementThreads(serviceRefiner(refinerOptions(config, config.refinementTimeoutMs)));
  return new TranscriptionService({
    engine,
    models: config.models,
    refinementStage,
    recognitionTimeoutMs: config.recognitionTimeoutMs,
    refinementTimeoutMs: config.refinementTimeoutMs,
    isTextStable: config.refinerUrl === undefined,
    maxWaitMs: config.maxWaitMs,
    recentLanguages: config.recentLanguages ? new RecentLanguages() : undefined,
    // Requests have had their grace period before the transcriber is closed.
    graceMs: 0,
    clock,
    observer,
  });
};
