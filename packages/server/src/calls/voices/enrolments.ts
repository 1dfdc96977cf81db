// Enrols voices: decodes the recording as it arrives, makes the print, stores it. The audio is not kept.
import { VOICE_LIMITS } from '@faircopy/contract';
import type { Principal } from '../../accounts/principal.ts';
import type { VoiceActor } from '../../accounts/voices/voice-audit.ts';
import { checkedVoiceName, type VoiceListing, type VoicePrints } from '../../accounts/voices/voice-prints.ts';
import { joinSamples } from '../../audio/join-samples.ts';
import type { LiveDecoder, UploadDecoding } from '../../audio/upload-decoding.ts';
import { Fault } from '../../lib/fault.ts';
import type { Readiness } from '../../observability/readiness.ts';
import { type EnrolmentFeatures, enrolVoice } from '../../transcription/known-voices/enrolment.ts';
import { notReady, stopping } from '../refusals.ts';

export interface EnrolmentsParts {
  readonly prints: VoicePrints;
  readonly decoding: Pick<UploadDecoding, 'open'>;
  readonly readiness: Readiness;
  /** Throws SERVICE_UNAVAILABLE when the server has no speaker models. */
  readonly featuresFor: (owner: string, signal: AbortSignal) => EnrolmentFeatures;
}

/** On the whole server; each account may have one. */
const ENROLMENTS_AT_ONCE_MAX = 4;
const RETRY_AFTER_SECONDS = 5;

export class Enrolments {
  readonly #parts: EnrolmentsParts;
  readonly #accounts = new Set<string>();

  constructor(parts: EnrolmentsParts) {
    this.#parts = parts;
  }

  /** Refuses when the account has no room or has an enrolment in progress. The result must always be closed. */
  async open({ accountId }: Principal, signal: AbortSignal): Promise<Enrolment> {
    const { prints, readiness, decoding } = this.#parts;
    if (readiness.state === 'draining') throw stopping();
    if (readiness.state !== 'ready') throw notReady(readiness);
    if (this.#accounts.has(accountId))
      throw new Fault('CONCURRENT_LIMIT_EXCEEDED', {
        message: 'Another enrolment of the account is in progress.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    if (this.#accounts.size >= ENROLMENTS_AT_ONCE_MAX)
      throw new Fault('SERVICE_UNAVAILABLE', {
        message: 'The server is busy enrolling other voices.',
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    this.#accounts.add(accountId);
    const close = () => void this.#accounts.delete(accountId);
    try {
      await prints.requireRoom(accountId);
    } catch (thrown) {
      close();
      throw thrown;
    }
    const decoder = decoding.open({
      maxDurationSeconds: VOICE_LIMITS.audioSecondsMax,
      formats: 'all',
      owner: accountId,
      signal,
    });
    return new Enrolment(this.#parts, { accountId, decoder, signal, close });
  }
}

interface OpenEnrolment {
  readonly accountId: string;
  readonly decoder: LiveDecoder;
  readonly signal: AbortSignal;
  readonly close: () => void;
}

export class Enrolment {
  readonly #parts: EnrolmentsParts;
  readonly #open: OpenEnrolment;
  readonly #samples: Promise<Float32Array>;

  constructor(parts: EnrolmentsParts, open: OpenEnrolment) {
    this.#parts = parts;
    this.#open = open;
    this.#samples = samplesOf(open.decoder);
    // finish() rejects with the same failure.
    this.#samples.catch(() => {});
  }

  /** Bytes of the file. The promise is back-pressure. */
  write(bytes: Uint8Array): Promise<void> {
    // The parser reuses its buffers.
    return this.#open.decoder.write(Uint8Array.from(bytes));
  }

  /** Call when all bytes have been written. */
  async finish(name: string, by: VoiceActor): Promise<VoiceListing> {
    const { prints, featuresFor } = this.#parts;
    const { accountId, decoder, signal } = this.#open;
    checkedVoiceName(name);
    decoder.end();
    const samples = await this.#samples;
    const voice = await enrolVoice(samples, featuresFor(accountId, signal));
    // A caller who has disconnected does not expect an enrolment.
    signal.throwIfAborted();
    return prints.add(accountId, { ...voice, name }, by);
  }

  close(): void {
    this.#open.decoder.abort();
    this.#open.close();
  }
}

/** All samples of the recording, whose length the decoder limits. */
const samplesOf = async (decoder: LiveDecoder): Promise<Float32Array> => {
  const pieces: Float32Array[] = [];
  for await (const samples of decoder) pieces.push(samples);
  return joinSamples(pieces);
};
