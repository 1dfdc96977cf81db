// The audio of a connection: counted and hashed as it arrives, opened with its first bytes, flushed and finished in order.
import { createHash } from 'node:crypto';
import type { LiveAudio, UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../../calls/call.ts';
import type { StreamAudio } from '../../../calls/streams/stream-audio.ts';
import type { SessionEvent, SessionSummary } from '../../../calls/transcript.ts';
import { audioListener, type ProtocolContext } from '../../../transport/websocket/stream-protocol.ts';

export interface ConnectionAudioParts {
  readonly context: ProtocolContext;
  readonly audio: LiveAudio;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
  /** One for each channel that is recognised separately. */
  readonly listeners: readonly ((event: SessionEvent) => void)[];
  /** Read when the audio is opened. */
  readonly options: () => TranscriptionOptions;
}

export class ConnectionAudio {
  readonly #parts: ConnectionAudioParts;
  readonly #hash = createHash('sha256');
  #bytes = 0;
  #stream: StreamAudio | null = null;
  #summary: SessionSummary | undefined;
  /** Resolves when every flush so far is done. */
  #flushed: Promise<void> = Promise.resolve();
  #endReason = '';

  constructor(parts: ConnectionAudioParts) {
    this.#parts = parts;
  }

  /** Null before the first audio. */
  get stream(): StreamAudio | null {
    return this.#stream;
  }

  get summary(): SessionSummary | undefined {
    return this.#summary;
  }

  /** Why the server ended the stream; empty when the client did. */
  get endReason(): string {
    return this.#endReason;
  }

  get sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  /** Length in seconds with this many more bytes. Of a container, only what is decoded counts. */
  secondsWith(moreBytes: number): number {
    const { audio } = this.#parts;
    if (audio.kind === 'container') return this.#stream?.audioSeconds ?? 0;
    return Math.floor((this.#bytes + moreBytes) / (audio.format.bytes * audio.channels)) / audio.sampleRateHz;
  }

  write(bytes: Buffer): void {
    this.#stream ??= this.#open();
    this.#bytes += bytes.length;
    this.#hash.update(bytes);
    this.#stream.write(bytes);
  }

  /** Ends the open utterances of all channels, or of one. */
  flush(channel?: number): void {
    // Begins now, so that it ends before audio that is sent after it.
    const done = this.#stream?.flush(channel);
    done?.catch(() => undefined);
    this.#flushed = this.#flushed.then(() => done).catch(this.#parts.context.fail);
  }

  finish(reason = ''): void {
    this.#endReason = reason;
    void this.#flushed.then(() => this.#stream?.finish());
  }

  cancel(): void {
    this.#stream?.cancel();
  }

  #open(): StreamAudio {
    const { context, audio, decoding, listeners, options } = this.#parts;
    const { call, dispatch } = context;
    const inputs = listeners.map((onEvent, index) => ({
      decoder: decoding.openLive(audio, {
        channel: listeners.length > 1 ? index : undefined,
        owner: call.accountId,
      }),
      onEvent,
    }));
    const listener = audioListener(context, (summary, audioSeconds) => {
      this.#summary = summary;
      dispatch({ type: 'transcribed', audioSeconds });
    });
    return call.openAudio(options(), inputs, listener);
  }
}
