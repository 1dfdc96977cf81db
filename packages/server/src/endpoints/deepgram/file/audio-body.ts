// The audio of POST /v1/listen: the body itself, or the recording at the URL in a JSON body.
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Fault, invalidRequest } from '../../../lib/fault.ts';
import { openRemoteAudio } from '../../../lib/net/remote-audio.ts';
import { plainBodyHash } from '../../../transport/http/upload/body-hash.ts';
import { type ReceiveOptions, receiveBody } from '../../../transport/http/upload/receive.ts';
import { fileTooLarge } from '../../../transport/http/upload/upload-form.ts';

const JSON_BYTES_MAX = 16 * 1024;

interface BodyOptions extends ReceiveOptions {
  readonly bytesMax: number;
}

export interface AudioBodyOptions extends BodyOptions {
  /** The account that makes the request. */
  readonly owner: string;
  readonly fetchesUrls: boolean;
}

/** Takes a chunk of audio. A returned promise applies back-pressure. */
type TakeAudio = (chunk: Buffer) => Promise<void> | undefined;

const isJson = ({ headers }: FastifyRequest): boolean =>
  /^application\/([\w.-]+\+)?json\b/i.test(headers['content-type'] ?? '');

const bodyHashOf = (request: FastifyRequest, sha256: string): string =>
  plainBodyHash(request.url, isJson(request) ? 'address' : 'audio', sha256);

/** Counts and hashes chunks, and throws past the size limit. */
const hashing = (bytesMax: number, take: TakeAudio) => {
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    take: (chunk: Buffer): Promise<void> | undefined => {
      bytes += chunk.length;
      if (bytes > bytesMax) throw fileTooLarge(bytesMax);
      hash.update(chunk);
      return take(chunk);
    },
    isEmpty: () => bytes === 0,
    sha256: () => hash.digest('hex'),
  };
};

/** Passes the audio on as it arrives. Resolves to the hash of the audio and the hash that identifies a retry. */
export const receiveAudio = async (
  request: FastifyRequest,
  options: AudioBodyOptions,
  take: TakeAudio,
): Promise<{ readonly sha256: string; readonly bodyHash: string }> => {
  const audio = hashing(options.bytesMax, take);
  let json: Buffer | undefined;
  if (isJson(request)) {
    json = await receiveJson(request, options);
    await fetchAudio(urlIn(json), options, audio.take);
  } else await receiveBody(request.raw, options, audio.take);
  if (audio.isEmpty()) throw invalidRequest('The body is empty: it must be the audio.');
  const sha256 = audio.sha256();
  const sentSha256 = json === undefined ? sha256 : createHash('sha256').update(json).digest('hex');
  return { sha256, bodyHash: bodyHashOf(request, sentSha256) };
};

/** The hash of a retry's body. */
export const hashAudioBody = async (
  request: FastifyRequest,
  options: BodyOptions,
  onBytes: (count: number) => void,
): Promise<string> => {
  const body = hashing(options.bytesMax, (chunk) => void onBytes(chunk.length));
  await receiveBody(request.raw, options, body.take);
  return bodyHashOf(request, body.sha256());
};

const receiveJson = async ({ raw }: FastifyRequest, options: ReceiveOptions): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  await receiveBody(raw, options, (chunk) => {
    bytes += chunk.length;
    if (bytes > JSON_BYTES_MAX) throw invalidRequest('The JSON body is too large.');
    chunks.push(chunk);
    return undefined;
  });
  return Buffer.concat(chunks);
};

const urlIn = (body: Buffer): string => {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    throw invalidRequest('The body is not JSON.');
  }
  const { url } = (value ?? {}) as { url?: unknown };
  if (typeof url !== 'string' || url === '') throw invalidRequest('The body must be audio, or JSON with a "url".');
  return url;
};

const fetchAudio = async (
  url: string,
  { owner, fetchesUrls, timeoutMs, signal: caller }: AudioBodyOptions,
  take: TakeAudio,
): Promise<void> => {
  if (!fetchesUrls) throw invalidRequest('URLs are not fetched here: send the audio itself as the body.');
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([caller, timeout]);
  try {
    const response = await openRemoteAudio(url, { owner, timeoutMs, signal });
    for await (const chunk of response) await take(chunk as Buffer);
  } catch (thrown) {
    if (timeout.aborted) throw new Fault('REQUEST_TIMEOUT', { message: 'The recording did not arrive in time.' });
    if (thrown instanceof Fault || caller.aborted) throw thrown;
    throw invalidRequest('The recording at the URL could not be read completely.');
  }
};
