// Records the microphone into a webm blob with the browser's own recorder.
import { microphoneProblem, requireMicrophone } from './microphone-problem.ts';

export interface Recording {
  /** Ends the recording; resolves to what was recorded. */
  stop(): Promise<Blob>;
  /** Throws the recording away. */
  discard(): void;
  readonly stream: MediaStream;
}

/** Records a microphone that is open already; whoever opened it closes it. */
export const recordStream = (stream: MediaStream): Pick<Recording, 'stop' | 'discard'> => {
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

export const startRecording = async (): Promise<Recording> => {
  requireMicrophone();
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } }).catch((thrown) => {
    throw microphoneProblem(thrown);
  });
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
