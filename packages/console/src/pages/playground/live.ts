// One live call: the microphone poured into a stream, until it is finished or abandoned.
import type { Faircopy } from '@faircopy/client';
import { openMicrophone } from '@faircopy/client/microphone';
import workletUrl from '@faircopy/client/worklet?url';
import type { SuccessResponse } from '@faircopy/contract';
import type { Options } from './options.tsx';

export interface LiveCall {
  readonly media: MediaStream;
  /** Settles with the stream, whichever way it ends. */
  readonly ended: Promise<SuccessResponse>;
  /** No more audio: resolves to the answer. */
  finish(): Promise<SuccessResponse>;
  /** Leaves without an answer. */
  abandon(): void;
}

export const startLive = async (client: Faircopy, { model, language }: Options): Promise<LiveCall> => {
  const microphone = await openMicrophone({ workletUrl });
  const stream = client.stream({ model, sampleRate: microphone.sampleRate, ...(language ? { language } : {}) });
  try {
    await stream.opened;
  } catch (cause) {
    await microphone.stop();
    throw cause;
  }
  // When the stream ends early, its result carries the reason; pouring only stops.
  const poured = pour(microphone.audio, (bytes) => stream.send(bytes)).catch(() => undefined);
  stream.result.catch(() => microphone.stop());
  return {
    media: microphone.media,
    ended: stream.result,
    finish: async () => {
      await microphone.stop();
      await poured;
      return stream.finish();
    },
    abandon: () => {
      void microphone.stop();
      stream.abort();
    },
  };
};

/** Not every browser iterates streams yet, so it is read by hand. */
const pour = async (source: ReadableStream<Uint8Array>, send: (bytes: Uint8Array) => Promise<void>): Promise<void> => {
  const reader = source.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) await send(next.value);
};
