// The real pipeline in this process: decoding, voice activity, planning, recognition, refinement. No network.
import type { ModelId } from '@faircopy/contract';
import type { UploadDecoding } from '@faircopy/server/dist/src/audio/decode.js';
import { createUploadDecoding } from '@faircopy/server/dist/src/audio/decoding.js';
import { parseConfig } from '@faircopy/server/dist/src/platform/config.js';
import { createRefiner } from '@faircopy/server/dist/src/refine/create-refiner.js';
import { LocalSpeechEngine } from '@faircopy/server/dist/src/speech/engine.js';
import { openModelStore } from '@faircopy/server/dist/src/speech/store/open.js';
import { storeProgress } from '@faircopy/server/dist/src/speech/store/progress.js';
import { TranscriptionService } from '@faircopy/server/dist/src/transcription/service.js';
import { InlineRefinementStage } from '@faircopy/server/dist/src/transcription/text/refinement-stage.js';
import { readSamples } from './audio.ts';
import type { Heard, Listener } from './listener.ts';

/** An evaluation waits as long as it takes: a busy machine must not cost accuracy. */
const PATIENCE_MS = 30 * 60 * 1000;

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
      recognitionTimeoutMs: PATIENCE_MS,
      refinementTimeoutMs: PATIENCE_MS,
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

  /** A tier as one to be scored; the pipeline is shared and stays open. */
  listener(model: ModelId): Listener {
    return {
      name: model,
      parallel: this.slots,
      knows: () => true,
      hear: (path) => this.#hear(path, model),
      close: async () => {},
    };
  }

  async #hear(path: string, model: ModelId): Promise<Heard> {
    const pieces = await readSamples(path, this.#decoding);
    const started = performance.now();
    const session = this.#service.open({
      requestId: path,
      accountId: 'evaluation',
      mode: 'file',
      model,
      languageHint: undefined,
      vocabulary: [],
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
