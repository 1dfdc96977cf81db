// The voices that calls may compare speakers with: loaded only when a request asks, and each use is recorded.
import type { Principal } from '../../accounts/principal.ts';
import type { VoicePrints } from '../../accounts/voices/voice-prints.ts';
import { invalidRequest } from '../../lib/fault.ts';
import type { Log } from '../../observability/log.ts';
import { KnownVoiceNames } from '../../transcription/known-voices/known-voice-names.ts';

export interface KnownVoicesParts {
  readonly prints: VoicePrints;
  /** The embedding model's name. */
  readonly model: string;
  readonly log: Log;
}

export interface VoiceUser {
  readonly requestId: string;
  readonly principal: Principal;
}

export const knownVoicesOff = () =>
  invalidRequest('"known_voices" is not available: this server has known voices turned off.', 'known_voices');

export class KnownVoices {
  readonly #parts: KnownVoicesParts;

  constructor(parts: KnownVoicesParts) {
    this.#parts = parts;
  }

  /** The comparison is recorded before the voices are used. */
  async namesFor({ requestId, principal: { accountId, keyId } }: VoiceUser): Promise<KnownVoiceNames> {
    const { prints, model } = this.#parts;
    const voices = await prints.printsFor(accountId, model);
    if (voices.length > 0) await prints.recordCompared(accountId, voices.length, { actor: keyId, requestId });
    return new KnownVoiceNames(voices);
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
