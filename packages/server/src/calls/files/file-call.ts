// A call with one file: the upload, the transcript, and the row that is written whatever happens.
import { billedSeconds } from '@faircopy/contract';
import type { FileAnswer } from '../../idempotency/answer.ts';
import type { Claim } from '../../idempotency/claim.ts';
import { asFault, type Fault } from '../../lib/fault.ts';
import { untilAborted } from '../../lib/time/until-aborted.ts';
import type { Call, CallOutcome, TranscriptionOptions } from '../call.ts';
import { ClientLeft } from '../client-left.ts';
import { tooSlow } from '../refusals.ts';
import type { TranscribedAudio, TranscribedChannels, Upload } from './upload.ts';

/** A transcript as its endpoint answers with it. */
export type Render<Transcribed> = (transcribed: Transcribed) => FileAnswer;

/** An upload that brings nothing for this long gives way to a retry of it. */
const IDLE_UPLOAD_MS = 2_000;

export interface FileCallParts {
  readonly call: Call;
  readonly upload: Upload;
  /** Of the key that makes a retry get the same answer, when the caller sent one. */
  readonly claim: Claim | undefined;
  readonly onEnd: (call: FileCall) => void;
}

export class FileCall {
  readonly #call: Call;
  readonly #claim: Claim | undefined;
  readonly upload: Upload;
  readonly #onEnd: (call: FileCall) => void;
  readonly #stopped = new AbortController();
  #caller: 'here' | 'left' = 'here';
  #idleTimer: NodeJS.Timeout | undefined;

  constructor({ call, upload, claim, onEnd }: FileCallParts) {
    this.#call = call;
    this.#claim = claim;
    this.upload = upload;
    this.#onEnd = onEnd;
    claim?.onWaiter(() => this.#giveWayWhenIdle());
  }

  get requestId(): string {
    return this.#call.requestId;
  }

  get accountId(): string {
    return this.#call.principal.accountId;
  }

  /** Bytes of the file per second so far; infinite once all of it is here. */
  get uploadBytesPerSecond(): number {
    if (this.#call.received) return Number.POSITIVE_INFINITY;
    return this.upload.receivedBytes / (this.#call.ageMs / 1000);
  }

  get ageMs(): number {
    return this.#call.ageMs;
  }

  /** Aborted when nobody waits for the outcome any more; its reason is what the call fails with. */
  get signal(): AbortSignal {
    return this.#stopped.signal;
  }

  /** Ends all work at once; the call fails with the reason, unless its answer is already decided. */
  stop(reason: ClientLeft | Fault): void {
    this.#stopped.abort(reason);
    this.upload.release();
  }

  /** The request is over, with its answer sent or with the caller gone. */
  end(outcome: 'answered' | 'left'): void {
    clearInterval(this.#idleTimer);
    if (outcome === 'left') this.#caller = 'left';
    // A retry may be waiting already: the work goes on for it.
    if (outcome === 'left' && this.#call.received && this.#claim?.hasWaiters) return;
    this.#onEnd(this);
    if (outcome === 'left') this.stop(new ClientLeft());
  }

  /** A retry has come while the upload is not through: most likely its connection broke, and nobody has noticed yet. */
  #giveWayWhenIdle(): void {
    let seenBytes = -1;
    this.#idleTimer ??= setInterval(() => {
      const { receivedBytes, isHoldingBack } = this.upload;
      if (this.#call.received || this.signal.aborted) clearInterval(this.#idleTimer);
      else if (receivedBytes === seenBytes && !isHoldingBack) this.stop(tooSlow());
      seenBytes = receivedBytes;
    }, IDLE_UPLOAD_MS).unref();
  }

  /** Whether the hash of the body is wanted. */
  get isKeyed(): boolean {
    return this.#claim !== undefined;
  }

  /** All of the body is here. Throws when its key stood for another one. */
  received(bodyHash: () => string): void {
    this.#call.markReceived();
    this.#claim?.received(bodyHash());
  }

  /** Checks before the body is read. A refusal leaves at once, on a slow disk too; its row is written meanwhile. */
  async checkIn(checks: () => void): Promise<void> {
    try {
      checks();
    } catch (thrown) {
      // Its answer may wait to be sent; meanwhile it takes none of the account's places.
      this.#onEnd(this);
      void this.#fail(thrown);
      throw thrown;
    }
  }

  /** Runs a part of the call. Whatever goes wrong in it frees everything and is on record before the caller is told. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      throw await this.#fail(thrown);
    }
  }

  /** Frees everything; resolves to what the caller is told, when that is on record. */
  async #fail(thrown: unknown): Promise<ClientLeft | Fault> {
    const reason: unknown = this.signal.aborted ? this.signal.reason : thrown;
    this.upload.release();
    const failure = reason instanceof ClientLeft ? reason : asFault(reason);
    if (!(failure instanceof ClientLeft)) this.#call.logFailure(failure);
    await this.#call.recordFailure({
      status: failure instanceof ClientLeft ? 'CLIENT_DISCONNECTED' : failure.code,
      audioSeconds: this.upload.audioSeconds,
      billedSeconds: 0,
    });
    this.#claim?.failed();
    if (this.#caller === 'left') this.#onEnd(this);
    return failure;
  }

  /**
   * The upload is complete: resolves to the answer when its usage row is durable. Whoever wants the text earlier is told
   * of it as it settles.
   */
  async transcribe(render: Render<TranscribedAudio>, onStableText?: (text: string) => void): Promise<FileAnswer> {
    const transcribed = await untilAborted(this.upload.finish(onStableText), this.signal);
    const { transcript, audioSeconds } = transcribed;
    return this.#conclude(render(transcribed), { audioSeconds, transcript, isRefusable: onStableText === undefined });
  }

  /** The same for each channel of the file by itself. Each channel is billed. */
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

  /** What a retry needs is kept first, then the row is written, then the answer may leave. */
  async #conclude(
    answer: FileAnswer,
    outcome: Pick<CallOutcome, 'audioSeconds' | 'isRefusable' | 'transcript'>,
  ): Promise<FileAnswer> {
    await this.#claim?.keep(answer);
    await this.#call.record({
      status: 'success',
      billedSeconds: billedSeconds(outcome.audioSeconds),
      ...outcome,
    });
    this.#claim?.done();
    if (this.#caller === 'left') this.#onEnd(this);
    return answer;
  }
}
