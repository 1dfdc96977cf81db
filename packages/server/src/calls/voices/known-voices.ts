// The voices that calls may compare speakers with: loaded only when a request asks, and each use is recorded.
import type { Principal } from '../../accounts/principal.ts';
import type { VoicePrints } from '../../accounts/voices/voice-prints.ts';
import { Fault, invalidRequest } from '../../lib/fault.ts';
import type { Log } from '../../observability/log.ts';
import { KnownVoiceNames, type PrintModel } from '../../transcription/known-voices/known-voice-names.ts';

export interface KnownVoicesParts {
  readonly prints: VoicePrints;
  /** Undefined when the server has no speaker models. */
  readonly embedding: PrintModel | undefined;
  readonly log: Log;
}

export interface VoiceUser {
  readonly requestId: string;
  readonly principal: Principal;
}

export const knownVoicesOff = () =>
  invalidRequest('"known_voices" is not available: this server has known voices turned off.', 'known_voices');

/** Comparing prints of different models would name people at random. */
const otherModel = (voices: number) =>
  invalidRequest(
    `"known_voices" cannot be used: the account's voices (${voices}) were enrolled with another speaker embedding model. Enrol them again.`,
    'known_voices',
  );

export class KnownVoices {
  readonly #parts: KnownVoicesParts;

  constructor(parts: KnownVoicesParts) {
    this.#parts = parts;
  }

  /** The comparison is recorded before the voices are used. */
  async namesFor({ requestId, principal: { accountId, keyId } }: VoiceUser): Promise<KnownVoiceNames> {
    const { prints, embedding } = this.#parts;
    if (!embedding) throw new Fault('SERVICE_UNAVAILABLE', { message: 'This server has no speaker models.' });
    const { voices, others } = await prints.printsFor(accountId, embedding.id);
    if (voices.length === 0 && others > 0) throw otherModel(others);
    if (voices.length > 0) await prints.recordCompared(accountId, voices.length, { actor: keyId, requestId });
    return new KnownVoiceNames(voices, embedding.similarities);
  }

  /** Records the voices that were named since the last call. Never rejects. */
  async recordNamed(names: KnownVoiceNames, { requestId, principal }: VoiceUser): Promise<void> {
    const { accountId, keyId } = principal;
    const named = names.takeNamed();
    try {
      await this.#parts.prints.recordNamed(accountId, named, { actor: keyId, requestId });
    } catch (err) {
      this.#parts.log.error({ err, requestId, accountId }, 'the use of voices was not recorded');
    }
  }
}

/** The names of an account's voices; rejects if known voices are off. */
export const namesFor = (user: VoiceUser, voices: KnownVoices | undefined): Promise<KnownVoiceNames> => {
  const names = voices ? voices.namesFor(user) : Promise.reject<KnownVoiceNames>(knownVoicesOff());
  // The session handles the rejection, unless it cannot be opened.
  names.catch(() => undefined);
  return names;
};
