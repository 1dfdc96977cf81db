// The browser's microphone as raw pcm16, for a stream.

export interface MicrophoneOptions {
  /** The URL at which your site serves `@faircopy/client/worklet`: a separate file passes a strict CSP. */
  readonly workletUrl: string | URL;
  /** Constraints for the microphone. Default: one channel, with the browser's echo and noise processing. */
  readonly audio?: MediaTrackConstraints;
  readonly signal?: AbortSignal;
}

export interface Microphone {
  /** In Hz; pass it to `stream({ sampleRate })`. */
  readonly sampleRate: number;
  /** For a level meter or a recorder. */
  readonly media: MediaStream;
  /** Audio in chunks of a tenth of a second. Ends at `stop`. */
  readonly audio: ReadableStream<Uint8Array>;
  /** Ends `audio` after everything recorded so far, and releases the microphone. */
  stop(): Promise<void>;
}

/** Asks for the microphone. Rejects as getUserMedia does (no permission, no device), or with the signal's reason. */
export const openMicrophone = async ({ workletUrl, audio, signal }: MicrophoneOptions): Promise<Microphone> => {
  signal?.throwIfAborted();
  const media = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1, ...audio } });
  const release = () => {
    for (const track of media.getTracks()) track.stop();
  };
  const context = new AudioContext();
  try {
    // The signal may have fired while the browser asked for permission.
    signal?.throwIfAborted();
    await context.audioWorklet.addModule(workletUrl);
    // A browser may suspend a context that was created without a user gesture.
    await context.resume();
    signal?.throwIfAborted();
    return listen(context, media, release, signal);
  } catch (cause) {
    release();
    await context.close();
    throw cause;
  }
};

const listen = (
  context: AudioContext,
  media: MediaStream,
  release: () => void,
  signal: AbortSignal | undefined,
): Microphone => {
  const node = new AudioWorkletNode(context, 'faircopy-pcm16', { numberOfInputs: 1, numberOfOutputs: 0 });
  let stopped: Promise<void> | undefined;
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const stop = (): Promise<void> => {
    stopped ??= (async () => {
      signal?.removeEventListener('abort', stop);
      // A suspended context does not answer.
      if (context.state === 'running') node.port.postMessage('stop');
      else end();
      await ended;
      release();
      node.disconnect();
      await context.close();
    })();
    return stopped;
  };
  const audio = new ReadableStream<Uint8Array>({
    start: (controller) => {
      node.port.onmessage = ({ data }: MessageEvent<ArrayBuffer | null>) => {
        // The worklet posts null after the last chunk.
        if (data === null) end();
        else controller.enqueue(new Uint8Array(data));
      };
      // A reader that cancelled has already closed it.
      void ended.then(() => controller.close()).catch(() => undefined);
    },
    cancel: () => {
      node.port.onmessage = ({ data }) => {
        if (data === null) end();
      };
      return stop();
    },
  });
  signal?.addEventListener('abort', stop, { once: true });
  // The microphone was unplugged, or permission was withdrawn.
  media.getTracks()[0]?.addEventListener('ended', () => void stop());
  context.createMediaStreamSource(media).connect(node);
  return { sampleRate: context.sampleRate, media, audio, stop };
};
