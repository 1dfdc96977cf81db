// Records the microphone into a webm blob with the browser's own recorder, for file mode.

export interface Recording {
  /** Ends the recording; resolves to what was recorded. */
  stop(): Promise<Blob>;
  /** Throws the recording away. */
  discard(): void;
  readonly stream: MediaStream;
}

export const startRecording = async (): Promise<Recording> => {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
  const recorder = new MediaRecorder(stream, { mimeType: 'audio/webm;codecs=opus' });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', (event) => parts.push(event.data));
  const stopped = new Promise<Blob>((resolve) =>
    recorder.addEventListener('stop', () => resolve(new Blob(parts, { type: 'audio/webm' })), { once: true }),
  );
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
  };
  recorder.start(250);
  return {
    stream,
    stop: () => {
      if (recorder.state !== 'inactive') recorder.stop();
      return stopped.finally(release);
    },
    discard: () => {
      if (recorder.state !== 'inactive') recorder.stop();
      release();
    },
  };
};
