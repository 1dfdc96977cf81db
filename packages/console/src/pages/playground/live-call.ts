// One live call: the microphone poured into a live stream, words coming back meanwhile, and the sound kept for the player.
import type { Faircopy, LiveEvent } from '@faircopy/client';
import { type Microphone, openMicrophone } from '@faircopy/client/microphone';
import workletUrl from '@faircopy/client/worklet?url';
import { microphoneProblem, requireMicrophone } from './microphone-problem.ts';
import type { Options } from './options.tsx';
import { recordStream } from './recorder.ts';

export interface LiveCall {
  readonly media: MediaStream;
  /** Settles with the stream, whichever way it ends. */
  readonly ended: Promise<string>;
  /** No more audio: resolves to what was recorded, when the last final has come. */
  finish(): Promise<Blob>;
  /** Leaves without an answer. */
  abandon(): void;
}

const openOrExplain = (): Promise<Microphone> => {
  requireMicrophone();
  return openMicrophone({ workletUrl }).catch((thrown) => {
    throw microphoneProblem(thrown);
  });
};

export const startLive = async (
  client: Faircopy,
  { model, language }: Options,
  onEvent: (event: LiveEvent) => void,
): Promise<LiveCall> => {
  const microphone = await openOrExplain();
  const stream = client.live({
    model,
    sampleRate: microphone.sampleRate,
    onEvent,
    ...(language ? { language } : {}),
  });
  try {
    await stream.opened;
  } catch (cause) {
    await microphone.stop();
    throw cause;
  }
  const recorder = recordStream(microphone.media);
  // When the stream ends early, its transcript carries the reason; pouring only stops.
  const poured = pour(microphone.audio, (bytes) => stream.send(bytes)).catch(() => undefined);
  stream.transcript.catch(() => microphone.stop());
  return {
    media: microphone.media,
    ended: stream.transcript,
    finish: async () => {
      const recorded = recorder.stop();
      await microphone.stop();
      await poured;
      await stream.finish();
      return recorded;
    },
    abandon: () => {
      recorder.discard();
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
