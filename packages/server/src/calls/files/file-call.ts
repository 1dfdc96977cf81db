// A call with one file: its upload, its transcript, and its usage row, which is always written.
import type { FileAnswer } from '../../idempotency/answer.ts';
import type { Claim } from '../../idempotency/claim.ts';
import { asFault, type Fault } from '../../lib/fault.ts';
import { untilAborted } from '../../lib/time/until-aborted.ts';
import type { RequestVoices, VoiceClip, VoiceReading } from '../../transcription/known-voices/request-voices.ts';
import type { Call, CallOutcome, TranscriptionOptions } from '../call.ts';
import { ClientLeft } from '../client-left.ts';
import { tooSlow } from '../refusals.ts';
import type { SplitChannels } from '../speakers/split-channels.ts';
import { mergeChannels } from './merge-channels.ts';
import type { StableTextListener, TranscribedAudio, TranscribedChannels, Upload } from './upload.ts';

/** Renders a transcript as the endpoint's answer. */
export type Render<Transcribed> = (transcribed: Transcribed) => FileAnswer;

/** An upload without progress for this long is stopped in favour of its retry. */
const IDLE_UPLOAD_MS = 2_000;

/** How long the rest of the body is read after the file was refused. */
const REFUSED_BODY_MS = 5_000;

export interface FileCallParts {
  readonly call: Call;
  readonly upload: Upload;
  /** The claim of the caller's idempotency key, if any. */
  readonly claim: Claim | undefined;
  readonly onEnd: (call: FileCall) => void;
  /** How to read the reference voices in the request. */
  readonly voiceReading: (signal: AbortSignal) => VoiceReading;
}

export class FileCall {
  readonly #call: Call;
  readonly #claim: Claim | undefined;
  readonly upload: Upload;
  readonly #onEnd: (call: FileCall) => void;
  readonly #voiceReading: FileCallParts['voiceReading'];
  readonly #stopped = new AbortController();
  #caller: 'here' | 'left' = 'here';
  /** Audio whose text was sent before the end. It is billed even if the caller then disconnects. */
  #deliveredSeconds = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #refusal: Fault | undefined;
  #refusalTimer: NodeJS.Timeout | undefined;

  constructor({ call, upload, claim, onEnd, voiceReading }: FileCallParts) {
    this.#call = call;
    this.#claim = claim;
    this.upload = upload;
    this.#onEnd = onEnd;
    this.#voiceReading = voiceReading;
    claim?.onWaiter(() => this.#stopWhenIdle());
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  get accountId(): string {
    return this.#call.principal.accountId;
  }

  /** Bytes per second so far; infinite once the file has arrived. */
  get uploadBytesPerSecond(): number {
    if (this.#call.received) return Number.POSITIVE_INFINITY;
    return this.upload.receivedBytes / (this.#call.ageMs / 1000);
  }

  get ageMs(): number {
    return this.#call.ageMs;
  }

  /** Aborted when the call is stopped; the reason is what it fails with. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Stops all work; the call fails with the reason unless its answer is already decided. */
  stop(reason: ClientLeft | Fault): void {
    this.#stopped.abort(reason);
    this.upload.release();
  }

  /**
   * Stops all work for a file that is certain to fail. The answer waits for the rest of the body, since most clients
   * read nothing before they have sent everything, but it does not wait long.
   */
  refuse(fault: Fault): void {
    if (this.#call.received) {
      this.stop(fault);
      return;
    }
    this.#refusal = fault;
    this.upload.discard();
    this.#refusalTimer ??= setTimeout(() => this.stop(fault), REFUSED_BODY_MS).unref();
  }

  /** The request is over: answered, or the caller disconnected. */
  end(outcome: 'answered' | 'left'): void {
    clearInterval(this.#idleTimer);
    clearTimeout(this.#refusalTimer);
    if (outcome === 'left') this.#caller = 'left';
    if (outcome === 'left' && this.#call.received && this.#isForRetry) return;
    this.#onEnd(this);
    if (outcome === 'left') this.stop(new ClientLeft());
  }

  /** A retry is waiting, or may still come: a caller who got a part of the text must get all of it from the retry. */
  get #isForRetry(): boolean {
    return this.#claim !== undefined && (this.#claim.hasWaiters || this.#deliveredSeconds > 0);
  }

  /** A retry during an upload usually means that the connection broke unnoticed. */
  #stopWhenIdle(): void {
    let seenBytes = -1;
    this.#idleTimer ??= setInterval(() => {
      const { receivedBytes, isHoldingBack } = this.upload;
      if (this.#call.received || this.signal.aborted) clearInterval(this.#idleTimer);
      else if (receivedBytes === seenBytes && !isHoldingBack) this.stop(tooSlow());
      seenBytes = receivedBytes;
    }, IDLE_UPLOAD_MS).unref();
  }

  /** Starts to read the voices that the request brings; the session awaits their names. */
  readVoices(voices: RequestVoices, clips: readonly VoiceClip[], field: string): void {
    void voices.read(clips, field, this.#voiceReading(this.signal));
  }

  /** Whether the hash of the body is needed. */
  get isKeyed(): boolean {
    return this.#claim !== undefined;
  }

  /** Call when the body is complete. Throws when the idempotency key was used for another body. */
  received(bodyHash: () => string): void {
    this.#call.markReceived();
    if (this.#refusal) throw this.#refusal;
    this.#claim?.received(bodyHash());
  }

  /** Runs checks before the body is read. A refusal does not wait for its usage row. */
  async runChecks(checks: () => void): Promise<void> {
    try {
      checks();
    } catch (thrown) {
      // The answer may be delayed; meanwhile the call must not count as a file in progress.
      this.#onEnd(this);
      void this.#fail(thrown);
      throw thrown;
    }
  }

  /** Runs a part of the call. A failure frees everything and is recorded before it is thrown. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw await this.#fail(thrown);
    }
  }

  /** Frees everything and records the failure; resolves to the error to throw. */
  async #fail(thrown: unknown): Promise<ClientLeft | Fault> {
    const reason: unknown = this.signal.aborted ? this.signal.reason : thrown;
    this.upload.release();
    const failure = reason instanceof ClientLeft ? reason : asFault(reason);
    if (!(failure instanceof ClientLeft)) this.#call.logFailure(failure);
    const delivered = this.#deliveredSeconds;
    await this.#call.recordFailure({
      status: failure instanceof ClientLeft ? 'CLIENT_DISCONNECTED' : failure.code,
      audioSeconds: this.upload.audioSeconds,
      isBilled: failure instanceof ClientLeft && delivered > 0,
      billedAudioSeconds: delivered,
    });
    this.#claim?.failed();
    if (this.#caller === 'left') this.#onEnd(this);
    return failure;
  }

  /**
   * Call when the upload is complete. Resolves to the answer once its usage row is durable. `onStableText` receives
   * text as soon as it is stable.
   */
  async transcribe(render: Render<TranscribedAudio>, onStableText?: (text: string) => void): Promise<FileAnswer> {
    const deliver: StableTextListener = (text, coveredSeconds) => {
      this.#deliveredSeconds = coveredSeconds;
      onStableText?.(text);
    };
    const transcribed = await untilAborted(this.upload.finish(onStableText && deliver), this.signal);
    const { transcript, audioSeconds } = transcribed;
    return this.#conclude(render(transcribed), { audioSeconds, transcript, isRefusable: onStableText === undefined });
  }

  /** Like `transcribe`, for each channel of the file separately. Each channel is billed. */
  async transcribeChannels(options: TranscriptionOptions, render: Render<TranscribedChannels>): Promise<FileAnswer> {
    const transcribed = await untilAborted(this.upload.finishChannels(options), this.signal);
    const { transcripts, audioSeconds } = transcribed;
    const outputTokenCount = transcripts.reduce((total, transcript) => total + transcript.outputTokenCount, 0);
    const transcript = { ...transcripts[0]!, outputTokenCount };
    return this.#conclude(render(transcribed), {
      audioSeconds: audioSeconds * transcripts.length,
      transcript,
      isRefusable: true,
    });
  }

  /** Like `transcribeChannels`, merged into one transcript in the order in which people spoke. */
  transcribeSplit(options: TranscriptionOptions, { names }: SplitChannels, render: Render<TranscribedAudio>) {
    return this.transcribeChannels({ ...options, wantWordTimes: true }, ({ transcripts, audioSeconds }) =>
      render({ transcript: mergeChannels(transcripts, names), audioSeconds, channels: transcripts.length }),
    );
  }

  /** Keeps the answer for retries, writes the usage row, then releases the answer. */
  async #conclude(
    answer: FileAnswer,
    outcome: Pick<CallOutcome, 'audioSeconds' | 'isRefusable' | 'transcript'>,
  ): Promise<FileAnswer> {
    await this.#claim?.keep(answer);
    await this.#call.record({ status: 'success', ...outcome });
    this.#claim?.done();
    if (this.#caller === 'left') this.#onEnd(this);
    return answer;
  }
}
