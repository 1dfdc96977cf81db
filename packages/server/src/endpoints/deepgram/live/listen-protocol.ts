// Deepgram's live protocol: audio, KeepAlive, Finalize and CloseStream in; Results while people speak, Metadata at the end.
import { CLOSE_CODES, ERRORS } from '@faircopy/contract';
import type { UploadDecoding } from '../../../audio/upload-decoding.ts';
import type { LiveListener, LiveSummary } from '../../../calls/live-events.ts';
import type { LivePipe } from '../../../calls/live-pipe.ts';
import { asFault } from '../../../lib/fault.ts';
import type { Failure } from '../../../transport/websocket/connection-types.ts';
import type { Incoming, ProtocolContext, StreamProtocol } from '../../../transport/websocket/stream-protocol.ts';
import { requestUuid } from '../request-uuid.ts';
import type { ListenRequest } from './handshake.ts';
import type { HeardAudio } from './heard-audio.ts';
import {
  emptyResult,
  finalResult,
  interimResult,
  type ListenFacts,
  metadataMessage,
  readListenMessage,
} from './messages.ts';
import { UtteranceEnds } from './utterance-end.ts';

export interface ListenParts {
  readonly request: ListenRequest;
  readonly heard: HeardAudio;
  readonly decoding: Pick<UploadDecoding, 'openLive'>;
}

export class ListenProtocol implements StreamProtocol {
  readonly #context: ProtocolContext;
  readonly #parts: ListenParts;
  readonly #facts: ListenFacts;
  #pipe: LivePipe | null = null;
  #summary: LiveSummary | undefined;
  /** Settles when every Finalize so far has been answered. */
  #flushed: Promise<void> = Promise.resolve();
  #endReason = '';

  constructor(context: ProtocolContext, parts: ListenParts) {
    this.#context = context;
    this.#parts = parts;
    this.#facts = { requestUuid: requestUuid(context.call.requestId), request: parts.request };
  }

  isControl(data: Buffer, isBinary: boolean): boolean {
    return !isBinary || data.length === 0;
  }

  read(data: Buffer, isBinary: boolean): Incoming {
    // An empty frame is the old form of CloseStream.
    if (isBinary && data.length === 0) return { event: { type: 'close_stream' } };
    if (isBinary) return { event: { type: 'audio', bytes: data.length }, audio: data };
    const message = readListenMessage(data);
    if (typeof message === 'string') {
      return { event: { type: 'failed', failure: { code: 'INVALID_REQUEST', message } } };
    }
    if (message.type === 'CloseStream') return { event: { type: 'close_stream' } };
    if (message.type === 'Finalize') this.#finalize(message.channel);
    return { event: { type: 'keep_alive' } };
  }

  write(audio: Buffer): void {
    const { heard } = this.#parts;
    this.#pipe ??= this.#openPipe();
    heard.add(audio);
    this.#pipe.write(audio);
  }

  finish(reason = ''): void {
    this.#endReason = reason;
    void this.#flushed.then(() => this.#pipe?.finish());
  }

  cancel(): void {
    this.#pipe?.cancel();
  }

  transcript(): LiveSummary | undefined {
    return this.#summary;
  }

  result(): object[] {
    const { heard } = this.#parts;
    const nothing = emptyResult(this.#facts, { channel: 0, startMs: 0, endMs: 0 }, false);
    const metadata = metadataMessage(this.#facts, { sha256: heard.sha256, seconds: heard.seconds });
    return this.#pipe === null ? [nothing, metadata] : [metadata];
  }

  error({ code, message }: Failure): object[] {
    return [{ type: 'Error', description: message, message, variant: code }];
  }

  closing(code: number, reason: string) {
    if (code === CLOSE_CODES.done) return { code, reason: this.#endReason };
    if (code === CLOSE_CODES.restart || code === CLOSE_CODES.frameTooBig) return { code, reason };
    // Whoever let us wait is not to come back at once, as the vendor's client does after any other code.
    if (!(reason in ERRORS)) return { code: CLOSE_CODES.done, reason };
    if (reason === 'AUDIO_FORMAT_UNSUPPORTED' || code === CLOSE_CODES.badMessage) {
      return { code: CLOSE_CODES.policy, reason: 'DATA-0000' };
    }
    return code === CLOSE_CODES.internal ? { code, reason: 'NET-0000' } : { code, reason };
  }

  #finalize(channel: number | undefined): void {
    const { dispatch, failure, send } = this.#context;
    const pipe = this.#pipe;
    if (pipe === null) {
      send(emptyResult(this.#facts, { channel: channel ?? 0, startMs: 0, endMs: 0 }, true));
      return;
    }
    this.#flushed = this.#flushed
      .then(() => pipe.flush(channel))
      .catch((thrown) => dispatch({ type: 'failed', failure: failure(asFault(thrown)) }));
  }

  #openPipe(): LivePipe {
    const { request, decoding, heard } = this.#parts;
    const { call, dispatch, failure } = this.#context;
    const channels = Array.from({ length: request.lanes }, (_, channel) => ({
      decoder: decoding.openLive(request.audio, request.lanes > 1 ? channel : undefined),
      listener: this.#listener(channel),
    }));
    const pipe = call.openLivePipe(request.live, channels, {
      full: () => dispatch({ type: 'full' }),
      room: () => dispatch({ type: 'room' }),
      failed: (fault) => dispatch({ type: 'failed', failure: failure(fault) }),
      finished: (summary, audioSeconds) => {
        this.#summary = summary;
        dispatch({ type: 'transcribed', audioSeconds });
      },
    });
    heard.decodedSeconds = () => pipe.audioSeconds;
    return pipe;
  }

  #listener(channel: number): LiveListener {
    const { request } = this.#parts;
    const { send } = this.#context;
    const place = [channel, request.lanes];
    const ends =
      request.utteranceEndMs === null
        ? null
        : new UtteranceEnds(request.utteranceEndMs, (lastWordEndMs) =>
            send({ type: 'UtteranceEnd', channel: place, last_word_end: Math.round(lastWordEndMs) / 1000 }),
          );
    return {
      speechStarted: (atMs) => {
        ends?.speechStarted();
        if (request.vadEvents) send({ type: 'SpeechStarted', channel: place, timestamp: Math.round(atMs) / 1000 });
      },
      speechEnded: () => undefined,
      silence: (untilMs) => ends?.silence(untilMs),
      interim: (interim) => send(interimResult(this.#facts, channel, interim)),
      final: (final) => {
        send(finalResult(this.#facts, channel, final));
        const lastWord = final.transcript.words.at(-1);
        if (lastWord) ends?.finalWords(lastWord.endMs);
      },
    };
  }
}
