// One utterance over Wyoming: a stream call that is transcribed when its audio stops.
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import type { TranscriptionOptions } from '../../calls/call.ts';
import type { StreamAudio } from '../../calls/streams/stream-audio.ts';
import type { StreamCall } from '../../calls/streams/stream-call.ts';
import { type Transcript, TranscriptCollector } from '../../calls/transcript.ts';
import { asFault, Fault, invalidRequest } from '../../lib/fault.ts';
import { deferred } from '../../lib/time/deferred.ts';

export interface WyomingAudio {
  readonly sampleRateHz: number;
  readonly channels: number;
  /** Bytes per sample. */
  readonly width: number;
}

export interface WyomingTranscript {
  readonly text: string;
  readonly language: string | null;
}

export interface UtteranceParts {
  readonly call: StreamCall;
  readonly audio: WyomingAudio;
  readonly transcription: TranscriptionOptions;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
  readonly maxSeconds: number;
  /** Pauses or resumes reading, when the audio queue is full or ready again. */
  readonly setPaused: (isPaused: boolean) => void;
}

const RATE_HZ = { min: 8_000, max: 96_000 };
const CHANNELS_MAX = 8;

/** Parses the audio format of an event. */
export const readWyomingAudio = (data: Readonly<Record<string, unknown>>): WyomingAudio => {
  const { rate, width, channels } = data;
  const isWhole = (value: unknown, min: number, max: number): value is number =>
    Number.isInteger(value) && Number(value) >= min && Number(value) <= max;
  if (!isWhole(rate, RATE_HZ.min, RATE_HZ.max) || !isWhole(width, 1, 4) || !isWhole(channels, 1, CHANNELS_MAX))
    throw invalidRequest('The audio must have a valid rate, width and number of channels.');
  return { sampleRateHz: rate, width, channels };
};

export class WyomingUtterance {
  readonly #parts: UtteranceParts;
  #audio: StreamAudio | undefined;
  #bytes = 0;
  #state: 'open' | 'ended' = 'open';
  readonly #outcome = deferred<WyomingTranscript>();

  constructor(parts: UtteranceParts) {
    this.#parts = parts;
    // A failure before `finish` must not count as an unhandled rejection.
    this.#outcome.promise.catch(() => undefined);
    parts.call.onAccessLost((fault) => void this.fail(fault));
  }

  write(samples: Buffer): void {
    if (this.#state === 'ended' || samples.length === 0) return;
    this.#bytes += samples.length;
    if (this.#audioSeconds > this.#parts.maxSeconds) {
      const message = `An utterance may have at most ${this.#parts.maxSeconds} seconds.`;
      void this.fail(new Fault('AUDIO_TOO_LONG', { message }));
      return;
    }
    try {
      this.#audio ??= this.#openAudio();
      this.#audio.write(samples);
    } catch (thrown) {
      void this.fail(asFault(thrown));
    }
  }

  /** Call when the audio has stopped. Resolves when the usage row is durable; rejects with a Fault. */
  finish(): Promise<WyomingTranscript> {
    this.#parts.call.markReceived();
    if (this.#audio) this.#audio.finish();
    else if (this.#state === 'open') void this.#succeed(undefined, 0);
    return this.#outcome.promise;
  }

  /** Call when the peer has disconnected. */
  async disconnect(): Promise<void> {
    if (this.#state === 'ended') return;
    const audioSeconds = this.#audioSeconds;
    await this.#end({ status: 'CLIENT_DISCONNECTED', audioSeconds, isBilled: audioSeconds > 0 });
    this.#outcome.reject(new Fault('SERVICE_UNAVAILABLE', { message: 'The connection has ended.' }));
  }

  get #audioSeconds(): number {
    const { width, channels, sampleRateHz } = this.#parts.audio;
    return Math.floor(this.#bytes / (width * channels)) / sampleRateHz;
  }

  #openAudio(): StreamAudio {
    const { call, transcription, decoding, audio, setPaused } = this.#parts;
    const format = { kind: audio.width === 1 ? 'unsigned' : 'signed', bytes: audio.width, bigEndian: false } as const;
    const collector = new TranscriptCollector();
    const decoder = decoding.openLive({ kind: 'raw', format, ...audio }, { owner: call.accountId });
    return call.openAudio(transcription, [{ decoder, onEvent: collector.take.bind(collector) }], {
      full: () => setPaused(true),
      room: () => setPaused(false),
      failed: (fault) => void this.fail(fault),
      finished: (_summary, audioSeconds) => void this.#succeed(collector.transcript, audioSeconds),
    });
  }

  async #succeed(transcript: Transcript | undefined, audioSeconds: number): Promise<void> {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    const { call } = this.#parts;
    try {
      await call.record({ status: 'success', audioSeconds, ...(transcript && { transcript }) });
      this.#outcome.resolve({ text: transcript?.text ?? '', language: transcript?.detectedLanguage ?? null });
    } catch (thrown) {
      this.#outcome.reject(asFault(thrown));
    }
    await call.release();
  }

  /** Ends the utterance without billing it. `finish` rejects with the fault. */
  async fail(fault: Fault): Promise<void> {
    if (this.#state === 'ended') return;
    this.#parts.call.logFailure(fault);
    await this.#end({ status: fault.code, audioSeconds: this.#audioSeconds });
    this.#outcome.reject(fault);
  }

  async #end(outcome: Parameters<StreamCall['record']>[0]): Promise<void> {
    this.#state = 'ended';
    this.#audio?.cancel();
    // `record` logs its failure.
    await this.#parts.call.record(outcome).catch(() => undefined);
    await this.#parts.call.release();
  }
}
