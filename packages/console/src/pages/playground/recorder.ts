// Records the microphone as webm with the browser's recorder.
import { withMicrophone } from './microphone-error.ts';

export interface Recorder {
  readonly stream: MediaStream;
  /** Ends the recording and resolves to it. */
  stop(): Promise<Blob>;
  discard(): void;
}

/** Records an open microphone; the caller closes it. */
export const recordStream = (stream: MediaStream): Pick<Recorder, 'stop' | 'discard'> => {
  const recorder = new MediaRecorder(stream, { mimeType: 'audio/webm;codecs=opus' });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', (event) => parts.push(event.data));
  const stopped = new Promise<Blob>((resolve) =>
    recorder.addEventListener('stop', () => resolve(new Blob(parts, { type: 'audio/webm' })), { once: true }),
  );
  const end = () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  recorder.start(250);
  return {
    stop: () => {
      end();
      return stopped;
    },
    discard: end,
  };
};

export const startRecorder = async (): Promise<Recorder> => {
  const stream = await withMicrophone(() => navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } }));
  const recorder = recordStream(stream);
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  return {
    stream,
    stop: () => recorder.stop().finally(release),
    discard: () => {
      recorder.discard();
      release();
    },
  };
};
