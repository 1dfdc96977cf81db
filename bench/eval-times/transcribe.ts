// Timed words of a recording, transcribed as a file or as a live stream, and its voice activity.
import { setTimeout as pause } from 'node:timers/promises';
import { LIMITS, type ModelId } from '@faircopy/contract';
import {
  createRefiner,
  InlineRefinementStage,
  LocalSpeechEngine,
  openModelStore,
  parseConfig,
  type SessionEvent,
  TranscriptionService,
} from '@faircopy/server/pipeline';
import { writtenWords } from '@faircopy/transcript';
import type { TimedWord } from './match-words.ts';

const TIMEOUT_MS = 30 * 60 * 1000;
const CHUNK_SAMPLES = 1_600;
/** A live stream is sent at four times real time, which voice activity can follow. */
const CHUNK_MS = 25;
const POLL_MS = 5;
const FINAL_MS_MAX = 60_000;

export interface TranscribedWords {
  /** Before and after refinement. */
  readonly raw: readonly TimedWord[];
  readonly refined: readonly TimedWord[];
  /** The refined texts of the finals. */
  readonly texts: readonly string[];
}

/** The options of a live stream. */
export interface Live {
  readonly endpointingMs: number;
  readonly wantInterims: boolean;
}

/** Finals that are due because their speech has ended. On an idle machine they arrive before the next words. */
class PendingFinals {
  #count = 0;

  follow(event: SessionEvent): void {
    if (event.type === 'speech_ended') this.#count += 1;
    if (event.type === 'final' && event.final.endedBy === 'endpoint') this.#count -= 1;
  }

  /** Resolves when no final is due. If the session has failed, the next write reports why. */
  async emitted(): Promise<void> {
    const untilMs = performance.now() + FINAL_MS_MAX;
    while (this.#count > 0 && performance.now() < untilMs) await pause(POLL_MS);
  }
}

export class TimedPipeline {
  readonly #engine: LocalSpeechEngine;
  readonly #service: TranscriptionService;

  private constructor(engine: LocalSpeechEngine) {
    this.#engine = engine;
    this.#service = new TranscriptionService({
      engine,
      refinementStage: new InlineRefinementStage(createRefiner()),
      recognitionTimeoutMs: TIMEOUT_MS,
      refinementTimeoutMs: TIMEOUT_MS,
      graceMs: 0,
    });
  }

  static async open(models: readonly ModelId[]): Promise<TimedPipeline> {
    const config = parseConfig({ ...process.env, FAIRCOPY_MODELS: models.join() });
    const engine = new LocalSpeechEngine({
      config,
      store: openModelStore(config),
      onEvent: (text) => console.error(text),
    });
    await engine.ready();
    return new TimedPipeline(engine);
  }

  /** `live` is null for a file. */
  async words(name: string, samples: Float32Array, model: ModelId, live: Live | null): Promise<TranscribedWords> {
    const texts: string[] = [];
    const raw: TimedWord[] = [];
    const refined: TimedWord[] = [];
    const pending = new PendingFinals();
    const session = this.#service.open(
      {
        requestId: name,
        accountId: 'evaluation',
        mode: live ? 'stream' : 'file',
        model,
        languageHint: undefined,
        waitingSecondsMax: LIMITS.waitingSecondsPerAccountMax,
        vocabulary: [],
        wantWordTimes: true,
        ...(live && { finals: { kind: 'utterances', ...live } as const }),
      },
      (event) => {
        pending.follow(event);
        if (event.type !== 'final') return;
        raw.push(...event.final.transcript.words);
        refined.push(...writtenWords(event.final.transcript));
        if (event.final.transcript.text !== '') texts.push(event.final.transcript.text);
      },
    );
    for (let at = 0; at < samples.length; at += CHUNK_SAMPLES) {
      await session.write(samples.subarray(at, at + CHUNK_SAMPLES));
      if (!live) continue;
      await pause(CHUNK_MS);
      await pending.emitted();
    }
    await session.finish();
    return { raw, refined, texts };
  }

  /** The speech probability of each frame. */
  async voice(samples: Float32Array): Promise<readonly number[]> {
    const probe = this.#engine.openVoiceProbe();
    const probabilities = [...(await probe.push(samples)), ...(await probe.flush())];
    probe.close();
    return probabilities;
  }

  async close(): Promise<void> {
    await this.#service.close();
    await this.#engine.close();
  }
}
