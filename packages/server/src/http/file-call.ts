// One call of file mode from its checks to its answer, and the one row it leaves in the ledger.
import type { IncomingMessage } from 'node:http';
import { billedSeconds, MODEL_IDS, type SuccessResponse } from '@faircopy/contract';
import type { Principal } from '../accounts/principal.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import { asFault, Fault } from '../platform/fault.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Readiness } from '../platform/readiness.ts';
import { successAnswer } from '../transcription/answer.ts';
import type { Transcript } from '../transcription/transcriber.ts';
import type { Meter, UsageEntry } from '../usage/meter.ts';
import { FORM_LIMITS, Form, fileTooLarge } from './form.ts';
import { Intake, type IntakeRooms, tooBusy } from './intake.ts';
import { boundaryOf } from './multipart.ts';
import { ClientLeft, receiveBody } from './receive.ts';

const UNREADY_RETRY_AFTER_SECONDS = 5;

export interface FileRooms extends IntakeRooms {
  readonly config: Pick<Config, 'uploadTimeoutMs' | 'recognitionTimeoutMs'>;
  readonly clock: Clock;
  readonly meter: Meter;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
}

export interface Caller {
  readonly requestId: string;
  readonly principal: Principal;
  readonly request: IncomingMessage;
  readonly log: Pick<Log, 'error'>;
}

export class FileCall {
  readonly #rooms: FileRooms;
  readonly #caller: Caller;
  readonly #intake: Intake;
  readonly #stopped = new AbortController();
  readonly #createdAtMs: number;
  readonly #startedMs: number;
  #receiveMs: number | null = null;
  #row: 'due' | 'written' = 'due';

  constructor(rooms: FileRooms, caller: Caller) {
    this.#rooms = rooms;
    this.#caller = caller;
    this.#intake = new Intake(rooms, caller.requestId, caller.principal);
    this.#createdAtMs = rooms.clock.now();
    this.#startedMs = rooms.clock.monotonicMs();
  }

  /** Ends all work at once; the call fails with the reason, unless its answer is already decided. */
  stop(reason: ClientLeft | Fault): void {
    this.#stopped.abort(reason);
    this.#intake.release();
  }

  /** Everything that can be refused before a byte of the body has been read. */
  check(): Promise<void> {
    return this.#accounted(async () => {
      const { headers } = this.#caller.request;
      if (boundaryOf(headers['content-type']) === null)
        throw new Fault('INVALID_REQUEST', {
          message: 'The content type must be multipart/form-data, with the boundary that separates its parts.',
        });
      if (!/^(identity)?$/i.test(headers['content-encoding'] ?? ''))
        throw new Fault('INVALID_REQUEST', {
          message: 'A body with a Content-Encoding is not taken: send the form as it is.',
        });
      if (Number(headers['content-length'] ?? 0) > FORM_LIMITS.bodyBytesMax) throw fileTooLarge();
      this.#checkReady();
      const admissions = MODEL_IDS.map((model) => this.#rooms.transcriber.admit(model));
      if (!admissions.some(({ admitted }) => admitted))
        throw tooBusy(Math.min(...admissions.map(({ retryAfterSeconds }) => retryAfterSeconds)));
    });
  }

  #checkReady(): void {
    const { state, message: reason } = this.#rooms.readiness;
    if (state === 'ready' || state === 'draining') return;
    const message = `The service is not ready: ${reason}.`;
    throw new Fault('SERVICE_UNAVAILABLE', { message, retryAfterSeconds: UNREADY_RETRY_AFTER_SECONDS });
  }

  /** Receives the form, transcribes its audio, and resolves to the answer when its row is durable. */
  run(): Promise<SuccessResponse> {
    return this.#accounted(async () => {
      await this.#receive();
      const include = this.#intake.includes();
      const transcript = await this.#unlessStopped(this.#intake.finish());
      const { audioSeconds } = this.#intake;
      const { requestId } = this.#caller;
      await this.#record('success', transcript);
      return successAnswer(transcript, { requestId, audioSeconds, include });
    });
  }

  async #receive(): Promise<void> {
    const form = new Form(boundaryOf(this.#caller.request.headers['content-type'])!, this.#intake);
    const options = { timeoutMs: this.#rooms.config.uploadTimeoutMs, signal: this.#stopped.signal };
    await receiveBody(this.#caller.request, options, (chunk) => form.push(chunk));
    form.finish();
    this.#receiveMs = Math.round(this.#rooms.clock.monotonicMs() - this.#startedMs);
  }

  /** Whatever goes wrong frees everything and is written down before the caller hears of it. */
  async #accounted<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      const { signal } = this.#stopped;
      const reason: unknown = signal.aborted ? signal.reason : thrown;
      this.#intake.release();
      if (this.#row === 'due') await this.#recordFailure(reason);
      throw reason;
    }
  }

  async #recordFailure(reason: unknown): Promise<void> {
    try {
      await this.#record(reason instanceof ClientLeft ? 'CLIENT_DISCONNECTED' : asFault(reason).code);
    } catch (error) {
      // The caller is owed the true fault; that the row is missing is for the operator to know.
      this.#caller.log.error({ err: error }, 'the usage row of a failed request was not written');
    }
  }

  async #record(status: UsageEntry['status'], transcript?: Transcript): Promise<void> {
    this.#row = 'written';
    const entry = this.#entry(status, transcript);
    await this.#rooms.meter.record(entry);
    this.#rooms.metrics.count(entry);
  }

  #entry(status: UsageEntry['status'], transcript: Transcript | undefined): UsageEntry {
    const { audioSeconds, model } = this.#intake;
    return {
      requestId: this.#caller.requestId,
      accountId: this.#caller.principal.accountId,
      keyId: this.#caller.principal.keyId,
      mode: 'file',
      model,
      status,
      audioSeconds,
      billedSeconds: status === 'success' ? billedSeconds(audioSeconds) : 0,
      outputTokenCount: transcript?.outputTokenCount ?? 0,
      detectedLanguage: transcript?.detectedLanguage ?? null,
      receiveMs: this.#receiveMs,
      recognitionMs: transcript?.recognitionMs ?? null,
      refinementMs: transcript?.refinementMs ?? null,
      refinementFallback: transcript?.refinementFallback ?? null,
      createdAtMs: this.#createdAtMs,
    };
  }

  /** Does not wait for a stage that is slow to notice that it was stopped. */
  #unlessStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this.#stopped;
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }
}
