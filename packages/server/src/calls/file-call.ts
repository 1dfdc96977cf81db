// A call with one file: the upload, the transcript, and the row that is written whatever happens.
import { billedSeconds } from '@faircopy/contract';
import { asFault, type Fault } from '../platform/fault.ts';
import type { Transcript } from '../transcription/transcriber.ts';
import type { Call, TranscriptionOptions } from './call.ts';
import { ClientLeft } from './client-left.ts';
import type { TranscribedAudio } from './success-response.ts';
import type { Upload } from './upload.ts';

/** Opens a way of the file's bytes to a transcript: of all channels mixed, or of one. */
export type OpenUpload = (channel?: number) => {
  readonly upload: Upload;
  /** Channels of the file; 0 until its beginning is decoded. */
  readonly sourceChannels: () => number;
};

/** Channels that are recognised by themselves; more are left out. */
const CHANNELS_MAX = 8;

export class FileCall {
  readonly #call: Call;
  readonly upload: Upload;
  readonly #openUpload: OpenUpload;
  readonly #channelUploads: Upload[] = [];
  readonly #onEnd: (call: FileCall) => void;
  readonly #stopped = new AbortController();

  constructor(call: Call, openUpload: OpenUpload, onEnd: (call: FileCall) => void) {
    this.#call = call;
    this.#openUpload = openUpload;
    this.upload = openUpload().upload;
    this.#onEnd = onEnd;
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
    this.#release();
  }

  /** The request is over, with its answer sent or with the caller gone. */
  end(outcome: 'answered' | 'left'): void {
    this.#onEnd(this);
    if (outcome === 'left') this.stop(new ClientLeft());
  }

  /** Checks before the body is read. A refusal leaves at once, on a slow disk too; its row is written meanwhile. */
  async checkIn(checks: () => void): Promise<void> {
    try {
      checks();
    } catch (thrown) {
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
    this.#release();
    const failure = reason instanceof ClientLeft ? reason : asFault(reason);
    if (!(failure instanceof ClientLeft)) this.#call.logFailure(failure);
    await this.#call.recordFailure({
      status: failure instanceof ClientLeft ? 'CLIENT_DISCONNECTED' : failure.code,
      audioSeconds: this.upload.audioSeconds,
      billedSeconds: 0,
    });
    return failure;
  }

  /**
   * The upload is complete: resolves to the transcript when its usage row is durable. Whoever wants its text earlier is
   * told of it as it settles.
   */
  async transcribe(onSettledText?: (text: string) => void): Promise<TranscribedAudio> {
    this.#call.markReceived();
    const transcript = await this.#unlessStopped(this.upload.finish(onSettledText));
    const { audioSeconds } = this.upload;
    await this.#call.record({
      status: 'success',
      audioSeconds,
      billedSeconds: billedSeconds(audioSeconds),
      isRefusable: onSettledText === undefined,
      transcript,
    });
    return { transcript, audioSeconds };
  }

  /** The same for each channel by itself, of a file that is here as a whole. */
  async transcribeChannels(
    file: readonly Buffer[],
    options: TranscriptionOptions,
  ): Promise<{ readonly transcripts: readonly Transcript[]; readonly audioSeconds: number }> {
    this.#call.markReceived();
    const first = this.#openUpload(0);
    const transcripts = [await this.#transcribeAs(first.upload, file, options)];
    const channels = Math.min(CHANNELS_MAX, first.sourceChannels());
    const others = Array.from({ length: Math.max(0, channels - 1) }, (_, index) => this.#openUpload(index + 1).upload);
    transcripts.push(...(await Promise.all(others.map((upload) => this.#transcribeAs(upload, file, options)))));
    const { audioSeconds } = first.upload;
    const outputTokenCount = transcripts.reduce((total, transcript) => total + transcript.outputTokenCount, 0);
    await this.#call.record({
      status: 'success',
      audioSeconds,
      billedSeconds: billedSeconds(audioSeconds),
      isRefusable: true,
      transcript: { ...transcripts[0]!, outputTokenCount },
    });
    return { transcripts, audioSeconds };
  }

  async #transcribeAs(upload: Upload, file: readonly Buffer[], options: TranscriptionOptions): Promise<Transcript> {
    this.#channelUploads.push(upload);
    upload.configure(options);
    for (const chunk of file) await this.#unlessStopped(Promise.resolve(upload.write(chunk)));
    return this.#unlessStopped(upload.finish());
  }

  #release(): void {
    for (const upload of [this.upload, ...this.#channelUploads]) upload.release();
  }

  /** Does not wait for a stage that is slow to notice that it was stopped. */
  #unlessStopped<T>(work: Promise<T>): Promise<T> {
    const { signal } = this;
    return new Promise((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
    });
  }
}
