// A live session: streams the microphone, and records it for the player.
import type { Faircopy, LiveEvent } from '@faircopy/client';
import { openMicrophone } from '@faircopy/client/microphone';
import workletUrl from '@faircopy/client/worklet?url';
import { withMicrophone } from './microphone-error.ts';
import type { Options } from './options.tsx';
import { recordStream } from './recorder.ts';

export interface LiveSession {
  readonly media: MediaStream;
  /** Settles when the stream ends, for whatever reason. */
  readonly ended: Promise<string>;
  /** Ends the audio; resolves to the recording when the last final has arrived. */
  finish(): Promise<Blob>;
  abort(): void;
}

export const startLiveSession = async (
  client: Faircopy,
  { model, language }: Options,
  onEvent: (event: LiveEvent) => void,
): Promise<LiveSession> => {
  const microphone = await withMicrophone(() => openMicrophone({ workletUrl }));
  const stream = client.live({
    model,
    language: language || undefined,
    sampleRate: microphone.sampleRate,
    onEvent,
  });
  try {
    await stream.opened;
  } catch (cause) {
    await microphone.stop();
    throw cause;
  }
  const recorder = recordStream(microphone.media);
  // If the stream ends early, `ended` rejects with the reason.
  const sent = stream.sendAll(microphone.audio).catch(() => undefined);
  stream.transcript.catch(() => microphone.stop());
  return {
    media: microphone.media,
    ended: stream.transcript,
    finish: async () => {
      const recorded = recorder.stop();
      await microphone.stop();
      await sent;
      await stream.finish();
      return recorded;
    },
    abort: () => {
      recorder.discard();
      void microphone.stop();
      stream.abort();
    },
  };
};
