// Sends recordings to a running server: short ones in one request, long ones as jobs.
import type { Faircopy } from '@faircopy/client';
import type { JobObject, SuccessResponse } from '@faircopy/contract';
import type { UploadDecoding } from '../../audio/upload-decoding.ts';
import { JobClient } from './job-client.ts';
import type { JobProgress } from './long-recording.ts';
import type { RecordingRequest } from './recording-options.ts';
import { apiKeyOf, type ConnectionOptions, openClient } from './service-client.ts';

export interface Recording {
  readonly audio: Blob;
  readonly fileName: string;
  /** How a second run recognises it; null when it can be read only once. */
  readonly identity: string | null;
}

export class RecordingTranscriber {
  readonly #client: Faircopy;
  readonly #decoding: UploadDecoding;
  readonly #caller: { readonly url: string; readonly apiKey: string };
  readonly jobs: JobClient;

  private constructor(client: Faircopy, decoding: UploadDecoding, options: ConnectionOptions) {
    this.#client = client;
    this.#decoding = decoding;
    this.#caller = { url: options.url, apiKey: apiKeyOf(options) };
    this.jobs = new JobClient(this.#caller);
  }

  /** Prints the reason and resolves to null if the server cannot be called with these options. */
  static async open(options: ConnectionOptions): Promise<RecordingTranscriber | null> {
    const client = await openClient(options);
    if (client === null) return null;
    const { createUploadDecoding } = await import('../../audio/create-upload-decoding.ts');
    return new RecordingTranscriber(client, createUploadDecoding(), options);
  }

  async transcribe(
    { audio, fileName, identity }: Recording,
    request: RecordingRequest,
    progress: JobProgress & { readonly signal: AbortSignal },
  ): Promise<SuccessResponse> {
    const options = { ...request, fileName };
    if (await this.isTooLong(audio)) {
      const { transcribeAsJob } = await import('./long-recording.ts');
      return transcribeAsJob(this.jobs, { identity, audio, options, caller: this.#caller }, progress);
    }
    const { signal, onProgress, idempotencyKey } = progress;
    return this.#client.transcribe(await this.#accepted(audio), {
      ...options,
      signal,
      ...(onProgress && { onProgress }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    });
  }

  /** Sends a recording as a job without waiting for its result. */
  async createJob({ audio, fileName }: Recording, request: RecordingRequest, signal: AbortSignal): Promise<JobObject> {
    return (await this.jobs.create(audio, { ...request, fileName }, { signal })).job;
  }

  /** Whether the recording must be sent as a job. */
  async isTooLong(audio: Blob): Promise<boolean> {
    const { isTooLong } = await import('./long-recording.ts');
    return isTooLong(audio, this.#decoding);
  }

  async #accepted(audio: Blob): Promise<Blob> {
    const { acceptedEverywhere } = await import('./recording-upload.ts');
    return acceptedEverywhere(audio, this.#decoding);
  }

  close(): Promise<void> {
    return this.#decoding.close();
  }
}
