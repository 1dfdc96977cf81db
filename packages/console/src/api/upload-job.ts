// Sends a file as a job. Uses XMLHttpRequest because fetch does not report upload progress.
import { errorResponse, type JobObject, jobResponse, PATHS } from '@faircopy/contract';
import { CONSOLE_PATH } from '../paths.ts';
import { ApiError } from './request.ts';

export interface JobUpload {
  readonly apiKey: string;
  readonly file: File;
  /** Form fields besides the file. */
  readonly fields: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly onProgress: (sentShare: number) => void;
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

const failureOf = (status: number, body: unknown): ApiError => {
  const known = errorResponse.safeParse(body);
  if (!known.success) return new ApiError(status, 'UNKNOWN', `The server answered with status ${status}.`, null);
  const { error, request_id: requestId } = known.data;
  return new ApiError(status, error.code, error.message, requestId);
};

export const uploadJob = ({ apiKey, file, fields, signal, onProgress }: JobUpload): Promise<JobObject> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const request = new XMLHttpRequest();
    request.open('POST', `${CONSOLE_PATH}/api${PATHS.jobs}`);
    request.setRequestHeader('authorization', `Token ${apiKey}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onload = () => {
      const answer = jobResponse.safeParse(parseJson(request.responseText));
      if (answer.success) resolve(answer.data.job);
      else reject(failureOf(request.status, parseJson(request.responseText)));
    };
    request.onerror = () =>
      reject(new ApiError(0, 'UNREACHABLE', 'The connection was lost during the upload. Try again.', null));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort(), { once: true });
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('audio', file, file.name);
    request.send(form);
  });
