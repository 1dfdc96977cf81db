// Microphone errors, each with advice for the user.
import { asError } from '../../errors.ts';

export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError';
}

const MESSAGES: Readonly<Record<string, string>> = {
  NotAllowedError:
    'The browser blocks the microphone for this page. Allow it in the settings next to the address bar, then try again.',
  NotFoundError: 'No microphone was found. Connect one, then try again.',
  NotReadableError: 'Another program is using the microphone. Close that program, then try again.',
};

const unavailable = (): MicrophoneError =>
  new MicrophoneError(
    isSecureContext
      ? 'This browser does not support the microphone. Use a current browser.'
      : `Browsers allow the microphone only on https pages and on localhost. This page is on ${location.origin}: open it with https, or on the server itself at http://localhost:${location.port || '80'}.`,
  );

/** Opens the microphone. Rejects with a MicrophoneError if it is unavailable or blocked. */
export const withMicrophone = async <T>(open: () => Promise<T>): Promise<T> => {
  // Missing on http pages, although its type says otherwise.
  if ((navigator.mediaDevices as MediaDevices | undefined) === undefined) throw unavailable();
  try {
    return await open();
  } catch (thrown) {
    const message = thrown instanceof DOMException ? MESSAGES[thrown.name] : undefined;
    throw message ? new MicrophoneError(message) : asError(thrown);
  }
};
