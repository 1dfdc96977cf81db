// Known voices: enrols people, lists, exports and deletes their voice prints.
import type {
  VoiceAuditResponse,
  VoiceDeletedResponse,
  VoiceExportResponse,
  VoiceListResponse,
  VoiceResponse,
} from '@faircopy/contract';
import { PATHS } from '@faircopy/contract/values';
import { errorFromAnswer, FaircopyError, parseJson } from './error.ts';
import { authorization, type FormAnswer, type Transport } from './transport/transport.ts';

export interface VoicesParts {
  readonly transport: Transport;
  readonly apiKey: string;
  readonly urlOf: (path: string) => URL;
  readonly newIdempotencyKey: () => string;
}

export interface EnrolVoice {
  readonly name: string;
  /** One person, 8 to 30 seconds of speech. */
  readonly audio: Blob;
  /** Confirms that the person has agreed to the enrolment of their voice. */
  readonly consent: true;
  readonly signal?: AbortSignal;
}

/** Every method rejects with a FaircopyError. Calls are not retried: a repeated enrolment would add a second voice. */
export class Voices {
  readonly #parts: VoicesParts;

  constructor(parts: VoicesParts) {
    this.#parts = parts;
  }

  async enrol({ name, audio, consent, signal }: EnrolVoice): Promise<VoiceResponse> {
    const { transport, apiKey, urlOf, newIdempotencyKey } = this.#parts;
    const form = new FormData();
    form.append('name', name);
    form.append('consent', String(consent));
    form.append('audio', audio, 'audio');
    const url = urlOf(PATHS.voices);
    const idempotencyKey = newIdempotencyKey();
    return bodyOf(await transport.postForm({ url, apiKey, form, idempotencyKey, signal, onProgress: undefined }));
  }

  list(): Promise<VoiceListResponse> {
    return this.#ask('GET', PATHS.voices);
  }

  export(id: string): Promise<VoiceExportResponse> {
    return this.#ask('GET', `${PATHS.voices}/${encodeURIComponent(id)}/export`);
  }

  delete(id: string): Promise<VoiceDeletedResponse> {
    return this.#ask('DELETE', `${PATHS.voices}/${encodeURIComponent(id)}`);
  }

  /** Newest first. `before` is `next_before` of the previous page. */
  audit({ limit, before }: { readonly limit?: number; readonly before?: string } = {}): Promise<VoiceAuditResponse> {
    const query = new URLSearchParams({
      ...(limit !== undefined && { limit: String(limit) }),
      ...(before !== undefined && { before }),
    });
    return this.#ask('GET', PATHS.voiceAudit, query);
  }

  async #ask<Body>(method: 'GET' | 'DELETE', path: string, query = new URLSearchParams()): Promise<Body> {
    const url = this.#parts.urlOf(path);
    url.search = String(query);
    let answer: FormAnswer;
    try {
      const response = await fetch(url, { method, headers: { authorization: authorization(this.#parts.apiKey) } });
      const body = await response.text();
      answer = { status: response.status, body, header: (name) => response.headers.get(name) };
    } catch (cause) {
      throw new FaircopyError('CONNECTION_FAILED', `${url.host} did not answer.`, { cause });
    }
    return bodyOf(answer);
  }
}

const bodyOf = <Body>(answer: FormAnswer): Body => {
  if (answer.status >= 300) throw errorFromAnswer(answer);
  const body = parseJson(answer.body) as { status?: unknown } | undefined;
  if (body?.status === 'success') return body as Body;
  throw new FaircopyError('UNEXPECTED_ANSWER', 'The answer is not from this service.', { status: answer.status });
};
