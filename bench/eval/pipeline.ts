// The real pipeline in this process: decoding, voice activity, planning, recognition, refinement. No network.
import { LIMITS, type ModelId } from '@faircopy/contract';
import { createUploadDecoding, type UploadDecoding } from '@faircopy/server/audio';
import {
  createRefiner,
  InlineRefinementStage,
  LocalSpeechEngine,
  openCollected,
  openModelStore,
  parseConfig,
  storeProgress,
  TranscriptionService,
} from '@faircopy/server/pipeline';
import { readSamples } from './audio.ts';
import type { ManifestRow } from './score.ts';
import type { ScoredSystem, Transcription } from './scored-system.ts';

/** Practically no timeout: a busy machine must not cost accuracy. */
const TIMEOUT_MS = 30 * 60 * 1000;

/** The languages that a recording may be in; undefined means any. */
type LanguagesOf = (row: ManifestRow) => readonly string[] | undefined;

export class Pipeline {
  readonly slots: number;
  readonly #decoding: UploadDecoding;
  readonly #engine: LocalSpeechEngine;
  readonly #service: TranscriptionService;

  private constructor(engine: LocalSpeechEngine) {
    this.#engine = engine;
    this.slots = engine.recogniser.slots;
    this.#decoding = createUploadDecoding();
    this.#service = new TranscriptionService({
      engine,
      refinementStage: new InlineRefinementStage(createRefiner()),
      recognitionTimeoutMs: TIMEOUT_MS,
      refinementTimeoutMs: TIMEOUT_MS,
      graceMs: 0,
    });
  }

  static async open(models: readonly ModelId[]): Promise<Pipeline> {
    const config = parseConfig({ ...process.env, FAIRCOPY_MODELS: models.join() });
    const progress = storeProgress(process.stderr);
    const engine = new LocalSpeechEngine({
      config,
      store: openModelStore(config, (event) => progress.report(event)),
      onEvent: (text) => console.error(text),
    });
    await engine.ready();
    progress.end();
    return new Pipeline(engine);
  }

  /** One tier as a system to score. Closing the system leaves the pipeline open. */
  system(model: ModelId, languagesOf: LanguagesOf = () => undefined): ScoredSystem {
    return {
      name: model,
      parallel: this.slots,
      supports: () => true,
      transcribe: (path, row) => this.transcribe(path, model, [], languagesOf(row)),
      close: async () => {},
    };
  }

  async transcribe(
    path: string,
    model: ModelId,
    vocabulary: readonly string[] = [],
    languages?: readonly string[],
  ): Promise<Transcription> {
    const pieces = await readSamples(path, this.#decoding);
    const started = performance.now();
    const session = openCollected(this.#service, {
      requestId: path,
      accountId: 'evaluation',
      mode: 'file',
      model,
      languageHint: undefined,
      languages,
      waitingSecondsMax: LIMITS.waitingSecondsPerAccountMax,
      vocabulary: vocabulary.map((term) => ({ text: term })),
      wantWordTimes: false,
    });
    for (const samples of pieces) await session.write(samples);
    const { text, rawText, detectedLanguage } = await session.finish();
    return { text, rawText, language: detectedLanguage, wallSeconds: (performance.now() - started) / 1000 };
  }

  async close(): Promise<void> {
    await this.#service.close();
    await this.#engine.close();
    await this.#decoding.close();
  }
}
