// Opens known voices, if the operator set their secret: voice prints, enrolment and endpoints.
import { VoicePrints } from '../accounts/voices/voice-prints.ts';
import type { Calls } from '../calls/calls.ts';
import { Enrolments } from '../calls/voices/enrolments.ts';
import { addVoices, addVoicesOff } from '../endpoints/voices/voices.ts';
import type { Database } from './open-database.ts';
import type { Web } from './open-http.ts';
import type { Base } from './open-observability.ts';
import { requireSpeakers, type Speech } from './open-speech.ts';

export const openVoicePrints = ({ config }: Base, { storage }: Database): VoicePrints | undefined => {
  const { voicesSecret: secret, voicesAuditDays: auditDays } = config;
  return secret === undefined ? undefined : new VoicePrints({ storage, secret, auditDays });
};

export interface VoiceSources {
  readonly base: Base;
  readonly database: Database;
  readonly speech: Speech;
  readonly web: Web;
  readonly calls: Calls;
  readonly prints: VoicePrints | undefined;
}

export const openVoices = ({ base, database, speech, web, calls, prints }: VoiceSources): void => {
  if (!prints) {
    addVoicesOff(web.http);
    return;
  }
  const { engine, decoding } = speech;
  const enrolments = new Enrolments({
    prints,
    decoding,
    readiness: base.readiness,
    featuresFor: (owner, signal) => {
      const speakers = requireSpeakers(engine);
      return { openSpeakers: () => speakers.open(owner, signal), openVoiceProbe: () => engine.openVoiceProbe() };
    },
  });
  addVoices(web.http, {
    storage: database.storage,
    calls,
    prints,
    enrolments,
    uploadTimeoutMs: base.config.uploadTimeoutMs,
  });
};
