// A live session: streams the microphone, records it for the player, and reports lost or delayed audio.
import type { Faircopy, LiveEvent } from '@faircopy/client';
import { openMicrophone } from '@faircopy/client/microphone';
import workletUrl from '@faircopy/client/worklet?url';
import { withMicrophone } from './microphone-error.ts';
import { type Options, redactionAsked, speakersAsked } from './options.tsx';
import { recordStream } from './recorder.ts';

/** Why audio does not reach the server, or reaches it late. */
export type AudioLoss =
  | { readonly kind: 'muted' }
  | { readonly kind: 'unplugged' }
  /** `waitingSeconds`: audio that is waiting to be sent. */
  | { readonly kind: 'slow'; readonly waitingSeconds: number };

export interface LiveSession {
  readonly media: MediaStream;
  /** Settles when the stream ends, for any reason. */
  readonly ended: Promise<string>;
  /** Ends the audio; resolves to the recording when the last final has arrived. */
  finish(): Promise<Blob>;
  /** After the stream has ended: stops the microphone and resolves to the recording. */
  salvage(): Promise<Blob>;
  abort(): void;
}

interface Listener {
  readonly onEvent: (event: LiveEvent) => void;
  readonly onLoss: (loss: AudioLoss | null) => void;
}

/** Shorter delays are normal. */
const SLOW_FROM_SECONDS = 3;
const BYTES_PER_SAMPLE = 2;

/** Passes audio on and counts how much has been recorded but not yet sent. */
const watched = (audio: ReadableStream<Uint8Array>, sampleRate: number, onWaiting: (seconds: number) => void) => {
  let waitingBytes = 0;
  const report = (change: number) => {
    waitingBytes += change;
    onWaiting(waitingBytes / BYTES_PER_SAMPLE / sampleRate);
  };
  const counted = audio.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>(
      {
        transform: (chunk, controller) => {
          report(chunk.length);
          controller.enqueue(chunk);
        },
      },
      undefined,
      { highWaterMark: Number.POSITIVE_INFINITY },
    ),
  );
  return { counted, sent: (bytes: number) => report(-bytes) };
};

export const startLiveSession = async (
  client: Faircopy,
  options: Options,
  { onEvent, onLoss }: Listener,
): Promise<LiveSession> => {
  const microphone = await withMicrophone(() => openMicrophone({ workletUrl }));
  const stream = client.live({
    model: options.model,
    language: options.language || undefined,
    redact: redactionAsked(options),
    speakers: speakersAsked(options),
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
  const [track] = microphone.media.getAudioTracks();
  track?.addEventListener('mute', () => onLoss({ kind: 'muted' }));
  track?.addEventListener('unmute', () => onLoss(null));
  track?.addEventListener('ended', () => onLoss({ kind: 'unplugged' }));
  let isSlow = false;
  const { counted, sent: markSent } = watched(microphone.audio, microphone.sampleRate, (waitingSeconds) => {
    if (waitingSeconds < SLOW_FROM_SECONDS && !isSlow) return;
    // The notice stays until at most one second is waiting, so that it does not flicker.
    isSlow = waitingSeconds > 1;
    onLoss(isSlow ? { kind: 'slow', waitingSeconds } : null);
  });
  const sendAll = async () => {
    const reader = counted.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      await stream.send(next.value);
      markSent(next.value.length);
    }
  };
  // If the stream ends early, `ended` rejects with the reason.
  const sent = sendAll().catch(() => undefined);
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
    salvage: async () => {
      const recorded = recorder.stop();
      await microphone.stop();
      return recorded;
    },
    abort: () => {
      recorder.discard();
      void microphone.stop();
      stream.abort();
    },
  };
};
