// One call from any endpoint: its identity, sessions, one usage row, metrics and log lines.
import { billedSeconds, distinctTags, type ModelId, type RedactionName, type Term } from '@faircopy/contract';
import { allowedLanguages } from '../accounts/allowed-languages.ts';
import { checkKeyModel, levelOf } from '../accounts/keys/key-rules.ts';
import type { Principal } from '../accounts/principal.ts';
import type { RefinedText, VocabularyUses } from '../accounts/vocabulary/vocabulary-uses.ts';
import type { UploadDecoder } from '../audio/upload-decoding.ts';
import { asFault, type ErrorCode, type Fault } from '../lib/fault.ts';
import type { Clock } from '../lib/time/clock.ts';
import { logFault } from '../observability/fault-log.ts';
import type { Log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { noTracer, type Tracer } from '../observability/tracer.ts';
import type { KnownVoiceNames } from '../transcription/known-voices/known-voice-names.ts';
import type { QueueWaits } from '../transcription/queue-waits.ts';
import type {
  FinalPolicy,
  RefineLevel,
  Session,
  SessionListener,
  SessionSummary,
  SpeechTask,
  Transcriber,
} from '../transcription/transcriber.ts';
import type { Meter, UsageEntry } from '../usage/meter.ts';
import { hiddenKinds } from './redaction-names.ts';
import { mergeVocabulary } from './request-vocabulary.ts';
import type { AskedSpeakers } from './speakers/speaker-options.ts';
import { TracedDecoder } from './traced-decoder.ts';
import { type KnownVoices, namesFor } from './voices/known-voices.ts';

export interface CallParts {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly metrics: Metrics;
  readonly transcriber: Transcriber;
  /** Records how long each part took. Default: no tracing. */
  readonly tracer?: Tracer;
  /** How long calls waited for a recogniser. */
  readonly queueWaits?: QueueWaits;
  /** Counts uses of the account's own terms. */
  readonly vocabularyUses?: VocabularyUses;
  /** Voices that accounts have enrolled. Default: none, and requests for known voices are refused. */
  readonly knownVoices?: KnownVoices | undefined;
}

export interface CallIdentity {
  readonly requestId: string;
  readonly principal: Principal;
  readonly mode: 'file' | 'stream';
  /** A retry of a request that was already billed: no usage row is written. */
  readonly isBilled?: boolean;
  /** Runs on spare capacity. */
  readonly isBackground?: boolean;
  /** The time-outs of the stages grow with the audio. */
  readonly isLong?: boolean;
}

export type { SpeechTask };

/** What a caller asks for, independent of the endpoint. */
export interface TranscriptionOptions {
  readonly model: ModelId;
  /** As the caller wrote it; unknown codes are ignored. */
  readonly languageHint: string | undefined;
  /** Codes of the languages that detection may choose from, within what the key and the account allow. Default: any. */
  readonly languages?: readonly string[] | undefined;
  readonly wantWordTimes: boolean;
  /** Speaker diarisation. Default: off. */
  readonly speakers?: AskedSpeakers | undefined;
  /** translate: into English. Default: transcribe. */
  readonly task?: SpeechTask;
  /** Default: the account's level, or standard. */
  readonly refinement?: RefineLevel | undefined;
  /** Personal data to redact, in addition to what the account and the key always redact. */
  readonly redact?: readonly RedactionName[] | undefined;
  /** Terms of this request, which take precedence over the account's. */
  readonly vocabulary?: readonly Term[];
  /** Default: one final for the whole recording. */
  readonly finals?: FinalPolicy;
  /** Tags of the usage row. */
  readonly tags?: readonly string[];
}

export interface CallOutcome {
  readonly status: 'success' | ErrorCode;
  readonly audioSeconds: number;
  /** Default: successes are billed, failures are not. */
  readonly isBilled?: boolean;
  /** The audio that is billed. Default: all of it. */
  readonly billedAudioSeconds?: number;
  /** No part of the answer has been sent, so an exhausted budget may still refuse it. */
  readonly isRefusable?: boolean;
  readonly transcript?: SessionSummary;
}

export class Call {
  readonly #parts: CallParts;
  readonly #identity: CallIdentity;
  readonly #createdAtMs: number;
  readonly #startedMs: number;
  #model: ModelId | null = null;
  #tags: readonly string[] = [];
  #receiveMs: number | null = null;
  #failureMessage: string | null = null;
  #row: 'due' | 'written' = 'due';

  constructor(parts: CallParts, identity: CallIdentity) {
    this.#parts = parts;
    this.#identity = identity;
    this.#createdAtMs = parts.clock.now();
    this.#startedMs = parts.clock.monotonicMs();
  }

  get requestId(): string {
    return this.#identity.requestId;
  }

  get principal(): Principal {
    return this.#identity.principal;
  }

  /** Sets the model of the usage row. */
  choose(model: ModelId): void {
    this.#model = model;
  }

  /** Sets the request's tags in the usage row. */
  tag(tags: readonly string[]): void {
    this.#tags = tags;
  }

  get ageMs(): number {
    return this.#parts.clock.monotonicMs() - this.#startedMs;
  }

  /** Whether all audio has arrived. */
  get received(): boolean {
    return this.#receiveMs !== null;
  }

  /** Call when all audio has arrived. */
  markReceived(): void {
    this.#receiveMs = Math.round(this.ageMs);
  }

  /** Throws FORBIDDEN for a model or languages that the key may not use. */
  openSession(options: TranscriptionOptions, listener: SessionListener): Session {
    checkKeyModel(this.principal.rules, options.model);
    const { requestId, principal, mode, isBackground = false, isLong = false } = this.#identity;
    const request = {
      ...options,
      requestId,
      accountId: principal.accountId,
      mode,
      languages: allowedLanguages(principal, options),
      isBackground,
      isLong,
      waitingSecondsMax: principal.limits.maxWaitingSeconds,
      vocabulary: this.vocabularyWith(options.vocabulary ?? []),
      refinement: this.#refinementOf(options),
      redaction: hiddenKinds(this.principal, options.redact),
    };
    // Names are read last: reading them is recorded as a use of the voices.
    const names = options.speakers?.knownVoices ? namesFor(this.#identity, this.#parts.knownVoices) : undefined;
    const named = names && { speakers: { ...options.speakers, names } };
    return this.#parts.transcriber.open({ ...request, ...named }, (event) => {
      if (event.type === 'final') this.#countTerms(event.final.transcript);
      if (names && event.type !== 'interim') this.#recordNamed(names);
      listener(event);
    });
  }

  #recordNamed(names: Promise<KnownVoiceNames>): void {
    names.then((known) => this.#parts.knownVoices?.recordNamed(known, this.#identity)).catch(() => undefined);
  }

  /** The request's own terms, followed by the account's. */
  vocabularyWith(own: readonly Term[]): readonly Term[] {
    return mergeVocabulary(own, this.principal.vocabulary, this.principal.falseAlarms);
  }

  /** Applies another refinement level and redaction to a session that has not refined its text yet. */
  setRefinement(session: Session, options: TranscriptionOptions): void {
    session.setRefinement(this.#refinementOf(options), hiddenKinds(this.principal, options.redact));
  }

  #refinementOf({ refinement }: TranscriptionOptions): RefineLevel | undefined {
    return levelOf(this.principal.rules, refinement, this.principal.refinement);
  }

  /** Writes the usage row once. Resolves when it is durable and counted; rejects when it cannot be written. */
  async record(outcome: CallOutcome): Promise<void> {
    if (this.#row === 'written' || this.#identity.isBilled) return;
    this.#row = 'written';
    const entry = this.entryOf(outcome);
    const writingMs = this.#nowMs();
    try {
      await this.#parts.meter.record(entry);
      this.#tracePart('ledger', writingMs);
    } catch (thrown) {
      const fault = asFault(thrown);
      if (fault.code !== 'BUDGET_EXCEEDED')
        this.#parts.log.error({ err: thrown, ...this.#ids(), status: entry.status }, 'a usage row was not written');
      // The caller gets an error, so an error is counted: without its row, a call is not a success.
      this.count(entry.status === 'success' ? { ...entry, status: fault.code, billedSeconds: 0 } : entry);
      throw fault;
    }
    this.count(entry);
  }

  /** Records an outcome that does not depend on the ledger. Never rejects. */
  async recordFailure(outcome: CallOutcome): Promise<void> {
    // `record` has logged the reason.
    await this.record(outcome).catch(() => {});
  }

  /** Wraps a decoder to trace its time. */
  traced(decoder: UploadDecoder): UploadDecoder {
    const { tracer = noTracer } = this.#parts;
    if (tracer === noTracer) return decoder;
    const openedMs = this.#nowMs();
    return new TracedDecoder(decoder, (outcome) => this.#tracePart('decode', openedMs, outcome === 'failed'));
  }

  #nowMs(): number {
    return this.#createdAtMs + this.ageMs;
  }

  #tracePart(name: 'receive' | 'decode' | 'ledger', startMs: number, isFailure = false, endMs = this.#nowMs()): void {
    this.#parts.tracer?.record({ requestId: this.requestId, name, startMs, endMs, isFailure });
  }

  #countTerms(written: RefinedText): void {
    this.#parts.vocabularyUses?.count(this.principal, written, this.#parts.clock.now());
  }

  logFailure(fault: Fault): void {
    this.#failureMessage = fault.message;
    logFault(this.#parts.log, fault, this.#ids());
  }

  #ids() {
    const { requestId, principal, mode } = this.#identity;
    return { requestId, accountId: principal.accountId, mode };
  }

  /** Counts and logs a recorded outcome: numbers and ids, never text. */
  count(entry: UsageEntry): void {
    this.#parts.metrics.count(entry);
    const { model, status, audioSeconds, billedSeconds: billed } = entry;
    this.#parts.log.info({ ...this.#ids(), model, status, audioSeconds, billedSeconds: billed }, 'call ended');
    if (this.#receiveMs !== null)
      this.#tracePart('receive', this.#createdAtMs, false, this.#createdAtMs + this.#receiveMs);
    const { accountId, mode } = this.#ids();
    this.#parts.tracer?.record({
      requestId: entry.requestId,
      name: 'call',
      startMs: this.#createdAtMs,
      endMs: this.#nowMs(),
      isFailure: status !== 'success',
      attributes: { accountId, mode, status, audioSeconds, ...(model === null ? {} : { model }) },
    });
  }

  /** The usage row for an outcome. */
  entryOf(outcome: CallOutcome): UsageEntry {
    const { status, audioSeconds, isRefusable = false, transcript } = outcome;
    const { isBilled = status === 'success', billedAudioSeconds = audioSeconds } = outcome;
    const { requestId, principal, mode } = this.#identity;
    return {
      requestId,
      accountId: principal.accountId,
      keyId: principal.keyId,
      mode,
      model: this.#model,
      status,
      audioSeconds,
      billedSeconds: isBilled ? billedSeconds(billedAudioSeconds) : 0,
      outputTokenCount: transcript?.outputTokenCount ?? 0,
      detectedLanguage: transcript?.detectedLanguage ?? null,
      receiveMs: this.#receiveMs,
      recognitionMs: transcript?.recognitionMs ?? null,
      refinementMs: transcript?.refinementMs ?? null,
      refinementFallback: transcript?.refinementFallback ?? null,
      queueMs: this.#parts.queueWaits?.take(requestId) ?? null,
      errorMessage: status === 'success' ? null : this.#failureMessage,
      effort: transcript?.effort ?? null,
      tags: distinctTags([...this.#tags, ...principal.rules.tags]),
      createdAtMs: this.#createdAtMs,
      isRefusable,
    };
  }
}
