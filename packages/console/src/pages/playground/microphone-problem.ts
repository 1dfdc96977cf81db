// Why there is no microphone, in one sentence, and what to do about it.

export class MicrophoneProblem extends Error {
  override readonly name = 'MicrophoneProblem';
}

const SENTENCES: Readonly<Record<string, string>> = {
  NotAllowedError:
    'The browser does not let this page use the microphone. Allow it in the settings beside the address bar, then try again.',
  NotFoundError: 'No microphone was found. Connect one, then try again.',
  NotReadableError: 'The microphone is in use by another program. Close that program, then try again.',
};

/** Before asking: plain http on a network address has no microphone at all. */
export const requireMicrophone = (): void => {
  // Typed as if it were always there; on plain http it is not.
  if ((navigator.mediaDevices as MediaDevices | undefined) !== undefined) return;
  throw new MicrophoneProblem(
    isSecureContext
      ? 'This browser gives pages no microphone. Use a current one.'
      : `Browsers give the microphone only to https pages and to localhost, and this page came from ${location.origin}. Open it by https, or on the machine itself as http://localhost:${location.port || '80'}.`,
  );
};

/** What getUserMedia rejects with, as a sentence. */
export const microphoneProblem = (thrown: unknown): Error => {
  const sentence = thrown instanceof DOMException ? SENTENCES[thrown.name] : undefined;
  if (sentence) return new MicrophoneProblem(sentence);
  return thrown instanceof Error ? thrown : new Error(String(thrown));
};
